//! The rows of the tree beside the messages.

use logwood::entry::{EntryKind, Role};
use logwood::error::Result;
use logwood::tree::{NodeId, SessionTree};

use super::escape::push_text;
use crate::tree_view::{Filter, Outline};

/// How many columns the lines of the tree may take; of deeper rows the nearest are drawn.
pub(super) const PREFIX_COLUMNS: usize = 36;
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
    let default = outline.layout(Filter::Default);
    for row in &default.rows {
        if let Some(slot) = shown.get_mut(row.node.index()) {
            *slot = Some(default.prefix(row, PREFIX_COLUMNS));
        }
    }
    for row in &layout.rows {
        let prefix = shown.get(row.node.index()).and_then(Option::as_deref);
        push_row(page, tree, outline, row.node, (row.on_path, prefix));
    }
    Ok(())
}

fn push_row(
    page: &mut String,
    tree: &SessionTree,
    outline: &Outline<'_>,
    node: NodeId,
    (on_path, prefix): (bool, Option<&str>),
) {
    let number = node.index();
    let parent = tree.parent(node).map_or(String::new(), |parent| parent.index().to_string());
    let hidden = if prefix.is_some() { "" } else { " hidden" };
    let path = if on_path { " path" } else { "" };
    let marks = marks(tree, outline, node);
    page.push_str(&format!(
        "<a role=\"treeitem\" tabindex=\"-1\" class=\"row{path}\" href=\"#n{number}\" data-n=\"{number}\" data-p=\"{parent}\" data-k=\"{marks}\" data-id=\""
    ));
    push_text(page, tree.id(node));
    page.push_str(&format!("\"{hidden}><span class=\"pre\" aria-hidden=\"true\">"));
    page.push_str(prefix.unwrap_or_default());
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
    // A name counts as an entry of its own here (spec 8.10).
    let bookkeeping = kind.is_bookkeeping() && kind != EntryKind::SessionInfo;
    [
        (bookkeeping, 'b'),
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

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
