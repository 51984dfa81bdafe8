//! `logwood tree`: the entries of a session as a tree.

use std::ffi::OsString;

use logwood::context::Entries as _;
use logwood::entry::Entry;
use logwood::session::SessionManager;
use logwood::tree::Visit;
use logwood_render::tree_view::{Filter, Layout, Outline, Row};

use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{Line, Object, cut, style};
use crate::tree_filter::TreeFilter;

#[derive(Debug, clap::Args)]
pub(crate) struct TreeArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// Which entries to show; --json shows all unless this is given
    #[arg(long, value_name = "MODE")]
    filter: Option<TreeFilter>,

    /// Show the sessions it is related to instead: parents, forks, and those of subagents
    #[arg(long, conflicts_with = "filter")]
    children: bool,
}

pub(crate) fn run(args: &TreeArgs, app: &mut App) -> Result<Exit> {
    if args.children {
        return super::list::family(&args.session, app);
    }
    let session = app.open(&args.session)?;
    let filter = args.filter.map(Filter::from);
    if app.globals.json {
        print_json(&session, filter, app)?;
    } else {
        print_rows(&session, filter.unwrap_or_default(), app)?;
    }
    Ok(Exit::Done)
}

fn print_rows(session: &SessionManager, filter: Filter, app: &mut App) -> Result<()> {
    let outline = Outline::read(session, app.home().as_deref())?;
    let layout = outline.layout(filter);
    let tree = session.tree();
    let widest = layout.rows.iter().map(|row| tree.id(row.node).len()).max();
    let (columns, id_columns) = app.row_columns();
    let view = View {
        session,
        outline: &outline,
        layout: &layout,
        ids: widest.unwrap_or(0).min(id_columns),
        columns,
    };
    for row in &layout.rows {
        app.out.line(&view.line(row))?;
    }
    if layout.rows.is_empty() {
        app.out.line(&Line::new().plain("No entries found"))?;
    }
    if !app.globals.quiet {
        app.out.line(&Line::new().add(style::DIM, summary(session, &layout, filter)))?;
    }
    Ok(())
}

fn summary(session: &SessionManager, layout: &Layout, filter: Filter) -> String {
    format!("({} of {} entries){}", layout.rows.len(), session.tree().len(), filter.mark())
}

/// Everything that a row needs to be drawn.
struct View<'a> {
    session: &'a SessionManager,
    outline: &'a Outline<'a>,
    layout: &'a Layout,
    ids: usize,
    columns: usize,
}

impl View<'_> {
    /// Id, cursor on the current position, the lines of the tree, the mark of the path, label and text.
    fn line(&self, row: &Row) -> Line {
        let tree = self.session.tree();
        let cursor = if tree.leaf() == Some(row.node) { "› " } else { "  " };
        let id = cut(tree.id(row.node), self.ids);
        let prefix = self.layout.prefix(row, self.columns / 2);
        let mut line = Line::new()
            .add(style::ID, format!("{id:<width$} ", width = self.ids))
            .add(style::USER, cursor)
            .add(style::DIM, prefix);
        if row.on_path {
            line.push(style::USER, "• ");
        }
        if let Some(label) = tree.label(row.node) {
            line.push(style::LABEL, &format!("[{}] ", cut(label, self.columns / 3)));
        }
        for (style, text) in self.text(row) {
            let room = self.columns.saturating_sub(line.width());
            line.push(style, &cut(text, room));
        }
        line
    }

    /// The text in pieces: who speaks stands out, what is in brackets does not.
    fn text(&self, row: &Row) -> Vec<(anstyle::Style, &str)> {
        let text = self.outline.text(row.node);
        for (name, style) in [("user:", style::USER), ("assistant:", style::ASSISTANT)] {
            if let Some(rest) = text.strip_prefix(name) {
                return vec![(style, name), (style::PLAIN, rest)];
            }
        }
        let style = if text.starts_with('[') { style::TOOL } else { style::PLAIN };
        vec![(style, text)]
    }
}

fn print_json(session: &SessionManager, filter: Option<Filter>, app: &mut App) -> Result<()> {
    let outline = match filter {
        Some(filter) => Some((Outline::read(session, None)?, filter)),
        None => None,
    };
    let mut on_path = vec![false; session.tree().len()];
    for node in session.leaf().into_iter().flat_map(|leaf| session.tree().ancestors(leaf)) {
        if let Some(mark) = on_path.get_mut(node.index()) {
            *mark = true;
        }
    }
    let shown = |visit: &Visit| {
        outline.as_ref().is_none_or(|(outline, filter)| outline.is_visible(visit.node, *filter))
    };
    let rows = session.tree().walk().filter(shown).map(|visit| {
        let on_path = on_path.get(visit.node.index()).copied().unwrap_or(false);
        row_json(session, visit, on_path)
    });
    app.out.json_list(rows)
}

fn row_json(session: &SessionManager, visit: Visit, on_path: bool) -> Result<String> {
    let (tree, node) = (session.tree(), visit.node);
    let text = session.entry_text(node)?;
    let entry = Entry::parse(&text).ok();
    let parent = tree.parent(node).map(|parent| tree.id(parent));
    let word = entry.and_then(Entry::type_word);
    let role = tree.role(node).as_str();
    Ok(Object::new()
        .str("id", tree.id(node))
        .str_or_null("parentId", parent.or_else(|| tree.missing_parent(node)))
        .num("depth", visit.depth as u64)
        .str("type", word.as_deref().unwrap_or(tree.kind(node).as_str()))
        .opt_str("role", (!role.is_empty()).then_some(role))
        .str("preview", &entry.map(Entry::preview).unwrap_or_default())
        .str_or_null("timestamp", entry.and_then(Entry::timestamp).as_deref())
        .opt_str("label", tree.label(node))
        .bool("onPath", on_path)
        .bool("leaf", tree.leaf() == Some(node))
        .end())
}
