//! `logwood migrate`: files of version 1 and 2 become version 3.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use logwood::session::{Elsewhere, SessionOptions};

use crate::app::App;
use crate::args::Alone;
use crate::error::{CommandError, Failure, Result};
use crate::exit::Exit;
use crate::output::{Line, Object};
use crate::writing::{options, with_problems};

#[derive(Debug, clap::Args)]
pub(crate) struct MigrateArgs {
    /// Paths, ids or their starts, display names, or @ (the newest of this directory), @2, ...
    #[arg(required = true, value_name = "SESSION")]
    sessions: Vec<OsString>,

    #[command(flatten)]
    alone: Alone,
}

/// A file that is of the newest version now.
struct Migrated {
    file: PathBuf,
    /// The version before.
    version: u32,
    /// The copy of the original, where anything was to do.
    backup: Option<PathBuf>,
    elsewhere: Elsewhere,
}

type Outcome = std::result::Result<Migrated, Box<Failure>>;

pub(crate) fn run(args: &MigrateArgs, app: &mut App) -> Result<Exit> {
    let mut rows = Vec::new();
    for word in &args.sessions {
        let outcome = match migrate(word, args.alone, app) {
            Ok(migrated) => Ok(migrated),
            Err(CommandError::Failed(failure)) => Err(failure),
            Err(other) => return Err(other),
        };
        if !app.globals.json {
            print(&outcome, app)?;
        }
        rows.push((word, outcome));
    }
    if app.globals.json {
        let rows = rows.iter().map(|(word, outcome)| Ok::<_, CommandError>(json(word, outcome)));
        app.out.json_list(rows)?;
    }
    let failed = rows.iter().filter_map(|(_, outcome)| outcome.as_ref().err());
    let worst = failed.map(|failure| Exit::of(failure.kind)).max_by_key(|exit| exit.code());
    Ok(match worst {
        Some(_) if rows.iter().any(|(_, outcome)| outcome.is_ok()) => Exit::Problems,
        worst => worst.unwrap_or(Exit::Done),
    })
}

/// A process that has the session open goes on with it: its ids are the same before and after.
fn migrate(word: &OsStr, alone: Alone, app: &mut App) -> Result<Migrated> {
    let file = app.find(word)?;
    // Most files need nothing; those are not even opened to be written.
    let session = SessionOptions::new().read_only(true).open(&file)?;
    let version = session.header().version();
    let (elsewhere, backup) = match session.needs_migration() {
        true => (app.elsewhere(&file, alone.exclusive)?, options().open(&file)?.migrate()?),
        false => (Elsewhere::default(), None),
    };
    Ok(Migrated { file, version, backup, elsewhere })
}

fn print(outcome: &Outcome, app: &mut App) -> Result<()> {
    match outcome {
        Err(failure) => {
            app.out.finish()?;
            failure.as_text(&mut app.err)?;
        }
        Ok(Migrated { file, version, backup: Some(backup), .. }) => {
            let (file, backup) = (file.display(), backup.display());
            let text =
                format!("{file}: version 3, was {version}; the original is kept as {backup}");
            app.out.line(&Line::new().plain(text))?;
        }
        Ok(Migrated { file, version, backup: None, .. }) if !app.globals.quiet => {
            let text = format!("{}: version {version}, nothing to do", file.display());
            app.out.line(&Line::new().plain(text))?;
        }
        Ok(_) => {}
    }
    Ok(())
}

fn json(word: &OsStr, outcome: &Outcome) -> String {
    let name = |path: &Path| path.to_string_lossy().into_owned();
    match outcome {
        Err(failure) => failure.members(Object::new().str("session", &word.to_string_lossy())),
        Ok(Migrated { file, version, backup, elsewhere }) => {
            let object = Object::new()
                .str("sessionFile", &name(file))
                .num("version", u64::from(*version))
                .bool("migrated", backup.is_some())
                .str_or_null("backup", backup.as_deref().map(name).as_deref());
            with_problems(object, elsewhere, &[]).end()
        }
    }
}
