//! What is wanted: the goals of BENCHMARKS.md, each row with the figure that must be kept and the one that is claimed.

use crate::cell::{Cell, Task};
use crate::corpus::Corpus;
use crate::op::{Op, Part};
use crate::verdict::{Pace, Peer, Quantity, Row};

/// The goals of one number.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) choice: Choice,
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Row>,
    /// Cells that are shown and not judged.
    pub(crate) shown: Vec<Cell>,
}

/// How a goal is chosen on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Goal(u8),
    /// The limits of writing: no goal, shown beside the goals of appending.
    Limits,
}

impl Choice {
    pub(crate) fn named(word: &str) -> Result<Self, String> {
        if word == "limits" {
            return Ok(Self::Limits);
        }
        let known: Vec<Self> = all().iter().map(|goal| goal.choice).collect();
        let choice = word.parse().ok().map(Self::Goal).filter(|choice| known.contains(choice));
        choice.ok_or_else(|| format!("no goal `{word}`"))
    }

    pub(crate) fn name(self) -> String {
        match self {
            Self::Goal(number) => number.to_string(),
            Self::Limits => "limits".to_owned(),
        }
    }
}

impl Goal {
    fn new(number: u8, title: &'static str, rows: Vec<Row>) -> Self {
        Self { choice: Choice::Goal(number), title, rows, shown: Vec::new() }
    }

    /// Every cell that is measured for it.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let compared = |row: &Row| match row.quantity {
            Quantity::Over(cell) | Quantity::Faster(cell) => [Some(cell), None],
            Quantity::Beyond(cell, unit) => [Some(cell), Some(unit)],
            Quantity::FasterThan(peer) => [Some(peer.limit), None],
            Quantity::MicrosEachThere(pace) => [Some(pace.limit), None],
            _ => [None, None],
        };
        let all = |row: &Row| [Some(row.subject)].into_iter().chain(compared(row)).flatten();
        let of_rows = self.rows.iter().flat_map(all);
        of_rows.chain(self.shown.iter().copied()).collect()
    }
}

/// The chosen goals, all of them without a choice.
pub(crate) fn chosen(only: Option<&[Choice]>) -> Vec<Goal> {
    let wanted = |goal: &Goal| only.is_none_or(|only| only.contains(&goal.choice));
    all().into_iter().filter(wanted).collect()
}

fn all() -> Vec<Goal> {
    vec![
        inventory(),
        inventory_of_two_threads(),
        inventory_with_text(),
        warm(),
        first_page(),
        grown(),
        recent(),
        open_and_context(),
        chain(),
        gigabyte(),
        append(),
        append_growth(),
        append_synced(),
        append_once(),
        tree(),
        children(),
        branch(),
        fork(),
        delete(),
        performance_log(),
        memory_of_a_listing(),
        memory(),
        start(),
        project(),
        limits(),
    ]
}

const fn row(subject: Cell, quantity: Quantity, must: f64, target: f64) -> Row {
    Row { subject, quantity, must: Some(must), target: Some(target) }
}

const fn must(subject: Cell, quantity: Quantity, must: f64) -> Row {
    Row { subject, quantity, must: Some(must), target: None }
}

const fn target(subject: Cell, quantity: Quantity, target: f64) -> Row {
    Row { subject, quantity, must: None, target: Some(target) }
}

fn newlines(corpus: Corpus) -> Cell {
    Cell::inside(Op::Newlines, corpus)
}

/// A program that was measured once on `corpus`, in milliseconds, beside its newlines.
fn peer(name: &'static str, ms: f64, limit_ms: f64, corpus: Corpus) -> Quantity {
    Quantity::FasterThan(Peer { name, ms, limit_ms, limit: newlines(corpus) })
}

const DREB_NODE: &str = "dreb 2.61 on node";
const DREB_BUN: &str = "dreb 2.61 on bun";
const PI_NODE: &str = "pi 1.6 on node";
const PI_BUN: &str = "pi 1.6 on bun";

/// What dreb took for a listing: on node and, at its best, on bun, beside newlines with one thread.
const LISTINGS: [(Corpus, f64, f64, f64); 2] =
    [(Corpus::A, 10_480.0, 3680.0, 224.0), (Corpus::B, 5150.0, 1710.0, 105.0)];

fn inventory() -> Goal {
    let mut rows = Vec::new();
    for (corpus, node, bun, limit) in LISTINGS {
        let ours = Cell::inside(Op::Inventory, corpus);
        rows.push(row(ours, Quantity::Over(newlines(corpus)), 5.5, 3.5));
        rows.push(row(ours, peer(DREB_NODE, node, limit, corpus), 8.0, 12.0));
        rows.push(target(ours, peer(DREB_BUN, bun, limit, corpus), 3.5));
    }
    Goal::new(1, "list all sessions, one thread", rows)
}

