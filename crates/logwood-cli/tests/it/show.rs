//! Transcripts of the sessions of `examples/agent`.

use insta::assert_snapshot;

use crate::support::printed;

const TIDES: &str = "21f7";
const NOTES: &str = "tidepool-release-notes";
const GALLERY: &str = "e04b";

#[test]
#[expect(clippy::too_many_lines, reason = "one transcript")]
fn show() {
    assert_snapshot!(printed(&["show", TIDES]), @r#"
    Tide table: daylight saving
      id        21f7f2c1-1d4d-4a05-b554-d12d7b736ac9
      cwd       /home/mira/tidepool
      created   2026-11-12 18:04
      model     anthropic/claude-sonnet-4-5, thinking medium
      entries   40 in 2 branches, 29 on this one

    · model anthropic/claude-sonnet-4-5
    · thinking medium

    user                                                             fe7609ae  18:05
      The table for Saint-Malo shows every high tide on 25 October one hour late
      after breakfast. Before that it is right. Can you find out why?

    assistant  claude-sonnet-4-5                                     794e91d2  18:05
      ┆ 25 October 2026 is the last Sunday of October, so clocks go back at 03:00.
      ┆ Something probably takes the offset once for the whole day.
      That is the day the clocks go back. Let me see where local times are made.
      [grep: /offset/ in src]
      │ src/clock.rs:14:    let offset = zone.offset_at(day.start());
      │ src/clock.rs:22:        .map(|tide| tide.at + offset)
      │ src/print.rs:41:    // offset is in the rows already

    assistant  claude-sonnet-4-5                                     2a51c2c0  18:05
      [read: src/clock.rs:12-20]
      │ pub fn local_times(day: Day, tides: &[Tide], zone: &Zone) -> Vec<Local> {
      │     let offset = zone.offset_at(day.start());
      │     tides
      │         .iter()
      │ … 4 more lines

    assistant  claude-sonnet-4-5                                     6cf57eb1  18:05
      Found it: the offset is looked up once, at the start of the day, and then used
      for all tides of that day. On 25 October it changes at 03:00. I'll ask for the
      offset of each tide instead.
      [edit: src/clock.rs]
      │ -    let offset = zone.offset_at(day.start());
      │      tides
      │          .iter()
      │ -        .map(|tide| tide.at + offset)
      │ +        .map(|tide| tide.at + zone.offset_at(tide.at))

    assistant  claude-sonnet-4-5                                     d569a220  18:05
      [bash: cargo test -q]
      │ running 31 tests
      │ ...............................
      │ test result: ok. 31 passed; 0 failed

    assistant  claude-sonnet-4-5                                     115150d5  18:06
      Fixed. `local_times` now asks for the offset at each tide's own time, so a day
      may have two. The look-up is a binary search over about 60 changes; I see no
      difference in the time of a whole year's table (0.8 s before and after).

    branch summary  from e9e0792e                                    571114a0  18:08
      The user explored a different conversation branch before returning here.
      Summary of that exploration:

      ## Goal
      Drop the `chrono` dependency.

      ## Progress
      ### Done
      - Counted its uses: 55 places in 6 files.
      ### Blocked
      - `tidepool::feed::ical` shows `chrono` types to its callers, so removing them
      is a breaking change.
      … 6 more lines

    user                                                             7d52398e  18:08
      Write a test for the spring change too: 29 March 2026, where 02:00 to 03:00
      does not exist.

    assistant  claude-sonnet-4-5                                     43f8e697  18:08
      [edit: tests/year.rs]
      │ +#[test]
      │ +fn spring_has_no_two_o_clock() {
      │ +    let rows = table("saint-malo", "2026-03-29");
      │ +    assert!(rows.iter().all(|row| row.local.hour() != 2));
      │ … 2 more lines

    assistant  claude-sonnet-4-5                                     7c85ca28  18:09
      [bash: cargo test -q]
      │ running 32 tests
      │ ................................
      │ test result: ok. 32 passed; 0 failed

    assistant  [release 0.4.1]  claude-sonnet-4-5                    daff6d31  18:09
      Added `spring_has_no_two_o_clock`. With the old code it fails with `02:12`, so
      it would have shown this fault; now all 32 pass.

    · label of 115150d5 cleared
    · label [release 0.4.1] on daff6d31
    · label of 326438d6 cleared
    · label [chrono: for 0.5] on 326438d6
    · name tides
    · name Tide table: daylight saving

    user                                                             bc48e22e  18:09
      Lovely. Tag it as 0.4.1 please.

    assistant  claude-sonnet-4-5                                     13028f8a  18:09
      [bash: git commit -qam 'release 0.4.1' && git tag v0.4.1 ...]
      │ [main 5c1d0fe] release 0.4.1
      │  2 files changed, 3 insertions(+), 2 deletions(-)

    assistant  claude-sonnet-4-5                                     29dc16dd  18:10
      Tagged `v0.4.1`. Nothing is pushed yet.
    "#);
}

#[test]
fn show_newer_dialect() {
    assert_snapshot!(printed(&["show", NOTES]), @"
    Release notes 0.4.1
      id        tidepool-release-notes
      cwd       /home/mira/tidepool
      created   2026-11-20 16:30
      model     anthropic/claude-opus-4-5, thinking off
      entries   19 in 2 branches, 12 on this one

    system                                                           eb914761  16:30
      You help with the release of tidepool.

    · model anthropic/claude-opus-4-5

    user                                                             8d8466a6  16:30
      Draft the release notes for 0.4.1.

    assistant  claude-opus-4-5                                       92db5ea0  16:30
      [bash: git log --oneline v0.4.0..v0.4.1]
      │ 5c1d0fe release 0.4.1
      │ 8d2e9a4 clock: ask for the offset of each tide
      │ 1b77c30 tests: spring change

    assistant  claude-opus-4-5                                       de4155df  16:30
      Here is
      (error: overloaded_error)

    · context edit hides de4155df

    assistant  claude-opus-4-5                                       d8ca48b7  16:30
      **0.4.1**

      On the days when clocks change, tides after the change were shown one hour
      off. They are right now. Nothing else changed.

    branch summary  from a23a1f7f                                    8c91ec55  16:34
      The user explored a different conversation branch before returning here.
      Summary of that exploration:

      A longer wording was tried and dropped.

    user                                                             858edeac  16:34
      One sentence for people who printed a table, please.

    assistant  claude-opus-4-5                                       6220624c  16:35
      If you printed a table for 25 October, print it again.

    · name Release notes 0.4.1
    ");
}

/// Images, bash runs, an extension's messages, a subagent, broken answers, compactions.
#[test]
#[expect(clippy::too_many_lines, reason = "one transcript")]
fn show_everything_else() {
    assert_snapshot!(printed(&["show", GALLERY]), @r#"
    Gallery: phone layout, speed, albums
      id        e04b7ed0-622c-413a-89c9-7ec23609faf1
      cwd       /home/mira/lanternfish
      created   2026-10-03 09:12
      model     openai/gpt-5.1-codex, thinking medium
      entries   47

    · model anthropic/claude-sonnet-4-5
    · thinking low

    user                                                             97da5a41  09:13
      On my phone the thumbnails lie on top of each other. Screenshot below.
      [image: image/png, 2 KiB]

    assistant  claude-sonnet-4-5                                     cc8bc899  09:13
      The third column hangs over the second. Let me see the grid.
      [read: static/gallery.css]
      │ .grid {
      │   display: grid;
      │   grid-template-columns: repeat(3, 180px);
      │   gap: 8px;
      │ }

    assistant  claude-sonnet-4-5                                     98d44921  09:13
      Three columns of 180 px need 556 px and a phone has about 390. `auto-fill`
      makes as many columns as fit.
      [edit: static/gallery.css]
      │ -  grid-template-columns: repeat(3, 180px);
      │ +  grid-template-columns: repeat(auto-fill, minmax(140px, 1fr));

    assistant  claude-sonnet-4-5                                     a7f13a2f  09:13
      [screenshot: {"url":"http://localhost:8000/","width":...]
      │ 390 x 844, 2 columns
      │ [image: image/png, 2 KiB]

    assistant  claude-sonnet-4-5                                     600489c4  09:14
      Two columns, nothing overlaps. From 600 px on there are four.

    bash                                                             566d65a2  09:14
      $ git status --short
      │  M static/gallery.css

    bash  not in the context                                         44bbbe41  09:14
      $ df -h /home | tail -1
      │ /dev/nvme0n1p3  468G  201G  244G  46% /home

    user                                                             74ea868a  09:15
      The start page takes 6 seconds with 4,000 photos. Find out where the time
      goes, then make it fast.

    assistant  claude-sonnet-4-5                                     ed5f6f79  09:15
      ┆ Measuring first; a scout can do it without filling this conversation.
      I'll have the page profiled first.
      [subagent: {"agent":"scout","task":"Profile GET / w...]
      │ Started background agent 4be1f7a09c3d (scout).

    · Arbitration changed model anthropic/claude-sonnet-4-5 → anthropic/claude-haik…

    assistant  claude-sonnet-4-5                                     a29edbc8  09:15
      The profile is running.

    user                                                             7d6fa633  09:18
      <background-agent-complete>
      Background agent 4be1f7a09c3d (scout) completed.

      Execution metadata: model: anthropic/claude-haiku-4-5, thinking: low

      91 % of the time is `exif.read_date`, called once per photo and request.

      Session log:
      /home/mira/.dreb/agent/subagent-sessions/3608e4bd0e69/2026-10-03T09-15-29-320Z
      _0750ce36-ee68-44dd-a6b2-e43d526498b6.jsonl
      </background-agent-complete>

    assistant  claude-sonnet-4-5                                     81ca8676  09:18
      So every request reads the date out of 4,000 files.
      (error: The connection was closed before the answer was complete.)

    assistant  claude-sonnet-4-5                                     9f9c81f9  09:18
      Every request reads the date out of 4,000 files. A date does not change, so it
      belongs into the table of photos.
      [edit: gallery/models.py]
      │  class Photo(Base):
      │      path = Column(String, primary_key=True)
      │ +    taken = Column(DateTime, index=True)

    assistant  claude-sonnet-4-5                                     be75c871  09:18
      [write: migrations/0007_taken.py]
      │ Wrote migrations/0007_taken.py (31 lines)

    custom  lint                                                     1ee2dc46  09:18
      ruff: 1 problem
      migrations/0007_taken.py:3:1: F401 `os` imported but unused

    assistant  claude-sonnet-4-5                                     5e8c2690  09:18
      [bash: ruff check --fix migrations/0007_taken.py && ruff ...]
      │ All checks passed!

    assistant  [fast start page]  claude-sonnet-4-5                  7dcbf62f  09:18
      The start page now takes 0.19 s instead of 6.1 s. The migration reads all
      dates once (about 5 s for 4,000 photos) and new photos get theirs on upload.

    · label [fast start page] on 7dcbf62f

    compaction  17k tokens before, keeps from 74ea868a               b255bec9  09:19
      ## Goal
      A gallery that works on a phone and opens quickly.

      ## Progress
      ### Done
      - Grid fits narrow screens (`static/gallery.css`).
      - Start page 6.1 s to 0.19 s: dates are stored in `Photo.taken`, filled by
      `migrations/0007_taken.py`.

      ## Next Steps
      1. Albums.

    · model openai/gpt-5.1-codex
    · thinking high

    user                                                             61f327fe  09:19
      Now albums: a photo can be in several, and an album has an order.

    assistant  gpt-5.1-codex                                         c54e4946  09:19
      A join table with a position, then. First the model.
      [edit: gallery/models.py]
      │ +class AlbumPhoto(Base):
      │ +    album_id = Column(ForeignKey("album.id"), primary_key=True)
      │ +    photo_path = Column(ForeignKey("photo.path"), primary_key=True)
      │ +    position = Column(Float, nullable=False)

    assistant  gpt-5.1-codex                                         fc7b52d5  09:19
      Positions are floating-point numbers so that a photo can be moved between two
      others by writing one row. When
      (aborted: Request was aborted.)

    user                                                             753c0613  09:20
      Why not just renumber them? Albums have 50 photos at most.

    assistant  gpt-5.1-codex                                         db065562  09:20
      You are right, at that size renumbering is simpler and never runs out of
      digits.
      [edit: gallery/models.py]
      │ -    position = Column(Float, nullable=False)
      │ +    position = Column(Integer, nullable=False)

    assistant  gpt-5.1-codex                                         ea85a70f  09:20
      `AlbumPhoto.position` is a whole number from 1, and moving a photo renumbers
      its album in one statement.

    compaction  14k tokens before, keeps from ea85a70f               a5c389b2  09:20
      ## Goal
      A gallery that works on a phone and opens quickly; now albums with an order.

      ## Progress
      ### Done
      - Narrow screens, fast start page (see `migrations/0007_taken.py`).
      - `AlbumPhoto` with whole-number positions; moving renumbers the album.
      ### In Progress
      - Pages for albums.

      ## Key Decisions
      - Renumber instead of fractional positions: albums are small.

    user                                                             0aad88c9  09:21
      Which pages are missing?

    assistant  gpt-5.1-codex                                         a1169f1f  09:21
      Three: the list of albums, one album, and the form to sort it. The list can
      reuse the grid of the start page as it is.

    · name Gallery: phone layout, speed, albums
    · thinking medium
    "#);
}
