//! The runner: the cells of a group in turn, round after round, so that a slow minute of the machine meets them all.

use std::collections::{BTreeMap, BTreeSet};

use crate::args::Args;
use crate::cell::Cell;
use crate::child::Measure;
use crate::corpus::{Corpus, Input};
use crate::goals::Goal;
use crate::stats::{Summary, summary};
use crate::{Fault, complain, spawn};

/// The samples of each cell, or why there are none.
#[derive(Debug, Default)]
pub(crate) struct Results {
    cells: BTreeMap<Cell, Result<Vec<Measure>, String>>,
}

impl Results {
    /// Milliseconds.
    pub(crate) fn time(&self, cell: Cell) -> Option<Summary> {
        summary(self.samples(cell)?.iter().map(|measure| measure.ms))
    }

    /// The peak of memory in bytes.
    pub(crate) fn peak(&self, cell: Cell) -> Option<Summary> {
        summary(self.samples(cell)?.iter().filter_map(|measure| measure.peak).map(|n| n as f64))
    }

    /// Milliseconds in which the process was ready and had no processor.
    pub(crate) fn waited(&self, cell: Cell) -> Option<Summary> {
        summary(self.samples(cell)?.iter().filter_map(|measure| measure.waited))
    }

    /// One of the runs; what it counted and held is the same in all of them.
    pub(crate) fn one(&self, cell: Cell) -> Option<&Measure> {
        self.samples(cell)?.first()
    }

    pub(crate) fn samples(&self, cell: Cell) -> Option<&[Measure]> {
        self.cells.get(&cell)?.as_deref().ok()
    }

    /// The cells that were run, in order.
    pub(crate) fn measured(&self) -> impl Iterator<Item = Cell> {
        self.cells.iter().filter(|(_, result)| result.is_ok()).map(|(cell, _)| *cell)
    }

    /// The cells that could not be run, each with the reason.
    pub(crate) fn failures(&self) -> Vec<(Cell, &str)> {
        let failed =
            self.cells.iter().filter_map(|(cell, result)| Some((*cell, result.as_ref().err()?)));
        failed.map(|(cell, why)| (cell, why.as_str())).collect()
    }

    /// Takes one more sample of a cell; a failure, or another count than before, spoils the cell.
    fn add(&mut self, cell: Cell, measure: Result<Measure, String>) {
        let entry = self.cells.entry(cell).or_insert_with(|| Ok(Vec::new()));
        let Ok(samples) = entry else { return };
        match (samples.first(), measure) {
            (_, Err(why)) => *entry = Err(why),
            (Some(first), Ok(next)) if (first.count, first.held) != (next.count, next.held) => {
                *entry = Err(format!("two runs differ: {first:?} and {next:?}"));
            }
            (_, Ok(next)) => samples.push(next),
        }
    }

    fn failed(&self, cell: Cell) -> bool {
        self.cells.get(&cell).is_some_and(Result::is_err)
    }
}

/// Measures every cell that the goals name.
pub(crate) fn measure(goals: &[Goal], args: &Args) -> Result<Results, Fault> {
    let mut results = Results::default();
    for cells in groups(goals, args.quick) {
        let mut inputs = BTreeMap::new();
        for cell in &cells {
            if let std::collections::btree_map::Entry::Vacant(vacant) = inputs.entry(cell.corpus) {
                vacant.insert(cell.corpus.ready(&args.corpora)?);
            }
        }
        let names: BTreeSet<_> = cells.iter().map(|cell| cell.corpus.name()).collect();
        complain(&format!(
            "measuring on {}: {} cells",
            Vec::from_iter(names).join(", "),
            cells.len()
        ));
        rounds(&cells, args.rounds, &mut results, |cell| run(cell, &inputs));
    }
    Ok(results)
}

fn run(cell: Cell, inputs: &BTreeMap<Corpus, Input>) -> Result<Measure, String> {
    let input = inputs.get(&cell.corpus).ok_or("no input")?;
    spawn::run(cell, input).map_err(|why| why.to_string())
}

