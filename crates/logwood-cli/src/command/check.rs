//! `logwood check`: what is wrong with session files, where, and what can be done.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use logwood::context::unpaired_tools;

use logwood::problem::{Problem, ProblemKind};
use logwood::session::{SessionManager, SessionOptions};
use logwood::tree::NodeId;

use super::advice::advice;
use crate::app::App;
use crate::error::{CommandError, Failure, Result};
use crate::exit::Exit;
use crate::json_view::problem_with_advice;
use crate::now::now_ms;
use crate::output::{Line, Object, array, style};
use crate::words::counted;

/// A time that lies further ahead of the clock than this, in milliseconds, is a fault: a day.
const AHEAD: i64 = 24 * 60 * 60 * 1000;

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Paths, ids or their starts, display names, or @ (the newest of this directory), @2, ...
    #[arg(required = true, value_name = "SESSION")]
    sessions: Vec<OsString>,
}

/// What was found out about one file.
struct Report {
    name: String,
    finding: std::result::Result<Vec<Problem>, Box<Failure>>,
}

pub(crate) fn run(args: &CheckArgs, app: &mut App) -> Result<Exit> {
    let reports = args.sessions.iter().map(|word| report(word, app)).collect::<Result<Vec<_>>>()?;
    if app.globals.json {
        app.out.json_list(reports.iter().map(|report| Ok::<_, CommandError>(report.json())))?;
    } else {
        let quiet = app.globals.quiet;
        for report in reports.iter().filter(|report| !quiet || report.exit() != Exit::Done) {
            report.print(app)?;
        }
    }
    let worst = reports.iter().map(Report::exit).max_by_key(|exit| exit.code());
    Ok(worst.unwrap_or(Exit::Done))
}

fn report(word: &OsStr, app: &App) -> Result<Report> {
    let path = match app.find(word) {
        Ok(path) => path,
        Err(error) => return Report::failed(word.to_string_lossy().into_owned(), error),
    };
    let name = path.display().to_string();
    match problems(&path) {
        Ok(problems) => Ok(Report { name, finding: Ok(problems) }),
        Err(error) => Report::failed(name, error),
    }
}

/// The problems of a session in file order: those of loading, those of its context, and times that lie ahead.
fn problems(path: &Path) -> Result<Vec<Problem>> {
    let session = SessionOptions::new().read_only(true).open(path)?;
    let mut problems = session.problems().to_vec();
    problems.extend(unpaired(&session)?);
    problems.extend(future(&session, now_ms()));
    problems.sort_by_key(|problem| problem.position);
    Ok(problems)
}

fn unpaired(session: &SessionManager) -> Result<Vec<Problem>> {
    let tools = unpaired_tools(&session.context()?);
    let problems = tools.into_iter().map(|tool| {
        let kind = match tool.is_result {
            true => ProblemKind::UnpairedToolResult,
            false => ProblemKind::UnpairedToolCall,
        };
        let name = tool.tool.map_or(String::new(), |name| format!(" of {name}"));
        about(session, kind, tool.node).with_detail(format!("{}{name}", tool.call_id))
    });
    Ok(problems.collect())
}

fn future(session: &SessionManager, now: i64) -> impl Iterator<Item = Problem> {
    let tree = session.tree();
    tree.nodes().filter_map(move |node| {
        let time = tree.timestamp_ms(node).filter(|time| *time > now.saturating_add(AHEAD))?;
        let time = logwood::json::iso_from_ms(time).unwrap_or_default();
        Some(about(session, ProblemKind::FutureTimestamp, node).with_detail(time))
    })
}

fn about(session: &SessionManager, kind: ProblemKind, node: NodeId) -> Problem {
    let problem = match session.entry_line(node) {
        Some(line) => Problem::at(kind, line.position),
        None => Problem::of_file(kind),
    };
    problem.with_entry(session.tree().id(node))
}

