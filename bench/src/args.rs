//! The command line.

use std::path::PathBuf;

use crate::goals::Choice;
use crate::op::Op;

pub(crate) const USAGE: &str = "\
usage: cargo xtask bench [OPTION]…

Measures logwood beside physical limits of the same bytes and says which goals are reached.
Ends with status 1 when a goal's \"must\" is missed or a run fails.

  --only GOAL,…    only these goals: numbers of BENCHMARKS.md, and `limits` for the writing limits
  --quick          3 rounds, no corpus over 500 MB, no million of appends
  --rounds N       how often each cell is measured (default 5)
  --corpora DIR    where the inputs are kept (default target/bench-corpora; all of them take 5 GB)
  --json           JSON instead of tables
  --help           this text

Needs python3 for making the inputs the first time; jq, where it is installed, is measured too.
";

/// What the command line asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Help,
    /// One measurement in this very process: how the runner calls itself.
    Child(Op, PathBuf),
    Measure(Args),
}

/// How to measure.
#[derive(Debug, PartialEq)]
pub(crate) struct Args {
    /// The goals to look at; none means all.
    pub(crate) only: Option<Vec<Choice>>,
    pub(crate) quick: bool,
    pub(crate) rounds: usize,
    pub(crate) corpora: PathBuf,
    pub(crate) json: bool,
}

impl Args {
    /// Reads the words after the program's name.
    pub(crate) fn parse(words: &[String]) -> Result<Command, String> {
        if let [first, op, path] = words
            && first == "child"
        {
            let op = Op::named(op).ok_or_else(|| format!("no operation `{op}`"))?;
            return Ok(Command::Child(op, path.into()));
        }
        let mut args = Self {
            only: None,
            quick: false,
            rounds: 0,
            corpora: PathBuf::from("target/bench-corpora"),
            json: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
            match word.as_str() {
                "--help" | "-h" => return Ok(Command::Help),
                "--quick" => args.quick = true,
                "--json" => args.json = true,
                "--corpora" => args.corpora = value()?.into(),
                "--rounds" => args.rounds = rounds(value()?)?,
                "--only" => args.only = Some(choices(value()?)?),
                _ => return Err(format!("no option `{word}`")),
            }
        }
        if args.rounds == 0 {
            args.rounds = if args.quick { 3 } else { 5 };
        }
        Ok(Command::Measure(args))
    }
}

fn rounds(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| (1..=100).contains(number));
    number.ok_or_else(|| format!("`{word}` is no number of rounds from 1 to 100"))
}

fn choices(word: &str) -> Result<Vec<Choice>, String> {
    word.split(',').map(|word| Choice::named(word.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Args::parse(&words)
    }

    #[test]
    fn options_are_read() {
        let Ok(Command::Measure(args)) = parse("--only 8,limits --json --corpora there") else {
            panic!("refused");
        };
        assert_eq!(args.only, Some(vec![Choice::Goal(8), Choice::Limits]));
        assert_eq!(
            (args.json, args.quick, args.rounds, args.corpora),
            (true, false, 5, "there".into())
        );
    }

    #[test]
    fn quick_means_fewer_rounds_unless_told() {
        let rounds = |line: &str| match parse(line) {
            Ok(Command::Measure(args)) => args.rounds,
            other => panic!("{other:?}"),
        };
        assert_eq!((rounds("--quick"), rounds("--rounds 9 --quick")), (3, 9));
    }

    #[test]
    fn the_hidden_child_is_read() {
        assert_eq!(
            parse("child newlines x.jsonl"),
            Ok(Command::Child(Op::Newlines, "x.jsonl".into()))
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for line in ["--only 99", "--only", "--rounds 0", "--fast", "8", "child nothing x"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
