//! The table: the labels, then as many figures as there is room for.

use logwood::statistics::{Statistics, Table, TableRow, Totals};
use unicode_width::UnicodeWidthStr as _;

use super::columns::{Sized, fitting, taken};
use super::label::{head, shown};
use crate::output::{Line, cut, style};

/// The labels of a row get at least so many columns together, or all that they need: they say more than the last figures.
const LEAST_LABELS: usize = 36;

/// The lines of a table: the heads, the rows, and the sum where there are several.
pub(super) fn lines(
    table: &Table,
    statistics: &Statistics,
    home: Option<&str>,
    columns: usize,
) -> Vec<Line> {
    let labels: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| {
            let pairs = row.labels.iter().zip(&table.dimensions);
            pairs.map(|(label, dimension)| shown(label, *dimension, statistics, home)).collect()
        })
        .collect();
    let heads: Vec<String> = table.dimensions.iter().map(|dimension| head(*dimension)).collect();
    let mut sum = Totals::default();
    table.rows.iter().for_each(|row| sum += row.totals);
    let mut widths = widths(&heads, &labels);
    let all: usize = widths.iter().map(|width| width + 2).sum();
    let least = all.min(LEAST_LABELS);
    let totals: Vec<_> = table.rows.iter().map(|row| row.totals).collect();
    let figures = fitting(&totals, &sum, columns.saturating_add(2).saturating_sub(least));
    shrink(&mut widths, columns.saturating_add(2).saturating_sub(taken(&figures)));
    let mut lines = vec![first(&heads, &widths, &figures)];
    let mut before: Option<&TableRow> = None;
    for (row, labels) in table.rows.iter().zip(&labels) {
        let again = before
            .is_some_and(|last| labels.len() > 1 && last.labels.first() == row.labels.first());
        lines.push(line(labels, again, &widths, &figures, &row.totals));
        before = Some(row);
    }
    if table.rows.len() > 1 {
        lines.push(last(&widths, &figures, &sum));
    }
    lines
}

fn widths(heads: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let width = |(at, head): (usize, &String)| {
        let cells = rows.iter().filter_map(|labels| labels.get(at)).map(|label| label.width());
        cells.chain([head.width()]).max().unwrap_or_default()
    };
    heads.iter().enumerate().map(width).collect()
}

/// Makes the widest label give way until all fit into `room` with two spaces behind each.
fn shrink(widths: &mut [usize], room: usize) {
    let mut over = widths.iter().map(|width| width + 2).sum::<usize>().saturating_sub(room);
    while over > 0 {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > 1) else { return };
        *widest -= 1;
        over -= 1;
    }
}

fn first(heads: &[String], widths: &[usize], figures: &[Sized]) -> Line {
    let mut line = Line::new();
    for (head, width) in heads.iter().zip(widths) {
        put_left(&mut line, style::STRONG, head, *width);
    }
    for (column, width) in figures {
        put_right(&mut line, style::STRONG, column.head, *width);
    }
    line
}

/// A row; its first label is left out where the row above has the same.
fn line(
    labels: &[String],
    again: bool,
    widths: &[usize],
    figures: &[Sized],
    totals: &Totals,
) -> Line {
    let mut line = Line::new();
    for (at, (label, width)) in labels.iter().zip(widths).enumerate() {
        let label = if again && at == 0 { "" } else { label };
        put_left(&mut line, style::PLAIN, label, *width);
    }
    put_figures(&mut line, style::PLAIN, figures, totals);
    line
}

fn last(widths: &[usize], figures: &[Sized], sum: &Totals) -> Line {
    let mut line = Line::new();
    for (at, width) in widths.iter().enumerate() {
        put_left(&mut line, style::STRONG, if at == 0 { "total" } else { "" }, *width);
    }
    put_figures(&mut line, style::STRONG, figures, sum);
    line
}

fn put_figures(line: &mut Line, style: anstyle::Style, figures: &[Sized], totals: &Totals) {
    for (column, width) in figures {
        put_right(line, style, &(column.cell)(totals), *width);
    }
}

fn put_left(line: &mut Line, style: anstyle::Style, text: &str, width: usize) {
    let text = cut(text, width);
    if line.width() > 0 {
        line.push(style::PLAIN, "  ");
    }
    line.push(style, &text);
    line.push(style::PLAIN, &" ".repeat(width.saturating_sub(text.width())));
}

fn put_right(line: &mut Line, style: anstyle::Style, text: &str, width: usize) {
    if line.width() > 0 {
        line.push(style::PLAIN, "  ");
    }
    line.push(style::PLAIN, &" ".repeat(width.saturating_sub(text.width())));
    line.push(style, text);
}
