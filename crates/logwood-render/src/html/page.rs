//! The page around the entries.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use logwood::context::Entries;
use logwood::entry::{EntryKind, Role};
use logwood::error::Result;
use logwood::tree::{NodeId, SessionTree};
use sha2::{Digest as _, Sha256};

use super::article::Articles;
use super::escape::{escaped, push_text};
use super::results::Results;
use super::sidebar::push_rows;
use crate::about::About;
use crate::highlight::Highlighter;
use crate::tree_view::Outline;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// For readers whose browser runs no script: every branch, one after the other.
const STYLE_WITHOUT_SCRIPT: &str =
    "[hidden]{display:revert!important}aside,.tools{display:none!important}";
/// How much code is coloured in one page, in bytes.
const COLOURED: usize = 4 * 1024 * 1024;
/// How many articles a browser lays out together.
const CHUNK_OF_ARTICLES: usize = 25;
const CHUNK_OPENS: &str = "<div class=\"chunk\">\n";
/// How much of the page is put together before it is written.
const CHUNK: usize = 256 * 1024;

/// What a page shows.
#[derive(Debug, Clone, Copy, Default)]
pub struct HtmlOptions<'a> {
    /// The home directory, shown as `~` in the paths of tool calls.
    pub home: Option<&'a str>,
    /// The branch that is shown first; none for that of the current position.
    pub leaf: Option<NodeId>,
    /// Whether messages are shown that their extension hides from people (`display` false).
    pub hidden: bool,
}

/// Writes a session as one page of HTML (spec 8.10). The page holds every branch; `out` gets it in pieces, so that the page of a long
/// session is never in memory as a whole.
///
/// The inner error is that of `out`.
///
/// # Errors
/// When an entry cannot be read any more.
///
/// ```
/// use logwood::session::SessionOptions;
/// use logwood_render::about::About;
/// use logwood_render::html::{HtmlOptions, html};
///
/// let session = SessionOptions::new().in_memory("/work/demo");
/// let mut page = Vec::new();
/// html(&session, &About::of(&session), &HtmlOptions::default(), &mut page)??;
/// assert!(page.starts_with(b"<!DOCTYPE html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn html(
    entries: &impl Entries,
    about: &About,
    options: &HtmlOptions<'_>,
    out: &mut impl Write,
) -> Result<io::Result<()>> {
    let outline = Outline::read(entries, options.home)?;
    let mut page = Chunks { text: String::new(), out, failed: Ok(()) };
    push_head(&mut page.text, about);
    push_sidebar(&mut page.text, entries.tree(), &outline)?;
    push_about(&mut page.text, entries.tree(), about);
    drop(outline);
    push_messages(&mut page, entries, options)?;
    push_foot(&mut page.text);
    Ok(page.finish())
}

/// The page in pieces.
struct Chunks<'a, W> {
    text: String,
    out: &'a mut W,
    failed: io::Result<()>,
}

impl<W: Write> Chunks<'_, W> {
    fn flush(&mut self) {
        if self.failed.is_ok() {
            self.failed = self.out.write_all(self.text.as_bytes());
        }
        self.text.clear();
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.failed?;
        self.out.flush()
    }
}

fn push_messages<W: Write>(
    page: &mut Chunks<'_, W>,
    entries: &impl Entries,
    options: &HtmlOptions<'_>,
) -> Result<()> {
    let tree = entries.tree();
    let mut articles = Articles {
        entries,
        results: Results::pair(entries)?,
        on_path: path_marks(tree, options.leaf.or(tree.leaf())),
        highlighter: Highlighter::new(COLOURED),
        home: options.home,
        hidden: options.hidden,
        left_out: 0,
    };
    page.text.push_str("<div id=\"messages\">\n");
    let mut count = 0;
    for visit in tree.walk() {
        let chunk = if count % CHUNK_OF_ARTICLES == 0 { CHUNK_OPENS } else { "" };
        if articles.push(&mut page.text, chunk, visit.node)? {
            count += 1;
            if count % CHUNK_OF_ARTICLES == 0 {
                page.text.push_str("</div>\n");
            }
        }
        if page.text.len() > CHUNK {
            page.flush();
        }
        if page.failed.is_err() {
            return Ok(());
        }
    }
    page.text.push_str(if count % CHUNK_OF_ARTICLES == 0 { "</div>\n" } else { "</div></div>\n" });
    if articles.left_out > 0 {
        let count = articles.left_out;
        page.text.push_str(&format!(
            "<p class=\"note\">{count} messages that extensions hide from people are not in this page.</p>\n"
        ));
    }
    Ok(())
}

fn path_marks(tree: &SessionTree, leaf: Option<NodeId>) -> Vec<bool> {
    let mut marks = vec![false; tree.len()];
    for node in leaf.into_iter().flat_map(|leaf| tree.ancestors(leaf)) {
        if let Some(mark) = marks.get_mut(node.index()) {
            *mark = true;
        }
    }
    marks
}

fn push_head(page: &mut String, about: &About) {
    let title = escaped(about.title.as_deref().unwrap_or(&about.id));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {} {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE),
        hash(STYLE_WITHOUT_SCRIPT)
    );
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"));
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.push_str(&format!("<title>{title}</title>\n<style>{STYLE}</style>\n"));
    page.push_str(&format!(
        "<noscript><style>{STYLE_WITHOUT_SCRIPT}</style></noscript>\n</head>\n<body>\n"
    ));
    page.push_str("<a class=\"skip\" href=\"#main\">Skip to the messages</a>\n");
}

