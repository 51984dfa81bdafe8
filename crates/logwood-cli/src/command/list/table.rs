//! The table: one line for each session, fitted to the columns there are.

use std::collections::HashSet;
use std::path::PathBuf;

use anstyle::Style;
use logwood::inventory::{Heading, SessionInfo, SessionKind, SessionStatus};
use logwood::json::truncate_utf16;
use logwood::location::step_number;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::output::{Line, age, cut, one_line, plain_line, style};
use crate::words::with_tilde;

/// An id is shown by at least so many characters, and by more where they would not tell it from another.
const SHORTEST_ID: usize = 8;
/// A heading is looked at no further than this, in UTF-16 units: a first message may be megabytes long.
const LONGEST_HEADING: usize = 4096;
/// Below so many columns an id gets no more than `LONGEST_ID`: enough for the time of a time-ordered one.
const WIDE: usize = 100;
const LONGEST_ID: usize = 13;
/// The heading gets at least so many columns, or all that it needs.
const LEAST_TITLE: usize = 24;

/// A project gets at least so many columns; with so many the marks behind it stay whole.
const LEAST_PROJECT: usize = 12;
const ENOUGH_PROJECT: usize = 24;
/// Columns of a mark, and of the name of a subagent in it, where there is no room for the whole.
const SHORT_WORD: usize = 4;
const SHORT_NAME: usize = 8;

/// What the table goes by.
pub(super) struct Look<'a> {
    pub(super) now_ms: i64,
    pub(super) missing: &'a HashSet<String>,
    pub(super) live: &'a HashSet<PathBuf>,
    /// Whether the rows may be of several directories.
    pub(super) projects: bool,
    pub(super) home: Option<String>,
    pub(super) columns: usize,
    /// What stands before the heading of each row, in place of an indent.
    pub(super) branches: &'a [String],
}

struct Cells {
    left: Vec<(Style, String, bool)>,
    /// The indent below a parent.
    indent: String,
    marks: Marks,
    heading: (Heading, String),
}

/// The lines of the table, the first one names the columns.
pub(super) fn lines(rows: &[(SessionInfo, usize)], look: &Look<'_>) -> Vec<Line> {
    let stores =
        rows.iter().any(|(row, _)| rows.first().is_some_and(|(first, _)| first.store != row.store));
    let most = if look.columns < WIDE { LONGEST_ID } else { usize::MAX };
    let id = id_columns(rows).min(most);
    let mut heads = vec![("AGE", true), ("MSGS", true), ("ID", false)];
    heads.extend(stores.then_some(("STORE", false)));
    heads.extend(look.projects.then_some(("PROJECT", false)));
    let indents = rows.iter().enumerate().map(|(at, (_, depth))| match look.branches.get(at) {
        Some(branch) => branch.clone(),
        None => indent(*depth),
    });
    let cells: Vec<_> = rows
        .iter()
        .zip(indents)
        .map(|((row, _), indent)| cells(row, indent, id, stores, look))
        .collect();
    let widths = widths(&heads, &cells, look.columns);
    let mut first = Line::new();
    for ((head, right), width) in heads.iter().zip(&widths) {
        put(&mut first, style::STRONG, head, *width, *right);
    }
    let mut lines = vec![first.add(style::STRONG, "TITLE")];
    lines.extend(cells.iter().map(|cells| line(cells, &widths, look.columns)));
    lines
}

/// What stands before a row so many generations below the first one.
fn indent(depth: usize) -> String {
    match depth.min(10) {
        0 => String::new(),
        depth => format!("{}└ ", "  ".repeat(depth - 1)),
    }
}

