//! The help of the commands that show sessions is documentation: every text is reviewed here.

use insta::assert_snapshot;

use crate::help_write::help;

#[test]
fn show() {
    assert_snapshot!(help("show"), @r#"
Show a session as a transcript

Shows the current branch: who said what and when, tool calls with the start of their results,
thinking in short.

Usage: logwood show [OPTIONS] <SESSION>

Arguments:
  <SESSION>
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

Options:
      --all
          Show every entry of every branch, in the order of the file

      --branch <ENTRY>
          Show the branch that ends in this entry (an id or the start of one)

      --tail <COUNT>
          Show the last entries of the current branch only; of a long file no more than its end is
          read

      --around <ENTRY>
          Show an entry and those before and after it, on the current branch where it lies there,
          else on its own

      --context <COUNT>
          How many entries before and after it --around shows

          [default: 5]

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood show @                    the newest session of this directory
  logwood show -v 7d3c              the session whose id starts so, nothing shortened
  logwood show notes.jsonl --all    every branch and every kind of entry
  logwood show @ --tail 20          the last entries; fast for files of any size
  logwood show @ --around 22fb
"#);
}

#[test]
fn watch() {
    assert_snapshot!(help("watch"), @r#"
Follow a session, or all, and print entries as they come

Each entry comes once, when its line is whole. A file that is migrated, replaced or rewritten
meanwhile is told and followed on. With --json, each line is an object with a `cursor`, which
--since takes to go on behind it. Ends with Ctrl-C, or when nobody reads its output any more.

Usage: logwood watch [OPTIONS] [SESSION]

Arguments:
  [SESSION]
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

Options:
      --all
          Every session of every store, those that come later too

      --since <CURSOR>
          Go on behind an event: its `cursor`, as JSON; `start` prints first what is there

      --cursor <FILE>
          Keep in this file how far it came, and go on where it says

      --once
          Print what is new and end

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood watch @
  logwood watch --all --json | jq -r 'select(.type == "session_added").path'
  logwood watch --all --once --cursor seen.json       what is new since the last time
"#);
}
