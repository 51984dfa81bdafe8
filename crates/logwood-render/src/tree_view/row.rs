//! One row and what is drawn before its text.

use logwood::tree::NodeId;

use super::Layout;

/// Columns of one level.
const LEVEL: usize = 3;

/// A row of a layout.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The entry.
    pub node: NodeId,
    /// Whether it is on the path from a root to the current position.
    pub on_path: bool,
    /// Whether it can be folded, or is.
    pub fold: Fold,
    pub(super) indent: u32,
    /// Whether its parent has several children here.
    pub(super) branched: bool,
    pub(super) connector: Connector,
    /// The number of the nearest gutter.
    pub(super) gutter: u32,
}

/// Whether a row can be folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// Nothing is below it, or it is inside of a chain.
    Leaf,
    /// It starts a segment and has rows below it.
    Foldable,
    /// What is below it is hidden.
    Folded,
}

/// The line from a row to its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connector {
    None,
    Middle,
    Last,
}

/// A line that runs down beside the rows below a row with siblings; not shown below the last of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gutter {
    pub(super) position: u32,
    pub(super) shown: bool,
    pub(super) left: u32,
}

impl Row {
    /// A row without a line of its own.
    pub(super) fn root(indent: u32, branched: bool) -> Self {
        Self {
            node: NodeId::default(),
            on_path: false,
            fold: Fold::Leaf,
            indent,
            branched,
            connector: Connector::None,
            gutter: u32::MAX,
        }
    }
}

impl Layout {
    /// What stands before the text of a row: gutters, connector with its fold sign, `⊞ ` for a folded row without one.
    ///
    /// At most `columns` columns, rounded down to whole levels; of a deeper row the levels nearest to the text, behind `… `.
    /// The work follows the columns, not the depth.
    pub fn prefix(&self, row: &Row, columns: usize) -> String {
        let levels = self.display_indent(row) as usize;
        let room = (columns / LEVEL).max(1);
        let first = if levels > room { levels - room + 1 } else { 0 };
        let mut cells = vec!["   "; levels - first];
        self.put_gutters(row, first, &mut cells);
        if let Some(last) = cells.last_mut() {
            *last = connector(row).unwrap_or(*last);
        }
        let mut prefix = if first > 0 { "…  ".to_owned() } else { String::new() };
        prefix.extend(cells);
        if row.connector == Connector::None && row.fold == Fold::Folded {
            prefix.push_str("⊞ ");
        }
        prefix
    }

    /// How deep a row stands, from 1 on.
    pub fn level(&self, row: &Row) -> usize {
        row.indent as usize + 1
    }

    /// Draws the gutters right of level `first`, the nearest to the text first.
    fn put_gutters(&self, row: &Row, first: usize, cells: &mut [&str]) {
        let mut next = row.gutter;
        while let Some(gutter) = self.gutters.get(next as usize) {
            let Some(at) = (gutter.position as usize).checked_sub(first) else { return };
            if let Some(cell) = cells.get_mut(at).filter(|_| gutter.shown) {
                *cell = "│  ";
            }
            next = gutter.left;
        }
    }
}

fn connector(row: &Row) -> Option<&'static str> {
    Some(match (row.connector, row.fold) {
        (Connector::None, _) => return None,
        (Connector::Middle, Fold::Leaf) => "├─ ",
        (Connector::Middle, Fold::Foldable) => "├⊟ ",
        (Connector::Middle, Fold::Folded) => "├⊞ ",
        (Connector::Last, Fold::Leaf) => "└─ ",
        (Connector::Last, Fold::Foldable) => "└⊟ ",
        (Connector::Last, Fold::Folded) => "└⊞ ",
    })
}