fn cells(row: &SessionInfo, indent: String, id: usize, stores: bool, look: &Look<'_>) -> Cells {
    let mut left = vec![
        (style::PLAIN, age(look.now_ms, row.modified_ms), true),
        (style::PLAIN, row.message_count.to_string(), true),
        (style::ID, plain_line(&row.id.chars().take(id).collect::<String>()), false),
    ];
    if stores {
        left.push((style::PLAIN, plain_line(&row.store), false));
    }
    if look.projects {
        left.push((style::PLAIN, project(row, look.home.as_deref()), false));
    }
    let (heading, text) = row.heading();
    let text = truncate_utf16(text, LONGEST_HEADING);
    let marks = Marks(marks(row, look));
    Cells { left, indent, marks, heading: (heading, plain_line(&one_line(text))) }
}

impl Cells {
    /// The columns that the heading gets in any case.
    fn title(&self) -> usize {
        self.heading.1.width().min(LEAST_TITLE)
    }

    /// The columns for the heading behind its indent and its marks, these whole or in few letters.
    fn least(&self, whole: bool) -> usize {
        let indent = self.indent.width();
        let words =
            if whole { bracketed(&self.marks.0) } else { bracketed(&self.marks.short_words()) };
        indent + words.width() + self.title()
    }
}

/// The words for what is special about a session, and how they give way where there is no room.
struct Marks(Vec<String>);

impl Marks {
    /// The words in brackets and a space, in at most `room` columns: whole, else by few letters, else only the first of
    /// them. That there are any shows in any case.
    fn text(&self, room: usize) -> String {
        let whole = bracketed(&self.0);
        if whole.width() <= room {
            return whole;
        }
        let mut words = self.short_words();
        let mut text = bracketed(&words);
        while text.width() > room && words.pop().is_some() {
            words.push("…".to_owned());
            text = bracketed(&words);
            words.pop();
        }
        text
    }

    fn short_words(&self) -> Vec<String> {
        self.0.iter().map(|word| short_word(word)).collect()
    }
}

/// A few letters of a word; of a subagent the start of its name.
fn short_word(word: &str) -> String {
    match word.strip_prefix("subagent ") {
        Some(name) => format!("sub {}", cut(name, SHORT_NAME)),
        None => cut(word, SHORT_WORD),
    }
}

/// Nothing where there is no word.
fn bracketed(words: &[String]) -> String {
    if words.is_empty() { String::new() } else { format!("[{}] ", words.join(", ")) }
}

/// What is special about a session, in words.
fn marks(row: &SessionInfo, look: &Look<'_>) -> Vec<String> {
    let mut marks = Vec::new();
    if look.live.contains(&row.path) {
        marks.push("live".to_owned());
    }
    match (&row.agent_type, row.kind) {
        (Some(agent), _) => marks.push(format!("subagent {}", plain_line(&one_line(agent)))),
        (None, SessionKind::Fork) => marks.push("fork".to_owned()),
        (None, _) => {}
    }
    if let Some(step) = step_of(row) {
        marks.push(format!("step {step}"));
    }
    if !matches!(row.status, SessionStatus::Complete | SessionStatus::Empty) {
        marks.push(row.status.as_str().to_owned());
    }
    if row.is_future {
        marks.push("future".to_owned());
    }
    if look.missing.contains(&row.cwd) {
        marks.push("gone".to_owned());
    }
    if row.problems.iter().any(|problem| !problem.is_note()) {
        marks.push("damaged".to_owned());
    }
    marks
}

/// The number of a step, for a transcript in the folder of one (rule L27).
pub(super) fn step_of(row: &SessionInfo) -> Option<u64> {
    let _ = row.agent_type.as_ref()?;
    step_number(row.path.parent()?.file_name()?)
}

/// The working directory with `~` for the home directory.
fn project(row: &SessionInfo, home: Option<&str>) -> String {
    if row.cwd.is_empty() { "-".to_owned() } else { plain_line(&with_tilde(&row.cwd, home)) }
}