impl Report {
    /// A file that cannot be checked; only a broken pipe ends the command.
    fn failed(name: String, error: CommandError) -> Result<Self> {
        match error {
            CommandError::Failed(failure) => Ok(Self { name, finding: Err(failure) }),
            CommandError::BrokenPipe => Err(CommandError::BrokenPipe),
        }
    }

    fn exit(&self) -> Exit {
        match &self.finding {
            Err(failure) => Exit::of(failure.kind),
            Ok(problems) if problems.iter().any(|problem| !problem.is_note()) => Exit::Problems,
            Ok(_) => Exit::Done,
        }
    }

    fn print(&self, app: &mut App) -> Result<()> {
        match &self.finding {
            Err(failure) => self.print_failure(failure, app),
            Ok(problems) => self.print_problems(problems, app),
        }
    }

    fn print_failure(&self, failure: &Failure, app: &mut App) -> Result<()> {
        let kind = format!("  {}", failure.kind);
        app.out.line(&Line::new().add(style::STRONG, &self.name).add(style::ERROR, kind))?;
        app.out.paragraph(Line::new().plain("  "), &failure.message, 2)?;
        for hint in &failure.hints {
            app.out.paragraph(Line::new().add(style::HINT, "  → "), hint, 4)?;
        }
        Ok(())
    }

    /// Findings by kind, in the order in which the kinds appear.
    fn print_problems(&self, problems: &[Problem], app: &mut App) -> Result<()> {
        let verdict = verdict(problems);
        app.out.line(&Line::new().add(style::STRONG, &self.name).plain(format!("  {verdict}")))?;
        let mut kinds = Vec::new();
        for problem in problems {
            if !kinds.contains(&(problem.kind, problem.is_note())) {
                kinds.push((problem.kind, problem.is_note()));
            }
        }
        for (kind, is_note) in kinds {
            let (word, mark) = match is_note {
                true => ("note", style::TOOL),
                false => ("fault", style::ERROR),
            };
            let line = Line::new().add(mark, format!("  {word} {kind}"));
            app.out.paragraph(line.plain(": "), kind.describe(), 4)?;
            for problem in problems.iter().filter(|problem| problem.kind == kind) {
                app.out.line(&place(problem))?;
            }
            app.out.paragraph(Line::new().add(style::HINT, "    → "), advice(kind), 6)?;
        }
        Ok(())
    }

    fn json(&self) -> String {
        let object = Object::new().str("sessionFile", &self.name);
        match &self.finding {
            Ok(problems) => object
                .bool("ok", self.exit() == Exit::Done)
                .json("problems", &array(problems.iter().map(problem_with_advice)))
                .end(),
            Err(failure) => object
                .bool("ok", false)
                .str("error", &failure.message)
                .str("errorKind", failure.kind.as_str())
                .opt_str("hint", failure.hints.first().map(String::as_str))
                .json("problems", "[]")
                .end(),
        }
    }
}

/// `line 7, byte 2345, entry a1: detail`.
fn place(problem: &Problem) -> Line {
    let mut text = match problem.position {
        Some(position) => format!("line {}, byte {}", position.line, position.byte),
        None => "the file".to_owned(),
    };
    if let Some(entry) = &problem.entry {
        text.push_str(&format!(", entry {entry}"));
    }
    if let Some(detail) = &problem.detail {
        text.push_str(&format!(": {detail}"));
    }
    Line::new().plain("    ").plain(text)
}

fn verdict(problems: &[Problem]) -> String {
    let notes = problems.iter().filter(|problem| problem.is_note()).count();
    match (problems.len() - notes, notes) {
        (0, 0) => "no problems".to_owned(),
        (0, notes) => format!("no faults, {}", counted(notes, "note", "notes")),
        (faults, 0) => counted(faults, "fault", "faults"),
        (faults, notes) => {
            format!("{}, {}", counted(faults, "fault", "faults"), counted(notes, "note", "notes"))
        }
    }
}
