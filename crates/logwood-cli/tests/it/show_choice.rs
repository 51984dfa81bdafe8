//! Transcripts of damaged and old files, of another branch, of everything, in full.

use insta::assert_snapshot;

use crate::support::printed;

const TIDES: &str = "21f7";
const NOTES: &str = "tidepool-release-notes";
const GALLERY: &str = "e04b";
const DAMAGED: &str = "eb7e";

#[test]
fn show_of_a_damaged_file() {
    assert_snapshot!(printed(&["show", DAMAGED]), @"
    (no name)
      id        eb7e892a-006d-4932-8e8d-7f3798167a40
      cwd       /home/mira/field-notes
      created   2026-08-09 19:15
      model     anthropic/claude-haiku-4-5, thinking off
      entries   9
      problems  4 faults, 1 note (logwood check says which)

    · model anthropic/claude-haiku-4-5

    user                                                             f450ebfa  19:16
      Which of these calls is a reed warbler? I wrote: 'trr-trr-tiri, tiri, quiet,
      from the reeds, after sunset'.

    assistant  claude-haiku-4-5                                      ece0f4ed  19:16
      That fits a reed warbler: unhurried, each motif two or three times, and from
      the reeds. A sedge warbler sounds similar but faster and more excited.

    user                                                             ca47f7c3  19:16
      And one that only clicked?

    assistant  claude-haiku-4-5                                      8fffa147  19:17
      [bash: birdcall match click.wav]
      │ 12 recordings found, best match: stonechat �

    assistant  claude-haiku-4-5                                      ad82c014  19:17
      The clicks match a stonechat: like two pebbles knocked together.

    user                                                             9e0fbac4  19:17
      Thanks. Note for the caf� list: 'Schwarzkehlchen' is the German name.

    assistant  claude-haiku-4-5                                      bfe034d7  19:17
      Noted: Schwarzkehlchen, the stonechat.
    ");
}

#[test]
fn show_another_branch_without_header() {
    assert_snapshot!(printed(&["show", "-q", TIDES, "--branch", "75c44"]), @"
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

    · label [works] on 115150d5

    user                                                             0f66fed6  18:06
      While we are here: could we drop the `chrono` dependency?

    assistant  claude-sonnet-4-5                                     75c44a00  18:06
      Let me see how far it reaches.
      [bash: grep -rc chrono:: src tests | grep -v ':0']
      │ (no result)
    ");
}

#[test]
fn show_all() {
    assert_snapshot!(printed(&["show", "-q", NOTES, "--all"]), @r#"
    system                                                           eb914761  16:30
      You help with the release of tidepool.

    · model anthropic/claude-opus-4-5                                       4396a1ef

    user                                                             8d8466a6  16:30
      Draft the release notes for 0.4.1.

    assistant  claude-opus-4-5                                       92db5ea0  16:30
      [bash: git log --oneline v0.4.0..v0.4.1]

    tool result  bash                                                2e573699  16:30
      │ 5c1d0fe release 0.4.1
      │ 8d2e9a4 clock: ask for the offset of each tide
      │ 1b77c30 tests: spring change

    assistant  claude-opus-4-5                                       de4155df  16:30
      Here is
      (error: overloaded_error)

    · context edit hides de4155df                                           b5e714b1

    assistant  claude-opus-4-5                                       d8ca48b7  16:30
      **0.4.1**

      On the days when clocks change, tides after the change were shown one hour
      off. They are right now. Nothing else changed.

    · usage {"type":"usage","id":"3efc02b6","parentId":"d8ca48b7","time…    3efc02b6

    system                                                           2c088843  16:31


    user                                                             cbb1dc1b  16:33
      Mail from a user, maybe useful:
      > On the 25th the ferry had left when I arrived at the quay. Your table said
      11:40, the harbour said 10:40.
      > On the 25th the ferry had left when I arrived at the quay. Your table said
      11:40, the harbour said 10:40.
      > On the 25th the ferry had left when I arrived at the quay. Your table said
      11:40, the harbour said 10:40.
      > On the 25th the ferry had left when I arrived at the quay. Your table said
      11:40, the harbour said 10:40.
      > On the 25th the ferry had left when I arrived at the quay. Your table said
      11:40, the harbour said 10:40.
      > On the 25th the ferry had left when I arrived at the quay. Your table said
      11:40, the harbour said 10:40.

    · context edit replaces cbb1dc1b                                        e0f7c4f3

    compaction  10k tokens before, keeps from d8ca48b7               c1768e39  16:33
      ## Goal
      Release notes for tidepool 0.4.1.

      ## Progress
      ### Done
      - A draft in two sentences.

    user                                                             64b12efa  16:34
      Say what somebody should do who printed a table.

    assistant  claude-opus-4-5                                       a23a1f7f  16:34
      If you printed a table that covers 25 October 2026 or a later day on which
      clocks change, please kindly consider printing it again at your convenience.

    ── another branch, from d8ca48b7
    branch summary  from a23a1f7f                                    8c91ec55  16:34
      The user explored a different conversation branch before returning here.
      Summary of that exploration:

      A longer wording was tried and dropped.

    user                                                             858edeac  16:34
      One sentence for people who printed a table, please.

    assistant  claude-opus-4-5                                       6220624c  16:35
      If you printed a table for 25 October, print it again.

    · name Release notes 0.4.1                                              66fff6d0
    "#);
}

#[test]
fn show_in_full() {
    let short = printed(&["show", TIDES]);
    let full = printed(&["show", "-v", TIDES]);
    assert!(short.contains("more lines") && !full.contains("more lines"));
    assert!(full.lines().count() > short.lines().count());
}

#[test]
fn show_of_version_1() {
    assert_snapshot!(printed(&["show", "4900"]), @"
    (no name)
      id        4900714c-7919-4ca3-b539-17fabb20b424
      cwd       /home/mira/field-notes
      created   2026-03-02 10:00
      model     anthropic/claude-sonnet-4-5, thinking off
      entries   7
      version   1, shown as version 3; the file stays as it is

    user                                                             0291c50c  10:00
      Turn these notes into a table: heron 3, egret 1, heron 2 (second pond),
      kingfisher 1.

    assistant  claude-sonnet-4-5                                     36634806  10:00
      | bird | pond 1 | pond 2 |
      |---|---|---|
      | heron | 3 | 2 |
      | egret | 1 | |
      | kingfisher | 1 | |

    user                                                             11a7e4f1  10:01
      The kingfisher was at the second pond as well.

    assistant  claude-sonnet-4-5                                     a5c82830  10:01
      | bird | pond 1 | pond 2 |
      |---|---|---|
      | heron | 3 | 2 |
      | egret | 1 | |
      | kingfisher | | 1 |

    compaction  10k tokens before, keeps from 11a7e4f1               632bf86d  10:01
      Bird counts for two ponds were put into a table; the kingfisher belongs to
      pond 2.

    user                                                             05592ea5  10:01
      And the sum of each column?

    assistant  claude-sonnet-4-5                                     d637d445  10:01
      Pond 1: 4 birds. Pond 2: 3 birds.
    ");
}

/// A message that an extension hides from people is shown with `--all` only.
#[test]
fn hidden_messages_come_with_all() {
    assert!(!printed(&["show", GALLERY]).contains("house-rules"));
    assert!(printed(&["show", GALLERY, "--all"]).contains("custom  house-rules, hidden"));
}
