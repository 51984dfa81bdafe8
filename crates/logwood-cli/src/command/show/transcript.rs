//! Prints one entry after the other, results of tools below their calls.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use logwood::context::Entries;
use logwood::entry::{Content, Entry, EntryData, Message, Role};
use logwood::json::parse_iso_ms;
use logwood::tree::{NodeId, SessionTree};
use logwood_render::is_hidden;

use super::body::{Body, Setting};
use super::note;
use crate::app::App;
use crate::error::Result;
use crate::output::{Clockface, Line, Stream, cut, style};

/// The widest id beside an entry.
const ID_COLUMNS: usize = 12;

/// A transcript being printed.
pub(crate) struct Transcript<'a> {
    out: &'a mut Stream,
    clock: Clockface,
    setting: Rc<Setting>,
    mode: Mode,
    /// The result of each call among the entries that are shown.
    results: HashMap<String, NodeId>,
    /// The results that were printed below their calls.
    printed: HashSet<NodeId>,
    /// The entry before, its day, and whether it had no heading.
    before: Option<NodeId>,
    day: Option<String>,
    after_note: bool,
    /// Whether something stands above.
    started: bool,
}

/// A heading: who, about what, and in which style.
struct Heading {
    style: anstyle::Style,
    who: String,
    about: String,
}

/// Which entries a transcript shows, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A branch, results of tools below their calls.
    Branch,
    /// Every entry of every branch.
    All,
    /// Entries as they come: a result comes after its call.
    Live,
}

impl<'a> Transcript<'a> {
    /// A transcript below a block that says when the session was made; with `--quiet` there is none.
    pub(crate) fn new(created: Option<&str>, mode: Mode, app: &'a mut App) -> Self {
        let setting = Rc::new(Setting {
            columns: app.out.text_columns().saturating_sub(2),
            full: app.globals.verbose,
            home: app.home(),
        });
        let created = created.and_then(|time| parse_iso_ms(time.as_bytes()));
        let quiet = app.globals.quiet;
        Self {
            clock: app.clock.clone(),
            out: &mut app.out,
            setting,
            mode,
            results: HashMap::new(),
            printed: HashSet::new(),
            before: None,
            day: (!quiet && mode != Mode::Live).then(|| app.clock.day(created)),
            after_note: false,
            started: !quiet,
        }
    }

    /// Prints a branch, or all entries.
    pub(crate) fn print_all(&mut self, entries: &dyn Entries, nodes: &[NodeId]) -> Result<()> {
        if self.mode == Mode::Branch {
            self.results = results(entries, nodes)?;
        }
        self.print(entries, nodes)
    }

    /// Nothing stands above.
    pub(crate) fn begin(&mut self) {
        self.started = false;
    }

    /// A line between entries; the next entry says its day where it is another one.
    pub(crate) fn interrupt(&mut self, line: &Line) -> Result<()> {
        self.gap()?;
        self.out.line(line)?;
        self.after_note = false;
        Ok(())
    }

    /// Where it prints to.
    pub(crate) fn out(&mut self) -> &mut Stream {
        self.out
    }

    /// Prints the entries in this order.
    pub(crate) fn print(&mut self, entries: &dyn Entries, nodes: &[NodeId]) -> Result<()> {
        for node in nodes {
            if !self.printed.contains(node) {
                let text = entries.entry_text(*node)?;
                if let Ok(entry) = Entry::parse(&text) {
                    self.entry(entries, *node, entry)?;
                }
            }
            self.before = Some(*node);
        }
        Ok(())
    }

    fn entry(&mut self, entries: &dyn Entries, node: NodeId, entry: Entry<'_>) -> Result<()> {
        let all = self.mode == Mode::All;
        if is_hidden(entry) && !all {
            return Ok(());
        }
        match heading(entry) {
            Some(heading) => self.headed(entries, node, entry, &heading),
            None => match note::of(entry, all) {
                Some(text) => self.note(entries.tree(), node, &text),
                None => Ok(()),
            },
        }
    }

