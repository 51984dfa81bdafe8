//! The rows of the tree beside the messages.

use logwood::entry::{EntryKind, Role};
use logwood::error::Result;
use logwood::tree::{NodeId, SessionTree};

use super::escape::push_text;
use crate::tree_view::{Filter, Fold, Outline};

/// How many columns the lines of the tree may take; of deeper rows the nearest are drawn.
pub(super) const PREFIX_COLUMNS: usize = 36;
/// How many rows a browser lays out together.
const CHUNK_OF_ROWS: usize = 200;
/// How much of a text a row shows, in characters (spec 8.10).
const LONGEST: usize = 100;

/// Adds a row for every entry, parents before children, those of the first path before their siblings. The page hides what a
/// filter leaves out and draws the lines.
pub(super) fn push_rows(
    page: &mut String,
    tree: &SessionTree,
    outline: &Outline<'_>,
) -> Result<()> {
    let layout = outline.everything();
    let mut shown = vec![None; tree.len()];
    let default = outline
        .layout_of(|node| outline.is_visible(node, Filter::All) && !is_bookkeeping(tree, node));
    for row in &default.rows {
        if let Some(slot) = shown.get_mut(row.node.index()) {
            // Nothing folds in the page.
            let mut row = *row;
            row.fold = Fold::Leaf;
            *slot = Some((default.prefix(&row, PREFIX_COLUMNS), default.level(&row)));
        }
    }
    for rows in layout.rows.chunks(CHUNK_OF_ROWS) {
        page.push_str("<div class=\"rows\" role=\"none\">\n");
        for row in rows {
            let drawn = shown.get(row.node.index()).and_then(Option::as_ref);
            push_row(page, tree, outline, row.node, (row.on_path, drawn));
        }
        page.push_str("</div>\n");
    }
    Ok(())
}

fn push_row(
    page: &mut String,
    tree: &SessionTree,
    outline: &Outline<'_>,
    node: NodeId,
    (on_path, drawn): (bool, Option<&(String, usize)>),
) {
    let number = node.index();
    let parent = tree.parent(node).map_or(String::new(), |parent| parent.index().to_string());
    let (prefix, level) = drawn.map_or(("", 1), |(prefix, level)| (prefix, *level));
    let hidden = if drawn.is_some() { "" } else { " hidden" };
    let path = if on_path { " path" } else { "" };
    let marks = marks(tree, outline, node);
    page.push_str(&format!(
        "<a role=\"treeitem\" aria-level=\"{level}\" tabindex=\"-1\" class=\"row{path}\" href=\"#n{number}\" data-n=\"{number}\" data-p=\"{parent}\" data-k=\"{marks}\" data-id=\""
    ));
    push_text(page, tree.id(node));
    page.push_str(&format!("\"{hidden}><span class=\"pre\" aria-hidden=\"true\">"));
    page.push_str(prefix);
    page.push_str("</span>");
    if let Some(label) = tree.label(node) {
        page.push_str("<b>[");
        push_text(page, label);
        page.push_str("]</b> ");
    }
    page.push_str("<span class=\"say\">");
    push_text(page, &cut(outline.text(node)));
    page.push_str("</span></a>\n");
}

/// What the filters of the page ask: `b` bookkeeping, `u` of the person, `t` a tool result, `l` labelled, `s` without a text.
fn marks(tree: &SessionTree, outline: &Outline<'_>, node: NodeId) -> String {
    let (kind, role) = (tree.kind(node), tree.role(node));
    [
        (is_bookkeeping(tree, node), 'b'),
        (kind == EntryKind::Message && role == Role::User, 'u'),
        (role == Role::ToolResult, 't'),
        (tree.label(node).is_some(), 'l'),
        (!outline.is_visible(node, Filter::All), 's'),
    ]
    .iter()
    .filter(|(is, _)| *is)
    .map(|(_, mark)| mark)
    .collect()
}

/// What the filters leave out; a name is an entry as others here (spec 8.10).
fn is_bookkeeping(tree: &SessionTree, node: NodeId) -> bool {
    let kind = tree.kind(node);
    kind.is_bookkeeping() && kind != EntryKind::SessionInfo
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
