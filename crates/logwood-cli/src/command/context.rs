//! `logwood context`: what a model would get at one position of a session.

use std::borrow::Cow;
use std::ffi::OsString;

use logwood::context::{
    ContextMessage, Entries as _, ExplainRow, Outcome, SessionContext, UnpairedTool,
    estimate_tokens, llm_message, without_unpaired_tools,
};
use logwood::entry::{Entry, EntryData, Message, Role};
use logwood::json::Raw;
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use super::show::describe_model;
use crate::app::App;
use crate::entry_ref;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::json_view::model;
use crate::output::{Line, Object, array, cut, style};
use crate::words::{counted, tokens};
use logwood_render::tree_view::format_call;

/// The outcomes that an explanation explains.
const NO_MESSAGE: [Outcome; 6] = [
    Outcome::Bookkeeping,
    Outcome::Compacted,
    Outcome::Edited,
    Outcome::Excluded,
    Outcome::Empty,
    Outcome::Broken,
];

#[derive(Debug, clap::Args)]
pub(crate) struct ContextArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// Show the messages as they are sent to the model
    #[arg(long)]
    llm: bool,

    /// Show what each entry of the branch gives, or why it gives nothing
    #[arg(long, conflicts_with_all = ["llm", "pair_tools"])]
    explain: bool,

    /// The position: an entry (an id or the start of one), or null for the one before every entry
    #[arg(long, value_name = "ENTRY")]
    leaf: Option<String>,

    /// Leave out tool calls without a result and results without a call, and say which
    #[arg(long)]
    pair_tools: bool,
}

pub(crate) fn run(args: &ContextArgs, app: &mut App) -> Result<Exit> {
    let session = app.open(&args.session)?;
    let leaf = match args.leaf.as_deref() {
        None => session.leaf(),
        Some("null") => None,
        Some(word) => Some(entry_ref::resolve(&session, word)?),
    };
    if args.explain {
        explain(&session, leaf, app)?;
    } else {
        messages(&session, leaf, args, app)?;
    }
    Ok(Exit::Done)
}

fn messages(
    session: &SessionManager,
    leaf: Option<NodeId>,
    args: &ContextArgs,
    app: &mut App,
) -> Result<()> {
    let whole = session.context_at(leaf)?;
    let (context, left_out) =
        if args.pair_tools { without_unpaired_tools(&whole) } else { (whole, Vec::new()) };
    let view = View { session, leaf, context: &context, llm: args.llm, left_out: &left_out };
    if app.globals.json { view.print_json(app) } else { view.print_rows(app) }
}

/// A context to be shown.
struct View<'a> {
    session: &'a SessionManager,
    leaf: Option<NodeId>,
    context: &'a SessionContext,
    llm: bool,
    left_out: &'a [UnpairedTool],
}

impl<'a> View<'a> {
    /// The messages and what they look like; with `llm` only those that are sent.
    fn rows(&self) -> impl Iterator<Item = (ContextMessage<'a>, Cow<'a, [u8]>)> {
        let llm = self.llm;
        self.context.messages().filter_map(move |message| {
            let text =
                if llm { llm_message(&message)? } else { Cow::Borrowed(message.raw.bytes()) };
            Some((message, text))
        })
    }

    fn total(&self) -> u64 {
        self.rows().map(|(message, _)| estimate_tokens(message.role, message.raw)).sum()
    }

    fn print_rows(&self, app: &mut App) -> Result<()> {
        if !app.globals.quiet {
            let count = counted(self.rows().count(), "message", "messages");
            let total = format!("{count}, about {} tokens", tokens(self.total()));
            let leaf = self.leaf.map_or("null", |leaf| self.session.tree().id(leaf));
            for (name, value) in [
                ("model", describe_model(self.context.settings())),
                ("leaf", leaf.to_owned()),
                ("context", total),
            ] {
                let value = cut(&value, app.out.columns().saturating_sub(9));
                app.out.line(&Line::new().add(style::DIM, format!("{name:<9}")).plain(value))?;
            }
            app.out.gap()?;
        }
        let columns = app.row_columns();
        let home = app.home();
        for (message, text) in self.rows() {
            app.out.line(&row(&message, &text, columns, home.as_deref()))?;
        }
        for tool in self.left_out {
            let start = Line::new().add(style::WARNING, "left out: ");
            app.out.paragraph(start, &left_out(tool), 2)?;
        }
        Ok(())
    }

