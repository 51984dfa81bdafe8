//! Help is documentation: every text is reviewed here.

use insta::assert_snapshot;

use crate::support::{example, run};

fn help(words: &[&str]) -> String {
    let ran = run(&[words, &["--help"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    // clap fills empty lines with spaces.
    ran.out.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn version() {
    let ran = run(&["--version"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, format!("logwood {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_command_it_prints_help() {
    let ran = run(&[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_snapshot!(ran.out, @"
    Read and write the sessions of coding agents, whole and exact

    Usage: logwood [OPTIONS] [COMMAND]

    Commands:
      list         List the sessions of this directory, or of all
      search       Find what was said in sessions
      where        Show where sessions live, and who decided
      doctor       Check the stores: roots, permissions, locks, settings
      catalog      Show, rebuild or remove what is remembered of the sessions
      show         Show a session as a transcript
      watch        Follow a session, or all, and print entries as they come
      tree         Show the entries of a session as a tree
      arbitration  Show what the arbiter decided for the subagents of a session
      context      Show the messages that a model would get
      new          Make a new session
      append       Append messages or entries to a session
      name         Show or set the name of a session
      label        Show or set the label of an entry
      navigate     Move the current position, so that every program goes on there
      fork         Copy a session, or fork it at a message
      branch       Take one branch out as a session of its own
      migrate      Bring files of version 1 or 2 to version 3
      check        Find what is wrong with session files
      repair       Mend damaged session files
      delete       Move sessions to the trash
      restore      Bring deleted sessions back from the trash
      import       Copy session files from elsewhere into the store
      export       Write a session as a web page, as Markdown or as a session file
      scan         Find secrets in sessions
      relocate     Let sessions follow a project folder that was moved
      stats        Show what sessions cost
      perf         Show how fast models answered
      debug        Show each stage of reading a file
      rpc          Answer requests on the standard input, one JSON object a line
      completions  Print completions for a shell
      man          Print the manual page, or write the pages of all commands to a directory
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help (see more with '--help')
      -V, --version  Print version

    Global options:
          --agent-dir <DIR>         Look for sessions in this agent directory (can be repeated)
          --session-dir <DIR>       Look for sessions in this directory and not in an agent directory
          --session-dir-hook <CMD>  Ask this shell command for the session directory
          --cwd <DIR>               The project directory that @ looks at (default: the current
                                    directory)
          --no-catalog              Read every session file, and neither use nor fill the catalog
          --json                    Print JSON, with names that stay the same
          --color <WHEN>            When to use colours [default: auto] [possible values: auto, always,
                                    never]
      -q, --quiet                   Print results only: no header, no summary
      -v, --verbose                 Shorten nothing

    Exit codes:
      0  done
      1  problems were found (check), or it was done in part only
      2  the command line, a reference or the input is wrong
      3  a session or an entry is not there
      4  the file is no session that can be read
      5  refused, so that nothing is lost
      6  the system says no: permissions, space, input and output

    Example:
      logwood show @          the newest session of this directory
    ");
}

#[test]
#[expect(clippy::too_many_lines, reason = "one page")]
fn whole() {
    assert_snapshot!(help(&[]), @r#"
Read and write the sessions of coding agents, whole and exact

logwood reads the session files of dreb, pi and their forks as trees and as the context a model
would get, and writes them as these programs do. Looking changes nothing on disk.

Usage: logwood [OPTIONS] [COMMAND]

Commands:
  list         List the sessions of this directory, or of all
  search       Find what was said in sessions
  where        Show where sessions live, and who decided
  doctor       Check the stores: roots, permissions, locks, settings
  catalog      Show, rebuild or remove what is remembered of the sessions
  show         Show a session as a transcript
  watch        Follow a session, or all, and print entries as they come
  tree         Show the entries of a session as a tree
  arbitration  Show what the arbiter decided for the subagents of a session
  context      Show the messages that a model would get
  new          Make a new session
  append       Append messages or entries to a session
  name         Show or set the name of a session
  label        Show or set the label of an entry
  navigate     Move the current position, so that every program goes on there
  fork         Copy a session, or fork it at a message
  branch       Take one branch out as a session of its own
  migrate      Bring files of version 1 or 2 to version 3
  check        Find what is wrong with session files
  repair       Mend damaged session files
  delete       Move sessions to the trash
  restore      Bring deleted sessions back from the trash
  import       Copy session files from elsewhere into the store
  export       Write a session as a web page, as Markdown or as a session file
  scan         Find secrets in sessions
  relocate     Let sessions follow a project folder that was moved
  stats        Show what sessions cost
  perf         Show how fast models answered
  debug        Show each stage of reading a file
  rpc          Answer requests on the standard input, one JSON object a line
  completions  Print completions for a shell
  man          Print the manual page, or write the pages of all commands to a directory
  help         Print this message or the help of the given subcommand(s)

Options:
  -h, --help
          Print help (see a summary with '-h')

  -V, --version
          Print version

Global options:
      --agent-dir <DIR>
          Look for sessions in this agent directory (can be repeated)

          Default: those in LOGWOOD_AGENT_DIR, else every store that is found: dreb's
          (DREB_CODING_AGENT_DIR), pi's (PI_CODING_AGENT_DIR) and oh-my-pi's.

      --session-dir <DIR>
          Look for sessions in this directory and not in an agent directory

      --session-dir-hook <CMD>
          Ask this shell command for the session directory

          It runs in the project directory with LOGWOOD_CWD set to it, where neither --session-dir
          nor a settings file names a directory. The first line that it prints counts; where it
          fails or prints none, the default store does.

      --cwd <DIR>
          The project directory that @ looks at (default: the current directory)

      --no-catalog
          Read every session file, and neither use nor fill the catalog

      --json
          Print JSON, with names that stay the same

      --color <WHEN>
          When to use colours

          Possible values:
          - auto:   In a terminal, unless NO_COLOR is set
          - always: In pipes and files too
          - never:  Nowhere

          [default: auto]

  -q, --quiet
          Print results only: no header, no summary

  -v, --verbose
          Shorten nothing

Exit codes:
  0  done
  1  problems were found (check), or it was done in part only
  2  the command line, a reference or the input is wrong
  3  a session or an entry is not there
  4  the file is no session that can be read
  5  refused, so that nothing is lost
  6  the system says no: permissions, space, input and output

Example:
  logwood show @          the newest session of this directory
"#);
}

/// The global options are the same for every command; from here on they are left out.
fn own_help(words: &[&str]) -> String {
    let text = help(words);
    let (own, rest) = text.split_once("Global options:\n").unwrap();
    let examples = rest.find("\nExample").unwrap_or(rest.len());
    format!("{own}{}", &rest[examples..])
}

#[test]
fn list() {
    assert_snapshot!(own_help(&["list"]), @r#"
    List the sessions of this directory, or of all

    The last active first; the first row is what @ names, the second @2. Sessions of subagents are
    counted and left out. What cannot be read is counted at the end, and the exit code is 1.

    Marks: live says that a process has the session open for writing; fork and subagent say where a
    session comes from; interrupted, error and aborted how it ended; future that its time lies ahead of
    the clock (it is placed by the time of its file); gone that its directory is not there any more;
    damaged that `logwood check` finds a fault.

    Usage: logwood list [OPTIONS] [QUERY]...

    Arguments:
      [QUERY]...
              Only the sessions that this means, in the language of `logwood search`

    Options:
          --all
              The sessions of every project

          --host
              The sessions of the host as dreb's dashboard counts them: by the global settings alone

          --sort <ORDER>
              The order of the rows

              Possible values:
              - recent:   The last active first
              - created:  The last made first
              - name:     By name, sessions without one last
              - size:     The largest file first
              - threaded: Each session below the one it came from

              [default: recent]

          --named
              Only sessions that have a name

          --limit <COUNT>
              Only the first rows

          --offset <COUNT>
              Leave out this many of the first rows

          --subagents
              The sessions of subagents too, each below the one that started it

          --store <NAME>
              Only the sessions of this store, by the name in the store column

          --cached
              Show the first rows as the catalog knows them (with --all and --limit)

              Only the files of these rows are looked at. A session that came, or went on, somewhere
              else since the last listing is missed; where one of the rows is not what is known,
              everything is looked at as usual.

          --format <FORM>
              Print each row in this form, {title} and the like replaced

              There are {id} {path} {cwd} {store} {name} {title} {first} {age} {modified} {created}
              {messages} {entries} {branches} {size} {status} {kind} {models} {flags}; {{ is a brace, \t
              and \n are what they are in C.

      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood list
      logwood list --all --named --sort name
      logwood list --subagents
      logwood list --all 'cost:>1 after:1mo'                what cost more than a dollar lately
      logwood list --all --sort size --limit 10
      logwood list --format '{id}\t{modified}\t{title}'
      logwood list --all --json | jq '.sessions[] | select(.status == "interrupted").path'
    "#);
}

#[test]
fn where_() {
    assert_snapshot!(own_help(&["where"]), @"
    Show where sessions live, and who decided

    For every store: its directory, where the sessions of this directory go, what a new file would be
    called, which source named the directory, and what the others said.

    Usage: logwood where [OPTIONS]

    Options:
      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood where
      logwood where --cwd ~/projects/shop --json
    ");
}

#[test]
fn doctor() {
    assert_snapshot!(own_help(&["doctor"]), @"
    Check the stores: roots, permissions, locks, settings

    Looks and changes nothing. Each finding comes with what can be done; the exit code is 1 where there
    are any.

    Usage: logwood doctor [OPTIONS]

    Options:
      -h, --help
              Print help (see a summary with '-h')


    Example:
      logwood doctor
    ");
}

#[test]
fn arbitration() {
    assert_snapshot!(own_help(&["arbitration"]), @r#"
    Show what the arbiter decided for the subagents of a session

    One line for each decision, of all branches in the order of the file: when, for which agent, and
    which route it got or why none. Decisions are never part of a context. `[odd]` marks a record with
    something in it that does not belong there.

    Usage: logwood arbitration [OPTIONS] <SESSION>

    Arguments:
      <SESSION>
              A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

    Options:
      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood arbitration @
      logwood arbitration @ --json | jq '.[] | select(.status == "failure")'
    "#);
}

#[test]
fn tree() {
    assert_snapshot!(own_help(&["tree"]), @"
    Show the entries of a session as a tree

    Draws the tree as the programs' own selectors do: the branch of the current position first, marked
    with dots, `›` at the position, `[labels]` before the text.

    With --children it draws a tree of sessions: the oldest parent that is there, and below it every
    fork and every session of a subagent, down to the last; `›` is at SESSION.

    Usage: logwood tree [OPTIONS] <SESSION>

    Arguments:
      <SESSION>
              A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

    Options:
          --filter <MODE>
              Which entries to show; --json shows all unless this is given

              Possible values:
              - default:      Everything but bookkeeping: labels, names, settings, custom entries,
                usage, context edits
              - no-tools:     As default, without tool results
              - user-only:    Messages of the person
              - labeled-only: Entries that have a label
              - all:          Everything

          --children
              Show the sessions it is related to instead: parents, forks, and those of subagents

      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood tree @
      logwood tree @2 --filter user-only
      logwood tree @ --children
      logwood tree @ --json | jq '.[] | select(.leaf)'
    ");
}

#[test]
fn context() {
    assert_snapshot!(own_help(&["context"]), @"
    Show the messages that a model would get

    One line for each message of the context at the current position, with an estimate of its tokens.

    Usage: logwood context [OPTIONS] <SESSION>

    Arguments:
      <SESSION>
              A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

    Options:
          --llm
              Show the messages as they are sent to the model

          --explain
              Show what each entry of the branch gives, or why it gives nothing

          --leaf <ENTRY>
              The position: an entry (an id or the start of one), or null for the one before every entry

          --pair-tools
              Leave out tool calls without a result and results without a call, and say which

      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood context @
      logwood context @ --explain          why each entry is in the context, or is not
      logwood context @ --llm --json       the messages as they are sent
    ");
}

#[test]
fn check() {
    assert_snapshot!(own_help(&["check"]), @"
    Find what is wrong with session files

    Names every problem with its line and byte, what logwood does about it, and what can be done. Notes
    (a byte order mark, a missing line end, half a character, a newer version) are no faults: the exit
    code is 0. It is 1 where there are faults, and 4 where a file is no session that can be read.

    Usage: logwood check [OPTIONS] <SESSION>...

    Arguments:
      <SESSION>...
              Paths, ids or their starts, display names, or @ (the newest of this directory), @2, ...

    Options:
      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood check @
      logwood check ~/.dreb/agent/sessions/*/*.jsonl --quiet
    ");
}

#[test]
fn repair() {
    assert_snapshot!(own_help(&["repair"]), @"
    Mend damaged session files

    Shows line by line what would be done, asks, and does it: makes a lost header anew (its directory is
    --cwd, if nothing else says it), gives records that share a line lines of their own and other
    sessions in the file files of their own, gives ids to entries without one, and takes out what is not
    JSON. Every other line stays as it is.

    The original stays beside the session (.repair.bak), and so does what was taken out (.salvage). A
    healthy file is not touched.

    Usage: logwood repair [OPTIONS] <SESSION>...

    Arguments:
      <SESSION>...
              Paths (also of files that no list shows), ids or their starts, display names, or @ (the
              newest of this directory), @2, ...

    Options:
          --dry-run
              Show what would be done and change nothing

          --undo
              Restore the file as it was before its last repair, unless something was written to it
              since

          --reattach
              Hang entries whose parent is not in the file on the entry before them; nothing tells where
              they hung

      -y, --yes
              Do not ask

      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood repair --dry-run @
      logwood repair --yes broken.jsonl --cwd ~/projects/shop
      logwood repair --undo broken.jsonl
    ");
}

#[test]
fn debug() {
    assert_snapshot!(own_help(&["debug"]), @"
    Show each stage of reading a file

    Usage: logwood debug [OPTIONS] <COMMAND>

    Commands:
      lines    Show the lines of a file: number, byte, length, whether it is complete, what it is
      entries  Show what is read from each entry line first: id, parent, type, role, time
      tree     Show the nodes of the tree in file order, with their links
      context  Show the plan of a context: what becomes of each entry of the branch
      help     Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')


    Example:
      logwood debug lines session.jsonl
    ");
}

#[test]
fn debug_stages() {
    for stage in ["lines", "entries", "tree", "context"] {
        let text = own_help(&["debug", stage]);
        assert!(
            text.contains(&format!("Usage: logwood debug {stage} [OPTIONS] <SESSION>")),
            "{text}"
        );
        assert!(text.contains(&format!("logwood debug {stage} session.jsonl")), "{text}");
    }
}

#[test]
fn completions() {
    assert_snapshot!(own_help(&["completions"]), @"
Print completions for a shell

Usage: logwood completions [OPTIONS] <SHELL>

Arguments:
  <SHELL>
          The shell

          [possible values: bash, elvish, fish, powershell, zsh]

Options:
  -h, --help
          Print help (see a summary with '-h')


Example:
  logwood completions bash > ~/.local/share/bash-completion/completions/logwood
");
}

#[test]
fn man() {
    assert_snapshot!(own_help(&["man"]), @"
    Print the manual page, or write the pages of all commands to a directory

    Usage: logwood man [OPTIONS] [DIR]

    Arguments:
      [DIR]
              Where to write the pages, one for each command

    Options:
      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood man | man -l -
      logwood man ~/.local/share/man/man1
    ");
}

#[test]
fn rpc() {
    assert_snapshot!(own_help(&["rpc"]), @r#"
    Answer requests on the standard input, one JSON object a line

    Each line is a request such as {"id":1,"type":"open","path":"session.jsonl"}; each is answered by
    one line on the standard output. It ends when the standard input does. At the start a new session of
    the working directory is current; nothing of it is on disk.

    Usage: logwood rpc [OPTIONS]

    Options:
          --read-only
              Open every session only to read it

          --exclusive
              Refuse a session that another process has open

      -h, --help
              Print help (see a summary with '-h')


    Example:
      echo '{"type":"get_version"}' | logwood rpc
    "#);
}

/// No command is without an example.
#[test]
fn every_command_has_an_example() {
    let text = help(&[]);
    let (_, commands) = text.split_once("Commands:\n").unwrap();
    let (commands, _) = commands.split_once("\n\n").unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for name in names.filter(|name| !name.is_empty() && *name != "help") {
        assert!(help(&[name]).contains("Example"), "{name}");
    }
}

#[test]
fn a_wrong_word_is_an_error_with_advice() {
    let ran = example(&["shwo", "x"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_snapshot!(ran.err, @"
    error: unrecognized subcommand 'shwo'

      tip: a similar subcommand exists: 'show'

    Usage: logwood [OPTIONS] [COMMAND]

    For more information, try '--help'.
    ");
}

#[test]
fn delete() {
    assert_snapshot!(own_help(&["delete"]), @"
    Move sessions to the trash

    Shows first what would go and who refers to it: the copies that logwood keeps beside a session go
    along, the transcripts of its subagents with --family; forks stay and lose their parent. Asks in a
    terminal; without one, --yes is needed. The `trash` program is tried first, then the trash folder of
    the desktop; where neither works nothing is deleted. A link is removed itself, and not what it leads
    to.

    Usage: logwood delete [OPTIONS] [SESSION]...

    Arguments:
      [SESSION]...
              Paths, ids or their starts, display names, or @ (the newest of this directory), @2, ...

    Options:
          --where <QUERY>
              The sessions of this directory that a query means, in the language of `logwood search`

          --all
              With --where: those of every project

      -y, --yes
              Do not ask

      -n, --dry-run
              Only show what would be deleted

          --permanent
              Delete for good instead of moving to the trash

          --family
              Take the transcripts of its subagents along

          --force
              Delete a damaged or empty .jsonl file too

      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood delete @2                     after a question
      logwood delete 7d3c --family --yes
      logwood delete --where 'before:1y -name:*' --dry-run
      logwood delete broken.jsonl --force --dry-run
    ");
}

#[test]
fn restore() {
    assert_snapshot!(own_help(&["restore"]), @"
    Bring deleted sessions back from the trash

    With a session comes back what was deleted together with it. Nothing is overwritten. Of several that
    had the same path, the one that was deleted last comes back.

    Usage: logwood restore [OPTIONS] [SESSION]...

    Arguments:
      [SESSION]...
              The paths that the sessions had, or their ids or the starts of those; without any, shows
              what is in the trash

    Options:
      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood restore                       what is in the trash
      logwood restore 7d3c
      logwood restore ~/.dreb/agent/sessions/--home-ana-shop--/a.jsonl
    ");
}

#[test]
fn import() {
    assert_snapshot!(own_help(&["import"]), @"
    Copy session files from elsewhere into the store

    Each goes, byte for byte, to the folder of the project that it names, or to that of --cwd or
    --session-dir, under a name that is free. A file whose session is there already, with the same
    bytes, is not copied: the one that is there is named. Another session of the same id is refused,
    unless the copy gets an id of its own.

    Usage: logwood import [OPTIONS] <FILE>...

    Arguments:
      <FILE>...
              Session files; they stay as they are

    Options:
          --new-id
              Give each copy an id of its own, so that it can stand beside the session it comes from

      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood import ~/Downloads/session.jsonl
      logwood import old/*.jsonl --cwd ~/shop
      logwood import session.jsonl --new-id
    ");
}

#[test]
fn relocate() {
    assert_snapshot!(own_help(&["relocate"]), @"
    Let sessions follow a project folder that was moved

    Sessions of OLD, and of the folders in it, get their directory in NEW, move to its folder of the
    store, and stay the parents of their forks. Asks in a terminal; without one, --yes is needed. What
    an interruption leaves is done by running it again.

    Usage: logwood relocate [OPTIONS] <OLD> <NEW>

    Arguments:
      <OLD>
              The project folder as it was

      <NEW>
              The project folder as it is now

    Options:
      -y, --yes
              Do not ask

      -n, --dry-run
              Only show what would be changed

      -h, --help
              Print help (see a summary with '-h')


    Examples:
      logwood relocate ~/shop ~/work/shop --dry-run
      logwood relocate ~/shop ~/work/shop --yes
    ");
}