/// As many characters of the ids as tell them apart.
fn id_columns(rows: &[(SessionInfo, usize)]) -> usize {
    let mut ids: Vec<_> = rows.iter().map(|(row, _)| row.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let common = |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let pairs = ids.iter().zip(ids.iter().skip(1));
    pairs.map(|(a, b)| common(a, b) + 1).max().unwrap_or(0).max(SHORTEST_ID)
}

/// The columns of each cell but the last; the project gives way where it would leave the heading too little.
fn widths(heads: &[(&str, bool)], cells: &[Cells], columns: usize) -> Vec<usize> {
    let mut widths: Vec<_> = heads.iter().map(|(head, _)| head.width()).collect();
    for row in cells {
        for (width, (_, text, _)) in widths.iter_mut().zip(&row.left) {
            *width = (*width).max(text.width());
        }
    }
    let taken: usize = widths.iter().map(|width| width + 2).sum();
    let behind = |whole| cells.iter().map(|row| row.least(whole)).max().unwrap_or(0);
    let short = |whole| (taken + behind(whole)).saturating_sub(columns);
    if let (5 | 4, Some(last)) = (widths.len(), widths.last_mut()) {
        let beside_whole = last.saturating_sub(short(true));
        let enough = beside_whole >= ENOUGH_PROJECT.min(*last);
        let room = if enough { beside_whole } else { last.saturating_sub(short(false)) };
        *last = room.max(LEAST_PROJECT).min(*last);
    }
    widths
}

fn line(cells: &Cells, widths: &[usize], columns: usize) -> Line {
    let mut line = Line::new();
    for ((style, text, right), width) in cells.left.iter().zip(widths) {
        put(&mut line, *style, &tail(text, *width), *width, *right);
    }
    line.push(style::DIM, &cells.indent);
    let room = columns.saturating_sub(line.width());
    line.push(style::LABEL, &cells.marks.text(room.saturating_sub(cells.title())));
    let room = columns.saturating_sub(line.width()).max(1);
    let style = match cells.heading.0 {
        Heading::Name => style::STRONG,
        Heading::Title | Heading::FirstMessage => style::PLAIN,
    };
    line.add(style, cut(&cells.heading.1, room))
}

/// A cell and the two spaces behind it.
fn put(line: &mut Line, style: Style, text: &str, width: usize, right: bool) {
    let space = " ".repeat(width.saturating_sub(text.width()));
    if right {
        line.push(style::PLAIN, &space);
    }
    line.push(style, text);
    if !right {
        line.push(style::PLAIN, &space);
    }
    line.push(style::PLAIN, "  ");
}

/// The end of a text, which says more of a directory than its start.
fn tail(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = text.char_indices().rev().take_while(|(_, c)| {
        used += c.width().unwrap_or(0);
        used <= columns
    });
    let start = fits.last().map_or(text.len(), |(at, _)| at);
    format!("…{}", text.get(start..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_give_way_by_letters_and_then_by_words() {
        let marks = Marks(["subagent Explore", "interrupted", "gone"].map(str::to_owned).to_vec());
        let texts = [
            (40, "[subagent Explore, interrupted, gone] "),
            (38, "[subagent Explore, interrupted, gone] "),
            (37, "[sub Explore, int…, gone] "),
            (26, "[sub Explore, int…, gone] "),
            (25, "[sub Explore, int…, …] "),
            (22, "[sub Explore, …] "),
            (0, "[…] "),
        ];
        for (room, text) in texts {
            assert_eq!(marks.text(room), text, "{room}");
        }
        assert_eq!(Marks(Vec::new()).text(0), "");
    }

    #[test]
    fn the_end_of_a_directory_stays() {
        assert_eq!(tail("/home/ana/shop", 14), "/home/ana/shop");
        assert_eq!(tail("/home/ana/shop", 10), "…/ana/shop");
        assert_eq!(tail("/日本/語", 4), "…/語");
        assert_eq!(tail("/日本/語", 3), "…語");
        assert_eq!(tail("ab", 0), "…");
    }
}
