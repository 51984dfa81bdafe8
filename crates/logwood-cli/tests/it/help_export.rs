//! The help of the commands that take sessions out of the store is documentation: every text is reviewed here.

use insta::assert_snapshot;

use crate::help_write::help;

#[test]
fn export() {
    assert_snapshot!(help("export"), @r#"
Write a session as a web page, as Markdown or as a session file

The page needs nothing but itself: every branch with a tree to find one's way, no network, nothing
in it that could run. Markdown and --jsonl hold one branch, the current one or that of --branch. The
session stays as it is, and a file that is there is not written over without --force.

With --redact secrets are taken out, whatever field they stand in; what was taken out is told by
kind and count, and what was written is looked at again: where a secret is left, nothing is written.

Usage: logwood export [OPTIONS] [SESSION]

Arguments:
  [SESSION]
          A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

Options:
      --where <QUERY>
          Every session of this directory that a query means, in the language of `logwood search`;
          -o names the folder for them

      --all
          With --where: those of every project

      --html
          One page of HTML with every branch (this is what is written unless another format is
          named)

      --markdown
          One branch as Markdown

      --jsonl
          A session file

      --branch <ENTRY>
          The branch that ends in this entry (an id or the start of one), in place of the current
          one

      --whole
          With --jsonl: every line of the file, not one branch

      --rechain
          With --jsonl: a header of version 3 of this moment, and every entry below the one before
          it, as the programs export

      --hidden
          Include messages that extensions hide from people

      --redact
          Take out keys, tokens, passwords, private keys, credentials in URLs, e-mail addresses and
          names of home directories

      --redact-patterns <FILE>
          Take out what the patterns in this file match too: `kind: regular expression` a line

  -o, --output <FILE>
          The file to write, - for standard output (default: named after the session, in this
          directory); with --where a folder

      --force
          Write over a file that is there

      --open
          Open the file with the desktop's program for it

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood export @ --open
  logwood export 7d3c --markdown -o - | less
  logwood export @ --redact -o talk.html
  logwood export @ --jsonl --whole --redact -o share.jsonl
  logwood export --all --where 'after:30d label:keep' --markdown -o notes
"#);
}

#[test]
fn scan() {
    assert_snapshot!(help("scan"), @r#"
Find secrets in sessions

Shows for each the file, line and entry, what it is, and its first characters; never all of it. The
exit code is 1 where there are any. `logwood export --redact` takes them out of a copy.

Usage: logwood scan [OPTIONS] [SESSION]...

Arguments:
  [SESSION]...
          Paths, ids or their starts, display names, or @ (the newest of this directory), @2, ...;
          none for all of this directory

Options:
      --all
          Every session of every project

      --patterns <FILE>
          Look for what the patterns in this file match too: `kind: regular expression` a line

      --personal
          Report e-mail addresses and names of home directories too

      --kind <KIND>
          Report these kinds only (may repeat)

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood scan @
  logwood scan --all --kind github-token
  logwood scan --all --json | jq -r '.[].path' | sort -u
"#);
}

#[test]
fn stats() {
    assert_snapshot!(help("stats"), @"
    Show what sessions cost

    Of one session: its messages, tokens and cost over the context that a model would get, the current
    branch and the whole file, and what its subagents cost. Without one: all sessions of this directory
    and their subagents, by model or as --by says. Each answer counts once, however many forks repeat
    it; summaries, tools and usage entries count too. A session has the cost of its subagents, told
    apart in SUBAGENTS; ABANDONED is what branches cost that were left, NO ANSWER what was paid for
    summaries, tools and warm caches.

    Costs are in US dollars, as the sessions say them. A cost that is not said is unknown and not
    nothing: `≥` marks a sum in which one is missing, `?` one of which nothing is known. Days, weeks
    (ISO) and months are those of the local time zone.

    Usage: logwood stats [OPTIONS] [SESSION]

    Arguments:
      [SESSION]
              A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...

              Default: all sessions of this directory.

    Options:
          --by <A[,B]>
              A row for each of these; with two, for each pair: `--by day,model`

              [possible values: day, week, month, session, model, provider, project, store, agent,
              source]

          --since <TIME>
              Only what was at or after this time: 2026-01-31, today, yesterday, or how long ago: 2h,
              7d, 3w

          --until <TIME>
              Only what was before this time, or in this day or month

          --all
              The sessions of every project

          --store <NAME>
              Only the sessions of this store, by its name

          --where <QUERY>
              Only the sessions that a query means, as `logwood list` reads it, with their subagents

          --csv
              Print the rows as comma-separated values

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      logwood stats @
      logwood stats --all --by day --since 30d
      logwood stats --all --by project,model --since 2026-01 --until 2026-01
      logwood stats --all --by month,agent --csv > costs.csv
      logwood stats --all --where 'model:opus is:fork'
      logwood stats 7d3c --json | jq .totalCost
    ");
}