    fn headed(
        &mut self,
        entries: &dyn Entries,
        node: NodeId,
        entry: Entry<'_>,
        heading: &Heading,
    ) -> Result<()> {
        let tree = entries.tree();
        self.gap()?;
        self.day(tree, node)?;
        self.jump(tree, node)?;
        let line = self.heading_line(tree, node, heading);
        self.out.line(&line)?;
        for line in self.body(entries, entry)? {
            self.out.line(&line)?;
        }
        self.after_note = false;
        Ok(())
    }

    fn body(&mut self, entries: &dyn Entries, entry: Entry<'_>) -> Result<Vec<Line>> {
        let mut body = Body::new(&self.setting);
        match entry.data() {
            EntryData::Message(message) => {
                body.message(message);
                if let Message::Assistant(_) = message {
                    self.calls(entries, message.content(), &mut body)?;
                }
            }
            EntryData::CustomMessage(custom) => body.content(Content::of(custom.content())),
            EntryData::Compaction(compaction) => body.summary(compaction.summary()),
            EntryData::BranchSummary(branch) => body.summary(branch.summary()),
            _ => {}
        }
        Ok(body.lines)
    }

    /// The calls of an answer, each with its result where one is shown.
    fn calls(
        &mut self,
        entries: &dyn Entries,
        content: Content<'_>,
        body: &mut Body,
    ) -> Result<()> {
        for call in super::tool::calls(content) {
            body.call(call);
            let result = call.id().and_then(|id| self.results.get(&*id).copied());
            match result {
                Some(node) if self.printed.insert(node) => {
                    let text = entries.entry_text(node)?;
                    if let Ok(EntryData::Message(message)) = Entry::parse(&text).map(Entry::data) {
                        body.result(message);
                    }
                }
                _ if self.mode == Mode::Branch => body.no_result(),
                _ => {}
            }
        }
        Ok(())
    }

    /// Who and what on the left, id and time on the right as far as there is room.
    fn heading_line(&self, tree: &SessionTree, node: NodeId, heading: &Heading) -> Line {
        let columns = self.setting.columns + 2;
        let mut line = Line::new().add(heading.style, cut(&heading.who, columns / 3));
        if let Some(label) = tree.label(node) {
            line.push(style::LABEL, &format!("  [{}]", cut(label, columns / 3)));
        }
        let time = self.clock.time(tree.timestamp_ms(node));
        let id = cut(tree.id(node), ID_COLUMNS);
        let with_id = Line::new().plain(format!("{id}  {time}"));
        let fits = line.width() + with_id.width() < columns;
        let right = if fits { with_id } else { Line::new().plain(time) };
        let room = columns.saturating_sub(line.width() + right.width() + 3);
        if room > 3 && !heading.about.is_empty() {
            line.push(style::DIM, &format!("  {}", cut(&heading.about, room)));
        }
        let space = columns.saturating_sub(line.width() + right.width());
        line.add(style::DIM, format!("{}{}", " ".repeat(space), right.text()))
    }

    fn note(&mut self, tree: &SessionTree, node: NodeId, text: &str) -> Result<()> {
        let all = self.mode == Mode::All;
        if !self.after_note {
            self.gap()?;
        }
        self.jump(tree, node)?;
        let columns = self.setting.columns;
        let id = cut(tree.id(node), ID_COLUMNS);
        let room = match (self.setting.full, all) {
            (true, _) => usize::MAX,
            (false, true) => columns.saturating_sub(ID_COLUMNS),
            (false, false) => columns,
        };
        let mut line = Line::new().add(style::DIM, format!("· {}", cut(text, room)));
        if all {
            let width = line.width() + Line::new().plain(&id).width();
            let space = (columns + 2).saturating_sub(width).max(1);
            line.push(style::DIM, &format!("{}{id}", " ".repeat(space)));
        }
        self.out.line(&line)?;
        self.after_note = true;
        Ok(())
    }

