//! Days as bars, one below the other; a day on which nothing was spent between two others has an empty one.

use jiff::civil::Date;
use logwood::statistics::{Label, Table, Totals};
use unicode_width::UnicodeWidthStr as _;

use super::money::cost;
use crate::output::{Line, bar, style};
use crate::words::tokens;

/// The longest bar, in columns.
const WIDEST: usize = 60;
/// So many days between two are shown one by one; of more only their number.
const MOST_EMPTY: i32 = 3;

/// One day, or the days between two.
enum Day {
    Of(String, Totals),
    Empty(i32),
}

impl Day {
    fn label(&self) -> &str {
        match self {
            Self::Of(label, _) => label,
            Self::Empty(_) => "",
        }
    }

    fn totals(&self) -> Totals {
        match self {
            Self::Of(_, totals) => *totals,
            Self::Empty(_) => Totals::default(),
        }
    }
}

/// The lines of a table by day: the day, its cost, and a bar beside the highest; of tokens, where no cost is known.
pub(super) fn lines(table: &Table, columns: usize) -> Vec<Line> {
    let days = days(table);
    let by_cost = days.iter().any(|day| !day.totals().cost.is_zero());
    let most = days.iter().map(|day| value(&day.totals(), by_cost)).fold(0.0, f64::max);
    let label = days.iter().map(|day| day.label().width()).max().unwrap_or_default();
    let figures = days.iter().map(|day| figure(&day.totals(), by_cost).width());
    let width = figures.max().unwrap_or_default();
    let room = columns.saturating_sub(label + width + 4).min(WIDEST);
    let line = |day: &Day| {
        let Day::Of(text, totals) = day else { return gap(day).fit(columns) };
        let figure = figure(totals, by_cost);
        let space = " ".repeat(width.saturating_sub(figure.width()));
        let pad = " ".repeat(label.saturating_sub(text.width()));
        let line = Line::new().plain(text).plain(pad).plain("  ").plain(space);
        let (own, others) = bars(totals, value(totals, by_cost), most, room);
        line.plain(figure).plain("  ").add(style::TOOL, own).add(style::LABEL, others).fit(columns)
    };
    days.iter().map(line).collect()
}

fn gap(day: &Day) -> Line {
    match day {
        Day::Empty(days) => Line::new().add(style::DIM, format!("  … {days} days without")),
        Day::Of(..) => Line::new(),
    }
}

fn value(totals: &Totals, by_cost: bool) -> f64 {
    if by_cost { totals.cost.dollars() } else { totals.tokens.total() as f64 }
}

fn figure(totals: &Totals, by_cost: bool) -> String {
    match (by_cost, *totals == Totals::default()) {
        (_, true) => "-".to_owned(),
        (true, false) => cost(totals),
        (false, false) => tokens(totals.tokens.total()),
    }
}

/// The bar of the sessions of people, and of subagents behind it in another pattern.
fn bars(totals: &Totals, value: f64, most: f64, room: usize) -> (String, String) {
    let whole = bar(value, most, room);
    let share = match totals.cost.is_zero() {
        true => 0.0,
        false => totals.subagents.dollars() / totals.cost.dollars(),
    };
    let full = whole.chars().count();
    let others = (share * full as f64).round() as usize;
    if others == 0 {
        return (whole, String::new());
    }
    ("█".repeat(full - others), "▒".repeat(others))
}

/// The days in their order, those between them too.
fn days(table: &Table) -> Vec<Day> {
    let mut days: Vec<Day> = Vec::new();
    let mut before: Option<Date> = None;
    for row in &table.rows {
        let text = match row.labels.first() {
            Some(Label::Text(text)) => text.as_str(),
            _ => "(no time)",
        };
        let date: Option<Date> = text.parse().ok();
        if let (Some(before), Some(date)) = (before, date) {
            days.extend(between(before, date));
        }
        days.push(Day::Of(text.to_owned(), row.totals));
        before = date.or(before);
    }
    days
}

/// The days after one and before another.
fn between(first: Date, last: Date) -> Vec<Day> {
    let empty = first.until(last).map_or(0, |span| span.get_days() - 1);
    if empty > MOST_EMPTY {
        return vec![Day::Empty(empty)];
    }
    let days = std::iter::successors(first.tomorrow().ok(), |day| day.tomorrow().ok());
    let days = days.take_while(|day| *day < last);
    days.map(|day| Day::Of(day.to_string(), Totals::default())).collect()
}
