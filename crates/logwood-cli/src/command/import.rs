//! `logwood import`: takes session files from elsewhere into a store.

use std::path::{Path, PathBuf};

use logwood::error::{Error, ErrorKind};
use logwood::import::{Import, Imported, Outcome};
use logwood::inventory::read_header;
use logwood::location::{Layout, encode_cwd};
use logwood::storage::LocalStorage;

use super::delete::shown;
use crate::app::App;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Line, Object, array, style};
use crate::stores::Stores;

#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// Session files; they stay as they are
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Give each copy an id of its own, so that it can stand beside the session it comes from
    #[arg(long)]
    new_id: bool,
}

pub(crate) fn run(args: &ImportArgs, app: &mut App) -> Result<Exit> {
    let stores = Stores::new(&app.globals);
    let mut done: Vec<(&PathBuf, Imported)> = Vec::new();
    let mut failed: Vec<(&PathBuf, Error)> = Vec::new();
    for file in &args.files {
        let import = Import::new(folder(file, &stores, app)?).roots(stores.roots());
        match import.new_id(args.new_id).run(file) {
            Ok(imported) => done.push((file, imported)),
            Err(error) => failed.push((file, error)),
        }
    }
    if app.globals.json {
        app.out.json(&json(&done, &failed))?;
    } else {
        print(&done, &failed, app)?;
    }
    Ok(match failed.first() {
        None => Exit::Done,
        Some((_, first)) if done.is_empty() => Exit::of(first.kind()),
        Some(_) => Exit::Problems,
    })
}

/// Where a file goes: to the project of --cwd or --session-dir, else to the project that it names itself, where `list` finds it.
fn folder(file: &Path, stores: &Stores, app: &App) -> Result<PathBuf> {
    let site = stores.sites().first().ok_or_else(|| {
        CommandError::new(ErrorKind::NotFound, "no store of sessions was found to import into")
            .hint("name one with --agent-dir, or a folder with --session-dir")
    })?;
    let choice = &site.choice;
    if choice.layout() == Layout::Flat || app.globals.cwd.is_some() {
        return Ok(choice.dir().to_path_buf());
    }
    let header = read_header(&LocalStorage, file).ok().and_then(std::result::Result::ok);
    let own = header.as_ref().and_then(|header| header.cwd());
    let own = own.filter(|cwd| !cwd.is_empty());
    Ok(own.map_or_else(
        || choice.dir().to_path_buf(),
        |cwd| choice.inventory().root.join(encode_cwd(&cwd)),
    ))
}

fn print(done: &[(&PathBuf, Imported)], failed: &[(&PathBuf, Error)], app: &mut App) -> Result<()> {
    for (_, imported) in done {
        let line = Line::new().plain(shown(&imported.path));
        let note = match imported.outcome {
            Outcome::Copied => "",
            Outcome::AlreadyThere => "  was there already",
        };
        app.out.line(&line.add(style::DIM, note))?;
    }
    app.out.finish()?;
    for (_, error) in failed {
        app.err.line(&Line::new().add(style::ERROR, "error: ").plain(error.summary()))?;
        if let Some(hint) = error.hint() {
            app.err.line(&Line::new().add(style::HINT, "hint: ").plain(hint))?;
        }
    }
    Ok(())
}

fn json(done: &[(&PathBuf, Imported)], failed: &[(&PathBuf, Error)]) -> String {
    let imported = |(source, imported): &(&PathBuf, Imported)| {
        Object::new()
            .str("source", &shown(source))
            .str("path", &shown(&imported.path))
            .str("sessionId", &imported.id)
            .bool("copied", imported.outcome == Outcome::Copied)
            .end()
    };
    let failure = |(source, error): &(&PathBuf, Error)| {
        Object::new()
            .str("path", &shown(source))
            .str("error", &error.summary())
            .str("errorKind", error.kind().as_str())
            .opt_str("hint", error.hint())
            .end()
    };
    Object::new()
        .json("imported", &array(done.iter().map(imported)))
        .json("failed", &array(failed.iter().map(failure)))
        .end()
}