    fn print_json(&self, app: &mut App) -> Result<()> {
        let settings = self.context.settings();
        let mut object = Object::new()
            .str("sessionId", self.session.session_id())
            .str_or_null("leafId", self.leaf.map(|leaf| self.session.tree().id(leaf)))
            .json("model", &model(settings.model.as_ref()))
            .json("chosenModel", &model(settings.chosen_model.as_ref()))
            .str("thinkingLevel", &settings.thinking_level)
            .num("tokens", self.total());
        if !self.left_out.is_empty() {
            object = object.json("leftOut", &array(self.left_out.iter().map(left_out_json)));
        }
        let rows = self.rows().map(|(message, text)| {
            Ok::<_, CommandError>(
                Object::new()
                    .str("entryId", message.entry_id)
                    .num("tokens", estimate_tokens(message.role, message.raw))
                    .json("message", &String::from_utf8_lossy(&text))
                    .end(),
            )
        });
        app.out.json_with_list(object, "messages", rows)
    }
}

/// Entry, who speaks, tokens, and the start of the text.
fn row(
    message: &ContextMessage<'_>,
    text: &[u8],
    (columns, id_columns): (usize, usize),
    home: Option<&str>,
) -> Line {
    let raw = Raw::parse(text).unwrap_or(message.raw);
    let role = raw.get_str("role").unwrap_or_default();
    let id = cut(message.entry_id, id_columns);
    let estimate = tokens(estimate_tokens(message.role, message.raw));
    let line = Line::new()
        .add(style::ID, format!("{id:<8}  "))
        .add(role_style(&role), format!("{role:<17} "))
        .add(style::DIM, format!("{estimate:>6}  "));
    let room = columns.saturating_sub(line.width());
    line.plain(cut(&summary(raw, home), room))
}

fn role_style(role: &str) -> anstyle::Style {
    match role {
        "user" => style::USER,
        "assistant" => style::ASSISTANT,
        _ => style::TOOL,
    }
}

/// A message in one line: its text, else its calls, else what it is.
fn summary(raw: Raw<'_>, home: Option<&str>) -> String {
    let message = Message::of(raw);
    let mut text = match message {
        Message::BashExecution(bash) => format!("$ {}", bash.command().unwrap_or_default()),
        Message::BranchSummary(branch) => branch.summary().unwrap_or_default().into_owned(),
        Message::CompactionSummary(compaction) => {
            compaction.summary().unwrap_or_default().into_owned()
        }
        _ => message.content().text(" ").into_owned(),
    };
    for call in super::show::calls(message.content()) {
        text.push(' ');
        text.push_str(&format_call(call, home));
    }
    one_line(&text)
}

fn one_line(text: &str) -> String {
    logwood::json::collapse_js_space(text).trim().to_owned()
}

/// An entry in one line: its message, else what it is.
fn entry_text(entry: Entry<'_>, home: Option<&str>) -> String {
    match entry.data() {
        EntryData::Message(message) => {
            message.raw().map(|raw| summary(raw, home)).unwrap_or_default()
        }
        EntryData::Compaction(compaction) => one_line(&compaction.summary().unwrap_or_default()),
        EntryData::BranchSummary(branch) => one_line(&branch.summary().unwrap_or_default()),
        _ => entry.preview(),
    }
}

fn left_out(tool: &UnpairedTool) -> String {
    let (what, missing) = if tool.is_result { ("result", "call") } else { ("call", "result") };
    let name = tool.tool.as_deref().unwrap_or("tool");
    format!("{what} {} of {name} in {}, it has no {missing}", tool.call_id, tool.entry_id)
}