fn inventory_of_two_threads() -> Goal {
    let mut rows = Vec::new();
    for (corpus, node, bun, limit) in LISTINGS {
        let ours = Cell::inside(Op::InventoryTwice, corpus);
        rows.push(row(ours, peer(DREB_NODE, node, limit, corpus), 15.0, 22.0));
        rows.push(target(ours, peer(DREB_BUN, bun, limit, corpus), 8.0));
    }
    Goal::new(2, "list all sessions, two threads", rows)
}

fn inventory_with_text() -> Goal {
    let mut rows = Vec::new();
    for (corpus, node, _, limit) in LISTINGS {
        let ours = Cell::inside(Op::InventoryText, corpus);
        rows.push(row(ours, Quantity::Over(newlines(corpus)), 7.0, 4.5));
        rows.push(row(ours, peer(DREB_NODE, node, limit, corpus), 7.0, 10.0));
    }
    Goal::new(3, "list all sessions with their text, one thread", rows)
}

fn warm() -> Goal {
    let mut rows = Vec::new();
    for corpus in [Corpus::B, Corpus::Bflat] {
        let limit = Cell::inside(Op::WalkStat, corpus);
        let ours = Cell::inside(Op::WarmTwice, corpus);
        rows.push(row(ours, Quantity::Over(limit), 2.0, 1.5));
    }
    let ours = Cell::inside(Op::WarmTwice, Corpus::B);
    rows.push(row(ours, peer(DREB_NODE, 5150.0, 105.0, Corpus::B), 100.0, 180.0));
    let shown = vec![
        Cell::inside(Op::Warm, Corpus::B),
        Cell::inside(Op::Warm, Corpus::Bflat),
        Cell::inside(Op::Build, Corpus::A),
        Cell::inside(Op::Build, Corpus::B),
    ];
    Goal { shown, ..Goal::new(4, "list all sessions again, every file looked at", rows) }
}

fn first_page() -> Goal {
    let ours = Cell { corpus: Corpus::B, task: Task::Page };
    Goal::new(5, "the first 50 of 10,000 sessions", vec![row(ours, Quantity::Ms, 15.0, 8.0)])
}

fn grown() -> Goal {
    let ours = Cell::inside(Op::Grown, Corpus::B);
    let warm = Cell::inside(Op::WarmTwice, Corpus::B);
    let rows = vec![must(ours, Quantity::Beyond(warm, newlines(Corpus::C10)), 10.0)];
    Goal::new(6, "list again after a file grew by 10 MB", rows)
}

fn recent() -> Goal {
    let ours = Cell::inside(Op::Recent, Corpus::Bflat);
    let limit = Cell::inside(Op::WalkStat, Corpus::Bflat);
    let peer = |name, ms| Quantity::FasterThan(Peer { name, ms, limit_ms: 20.4, limit });
    let rows = vec![
        row(ours, Quantity::Over(limit), 1.5, 1.15),
        row(ours, peer(DREB_NODE, 145.0), 4.0, 6.0),
        target(ours, peer(DREB_BUN, 81.0), 3.5),
    ];
    Goal::new(7, "find the most recent of 10,000 sessions", rows)
}

fn memory_of_a_listing() -> Goal {
    let mut rows = Vec::new();
    for (corpus, ..) in LISTINGS {
        for op in [Op::Inventory, Op::InventoryTwice] {
            let ours = Cell::inside(op, corpus);
            rows.push(must(ours, Quantity::Memory, 64.0));
            rows.push(target(ours, Quantity::MemoryBeside("the longest line"), 16.0));
        }
    }
    Goal::new(21, "memory of a listing", rows)
}

fn open_and_context() -> Goal {
    let mut rows = Vec::new();
    let sizes =
        [(Corpus::C10, 2.8, [184.0, 85.0, 58.0]), (Corpus::C, 41.8, [3790.0, 1951.0, 957.0])];
    for (corpus, limit, [node, bun, pi]) in sizes {
        let ours = Cell::inside(Op::Context, corpus);
        rows.push(row(ours, Quantity::Over(newlines(corpus)), 7.0, 5.0));
        rows.push(row(ours, peer(DREB_NODE, node, limit, corpus), 10.0, 18.0));
        rows.push(target(ours, peer(DREB_BUN, bun, limit, corpus), 9.0));
        rows.push(target(ours, peer(PI_BUN, pi, limit, corpus), 4.0));
    }
    Goal::new(8, "open a session and build its context", rows)
}

fn chain() -> Goal {
    let long = Cell::inside(Op::Context, Corpus::E1M);
    let short = Cell::inside(Op::Context, Corpus::E100k);
    let rows = vec![
        row(long, Quantity::Over(short), 16.0, 12.0),
        row(long, peer(DREB_NODE, 161_700.0, 65.0, Corpus::E1M), 80.0, 100.0),
        target(long, peer(PI_NODE, 5774.0, 65.0, Corpus::E1M), 3.5),
    ];
    let shown = vec![newlines(Corpus::E100k)];
    Goal { shown, ..Goal::new(9, "open and context, a chain of a million entries", rows) }
}

