//! The help of the commands that write is documentation: every text is reviewed here. The global options are those of `whole` in
//! `help.rs`.

use insta::assert_snapshot;

use crate::support::run;

pub(crate) fn help(command: &str) -> String {
    let ran = run(&[command, "--help"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let (own, rest) = ran.out.split_once("Global options:\n").unwrap();
    let (_, examples) = rest.split_once("\nExample").unwrap();
    let text = format!("{own}Example{examples}");
    // clap fills empty lines with spaces.
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn new() {
    assert_snapshot!(help("new"), @r#"
Make a new session

The session belongs to the directory of --cwd and is on the disk at once, with its header. Its file
goes where a program started there would put it (`logwood where` tells); with several stores, to the
first of them. A subagent's goes to a folder of its own among the transcripts, as dreb starts it.
Prints the file and the id, with --quiet the file only.

Usage: logwood new [OPTIONS]

Options:
      --name <NAME>
          Its display name

      --id <ID>
          Its id (default: a new UUID)

      --agent-type <AGENT>
          The agent it belongs to; this makes it a session of a subagent, in a folder of its own
          among the transcripts

      --step <N>
          The number of the step, for the session of a subagent in a chain

      --chain <DIR>
          The folder of the chain, as the step before has it (default: a new one)

      --parent-session <SESSION>
          The session it comes from: a path, an id or its start, a display name, or @

      --file <FILE>
          Its file, in place of one in the store; it must not be there, or be empty

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood new --name 'Tide tables'
  logwood new --cwd ~/projects/shop --agent-type Explore --parent-session @
  logwood new --agent-type plan --parent-session @ --step 1
  logwood append "$(logwood new -q)" --message 'Where were we?'
"#);
}

#[test]
fn append() {
    assert_snapshot!(help("append"), @r#"
Append messages or entries to a session

Reads the standard input: one JSON object, or one on each line. An object with a `role` is a
message; any other is an entry with a `type` and keeps its text, but for id, parentId and timestamp,
which are put in. Each stands below the one before, the first below the current position. Nothing is
written where anything of the input is wrong. Prints the new ids, one a line.

Usage: logwood append [OPTIONS] <SESSION>

Arguments:
  <SESSION>
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

Options:
  -m, --message <TEXT>
          Append a user message with this text, and read nothing

      --raw
          Take every line as an entry, also one with a role

      --exclusive
          Refuse a session that another process has open

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood append @ --message 'Go on with the second point.'
  echo '{"role":"user","content":"Go on."}' | logwood append @
  jq -c '.entries[]' notes.json | logwood append --raw 7d3c
"#);
}

#[test]
fn name() {
    assert_snapshot!(help("name"), @r"
Show or set the name of a session

Without NAME, prints it. A new name is an entry at the end of the file; its id is printed.

Usage: logwood name [OPTIONS] <SESSION> [NAME]

Arguments:
  <SESSION>
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

  [NAME]
          The new name; without it the name is printed

Options:
      --clear
          Take the name away

      --exclusive
          Refuse a session that another process has open

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood name @
  logwood name @ 'Tide tables'
  logwood name 7d3c --clear
");
}

#[test]
fn label() {
    assert_snapshot!(help("label"), @r"
Show or set the label of an entry

Without LABEL, prints it. A label is an entry at the end of the file; its id is printed.

Usage: logwood label [OPTIONS] <SESSION> <ENTRY> [LABEL]

Arguments:
  <SESSION>
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

  <ENTRY>
          The id of the entry, or its start

  [LABEL]
          The new label; without it the label is printed

Options:
      --clear
          Take the label away

      --exclusive
          Refuse a session that another process has open

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood label @ 22fb
  logwood label @ 22fb 'before the refactoring'
  logwood label @ 22fb --clear
");
}

#[test]
fn navigate() {
    assert_snapshot!(help("navigate"), @r"
Move the current position, so that every program goes on there

As /tree of the programs: a user message (or one of an extension) is taken back, the position is
before it, and its text is printed, to be edited and sent again; at any other entry the position is
the entry itself. What was said after it stays in the file as another branch.

Programs go on at the last entry of a file. So a summary or a label is written there or, without, an
entry `logwood.position`, which no model gets.

Usage: logwood navigate [OPTIONS] <SESSION> <ENTRY>

Arguments:
  <SESSION>
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

  <ENTRY>
          Where to go: the id of an entry, or the start of it

Options:
      --summary <TEXT>
          Leave a summary of the branch that is left, for the model to read

      --label <TEXT>
          Label the summary, or the entry where there is no summary

      --exclusive
          Refuse a session that another process has open

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood navigate @ 22fb
  logwood navigate @ 22fb --summary 'Tried it with a cache; too slow.' --label retry
");
}

#[test]
fn fork() {
    assert_snapshot!(help("fork"), @r"
Copy a session, or fork it at a message

Three ways lead to a new session; the old one stays as it is, and the new one names it as its
parent:

Whole clone (`fork SESSION`): all branches, for the same directory or, with --into, for another one.
To go on elsewhere, or to try things without touching the original.

Fork (`fork SESSION --at ENTRY`): as /fork of the programs, from one message: up to and with an
answer that ended, or up to just before a user message, whose text is printed, to be edited and sent
again.

Branch (`branch SESSION ENTRY`): the path from the start to any entry, that entry included.

Prints the file, the id and the text; with --quiet the file only.

Usage: logwood fork [OPTIONS] <SESSION>

Arguments:
  <SESSION>
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

Options:
      --at <ENTRY>
          Go on from this message in place of copying everything: its id, or the start of it

      --into <DIR>
          The working directory of the new session (default: that of the old one)

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood fork @ --into ~/projects/site      the whole session, for another directory
  logwood fork @ --at 22fb                   go on from a message
");
}

#[test]
fn branch() {
    assert_snapshot!(help("branch"), @r"
Take one branch out as a session of its own

The new session is the path from the start to ENTRY, whatever kind of entry that is, with the labels
on it and the name; other branches are left out. The old session stays as it is, and the new one
names it as its parent. To copy all branches, or to start from a message as /fork does, see `logwood
fork --help`.

Prints the file and the id; with --quiet the file only.

Usage: logwood branch [OPTIONS] <SESSION> <ENTRY>

Arguments:
  <SESSION>
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

  <ENTRY>
          The last entry of the branch: its id, or the start of it

Options:
      --into <DIR>
          The working directory of the new session (default: that of the old one)

  -h, --help
          Print help (see a summary with '-h')

Example:
  logwood branch @ 22fb
");
}

#[test]
fn migrate() {
    assert_snapshot!(help("migrate"), @r"
Bring files of version 1 or 2 to version 3

The original is kept beside the file as .v1.bak or .v2.bak; an older backup is never overwritten.
Nothing has to be migrated to be read, and the first change of a file does it too. Exit code 1: only
some could be done.

Usage: logwood migrate [OPTIONS] <SESSION>...

Arguments:
  <SESSION>...
          Paths, ids or their starts, display names, or @ (the newest of this directory), @2, ...

Options:
      --exclusive
          Refuse a session that another process has open

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood migrate old.jsonl
  logwood migrate ~/.dreb/agent/sessions/*/*.jsonl --quiet
");
}
