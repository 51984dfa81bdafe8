//! The columns of figures, and which of them there is room for.

use logwood::statistics::Totals;

use super::money::{cost, dollars};
use crate::words::tokens;

/// A column of figures.
pub(super) struct Column {
    pub(super) head: &'static str,
    pub(super) cell: fn(&Totals) -> String,
    /// Whether it says anything of these totals.
    tells: fn(&Totals) -> bool,
    /// The lowest is the last to go where there is no room.
    rank: u8,
}

const COLUMNS: [Column; 9] = [
    Column { head: "COST", cell: cost, tells: |_| true, rank: 0 },
    Column {
        head: "SUBAGENTS",
        cell: |totals| dollars(totals.subagents),
        tells: |totals| !totals.subagents.is_zero(),
        rank: 4,
    },
    Column {
        head: "ABANDONED",
        cell: |totals| dollars(totals.abandoned),
        tells: |totals| !totals.abandoned.is_zero(),
        rank: 5,
    },
    Column {
        head: "NO ANSWER",
        cell: |totals| dollars(totals.others),
        tells: |totals| !totals.others.is_zero(),
        rank: 6,
    },
    Column { head: "ANSWERS", cell: |totals| totals.answers.to_string(), tells: |_| true, rank: 1 },
    Column { head: "INPUT", cell: |totals| tokens(totals.tokens.input), tells: |_| true, rank: 3 },
    Column {
        head: "OUTPUT",
        cell: |totals| tokens(totals.tokens.output),
        tells: |_| true,
        rank: 2,
    },
    Column {
        head: "CACHE R",
        cell: |totals| tokens(totals.tokens.cache_read),
        tells: |totals| totals.tokens.cache_read > 0,
        rank: 7,
    },
    Column {
        head: "CACHE W",
        cell: |totals| tokens(totals.tokens.cache_write),
        tells: |totals| totals.tokens.cache_write > 0,
        rank: 8,
    },
];

/// A column and how wide it is.
pub(super) type Sized = (&'static Column, usize);

/// The columns that say something, as many as fit into `room` with two spaces before each; the cost is there in any case.
pub(super) fn fitting(rows: &[Totals], sum: &Totals, room: usize) -> Vec<Sized> {
    let width = |column: &Column| {
        let cells = rows.iter().chain([sum]).map(|totals| (column.cell)(totals).chars().count());
        cells.chain([column.head.len()]).max().unwrap_or_default()
    };
    let telling = COLUMNS.iter().filter(|column| (column.tells)(sum));
    let mut columns: Vec<_> = telling.map(|column| (column, width(column))).collect();
    while columns.len() > 1 && taken(&columns) > room {
        let last = columns.iter().map(|(column, _)| column.rank).max();
        columns.retain(|(column, _)| Some(column.rank) != last);
    }
    columns
}

/// What the columns take.
pub(super) fn taken(columns: &[Sized]) -> usize {
    columns.iter().map(|(_, width)| width + 2).sum()
}