fn gigabyte() -> Goal {
    let ours = Cell::inside(Op::Context, Corpus::D);
    let rows = vec![
        row(ours, Quantity::Memory, 128.0, 48.0),
        target(ours, Quantity::Over(newlines(Corpus::D)), 6.0),
    ];
    Goal::new(10, "open and context, a session of 1 GB", rows)
}

fn append() -> Goal {
    let ours = Cell::inside(Op::Append, Corpus::Empty);
    let limit = Cell::inside(Op::WriteOpen, Corpus::Empty);
    let locked = Cell::inside(Op::WriteLocked, Corpus::Empty);
    let peer = |name, us| Quantity::FasterThan(Peer { name, ms: us, limit_ms: 1.67, limit });
    let rows = vec![
        must(ours, Quantity::MicrosEachThere(Pace { limit_us: 2.3, limit: locked }), 5.0),
        target(ours, Quantity::Over(locked), 2.0),
        row(ours, peer(DREB_NODE, 13.7), 2.5, 3.0),
        target(ours, peer(DREB_BUN, 6.05), 1.3),
    ];
    Goal::new(11, "append to a held session", rows)
}

fn append_growth() -> Goal {
    let growth = |op: fn(Part) -> Op| {
        let first = Cell::inside(op(Part::First), Corpus::Empty);
        row(Cell::inside(op(Part::Last), Corpus::Empty), Quantity::Over(first), 1.5, 1.2)
    };
    let rows = vec![growth(Op::Growth), growth(Op::GrowthUnanswered)];
    Goal::new(12, "append, last tenth of a million", rows)
}

fn append_synced() -> Goal {
    let ours = Cell::inside(Op::AppendSynced, Corpus::Empty);
    let limit = Cell::inside(Op::WriteSynced, Corpus::Empty);
    Goal::new(13, "durable append", vec![row(ours, Quantity::Over(limit), 1.5, 1.15)])
}

/// dreb opens the session, which is nearly all of its time, and appends.
fn append_once() -> Goal {
    let ours = Cell { corpus: Corpus::C, task: Task::AppendOnce };
    let rows = vec![
        row(ours, Quantity::Ms, 50.0, 10.0),
        row(ours, peer(DREB_NODE, 3500.0, 41.8, Corpus::C), 70.0, 350.0),
    ];
    Goal::new(14, "one append to a session of 200 MB", rows)
}

fn delete() -> Goal {
    let ours = Cell::inside(Op::Delete, Corpus::Empty);
    let limit = Cell::inside(Op::Unlink, Corpus::Empty);
    let dreb = Peer { name: DREB_NODE, ms: 1427.0, limit_ms: 5.0, limit };
    let rows = vec![
        must(ours, Quantity::FasterThan(dreb), 20.0),
        target(ours, Quantity::Over(limit), 3.0),
    ];
    Goal::new(19, "delete a session, without `trash`", rows)
}

fn branch() -> Goal {
    let ours = |corpus| Cell::inside(Op::Branch, corpus);
    let rows = vec![
        row(ours(Corpus::C), peer(DREB_NODE, 2213.0, 41.8, Corpus::C), 6.0, 12.0),
        row(ours(Corpus::E100k), peer(DREB_NODE, 1290.0, 6.7, Corpus::E100k), 10.0, 30.0),
    ];
    Goal::new(17, "branch into a session of its own", rows)
}

fn fork() -> Goal {
    let ours = Cell::inside(Op::Fork, Corpus::C);
    let rows = vec![row(ours, peer(DREB_NODE, 5555.0, 41.8, Corpus::C), 12.0, 18.0)];
    Goal::new(18, "fork 200 MB into another project", rows)
}

fn performance_log() -> Goal {
    // Newlines of P were not recorded: those of E100k, which are as short, by their bytes.
    let recorded = |name, ms| peer(name, ms, 4.1, Corpus::P);
    let (open, summary) = (Op::PerformanceOpen, Op::PerformanceSummary);
    let [open, summary] = [open, summary].map(|op| Cell::inside(op, Corpus::P));
    let record = Cell::inside(Op::PerformanceRecord, Corpus::Empty);
    let limit = Cell::inside(Op::WriteOpen, Corpus::Empty);
    let recording = |name, us| Quantity::FasterThan(Peer { name, ms: us, limit_ms: 1.67, limit });
    let rows = vec![
        row(open, recorded(DREB_NODE, 198.0), 5.0, 10.0),
        target(open, Quantity::Over(newlines(Corpus::P)), 5.0),
        row(record, recording(DREB_NODE, 31.0), 2.0, 2.5),
        target(record, Quantity::Over(Cell::inside(Op::WriteLockFile, Corpus::Empty)), 1.5),
        row(summary, recorded(DREB_NODE, 213.0), 10.0, 30.0),
    ];
    Goal::new(20, "the performance log of 100,000 records", rows)
}