    /// A line where an entry does not follow the one before it, so that branches can be told apart.
    fn jump(&mut self, tree: &SessionTree, node: NodeId) -> Result<()> {
        let parent = tree.parent(node);
        if self.mode != Mode::All || self.before.is_none() || parent == self.before {
            return Ok(());
        }
        let from = match parent {
            Some(parent) => format!("── another branch, from {}", tree.id(parent)),
            None => "── another root".to_owned(),
        };
        Ok(self.out.line(&Line::new().add(style::WARNING, from))?)
    }

    /// An empty line, unless nothing stands above.
    fn gap(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.started, true) {
            self.out.gap()?;
        }
        Ok(())
    }

    /// A line where a new day begins.
    fn day(&mut self, tree: &SessionTree, node: NodeId) -> Result<()> {
        let day = self.clock.day(tree.timestamp_ms(node));
        if self.day.as_ref().is_some_and(|before| *before != day) {
            self.out.line(&Line::new().add(style::DIM, format!("── {day}")))?;
            self.out.gap()?;
        }
        self.day = Some(day);
        Ok(())
    }
}

/// The result entry of each call, the last one where several claim it.
fn results(entries: &dyn Entries, nodes: &[NodeId]) -> Result<HashMap<String, NodeId>> {
    let mut results = HashMap::new();
    for node in nodes.iter().filter(|node| entries.tree().role(**node) == Role::ToolResult) {
        let text = entries.entry_text(*node)?;
        if let Ok(EntryData::Message(Message::ToolResult(result))) =
            Entry::parse(&text).map(Entry::data)
            && let Some(call) = result.tool_call_id()
        {
            results.insert(call.into_owned(), *node);
        }
    }
    Ok(results)
}

/// The heading of an entry that has a body; none for what is told in a note.
fn heading(entry: Entry<'_>) -> Option<Heading> {
    let heading =
        |style, who: &str, about: String| Some(Heading { style, who: who.to_owned(), about });
    match entry.data() {
        EntryData::Message(Message::Missing) => None,
        EntryData::Message(message) => Some(message_heading(message)),
        EntryData::CustomMessage(custom) => {
            let hidden = if is_hidden(entry) { ", hidden" } else { "" };
            let about = format!("{}{hidden}", custom.custom_type().unwrap_or_default());
            heading(style::TOOL, "custom", about)
        }
        EntryData::Compaction(compaction) => {
            let kept = compaction.first_kept_entry_id().unwrap_or_default();
            let before = compaction.tokens_before().unwrap_or(0.0).max(0.0) as u64;
            let kept = match () {
                () if kept.is_empty() || entry.id() == Some(kept.clone()) => String::new(),
                () => format!(", keeps from {kept}"),
            };
            let about = format!("{} tokens before{kept}", crate::words::tokens(before));
            heading(style::STRONG, "compaction", about)
        }
        EntryData::BranchSummary(branch) => {
            let from = branch.from_id().unwrap_or_default();
            heading(style::STRONG, "branch summary", format!("from {from}"))
        }
        _ => None,
    }
}

fn message_heading(message: Message<'_>) -> Heading {
    let (style, who, about) = match message {
        Message::User(_) => (style::USER, "user".to_owned(), String::new()),
        Message::Assistant(answer) => {
            let model = answer.model().unwrap_or_default().into_owned();
            (style::ASSISTANT, "assistant".to_owned(), model)
        }
        Message::ToolResult(result) => {
            let name = result.tool_name().unwrap_or_default().into_owned();
            (style::TOOL, "tool result".to_owned(), name)
        }
        Message::BashExecution(bash) => {
            let outside = if bash.exclude_from_context() { "not in the context" } else { "" };
            (style::TOOL, "bash".to_owned(), outside.to_owned())
        }
        Message::Custom(custom) => {
            let about = custom.custom_type().unwrap_or_default().into_owned();
            (style::TOOL, "custom".to_owned(), about)
        }
        other => {
            let role = other.raw().and_then(|raw| raw.get_str("role"));
            let role = role.filter(|role| !role.is_empty());
            (style::TOOL, role.map_or("message".to_owned(), Into::into), String::new())
        }
    };
    Heading { style, who, about }
}
