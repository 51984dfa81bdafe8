//! `logwood restore`: brings deleted sessions back from the trash, with what was deleted together with them.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use logwood::deletion::{HomeTrash, RestoreReport, TrashedFile};
use logwood::error::ErrorKind;
use logwood::inventory::read_header;
use logwood::storage::LocalStorage;

use super::delete::{failed_json, no_trash, shown, tell};
use crate::app::App;
use crate::entry_ref::starts_with;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Line, Object, array, string, style};
use crate::trash::home_trash;
use crate::words::counted;

#[derive(Debug, clap::Args)]
pub(crate) struct RestoreArgs {
    /// The paths that the sessions had, or their ids or the starts of those; without any, shows what is in the trash
    #[arg(value_name = "SESSION")]
    sessions: Vec<OsString>,
}

pub(crate) fn run(args: &RestoreArgs, app: &mut App) -> Result<Exit> {
    let trash = home_trash(&app.clock).ok_or_else(no_trash)?;
    if args.sessions.is_empty() {
        return list(&trash, app);
    }
    let mut plans = Vec::new();
    for word in &args.sessions {
        plans.push(trash.plan(&LocalStorage, &original(&trash, word)?)?);
    }
    let mut report = RestoreReport::default();
    for plan in &plans {
        let part = trash.restore(&LocalStorage, plan);
        report.restored.extend(part.restored);
        report.failed.extend(part.failed);
    }
    told(&report, app)
}

/// The path that the session had which a word names.
fn original(trash: &HomeTrash, word: &OsStr) -> Result<PathBuf> {
    let text = word.to_string_lossy();
    if text.contains(['/', std::path::MAIN_SEPARATOR]) || text.ends_with(".jsonl") {
        return Ok(std::env::current_dir().unwrap_or_default().join(word));
    }
    let mut hits: Vec<_> = trash.sessions(&LocalStorage)?;
    hits.retain(|file| id(file).is_some_and(|id| !text.is_empty() && starts_with(&id, &text)));
    hits.dedup_by(|a, b| a.original == b.original);
    match hits.as_slice() {
        [one] => Ok(one.original.clone()),
        [] => Err(CommandError::new(
            ErrorKind::NotFound,
            format!("no session in the trash has the id `{text}`"),
        )
        .hint("`logwood restore` without a session shows what is there")),
        several => Err(CommandError::new(
            ErrorKind::Ambiguous,
            format!("`{text}` fits {} sessions in the trash", several.len()),
        )
        .hint("give more of the id, or the path that it had")),
    }
}

fn id(file: &TrashedFile) -> Option<String> {
    let header = read_header(&LocalStorage, &file.path).ok()?.ok()?;
    Some(header.id().to_owned())
}

fn list(trash: &HomeTrash, app: &mut App) -> Result<Exit> {
    let sessions = trash.sessions(&LocalStorage)?;
    if app.globals.json {
        let row = |file: &TrashedFile| {
            Object::new()
                .str("path", &shown(&file.original))
                .str_or_null("sessionId", id(file).as_deref())
                .str("deleted", &file.deleted)
                .str("trashFile", &shown(&file.path))
                .end()
        };
        app.out.json(&array(sessions.iter().map(row)))?;
        return Ok(Exit::Done);
    }
    if sessions.is_empty() && !app.globals.quiet {
        let text = format!("no session is in the trash in `{}`", trash.dir().display());
        app.out.line(&Line::new().plain(text))?;
    }
    for file in &sessions {
        let line = Line::new().add(style::DIM, format!("{}  ", file.deleted.replace('T', " ")));
        app.out.line(&line.plain(shown(&file.original)))?;
    }
    Ok(Exit::Done)
}

fn told(report: &RestoreReport, app: &mut App) -> Result<Exit> {
    if app.globals.json {
        let restored = array(report.restored.iter().map(|path| string(&shown(path))));
        let failed = array(report.failed.iter().map(failed_json));
        app.out.json(&Object::new().json("restored", &restored).json("failed", &failed).end())?;
    } else {
        if !app.globals.quiet {
            for path in &report.restored {
                app.out.line(&Line::new().plain(shown(path)))?;
            }
            let count = counted(report.restored.len(), "file", "files");
            app.out.line(&Line::new().add(style::DIM, format!("{count} restored")))?;
        }
        report.failed.iter().try_for_each(|failed| tell(failed, app))?;
    }
    Ok(match report.failed.first() {
        None => Exit::Done,
        Some(first) if report.restored.is_empty() => Exit::of(first.error.kind()),
        Some(_) => Exit::Problems,
    })
}
