//! The results as tables of Markdown.

use std::fmt::Write as _;

use crate::cell::Cell;
use crate::goals::Goal;
use crate::machine;
use crate::run::Results;
use crate::verdict::{Row, short};

/// The machine, the goals, every cell, and what could not be measured.
pub(crate) fn text(goals: &[Goal], results: &Results) -> String {
    let mut text = format!("{}\n\n", machine::line());
    if goals.iter().any(|goal| !goal.rows.is_empty()) {
        text.push_str(
            "| goal | operation | corpus | compared | measured | must | target | reached |\n",
        );
        text.push_str("|-|-|-|-|-|-|-|-|\n");
        for goal in goals {
            goal.rows.iter().for_each(|row| text.push_str(&goal_row(goal, row, results)));
        }
        text.push('\n');
    }
    text.push_str(
        "| cell | corpus | ms, median [min-max] | kept waiting, ms | runs | each | peak MB |\n|-|-|-|-|-|-|-|\n",
    );
    results.measured().for_each(|cell| text.push_str(&cell_row(cell, results)));
    for (cell, why) in results.failures() {
        let _ = write!(text, "\nNot measured: {} {}: {why}\n", cell.name(), cell.corpus.name());
    }
    text
}

fn goal_row(goal: &Goal, row: &Row, results: &Results) -> String {
    let show = |value: Option<f64>| value.map_or("-".to_owned(), |value| row.quantity.show(value));
    line(&[
        format!("{} {}", goal.choice.name(), goal.title),
        row.subject.name(),
        row.subject.corpus.name().to_owned(),
        row.quantity.words(),
        show(row.value(results)),
        show(row.must),
        show(row.target),
        row.verdict(results).word().to_owned(),
    ])
}

fn cell_row(cell: Cell, results: &Results) -> String {
    let Some((time, one)) = results.time(cell).zip(results.one(cell)) else {
        return String::new();
    };
    let each = |ms: f64, count: u64| format!("{} us", short(ms * 1e3 / count as f64));
    let limit = matches!(cell.task, crate::cell::Task::Inside(op) if op.is_limit());
    line(&[
        if limit { format!("*limit* {}", cell.name()) } else { cell.name() },
        cell.corpus.name().to_owned(),
        format!("{} [{}-{}]", short(time.median), short(time.min), short(time.max)),
        results.waited(cell).map_or("-".to_owned(), |waited| short(waited.median)),
        results.samples(cell).map_or(0, <[_]>::len).to_string(),
        if one.count > 1 { each(time.median, one.count) } else { "-".to_owned() },
        results.peak(cell).map_or("-".to_owned(), |peak| short(peak.median / 1e6)),
    ])
}

fn line(columns: &[String]) -> String {
    format!("| {} |\n", columns.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::goals::{Choice, chosen};
    use crate::op::Op;
    use crate::run::tests::results;

    fn gigabyte(ms: f64, peak: u64) -> String {
        let ours = Cell::inside(Op::Context, Corpus::D);
        let limit = Cell::inside(Op::Newlines, Corpus::D);
        text(
            &chosen(Some(&[Choice::Goal(10)])),
            &results(&[(ours, ms, peak), (limit, 200.0, 3_000_000)]),
        )
    }

    #[test]
    fn rows_say_figure_bounds_and_verdict() {
        let text = gigabyte(1300.0, 30_000_000);
        let goal = "| 10 open and context, a session of 1 GB | open-context | D |";
        assert!(
            text.contains(&format!("{goal} peak memory | 30.0 MB | 128 MB | 48.0 MB | yes |\n"))
        );
        assert!(text.contains(&format!(
            "{goal} times newlines D | 6.50 x | - | 6.00 x | below target |\n"
        )));
        assert!(
            text.contains("| open-context | D | 1300 [1300-1300] | 0.50 | 1 | 1300 us | 30.0 |\n")
        );
        assert!(
            text.contains("| *limit* newlines | D | 200 [200-200] | 0.50 | 1 | 200 us | 3.00 |\n")
        );
    }

    #[test]
    fn a_missed_must_is_said() {
        assert!(gigabyte(1.0, 129_000_000).contains("| 129 MB | 128 MB | 48.0 MB | **missed** |"));
    }

    #[test]
    fn what_was_not_measured_is_said() {
        let text = text(&chosen(Some(&[Choice::Goal(10)])), &results(&[]));
        assert!(text.contains("| peak memory | - | 128 MB | 48.0 MB | not measured |"));
    }
}