fn tree() -> Goal {
    let mut rows = Vec::new();
    for (corpus, dreb) in [(Corpus::E100k, 107.0), (Corpus::W100k, 117.0)] {
        let ours = Cell::inside(Op::Tree, corpus);
        rows.push(row(ours, Quantity::Ms, 15.0, 8.0));
        rows.push(row(ours, peer(DREB_NODE, dreb, 6.7, corpus), 7.0, 12.0));
    }
    Goal::new(15, "the tree of 100,000 entries", rows)
}

fn children() -> Goal {
    let chain = Cell::inside(Op::Children, Corpus::E100k);
    let rows = vec![
        row(chain, Quantity::Ms, 100.0, 15.0),
        row(chain, peer(DREB_NODE, 102_000.0, 6.7, Corpus::E100k), 1000.0, 6000.0),
        row(Cell::inside(Op::Children, Corpus::W100k), Quantity::Ms, 100.0, 15.0),
    ];
    Goal::new(16, "the children of each of 100,000 entries", rows)
}

fn memory() -> Goal {
    let whole = Cell::inside(Op::Context, Corpus::C);
    let rows = vec![
        must(whole, Quantity::Memory, 128.0),
        target(whole, Quantity::MemoryBeside("the context"), 32.0),
        row(Cell::inside(Op::Open, Corpus::E1M), Quantity::MemoryEach, 600.0, 250.0),
        must(Cell::inside(Op::Context, Corpus::E1M), Quantity::MemoryEach, 600.0),
    ];
    let shown = vec![Cell::inside(Op::Open, Corpus::C), Cell::inside(Op::Open, Corpus::E100k)];
    Goal { shown, ..Goal::new(22, "memory of an open session", rows) }
}

fn start() -> Goal {
    let version = Cell { corpus: Corpus::Empty, task: Task::Version };
    Goal::new(23, "start of the program", vec![row(version, Quantity::Ms, 10.0, 5.0)])
}

fn project() -> Goal {
    let ours = Cell { corpus: Corpus::C, task: Task::Whole(Op::Types) };
    let jq = Cell { corpus: Corpus::C, task: Task::Jq };
    Goal::new(
        24,
        "one field of every line of 200 MB",
        vec![row(ours, Quantity::Faster(jq), 7.0, 10.0)],
    )
}

fn limits() -> Goal {
    let writes = [Op::WriteKept, Op::WriteOpen, Op::WriteLocked, Op::WriteSynced];
    let mut shown: Vec<_> = writes.map(|op| Cell::inside(op, Corpus::Empty)).to_vec();
    let reads = [Op::Newlines, Op::NewlinesTwice, Op::WalkStat];
    for corpus in [Corpus::A, Corpus::B] {
        shown.extend(reads.map(|op| Cell::inside(op, corpus)));
    }
    shown.push(Cell::inside(Op::WalkStat, Corpus::Bflat));
    Goal { choice: Choice::Limits, title: "limits of the machine", rows: Vec::new(), shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_chosen_by_its_number() {
        let numbers = |only: &[Choice]| -> Vec<_> {
            chosen(Some(only)).iter().map(|goal| goal.choice).collect()
        };
        let only = [Choice::Goal(9), Choice::Limits];
        assert_eq!(numbers(&only), only);
        assert_eq!(Choice::named("22"), Ok(Choice::Goal(22)));
        assert!(Choice::named("0").is_err());
    }

    #[test]
    fn no_row_compares_with_itself_or_leaves_both_bounds_open() {
        for goal in all() {
            for row in &goal.rows {
                let other = match row.quantity {
                    Quantity::Over(cell) | Quantity::Beyond(cell, _) | Quantity::Faster(cell) => {
                        Some(cell)
                    }
                    Quantity::FasterThan(peer) => Some(peer.limit),
                    Quantity::MicrosEachThere(pace) => Some(pace.limit),
                    _ => None,
                };
                assert_ne!(other, Some(row.subject), "goal {}", goal.choice.name());
                assert!(row.must.is_some() || row.target.is_some());
            }
        }
    }

    #[test]
    fn a_target_is_never_easier_than_its_must() {
        for row in all().iter().flat_map(|goal| &goal.rows) {
            let (Some(must), Some(target)) = (row.must, row.target) else { continue };
            let more = matches!(row.quantity, Quantity::Faster(_) | Quantity::FasterThan(_));
            assert!(if more { target >= must } else { target <= must }, "{row:?}");
        }
    }
}
