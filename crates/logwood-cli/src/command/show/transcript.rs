//! Prints one entry after the other, results of tools below their calls.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use logwood::context::Entries as _;
use logwood::entry::{Content, Entry, EntryData, Message, Role};
use logwood::json::parse_iso_ms;
use logwood::session::SessionManager;
use logwood::tree::NodeId;
use logwood_render::is_hidden;

use super::body::{Body, Setting};
use super::note;
use crate::app::App;
use crate::error::Result;
use crate::output::{Clockface, Line, Stream, cut, style};

/// The widest id beside an entry.
const ID_COLUMNS: usize = 12;

/// A transcript being printed.
pub(super) struct Transcript<'a> {
    session: &'a SessionManager,
    out: &'a mut Stream,
    clock: Clockface,
    setting: Rc<Setting>,
    all: bool,
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

impl<'a> Transcript<'a> {
    pub(super) fn new(
        session: &'a SessionManager,
        nodes: &[NodeId],
        all: bool,
        app: &'a mut App,
    ) -> Result<Self> {
        let setting = Rc::new(Setting {
            columns: app.out.text_columns().saturating_sub(2),
            full: app.globals.verbose,
            home: app.home(),
        });
        let results = if all { HashMap::new() } else { results(session, nodes)? };
        Ok(Self {
            session,
            clock: app.clock.clone(),
            out: &mut app.out,
            setting,
            all,
            results,
            printed: HashSet::new(),
            before: None,
            day: (!app.globals.quiet).then(|| app.clock.day(created(session))),
            after_note: false,
            started: !app.globals.quiet,
        })
    }

    /// Prints the entries in this order.
    pub(super) fn print(&mut self, nodes: &[NodeId]) -> Result<()> {
        for node in nodes {
            if !self.printed.contains(node) {
                let session = self.session;
                let text = session.entry_text(*node)?;
                if let Ok(entry) = Entry::parse(&text) {
                    self.entry(*node, entry)?;
                }
            }
            self.before = Some(*node);
        }
        Ok(())
    }

    fn entry(&mut self, node: NodeId, entry: Entry<'_>) -> Result<()> {
        if is_hidden(entry) && !self.all {
            return Ok(());
        }
        match heading(entry) {
            Some(heading) => self.headed(node, entry, &heading),
            None => match note::of(entry, self.all) {
                Some(text) => self.note(node, &text),
                None => Ok(()),
            },
        }
    }

    fn headed(&mut self, node: NodeId, entry: Entry<'_>, heading: &Heading) -> Result<()> {
        self.gap()?;
        self.day(node)?;
        self.jump(node)?;
        let line = self.heading_line(node, heading);
        self.out.line(&line)?;
        for line in self.body(entry)? {
            self.out.line(&line)?;
        }
        self.after_note = false;
        Ok(())
    }

    fn body(&mut self, entry: Entry<'_>) -> Result<Vec<Line>> {
        let mut body = Body::new(&self.setting);
        match entry.data() {
            EntryData::Message(message) => {
                body.message(message);
                if let Message::Assistant(_) = message {
                    self.calls(message.content(), &mut body)?;
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
    fn calls(&mut self, content: Content<'_>, body: &mut Body) -> Result<()> {
        for call in super::tool::calls(content) {
            body.call(call);
            let result = call.id().and_then(|id| self.results.get(&*id).copied());
            match result {
                Some(node) if self.printed.insert(node) => {
                    let text = self.session.entry_text(node)?;
                    if let Ok(EntryData::Message(message)) = Entry::parse(&text).map(Entry::data) {
                        body.result(message);
                    }
                }
                _ if self.all => {}
                _ => body.no_result(),
            }
        }
        Ok(())
    }

    /// Who and what on the left, id and time on the right as far as there is room.
    fn heading_line(&self, node: NodeId, heading: &Heading) -> Line {
        let tree = self.session.tree();
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

    fn note(&mut self, node: NodeId, text: &str) -> Result<()> {
        if !self.after_note {
            self.gap()?;
        }
        self.jump(node)?;
        let columns = self.setting.columns;
        let id = cut(self.session.tree().id(node), ID_COLUMNS);
        let room = if self.all { columns.saturating_sub(ID_COLUMNS) } else { columns };
        let mut line = Line::new().add(style::DIM, format!("· {}", cut(text, room)));
        if self.all {
            let width = line.width() + Line::new().plain(&id).width();
            let space = (columns + 2).saturating_sub(width).max(1);
            line.push(style::DIM, &format!("{}{id}", " ".repeat(space)));
        }
        self.out.line(&line)?;
        self.after_note = true;
        Ok(())
    }

    /// A line where an entry does not follow the one before it, so that branches can be told apart.
    fn jump(&mut self, node: NodeId) -> Result<()> {
        let tree = self.session.tree();
        let parent = tree.parent(node);
        if !self.all || self.before.is_none() || parent == self.before {
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
    fn day(&mut self, node: NodeId) -> Result<()> {
        let day = self.clock.day(self.session.tree().timestamp_ms(node));
        if self.day.as_ref().is_some_and(|before| *before != day) {
            self.out.line(&Line::new().add(style::DIM, format!("── {day}")))?;
            self.out.gap()?;
        }
        self.day = Some(day);
        Ok(())
    }
}

/// When the session was made, as the block above says it.
fn created(session: &SessionManager) -> Option<i64> {
    parse_iso_ms(session.header().timestamp()?.as_bytes())
}

/// The result entry of each call, the last one where several claim it.
fn results(session: &SessionManager, nodes: &[NodeId]) -> Result<HashMap<String, NodeId>> {
    let mut results = HashMap::new();
    for node in nodes.iter().filter(|node| session.tree().role(**node) == Role::ToolResult) {
        let text = session.entry_text(*node)?;
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
