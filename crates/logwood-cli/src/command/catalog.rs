//! `logwood catalog`: what is remembered of the sessions, where, and how to be rid of it.

use std::path::Path;
use std::sync::Arc;

use clap::Subcommand;
use logwood_catalog::catalog::{Catalog, Status, clear};
use logwood_render::plain::size;

use crate::app::App;
use crate::catalogs::{CatalogSite, folder};
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{Line, Object, array, style};
use crate::progress::with_bar;
use crate::stores::{Scope, Stores};
use crate::words::counted;

#[derive(Debug, clap::Args)]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Clone, Copy, Subcommand)]
enum Action {
    /// Show where the catalogs are and what is in them
    #[command(after_help = "Example:
  logwood catalog status --json")]
    Status,

    /// Empty the catalogs and read every session again
    #[command(after_help = "Example:
  logwood catalog rebuild")]
    Rebuild,

    /// Remove the catalogs; the next listing makes them anew
    #[command(after_help = "Example:
  logwood catalog clear")]
    Clear,
}

pub(crate) fn run(args: &CatalogArgs, app: &mut App) -> Result<Exit> {
    let stores = Stores::new(&app.globals);
    stores.require_some()?;
    match args.action.unwrap_or(Action::Status) {
        Action::Status => show(app, &stores),
        Action::Rebuild => {
            rebuild(app, &stores)?;
            show(app, &stores)
        }
        Action::Clear => remove(app, &stores),
    }
}

fn rebuild(app: &mut App, stores: &Stores) -> Result<()> {
    for site in stores.catalog_sites() {
        Catalog::open(&site.file, Arc::clone(stores.storage()))?.rebuild()?;
    }
    let quiet = app.globals.quiet || app.globals.json;
    let lister = stores.lister();
    for scope in [Scope::All, Scope::Project, Scope::Host] {
        let places = stores.places(scope);
        with_bar(quiet, |progress| lister.list(&places, scope, progress));
    }
    app.warn(lister.troubles())
}

/// A store and what its catalog holds; none where there is no catalog.
type Shown = (CatalogSite, std::result::Result<Option<Status>, String>);

fn show(app: &mut App, stores: &Stores) -> Result<Exit> {
    let status = |site: CatalogSite| {
        let opened = Catalog::open_existing(&site.file, Arc::clone(stores.storage()));
        let status = opened.and_then(|catalog| catalog.map(|catalog| catalog.status()).transpose());
        (site, status.map_err(|error| error.summary()))
    };
    let shown: Vec<Shown> = stores.catalog_sites().into_iter().map(status).collect();
    if app.globals.json {
        print_json(app, &shown)?;
    } else {
        print(app, &shown)?;
    }
    Ok(if shown.iter().all(|(_, status)| status.is_ok()) { Exit::Done } else { Exit::Problems })
}

fn print(app: &mut App, shown: &[Shown]) -> Result<()> {
    if shown.is_empty() {
        let why = if folder().is_some() {
            "no store of sessions was found, so there is no catalog"
        } else {
            "there is no cache directory, so every session is read each time"
        };
        return Ok(app.out.line(&Line::new().plain(why))?);
    }
    for (site, status) in shown {
        let name = if site.store.is_empty() {
            site.dir.to_string_lossy()
        } else {
            site.store.as_str().into()
        };
        app.out.line(
            &Line::new()
                .add(style::STRONG, name)
                .add(style::DIM, format!("  {}", site.file.display())),
        )?;
        app.out.line(&match status {
            Ok(Some(status)) => Line::new().plain(format!("  {}", sentence(status))),
            Ok(None) => Line::new().plain("  none yet; the next listing makes it"),
            Err(why) => Line::new().plain("  ").add(style::WARNING, why),
        })?;
    }
    Ok(())
}

fn sentence(status: &Status) -> String {
    let sessions = counted(number(status.sessions), "session", "sessions");
    let others = match number(status.others) {
        0 => String::new(),
        others => format!(" and {}", counted(others, "other file", "other files")),
    };
    format!(
        "{} for {sessions}{others} of {}",
        size(number(status.size)),
        size(number(status.bytes))
    )
}

fn number(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

fn print_json(app: &mut App, shown: &[Shown]) -> Result<()> {
    let rows = shown.iter().map(|(site, status)| {
        let object = Object::new()
            .str("store", &site.store)
            .str("agentDir", &text(&site.dir))
            .str("path", &text(&site.file));
        match status {
            Ok(Some(status)) => object
                .bool("exists", true)
                .num("size", status.size)
                .num("sessions", status.sessions)
                .num("others", status.others)
                .num("bytes", status.bytes),
            Ok(None) => object.bool("exists", false),
            Err(why) => object.bool("exists", true).str("error", why),
        }
        .end()
    });
    Ok(app.out.json(&Object::new().json("catalogs", &array(rows)).end())?)
}

fn remove(app: &mut App, stores: &Stores) -> Result<Exit> {
    let mut freed = 0;
    if let Some(folder) = folder() {
        for site in stores.catalog_sites() {
            freed += clear(&folder, &site.dir, &**stores.storage())?;
        }
    }
    if app.globals.json {
        app.out.json(&Object::new().num("freed", freed).end())?;
    } else if !app.globals.quiet {
        let text = if freed == 0 {
            "there is no catalog".to_owned()
        } else {
            format!("removed, {} freed", size(number(freed)))
        };
        app.out.line(&Line::new().plain(text))?;
    }
    Ok(Exit::Done)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
