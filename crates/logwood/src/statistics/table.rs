use std::cmp::Ordering;
use std::collections::HashMap;

use super::aggregate::Counted;
use super::{Calendar, Dimension, Statistics, Totals};

/// A table of statistics: one row for each value, or each pair of values, that has anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it is by, one or several.
    pub dimensions: Vec<Dimension>,
    /// Its rows: times in their order, everything else by cost, the highest first.
    pub rows: Vec<TableRow>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// The value of each dimension.
    pub labels: Vec<Label>,
    /// What it cost.
    pub totals: Totals,
}

/// The value of one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// A day, a model, a directory, ...
    Text(String),
    /// A session: its place in [`Statistics::owners`].
    Session(usize),
    /// There is none: the answer names no time or model, the session no directory or agent.
    None,
}

impl Statistics {
    /// What was spent by each value of the dimensions, crossed where there are several.
    ///
    /// ```
    /// use jiff::tz::TimeZone;
    /// use logwood::statistics::{Calendar, Dimension, Statistics};
    ///
    /// let calendar = Calendar::new(TimeZone::UTC);
    /// let table = Statistics::default().table(&[Dimension::Day, Dimension::Model], &calendar);
    /// assert!(table.rows.is_empty());
    /// ```
    pub fn table(&self, dimensions: &[Dimension], calendar: &Calendar) -> Table {
        let mut groups: HashMap<Vec<Label>, Totals> = HashMap::new();
        for answer in self.answers.values() {
            let label = |dimension: &Dimension| self.label(*dimension, answer, calendar);
            let labels: Vec<_> = dimensions.iter().map(label).collect();
            *groups.entry(labels).or_default() += self.totals_of_answer(answer);
        }
        let rows = groups.into_iter().map(|(labels, totals)| TableRow { labels, totals });
        let mut table = Table { dimensions: dimensions.to_vec(), rows: rows.collect() };
        table.sort(&self.outer_totals(&table));
        table
    }

    fn label(&self, dimension: Dimension, answer: &Counted, calendar: &Calendar) -> Label {
        let own = self.owners.get(answer.owner as usize);
        let top = self.top(answer.owner as usize);
        let day = || answer.time_ms.and_then(|ms| calendar.day(ms));
        let text = match dimension {
            Dimension::Session => return Label::Session(top),
            Dimension::Day => day().map(|day| day.to_string()),
            Dimension::Week => day().map(Calendar::week),
            Dimension::Month => day().map(Calendar::month),
            Dimension::Model => answer.model.label(),
            Dimension::Provider => answer.model.provider.clone(),
            Dimension::Project => self.owners.get(top).map(|top| top.cwd.clone()),
            Dimension::Store => own.map(|own| own.store.to_string()),
            Dimension::AgentType => own.and_then(|own| own.agent_type.clone()),
            Dimension::Source => Some(answer.source.as_str().to_owned()),
        };
        text.filter(|text| !text.is_empty()).map_or(Label::None, Label::Text)
    }

    /// The totals of the rows that begin with the same label, so that crossed rows stay together.
    fn outer_totals(&self, table: &Table) -> HashMap<Label, Totals> {
        let mut outer: HashMap<Label, Totals> = HashMap::new();
        for row in &table.rows {
            if let Some(first) = row.labels.first() {
                *outer.entry(first.clone()).or_default() += row.totals;
            }
        }
        outer
    }
}

impl Table {
    fn sort(&mut self, outer: &HashMap<Label, Totals>) {
        let (first, others) = match self.dimensions.split_first() {
            Some((first, others)) => (*first, others.to_vec()),
            None => return,
        };
        self.rows.sort_by(|a, b| {
            let outer_of = |row: &TableRow| row.labels.first().and_then(|label| outer.get(label));
            let by_first = compare(first, (a, outer_of(a)), (b, outer_of(b)), 0);
            let by_others = || {
                let dimensions = (1..).zip(&others);
                let mut order = dimensions.map(|(at, dimension)| {
                    compare(*dimension, (a, Some(&a.totals)), (b, Some(&b.totals)), at)
                });
                order.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            };
            by_first.then_with(by_others)
        });
    }
}

/// The order of two rows by their labels at one place: in time, else by rank and then by label.
fn compare(
    dimension: Dimension,
    (a, a_totals): (&TableRow, Option<&Totals>),
    (b, b_totals): (&TableRow, Option<&Totals>),
    at: usize,
) -> Ordering {
    let labels = a.labels.get(at).cmp(&b.labels.get(at));
    if dimension.is_time() {
        return labels;
    }
    let rank = |totals: Option<&Totals>| totals.map(Totals::rank);
    rank(b_totals).cmp(&rank(a_totals)).then(labels)
}
