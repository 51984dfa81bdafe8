//! The results as JSON: every sample of every cell, and the rows of the goals.

use serde_json::{Value, json};

use crate::goals::Goal;
use crate::machine;
use crate::run::Results;
use crate::verdict::Row;

/// One JSON text.
pub(crate) fn text(goals: &[Goal], results: &Results) -> String {
    let cells: Vec<Value> = results
        .measured()
        .map(|cell| {
            let samples = results.samples(cell).unwrap_or_default();
            json!({"cell": cell.name(), "corpus": cell.corpus.name(), "samples": samples})
        })
        .collect();
    let rows: Vec<Value> = goals
        .iter()
        .flat_map(|goal| goal.rows.iter().map(|row| goal_row(&goal.choice.name(), row, results)))
        .collect();
    let failures: Vec<Value> = results
        .failures()
        .into_iter()
        .map(|(cell, why)| json!({"cell": cell.name(), "corpus": cell.corpus.name(), "why": why}))
        .collect();
    let all =
        json!({"machine": machine::line(), "goals": rows, "cells": cells, "failures": failures});
    format!("{all:#}")
}

fn goal_row(goal: &str, row: &Row, results: &Results) -> Value {
    json!({
        "goal": goal,
        "cell": row.subject.name(),
        "corpus": row.subject.corpus.name(),
        "compared": row.quantity.words(),
        "measured": row.value(results),
        "must": row.must,
        "target": row.target,
        "reached": row.verdict(results).word().trim_matches('*'),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;
    use crate::corpus::Corpus;
    use crate::goals::{Choice, chosen};
    use crate::op::Op;
    use crate::run::tests::results;

    #[test]
    fn figures_bounds_and_samples_are_there() {
        let ours = Cell::inside(Op::Context, Corpus::D);
        let results = results(&[(ours, 7.0, 129_000_000)]);
        let text = text(&chosen(Some(&[Choice::Goal(10)])), &results);
        let value: Value = serde_json::from_str(&text).unwrap();
        let row = &value["goals"][0];
        assert_eq!(row["reached"], "missed");
        assert_eq!((row["measured"].as_f64(), row["must"].as_f64()), (Some(129.0), Some(128.0)));
        assert_eq!(value["goals"][1]["measured"], Value::Null);
        assert_eq!(value["cells"][0]["samples"][0]["ms"].as_f64(), Some(7.0));
    }
}
