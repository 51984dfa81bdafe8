//! The commands of README.md print what README.md says: each `console` block is run and compared.
//!
//! In a block, `$ ` starts a command and the lines after it are its output; a line of `…` stands for any lines.

use std::process::{Command, Stdio};

use crate::complain;
use crate::count::Totals;
use crate::step::{Outcome, root};

/// A command of the README and what it is to print.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    command: String,
    output: Vec<String>,
}

/// Runs every example, each one a test in the totals; `cargo xtask …` itself is left out.
pub(crate) fn step() -> Outcome {
    let text = match std::fs::read_to_string(root().join("README.md")) {
        Ok(text) => text,
        Err(error) => {
            complain(&format!("README.md: {error}"));
            return Outcome { ok: false, totals: Totals::default() };
        }
    };
    let results: Vec<bool> = examples(&text).iter().map(holds).collect();
    let failed = results.iter().filter(|ok| !**ok).count() as u64;
    let totals = Totals { passed: results.len() as u64 - failed, failed };
    Outcome { ok: failed == 0, totals }
}

fn holds(example: &Example) -> bool {
    let printed = match run(&example.command) {
        Ok(printed) => printed,
        Err(why) => {
            complain(&format!("README.md: `{}`: {why}", example.command));
            return false;
        }
    };
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let same = matches(&example.output, &lines);
    if !same {
        complain(&format!("README.md: `{}` prints something else:\n{printed}", example.command));
    }
    same
}

/// What `command` prints. The development build stands in for the release build, which prints the same and takes minutes.
fn run(command: &str) -> Result<String, String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", &command.replace(" --release", "")]).current_dir(root());
    shell
        .stdin(Stdio::null())
        .env("TZ", "UTC")
        .env_remove("LOGWOOD_AGENT_DIR")
        .env_remove("COLUMNS");
    let output = shell.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            found.push(Example { command: command.to_owned(), output: Vec::new() });
        } else if let Some(last) = found.last_mut().filter(|_| inside) {
            last.output.push(line.to_owned());
        }
    }
    found.retain(|example| !example.command.starts_with("cargo xtask"));
    found
}

/// Whether `lines` are `wanted`, where `…` stands for any number of lines.
fn matches(wanted: &[String], lines: &[&str]) -> bool {
    let pieces: Vec<&[String]> = wanted.split(|line| line == "…").collect();
    let [first, middle @ ..] = pieces.as_slice() else { return false };
    let Some(mut rest) = cut_start(lines, first) else { return false };
    let Some((last, middle)) = middle.split_last() else { return rest.is_empty() };
    for piece in middle {
        match (0..=rest.len()).find_map(|at| cut_start(rest.get(at..)?, piece)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.len() >= last.len() && cut_start(rest.split_at(rest.len() - last.len()).1, last).is_some()
}

fn cut_start<'a, 'b>(lines: &'a [&'b str], piece: &[String]) -> Option<&'a [&'b str]> {
    let (head, rest) = lines.split_at_checked(piece.len())?;
    head.iter().zip(piece).all(|(line, wanted)| line == wanted).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn finds_commands_and_their_output() {
        let text = "a\n```console\n$ echo b\nb\n```\n```sh\n$ no\n```\n```console\n$ cargo xtask test\n$ echo c\n```\n";
        let wanted = [("echo b", &["b"][..]), ("echo c", &[])].map(|(command, output)| Example {
            command: command.to_owned(),
            output: strings(output),
        });
        assert_eq!(examples(text), wanted);
    }

    #[test]
    fn an_ellipsis_stands_for_any_lines() {
        let same = |wanted: &[&str], lines: &[&str]| matches(&strings(wanted), lines);
        assert!(same(&["a", "b"], &["a", "b"]));
        assert!(same(&["a", "…", "d"], &["a", "b", "c", "d"]));
        assert!(same(&["…", "b", "…"], &["a", "b", "c"]));
        assert!(same(&["a", "…"], &["a"]));
        assert!(!same(&["a"], &["a", "b"]));
        assert!(!same(&["a", "…", "d"], &["a", "b", "c"]));
        assert!(!same(&["a", "…", "a"], &["a"]));
        assert!(!same(&["…", "x", "…"], &["a", "b", "c"]));
    }

    #[test]
    fn an_example_that_is_not_true_fails() {
        let example = |command: &str, output: &[&str]| Example {
            command: command.to_owned(),
            output: strings(output),
        };
        assert!(holds(&example("echo a", &["a"])));
        assert!(!holds(&example("echo a", &["b"])));
        assert!(!holds(&example("false", &[])));
    }
}
