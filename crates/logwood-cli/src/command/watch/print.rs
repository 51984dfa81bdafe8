//! What happened, for people and for programs.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use logwood::context::Entries;
use logwood::entry::Envelope;
use logwood::follow::{Appended, Change, FollowEvent};
use logwood::json::{JsonWriter, Raw, parse_iso_ms};
use logwood::tree::{NewNode, NodeId, SessionTree};
use logwood_rpc::write_follow_event;

use crate::app::App;
use crate::command::show::{Mode, Transcript};
use crate::error::Result;
use crate::output::{Line, Stream, style};

/// Prints events.
pub(super) enum Printer<'a> {
    /// One object a line.
    Json(&'a mut Stream),
    /// As `show` prints entries.
    Text(Box<Text<'a>>),
}

/// Entries of one session or of many.
pub(super) struct Text<'a> {
    transcript: Transcript<'a>,
    quiet: bool,
    /// The session of the last entry; where only one is followed, that one.
    current: Option<PathBuf>,
    base: PathBuf,
}

impl<'a> Printer<'a> {
    /// For the one session at a path, or for all.
    pub(super) fn new(session: Option<&Path>, app: &'a mut App) -> Self {
        if app.globals.json {
            return Self::Json(&mut app.out);
        }
        let quiet = app.globals.quiet;
        let mut transcript = Transcript::new(None, Mode::Live, app);
        transcript.begin();
        let current = session.map(Path::to_path_buf);
        let base = std::env::current_dir().unwrap_or_default();
        Self::Text(Box::new(Text { transcript, quiet, current, base }))
    }

    /// Prints an event.
    pub(super) fn event(&mut self, event: &FollowEvent) -> Result<()> {
        match self {
            Self::Json(out) => {
                let mut text = Vec::new();
                write_follow_event(&mut JsonWriter::new(&mut text), event, None);
                Ok(out.json(&String::from_utf8_lossy(&text))?)
            }
            Self::Text(text) => text.event(event),
        }
    }

    /// Brings what was printed on its way.
    pub(super) fn finish(&mut self) -> Result<()> {
        match self {
            Self::Json(out) => Ok(out.finish()?),
            Self::Text(text) => Ok(text.transcript.out().finish()?),
        }
    }
}

impl Text<'_> {
    fn event(&mut self, event: &FollowEvent) -> Result<()> {
        match &event.change {
            Change::EntryAppended(entry) => {
                self.name(event)?;
                match One::of(entry) {
                    Some(one) => self.transcript.print(&one, &[one.node]),
                    None => Ok(()),
                }
            }
            Change::SessionAdded(header) => {
                let cwd = header.cwd().unwrap_or_default().into_owned();
                self.say(event, style::STRONG, &format!("session {}, {cwd}", header.id()))
            }
            Change::SessionRemoved => self.say(event, style::WARNING, "is gone"),
            Change::SessionRewritten { how, resumed } => {
                let anew = if *resumed { "" } else { "; the last entry is gone, all follow anew" };
                self.say(event, style::WARNING, &format!("was {}{anew}", how.as_str()))
            }
            Change::LineSkipped(problem) => {
                let place = problem.position.map_or(0, |position| position.byte);
                let what = format!("byte {place}: {}", problem.kind.describe());
                self.say(event, style::DIM, &what)
            }
            Change::Unreadable(problem) => self.say(event, style::WARNING, &problem.why),
            _ => Ok(()),
        }
    }

    /// Names the session where it is another one than before.
    fn name(&mut self, event: &FollowEvent) -> Result<()> {
        if self.current.as_ref() == Some(&event.path) {
            return Ok(());
        }
        self.say(event, style::STRONG, "")
    }

    /// A line about a session, which is the current one from then on.
    fn say(&mut self, event: &FollowEvent, style: anstyle::Style, what: &str) -> Result<()> {
        self.current = Some(event.path.clone());
        if self.quiet {
            return Ok(());
        }
        let path = event.path.strip_prefix(&self.base).unwrap_or(&event.path);
        let line = Line::new().add(style::DIM, format!("── {}  ", path.display()));
        self.transcript.interrupt(&line.add(style, what))
    }
}

/// One entry, as a session of its own.
struct One<'e> {
    tree: SessionTree,
    node: NodeId,
    text: &'e [u8],
}

impl<'e> One<'e> {
    fn of(entry: &'e Appended) -> Option<Self> {
        let envelope = Envelope::scan(&entry.text).ok()?;
        let id = envelope.usable_id().and_then(Raw::as_str)?;
        let time = envelope.timestamp.and_then(Raw::as_string_bytes);
        let mut tree = SessionTree::default();
        let inserted = tree.insert(&NewNode {
            id: &id,
            parent: None,
            timestamp_ms: time.and_then(parse_iso_ms),
            kind: envelope.entry_kind(),
            role: envelope.role(),
        });
        Some(Self { tree, node: inserted.node(), text: &entry.text })
    }
}

impl Entries for One<'_> {
    fn tree(&self) -> &SessionTree {
        &self.tree
    }

    fn entry_text(&self, _: NodeId) -> logwood::error::Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(self.text))
    }
}
