//! The benchmarks of logwood: each operation beside a physical limit of the same bytes, measured in the same run.
//!
//! `args` reads the command line; `corpus` makes the inputs, on demand and always the same bytes. `op` names what can be
//! measured: `limits` what the machine can do at best, `library`, `store`, `catalog`, `writing` and `performance` what logwood does. Each measurement is a process of its
//! own (`child`); `cell` is an operation on a corpus and `spawn` runs one by the `clock`, `run` takes cells in turn, round after round.
//! `goals` says what is wanted, `verdict` compares, `table` and `json` show it.

mod args;
mod catalog;
mod cell;
mod child;
mod clock;
mod corpus;
mod goals;
mod json;
mod library;
mod limits;
mod machine;
mod op;
mod performance;
mod run;
mod spawn;
mod stats;
mod store;
mod table;
mod verdict;
mod writing;

use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

use args::{Args, Command};

/// What went wrong, for a person.
type Fault = Box<dyn Error>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Args::parse(&words) {
        Ok(Command::Help) => say(args::USAGE),
        Ok(Command::Child(op, path)) => child::run(op, &path).map_or_else(fail, |line| say(&line)),
        Ok(Command::Measure(args)) => measure(&args).unwrap_or_else(fail),
        Err(why) => {
            complain(&format!("{why}\n\n{}", args::USAGE));
            ExitCode::from(2)
        }
    }
}

/// Measures what the chosen goals need and shows it; fails when a limit of a goal is not kept or a run went wrong.
fn measure(args: &Args) -> Result<ExitCode, Fault> {
    let goals = goals::chosen(args.only.as_deref());
    let results = run::measure(&goals, args)?;
    let text = if args.json { json::text(&goals, &results) } else { table::text(&goals, &results) };
    say(&text);
    let kept = goals.iter().flat_map(|goal| &goal.rows).all(|row| row.verdict(&results).is_kept());
    Ok(if kept && results.failures().is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fail(error: Fault) -> ExitCode {
    complain(&format!("logwood-bench: {error}"));
    ExitCode::FAILURE
}

fn say(text: &str) -> ExitCode {
    // A closed pipe is no failure of the measurement.
    let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
    ExitCode::SUCCESS
}

fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
}
