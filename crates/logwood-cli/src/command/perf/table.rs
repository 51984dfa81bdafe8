//! The table: a line for each model, the fastest first, with a bar beside the others'.

use std::cmp::Ordering;

use anstyle::Style;
use logwood::performance::{Delta, Direction, ModelPerformance, Rolling};
use unicode_width::UnicodeWidthStr as _;

use crate::output::{Line, age, bar, cut, plain_line, style};

/// Columns of the longest bar.
const BAR: usize = 12;
/// The name gets at least so many columns.
const LEAST_NAME: usize = 16;

/// What is shown of a model.
pub(super) struct Row<'a> {
    store: &'a str,
    name: String,
    rolling: Rolling,
    delta: Delta,
    last_ms: i64,
}

impl<'a> Row<'a> {
    pub(super) fn of(store: &'a str, model: &ModelPerformance) -> Self {
        Self {
            store,
            name: plain_line(&format!("{}/{}", model.provider(), model.model_id())),
            rolling: model.rolling(),
            delta: model.delta(),
            last_ms: model.samples().first().map_or(0, |sample| sample.time_ms),
        }
    }

    /// The trend as dreb's footer shows it (spec 9.6): nothing where nobody can tell, 0 % where it is stable.
    fn trend(&self) -> (Style, String) {
        let percent = format!("{}%", self.delta.percent.abs().round());
        match self.delta.direction {
            _ if !self.delta.tells() => (style::DIM, "-".to_owned()),
            Direction::Above => (style::ASSISTANT, format!("↑ {percent}")),
            Direction::Below => (style::WARNING, format!("↓ {percent}")),
            Direction::Stable => (style::DIM, "→ 0%".to_owned()),
        }
    }

    fn cells(&self, stores: bool, now_ms: i64) -> Vec<(Style, String)> {
        let store = stores.then(|| (style::PLAIN, self.store.to_owned()));
        let mut cells = vec![(style::PLAIN, self.name.clone())];
        cells.extend(store);
        cells.push((style::STRONG, rate(self.rolling.median)));
        cells.push((style::PLAIN, rate(self.rolling.mean)));
        cells.push((style::PLAIN, self.rolling.count.to_string()));
        cells.push(self.trend());
        cells.push((style::DIM, age(now_ms, self.last_ms)));
        cells
    }
}

/// Tokens a second, one digit behind the point below a hundred.
fn rate(tps: f64) -> String {
    if tps.abs() < 99.95 { format!("{tps:.1}") } else { format!("{tps:.0}") }
}

/// The lines of the table, the first one names the columns.
pub(super) fn lines(rows: &[Row<'_>], stores: bool, now_ms: i64, columns: usize) -> Vec<Line> {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|a, b| faster(b, a));
    let most = rows.first().map_or(0.0, |row| row.rolling.median);
    let mut heads = vec!["MODEL"];
    heads.extend(stores.then_some("STORE"));
    heads.extend(["MEDIAN", "MEAN", "COUNT", "TREND", "LAST"]);
    let cells: Vec<_> = rows.iter().map(|row| row.cells(stores, now_ms)).collect();
    let widths = widths(&heads, &cells, columns);
    let head = heads.iter().map(|head| (style::STRONG, (*head).to_owned())).collect();
    let mut lines = vec![line(head, &widths, stores)];
    for (row, cells) in rows.iter().zip(cells) {
        let bar = bar(row.rolling.median, most, BAR);
        lines.push(line(cells, &widths, stores).plain("  ").add(style::TOOL, bar).fit(columns));
    }
    lines
}

fn faster(a: &Row<'_>, b: &Row<'_>) -> Ordering {
    a.rolling.median.total_cmp(&b.rolling.median).then_with(|| b.name.cmp(&a.name))
}

/// The columns of each cell; the name gives way where there are too few.
fn widths(heads: &[&str], rows: &[Vec<(Style, String)>], columns: usize) -> Vec<usize> {
    let width = |(at, head): (usize, &&str)| {
        let cells = rows.iter().filter_map(|cells| cells.get(at)).map(|(_, text)| text.width());
        cells.chain([head.width()]).max().unwrap_or_default()
    };
    let mut widths: Vec<usize> = heads.iter().enumerate().map(width).collect();
    let all: usize = widths.iter().sum::<usize>() + 2 * widths.len() + BAR;
    if let Some(name) = widths.first_mut() {
        *name = name.saturating_sub(all.saturating_sub(columns)).max(LEAST_NAME.min(*name));
    }
    widths
}

/// Names stand left, numbers right.
fn line(cells: Vec<(Style, String)>, widths: &[usize], stores: bool) -> Line {
    let words = 1 + usize::from(stores);
    let mut line = Line::new();
    for (at, ((style, text), width)) in cells.into_iter().zip(widths).enumerate() {
        let text = cut(&text, *width);
        let space = " ".repeat(width.saturating_sub(text.width()));
        let gap = if at == 0 { "" } else { "  " };
        line = if at < words {
            line.plain(gap).add(style, &text).plain(space)
        } else {
            line.plain(gap).plain(space).add(style, &text)
        };
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        assert_eq!(
            [0.04, 9.96, 99.94, 99.95, 1234.5].map(rate),
            ["0.0", "10.0", "99.9", "100", "1234"]
        );
    }
}