/// The cells that goals need, each once, those to be measured in turn together.
fn groups(goals: &[Goal], quick: bool) -> Vec<Vec<Cell>> {
    let cells: BTreeSet<Cell> = goals.iter().flat_map(Goal::cells).collect();
    let mut groups: BTreeMap<Corpus, Vec<Cell>> = BTreeMap::new();
    let wanted = |cell: &Cell| spawn::is_there(*cell) && !(quick && cell.is_long());
    for cell in cells.into_iter().filter(wanted) {
        groups.entry(cell.corpus.group()).or_default().push(cell);
    }
    groups.into_values().collect()
}

/// Every cell once, then every cell again; a cell that failed is left alone.
fn rounds(
    cells: &[Cell],
    rounds: usize,
    results: &mut Results,
    mut run: impl FnMut(Cell) -> Result<Measure, String>,
) {
    for _ in 0..rounds {
        for cell in cells {
            if !results.failed(*cell) {
                results.add(*cell, run(*cell));
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::op::Op;

    /// Results as if cells had been measured: milliseconds and bytes at the peak.
    pub(crate) fn results(cells: &[(Cell, f64, u64)]) -> Results {
        let mut results = Results::default();
        for (cell, ms, peak) in cells {
            results.add(*cell, Ok(measure(*ms, *peak)));
        }
        results
    }

    fn measure(ms: f64, peak: u64) -> Measure {
        Measure { ms, count: 1000, held: 5_000_000, peak: Some(peak), waited: Some(0.5) }
    }

    fn cell(op: Op, corpus: Corpus) -> Cell {
        Cell::inside(op, corpus)
    }

    #[test]
    fn cells_take_turns() {
        let cells = [cell(Op::Newlines, Corpus::C), cell(Op::Open, Corpus::C)];
        let (mut order, mut results) = (Vec::new(), Results::default());
        rounds(&cells, 3, &mut results, |cell| {
            order.push(cell);
            Ok(measure(order.len() as f64, 1))
        });
        assert_eq!(order, [cells[0], cells[1], cells[0], cells[1], cells[0], cells[1]]);
        assert_eq!(results.time(cells[1]), summary([2.0, 4.0, 6.0]));
    }

    #[test]
    fn a_cell_that_fails_once_has_no_figures_and_says_why() {
        let cells = [cell(Op::Newlines, Corpus::C), cell(Op::Open, Corpus::C)];
        let (mut runs, mut results) = (0, Results::default());
        rounds(&cells, 4, &mut results, |cell| {
            runs += 1;
            let fails = cell == cells[1] && runs > 2;
            if fails { Err("broken".to_owned()) } else { Ok(measure(1.0, 1)) }
        });
        assert_eq!(runs, 6);
        assert_eq!(results.time(cells[1]), None);
        assert_eq!(results.failures(), [(cells[1], "broken")]);
        assert_eq!(results.samples(cells[0]).unwrap().len(), 4);
    }

    #[test]
    fn runs_that_count_differently_are_no_measurement() {
        let cell = cell(Op::Open, Corpus::C);
        let mut results = Results::default();
        results.add(cell, Ok(measure(1.0, 1)));
        results.add(cell, Ok(Measure { count: 999, ..measure(1.0, 1) }));
        assert!(results.time(cell).is_none());
        assert!(results.failures()[0].1.contains("two runs differ"));
    }

    #[test]
    fn chains_are_measured_together_and_quick_leaves_out_the_huge() {
        let goals = crate::goals::chosen(None);
        let all = groups(&goals, false);
        let chains = all.iter().find(|cells| cells[0].corpus == Corpus::E100k).unwrap();
        assert!(chains.iter().any(|cell| cell.corpus == Corpus::E1M));
        let huge = |groups: &[Vec<Cell>]| groups.iter().flatten().any(|cell| cell.is_long());
        assert!(huge(&all) && !huge(&groups(&goals, true)));
    }
}
