//! What the other commands print on the sessions of `examples/agent`.

use insta::assert_snapshot;

use crate::support::{Store, example, printed, run, session};

const TIDES: &str = "21f7";
const NOTES: &str = "tidepool-release-notes";
const GALLERY: &str = "e04b";
const DAMAGED: &str = "eb7e";

#[test]
fn tree() {
    assert_snapshot!(printed(&["tree", TIDES]), @"
    fe7609ae   • user: The table for Saint-Malo shows every high tide on 25 October…
    794e91d2   • assistant: That is the day the clocks go back. Let me see where lo…
    0ddaf19a   • [grep: /offset/ in src]
    22fbf850   • [read: src/clock.rs:12-20]
    6cf57eb1   • assistant: Found it: the offset is looked up once, at the start of…
    e25f6e9e   • [edit: src/clock.rs]
    b317ff07   • [bash: cargo test -q]
    115150d5   • assistant: Fixed. `local_times` now asks for the offset at each ti…
    571114a0   ├⊟ • [branch summary]: The user explored a different conversation br…
    7d52398e   │     • user: Write a test for the spring change too: 29 March 2026,…
    9f41b64f   │     • [edit: tests/year.rs]
    e81324c5   │     • [bash: cargo test -q]
    daff6d31   │     • [release 0.4.1] assistant: Added `spring_has_no_two_o_clock`…
    bc48e22e   │     • user: Lovely. Tag it as 0.4.1 please.
    58b90758   │     • [bash: git commit -qam 'release 0.4.1' && git tag v0.4.1 ...]
    29dc16dd › │     • assistant: Tagged `v0.4.1`. Nothing is pushed yet.
    0f66fed6   └⊟ user: While we are here: could we drop the `chrono` dependency?
    75c44a00         assistant: Let me see how far it reaches.
    5fbc164c         [bash: grep -rc chrono:: src tests | grep -v ':0']
    962d5c8d         assistant: Fifty-five places in six files. I'll start with the…
    cb7ac9bf         [edit: src/station.rs]
    8d97ae15         [bash: cargo check]
    326438d6         [chrono: for 0.5] assistant: The iCalendar writer hands `chron…
    e9e0792e         user: Too much for today. Put it back, and write a test for th…
    (24 of 40 entries)
    ");
}

#[test]
fn tree_of_labels() {
    assert_snapshot!(printed(&["tree", TIDES, "--filter", "labeled-only"]), @"
    daff6d31   • [release 0.4.1] assistant: Added `spring_has_no_two_o_clock`. With…
    326438d6   [chrono: for 0.5] assistant: The iCalendar writer hands `chrono` typ…
    (2 of 40 entries) [labeled]
    ");
}

#[test]
fn tree_of_everything() {
    assert_snapshot!(printed(&["tree", NOTES, "--filter", "all"]), @"
    eb914761   • [system]
    4396a1ef   • [model: claude-opus-4-5]
    8d8466a6   • user: Draft the release notes for 0.4.1.
    2e573699   • [bash: git log --oneline v0.4.0..v0.4.1]
    de4155df   • assistant: Here is
    b5e714b1   • [context_edit]
    d8ca48b7   • assistant: **0.4.1**  On the days when clocks change, tides after …
    8c91ec55   ├⊟ • [branch summary]: The user explored a different conversation br…
    858edeac   │     • user: One sentence for people who printed a table, please.
    6220624c   │     • assistant: If you printed a table for 25 October, print it a…
    66fff6d0 › │     • [title: Release notes 0.4.1]
    3efc02b6   └⊟ [usage]
    2c088843         [system]
    cbb1dc1b         user: Mail from a user, maybe useful: > On the 25th the ferry …
    e0f7c4f3         [context_edit]
    c1768e39         [compaction: 10k tokens]
    64b12efa         user: Say what somebody should do who printed a table.
    a23a1f7f         assistant: If you printed a table that covers 25 October 2026 …
    (18 of 19 entries) [all]
    ");
}

#[test]
fn context() {
    assert_snapshot!(printed(&["context", NOTES]), @"
    model    anthropic/claude-opus-4-5, thinking off
    leaf     66fff6d0
    context  8 messages, about 143 tokens

    eb914761  system                 0  You help with the release of tidepool.
    8d8466a6  user                   9  Draft the release notes for 0.4.1.
    92db5ea0  assistant             13  [bash: git log --oneline v0.4.0..v0.4.1]
    2e573699  toolResult            25  5c1d0fe release 0.4.1 8d2e9a4 clock: ask fo…
    d8ca48b7  assistant             33  **0.4.1** On the days when clocks change, t…
    8c91ec55  branchSummary         36  The user explored a different conversation …
    858edeac  user                  13  One sentence for people who printed a table…
    6220624c  assistant             14  If you printed a table for 25 October, prin…
    ");
}

#[test]
fn context_as_it_is_sent() {
    assert_snapshot!(printed(&["context", GALLERY, "--llm"]), @"
    model    openai/gpt-5.1-codex, thinking medium
    leaf     05833b4a
    context  4 messages, about 153 tokens

    a5c389b2  user                  91  The conversation history before this point …
    ea85a70f  assistant             26  `AlbumPhoto.position` is a whole number fro…
    0aad88c9  user                   6  Which pages are missing?
    a1169f1f  assistant             30  Three: the list of albums, one album, and t…
    ");
}

#[test]
fn context_explained() {
    assert_snapshot!(printed(&["context", NOTES, "--explain"]), @"
    eb914761  message      system                    0  You help with the release o…
    4396a1ef  bookkeeping  model_change              -  [model: claude-opus-4-5]
    8d8466a6  message      user                      9  Draft the release notes for…
    92db5ea0  message      assistant                13  [bash: git log --oneline v0…
    2e573699  message      toolResult               25  5c1d0fe release 0.4.1 8d2e9…
    de4155df  edited       assistant                 -  Here is
    b5e714b1  bookkeeping  context_edit              -  [context_edit]
    d8ca48b7  message      assistant                33  **0.4.1** On the days when …
    8c91ec55  message      branchSummary            36  The user explored a differe…
    858edeac  message      user                     13  One sentence for people who…
    6220624c  message      assistant                14  If you printed a table for …
    66fff6d0  bookkeeping  session_info              -  [title: Release notes 0.4.1]
    (8 of 12 entries in the context, about 143 tokens)
    bookkeeping: a label, a name, a setting, or state; never a message
    edited: a later context edit hides it
    ");
}

#[test]
fn context_before_every_entry() {
    assert_snapshot!(printed(&["context", TIDES, "--leaf", "null"]), @"
    model    (none), thinking off
    leaf     null
    context  0 messages, about 0 tokens
    ");
}

#[test]
fn context_of_pairs() {
    assert_snapshot!(printed(&["context", DAMAGED, "--leaf", "8fff", "--pair-tools"]), @"
    model    anthropic/claude-haiku-4-5, thinking off
    leaf     8fffa147
    context  3 messages, about 71 tokens

    f450ebfa  user                  27  Which of these calls is a reed warbler? I w…
    ece0f4ed  assistant             37  That fits a reed warbler: unhurried, each m…
    ca47f7c3  user                   7  And one that only clicked?
    left out: call toolu_0126f75ab1f3f9dab75c6d of bash in 8fffa147, it has no
      result
    ");
}

/// With `-v` no text is cut.
#[test]
fn nothing_is_cut_in_full() {
    for words in [
        &["tree", "-v", NOTES][..],
        &["context", "-v", NOTES],
        &["context", "-v", NOTES, "--explain"],
    ] {
        let text = printed(words);
        assert!(!text.contains('…') && text.contains("print it again."), "{text}");
    }
}

#[test]
fn check() {
    let ran = example(&["check", DAMAGED, TIDES]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_snapshot!(ran.out, @"
    examples/agent/sessions/--home-mira-field-notes--/2026-08-09T19-15-42-007Z_eb7e892a-006d-4932-8e8d-7f3798167a40.jsonl  4 faults, 1 note
      fault malformed_line: the line is not JSON; it is skipped and stays in the
        file
        line 6, byte 1453
        → nothing has to be done; `logwood repair` takes it out (a whole record on
          the line gets one of its own) and keeps it beside the file
      note lone_surrogate: a string holds half of a character, as JavaScript writes
        it; it shows as U+FFFD and stays as it is in the file
        line 8, byte 2215
        → nothing has to be done
      fault nul_bytes: the line holds NUL bytes, as a power loss leaves them; it is
        skipped and stays in the file
        line 9, byte 2547
        → nothing has to be done; `logwood repair` takes it out (a whole record on
          the line gets one of its own) and keeps it beside the file
      fault invalid_utf8: the line has bytes that are not UTF-8; they show as U+FFFD
        and stay as they are in the file
        line 11, byte 3203
        → nothing has to be done; the text around the bytes is whole, what they
          meant is not known any more
      fault torn_tail: the last line was cut off while it was written; it is
        skipped, and the next append starts a line of its own
        line 13, byte 4012
        → nothing has to be done; `logwood repair` takes it out (a whole record on
          the line gets one of its own) and keeps it beside the file
    examples/agent/sessions/--home-mira-tidepool--/2026-11-12T18-04-31-206Z_21f7f2c1-1d4d-4a05-b554-d12d7b736ac9.jsonl  no problems
    ");
}

#[test]
fn check_quietly() {
    assert_eq!(printed(&["check", "-q", TIDES]), "");
}

#[test]
fn debug_lines() {
    assert_snapshot!(printed(&["debug", "lines", DAMAGED]), @"
    line        byte    length  end   what
       1           0       144  LF    header eb7e892a-006d-4932-8e8d-7f3798167a40
       2         145       146  LF    entry model_change 33297b9d
       3         292       292  LF    entry message f450ebfa user
       4         585       655  LF    entry message ece0f4ed assistant
       5        1241       211  LF    entry message ca47f7c3 user
       6        1453       150  LF    malformed the text ends early at byte 150
       7        1604       610  LF    entry message 8fffa147 assistant
       8        2215       331  LF    entry message 02af350f toolResult, half a character
       9        2547        64  LF    malformed this is not JSON at byte 0, NUL bytes
      10        2612       590  LF    entry message ad82c014 assistant
      11        3203       254  LF    entry message 9e0fbac4 user
      12        3458       553  LF    entry message bfe034d7 assistant
      13        4012       149  none  malformed the text ends early at byte 149
    ");
}

#[test]
fn debug_entries() {
    assert_snapshot!(printed(&["debug", "entries", NOTES, "-v"]), @r#"
    line  id        parent    timestamp                 type
       2  eb914761  null      2026-11-20T16:30:00.774Z  message role="system"
       3  4396a1ef  eb914761  2026-11-20T16:30:04.817Z  model_change
       4  8d8466a6  4396a1ef  2026-11-20T16:30:31.627Z  message role="user"
       5  92db5ea0  8d8466a6  2026-11-20T16:30:38.308Z  message role="assistant" provider="anthropic" model="claude-opus-4-5" stopReason="toolUse"
       6  2e573699  92db5ea0  2026-11-20T16:30:41.989Z  message role="toolResult"
       7  de4155df  2e573699  2026-11-20T16:30:48.429Z  message role="assistant" provider="anthropic" model="claude-opus-4-5" stopReason="error"
       8  b5e714b1  de4155df  2026-11-20T16:30:50.878Z  context_edit targetId="de4155df"
       9  d8ca48b7  b5e714b1  2026-11-20T16:30:56.343Z  message role="assistant" provider="anthropic" model="claude-opus-4-5" stopReason="stop"
      10  3efc02b6  d8ca48b7  2026-11-20T16:30:58.106Z  usage
      11  2c088843  3efc02b6  2026-11-20T16:31:00.992Z  message role="system"
      12  cbb1dc1b  2c088843  2026-11-20T16:33:16.038Z  message role="user"
      13  e0f7c4f3  cbb1dc1b  2026-11-20T16:33:20.526Z  context_edit targetId="cbb1dc1b"
      14  c1768e39  e0f7c4f3  2026-11-20T16:33:35.017Z  compaction firstKeptEntryId="d8ca48b7"
      15  64b12efa  c1768e39  2026-11-20T16:34:07.298Z  message role="user"
      16  a23a1f7f  64b12efa  2026-11-20T16:34:13.317Z  message role="assistant" provider="anthropic" model="claude-opus-4-5" stopReason="stop"
      17  8c91ec55  d8ca48b7  2026-11-20T16:34:27.825Z  branch_summary
      18  858edeac  8c91ec55  2026-11-20T16:34:57.826Z  message role="user"
      19  6220624c  858edeac  2026-11-20T16:35:06.493Z  message role="assistant" provider="anthropic" model="claude-opus-4-5" stopReason="stop"
      20  66fff6d0  6220624c  2026-11-20T16:35:10.124Z  session_info name="Release notes 0.4.1"
    "#);
}

/// Lines are cut to the width; `-v` and `--json` show them whole.
#[test]
fn debug_entries_fit_the_width() {
    let store = Store::new();
    let long = "x".repeat(90);
    let text = session("s", "/p", "x", "2026-11-01T00:00:00.000Z").replace("a1a1a1a1", &long);
    let file = store.file("a.jsonl", text);
    let lines = |words: &[&str]| -> Vec<String> {
        let ran = run(&[&["debug", "entries", &file], words].concat());
        ran.out.lines().map(str::to_owned).collect()
    };
    assert_eq!(lines(&[])[1], format!("{:>7}  {}…", 2, &long[..70]));
    assert!(lines(&["-v"])[1].ends_with("message role=\"user\""));
    assert!(lines(&["--json"])[0].contains(&long));
    let notes = printed(&["debug", "entries", NOTES]);
    assert!(notes.lines().all(|line| line.chars().count() <= 80), "{notes}");
    assert!(notes.contains("role=\"assistant\"…"), "{notes}");
}

#[test]
fn debug_tree() {
    assert_snapshot!(printed(&["debug", "tree", NOTES]), @"
    node  id        parent    children  type
       0  eb914761  -                1  message system
       1  4396a1ef  eb914761         1  model_change
       2  8d8466a6  4396a1ef         1  message user
       3  92db5ea0  8d8466a6         1  message assistant
       4  2e573699  92db5ea0         1  message toolResult
       5  de4155df  2e573699         1  message assistant
       6  b5e714b1  de4155df         1  context_edit
       7  d8ca48b7  b5e714b1         2  message assistant
       8  3efc02b6  d8ca48b7         1  usage
       9  2c088843  3efc02b6         1  message system
      10  cbb1dc1b  2c088843         1  message user
      11  e0f7c4f3  cbb1dc1b         1  context_edit
      12  c1768e39  e0f7c4f3         1  compaction
      13  64b12efa  c1768e39         1  message user
      14  a23a1f7f  64b12efa         0  message assistant
      15  8c91ec55  d8ca48b7         1  branch_summary
      16  858edeac  8c91ec55         1  message user
      17  6220624c  858edeac         1  message assistant
      18  66fff6d0  6220624c         0  session_info  leaf
    ");
}

#[test]
fn debug_context() {
    assert_snapshot!(printed(&["debug", "context", NOTES]), @"
    node  id        step          type
       0  eb914761  message       message system
       1  4396a1ef  bookkeeping   model_change
       2  8d8466a6  message       message user
       3  92db5ea0  message       message assistant
       4  2e573699  message       message toolResult
       5  de4155df  edited        message assistant
       6  b5e714b1  bookkeeping   context_edit
       7  d8ca48b7  message       message assistant
      15  8c91ec55  message       branch_summary
      16  858edeac  message       message user
      17  6220624c  message       message assistant
      18  66fff6d0  bookkeeping   session_info
    ");
}