/// The hash of an inline script or style, as a content security policy names it.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

fn push_sidebar(page: &mut String, tree: &SessionTree, outline: &Outline<'_>) -> Result<()> {
    page.push_str(concat!(
        "<button type=\"button\" id=\"menu\" class=\"tools\" aria-expanded=\"false\" aria-controls=\"side\">Tree</button>\n",
        "<aside id=\"side\" aria-label=\"Tree of the session\">\n<div class=\"tools\">\n",
        "<input id=\"search\" type=\"search\" placeholder=\"Search ( / )\" aria-label=\"Search in the session\" autocomplete=\"off\" spellcheck=\"false\">\n",
        "<div role=\"group\" aria-label=\"Entries to show\" id=\"filters\">\n",
        "<button type=\"button\" data-f=\"default\" aria-pressed=\"true\">Default</button>\n",
        "<button type=\"button\" data-f=\"no-tools\" aria-pressed=\"false\">No tools</button>\n",
        "<button type=\"button\" data-f=\"user\" aria-pressed=\"false\">User</button>\n",
        "<button type=\"button\" data-f=\"labeled\" aria-pressed=\"false\">Labeled</button>\n",
        "<button type=\"button\" data-f=\"all\" aria-pressed=\"false\">All</button>\n",
        "</div>\n</div>\n<div id=\"tree\" role=\"tree\" aria-label=\"Entries\">\n"
    ));
    push_rows(page, tree, outline)?;
    page.push_str(concat!(
        "</div>\n<p id=\"status\" role=\"status\"></p>\n</aside>\n",
        "<div id=\"grip\" class=\"tools\" role=\"separator\" aria-orientation=\"vertical\" aria-label=\"Width of the tree\" aria-valuemin=\"240\" aria-valuemax=\"720\" aria-valuenow=\"400\" tabindex=\"0\"></div>\n"
    ));
    Ok(())
}

fn push_about(page: &mut String, tree: &SessionTree, about: &About) {
    page.push_str("<main id=\"main\" tabindex=\"-1\">\n<div id=\"about\">\n<h1>");
    push_text(page, about.title.as_deref().unwrap_or("(no name)"));
    page.push_str("</h1>\n<dl>\n");
    let fact = |page: &mut String, name: &str, value: &str| {
        if !value.is_empty() {
            page.push_str(&format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escaped(value)));
        }
    };
    fact(page, "Session", &about.id);
    fact(page, "Directory", &about.cwd);
    fact(page, "Created", about.created.as_deref().unwrap_or_default());
    fact(page, "Parent", about.parent.as_deref().unwrap_or_default());
    fact(page, "Messages", &counts(tree));
    for (name, value) in &about.usage {
        fact(page, name, value);
    }
    page.push_str("</dl>\n<div class=\"tools\">\n");
    for (id, name, key) in [
        ("thinking", "Thinking", "t"),
        ("outputs", "Tool outputs", "o"),
        ("theme", "Dark or light", "d"),
        ("keys", "Keys", "?"),
    ] {
        page.push_str(&format!(
            "<button type=\"button\" id=\"{id}\" aria-keyshortcuts=\"{key}\">{name}</button>\n"
        ));
    }
    page.push_str("</div>\n</div>\n");
}

/// `2 of people, 3 of models, 1 of tools`, and what else there is.
fn counts(tree: &SessionTree) -> String {
    let of = |wanted: &dyn Fn(NodeId) -> bool| tree.nodes().filter(|node| wanted(*node)).count();
    let role = |role: Role| of(&|node| tree.role(node) == role);
    let kind = |kind: EntryKind| of(&|node| tree.kind(node) == kind);
    let parts = [
        (role(Role::User), "user"),
        (role(Role::Assistant), "assistant"),
        (role(Role::ToolResult), "tool results"),
        (role(Role::BashExecution), "shell"),
        (kind(EntryKind::CustomMessage), "custom"),
        (kind(EntryKind::Compaction), "compactions"),
        (kind(EntryKind::BranchSummary), "branch summaries"),
    ];
    let named: Vec<_> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    named.join(", ")
}

fn push_foot(page: &mut String) {
    page.push_str(concat!(
        "</main>\n<dialog id=\"help\" aria-labelledby=\"help-title\">\n<h2 id=\"help-title\">Keys</h2>\n<dl>\n",
        "<div><dt>/</dt><dd>search</dd></div>\n",
        "<div><dt>Escape</dt><dd>clear the search, go back to the first branch</dd></div>\n",
        "<div><dt>j, k</dt><dd>next, previous message</dd></div>\n",
        "<div><dt>arrows, Home, End, Enter</dt><dd>move in the tree, go to an entry</dd></div>\n",
        "<div><dt>t</dt><dd>open or close what the model thought</dd></div>\n",
        "<div><dt>o</dt><dd>open or close outputs and summaries</dd></div>\n",
        "<div><dt>d</dt><dd>dark or light</dd></div>\n",
        "</dl>\n<form method=\"dialog\"><button>Close</button></form>\n</dialog>\n",
        "<p id=\"said\" class=\"unseen\" role=\"status\"></p>\n"
    ));
    page.push_str(&format!("<script>{SCRIPT}</script>\n</body>\n</html>\n"));
}
