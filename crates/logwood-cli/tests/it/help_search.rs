//! Help of the command that searches.

use insta::assert_snapshot;

use crate::help_write::help;

#[test]
fn search() {
    assert_snapshot!(help("search"), @r#"
Find what was said in sessions

Prints the entries in which everything stands that is asked for, the best first: what people
wrote counts most, what tools printed least. Case and accents do not matter. In a query:

  word          a part of a message, a tool's arguments or output, a name, a label, an id
  word*         the start of a word
  "a phrase"    words in this order
  re:a+b        a regular expression
  -word         not this; before a filter too

  cwd:~/shop  store:pi  name:plan  label:done  role:user  tool:bash  file:main.rs
  model:opus  after:2d  before:2026-01-31  cost:>1
  is:fork  is:subagent  is:error  is:interrupted  is:abandoned  is:live

Exit code 3: nothing was found. 1: something could not be read, so hits may be missing.

Usage: logwood search [OPTIONS] <QUERY>...

Arguments:
  <QUERY>...
          Words, "phrases", re:patterns and filters such as role:user; several are joined by a space

Options:
      --all
          Search the sessions of every project

      --limit <COUNT>
          How many hits are shown

          [default: 20]

      --deep
          Search long output whole, and not its head and tail only

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood search 'connection reset'
  logwood search --all '"connection reset" tool:bash after:1w'
  logwood search 're:TODO|FIXME' role:assistant
  logwood search --json lighthouse | jq -r '.hits[].path'
"#);
}