fn left_out_json(tool: &UnpairedTool) -> String {
    Object::new()
        .str("entryId", &tool.entry_id)
        .str("toolCallId", &tool.call_id)
        .opt_str("toolName", tool.tool.as_deref())
        .bool("isResult", tool.is_result)
        .end()
}

fn explain(session: &SessionManager, leaf: Option<NodeId>, app: &mut App) -> Result<()> {
    let rows = session.explain(leaf)?;
    if app.globals.json {
        let total = rows.iter().map(|row| row.tokens).sum();
        let object = Object::new()
            .str("sessionId", session.session_id())
            .str_or_null("leafId", leaf.map(|leaf| session.tree().id(leaf)))
            .num("tokens", total);
        return app.out.json_with_list(
            object,
            "rows",
            rows.iter().map(|row| Ok(explain_json(row))),
        );
    }
    let columns = app.row_columns();
    let home = app.home();
    for row in &rows {
        let text = session.entry_text(row.node)?;
        let text = Entry::parse(&text).map(|entry| entry_text(entry, home.as_deref()));
        app.out.line(&explain_row(row, &text.unwrap_or_default(), columns))?;
    }
    if !app.globals.quiet {
        let total: u64 = rows.iter().map(|row| row.tokens).sum();
        let given = rows.iter().filter(|row| row.outcome == Outcome::Message).count();
        let count = counted(rows.len(), "entry", "entries");
        let text = format!("({given} of {count} in the context, about {} tokens)", tokens(total));
        app.out.line(&Line::new().add(style::DIM, cut(&text, columns.0)))?;
        for outcome in
            NO_MESSAGE.iter().filter(|outcome| rows.iter().any(|row| row.outcome == **outcome))
        {
            let text = format!("{}: {}", outcome.as_str(), reason(*outcome));
            app.out.line(&Line::new().add(style::DIM, cut(&text, columns.0)))?;
        }
    }
    Ok(())
}

fn explain_row(row: &ExplainRow, preview: &str, (columns, id_columns): (usize, usize)) -> Line {
    let id = cut(&row.entry_id, id_columns);
    let given = row.outcome == Outcome::Message;
    let estimate = if given { tokens(row.tokens) } else { "-".to_owned() };
    let edited = if row.edited && given { "(content by a context edit) " } else { "" };
    let who = if row.role == Role::None { row.kind.as_str() } else { row.role.as_str() };
    let line = Line::new()
        .add(style::ID, format!("{id:<8}  "))
        .add(if given { style::PLAIN } else { style::DIM }, format!("{:<13}", row.outcome.as_str()))
        .add(if given { role_style(who) } else { style::DIM }, format!("{who:<22}"))
        .add(style::DIM, format!("{estimate:>5}  {edited}"));
    let room = columns.saturating_sub(line.width());
    line.add(if given { style::PLAIN } else { style::DIM }, cut(&one_line(preview), room))
}

/// Why an entry gives no message.
fn reason(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Message => "",
        Outcome::Bookkeeping => "a label, a name, a setting, or state; never a message",
        Outcome::Compacted => "the summary of a later compaction stands for it",
        Outcome::Edited => "a later context edit hides it",
        Outcome::Excluded => {
            "the model does not get it: run with !!, or of a role that no model knows"
        }
        Outcome::Empty => "there is nothing in it",
        Outcome::Broken => "it has no message",
    }
}

fn explain_json(row: &ExplainRow) -> String {
    let role = row.role.as_str();
    Object::new()
        .str("entryId", &row.entry_id)
        .str("type", row.kind.as_str())
        .opt_str("role", (!role.is_empty()).then_some(role))
        .str("outcome", row.outcome.as_str())
        .opt_str("reason", Some(reason(row.outcome)).filter(|reason| !reason.is_empty()))
        .bool("edited", row.edited)
        .num("tokens", row.tokens)
        .end()
}
