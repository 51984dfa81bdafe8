//! `logwood where`: every root, the file names it would use, and which source decided.

use std::io::ErrorKind;
use std::path::Path;

use logwood::json::{JsonWriter, iso_from_ms};
use logwood::location::{Considered, Inventory, RootSource, SessionFileName, StoreOrigin, Verdict};
use logwood::storage::FileKind;

use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::now::now_ms;
use crate::output::{Line, style};
use crate::stores::{Site, Stores};

/// Stands for the id of a session that is not made yet.
const ID: &str = "SESSION-ID";

#[derive(Debug, clap::Args)]
pub(crate) struct WhereArgs {}

pub(crate) fn run(_: &WhereArgs, app: &mut App) -> Result<Exit> {
    let stores = Stores::new(&app.globals);
    if app.globals.json {
        let mut out = Vec::new();
        write_json(&mut JsonWriter::new(&mut out), &stores);
        app.out.json(&String::from_utf8_lossy(&out))?;
    } else {
        print(app, &stores)?;
    }
    app.warn(stores.warnings(stores.sites()))?;
    app.warn(stores.unmet_warnings())?;
    Ok(Exit::Done)
}

fn print(app: &mut App, stores: &Stores) -> Result<()> {
    let cwd = Line::new().add(style::STRONG, "directory  ").plain(stores.cwd());
    app.out.line(&cwd)?;
    let absent = stores.absent_sites();
    if stores.sites().is_empty() {
        let text = match absent.as_slice() {
            [] => "no store was found, and no home directory to look for one in",
            _ => "no store was found; these are looked for",
        };
        app.out.line(&Line::new().plain(text))?;
    }
    for site in stores.sites().iter().chain(&absent) {
        app.out.gap()?;
        print_site(app, stores, site)?;
    }
    Ok(())
}

fn print_site(app: &mut App, stores: &Stores, site: &Site) -> Result<()> {
    let dir = &site.store.dir;
    let name = Line::new().add(style::STRONG, &site.store.name);
    app.out
        .line(&name.add(style::DIM, format!("  {}, {}", dir.kind(), origin(site.store.origin))))?;
    let mut row = |label: &str, path: &Path, what: &str| {
        let line = Line::new().plain(format!("  {label:<18}")).plain(path.to_string_lossy());
        app.out.line(&line.add(style::DIM, format!("  {}{what}", state(stores, path))))
    };
    row("agent directory", dir.path(), "")?;
    let choice = &site.choice;
    let decided = format!("{}, by {}", choice.layout().as_str(), source(choice.source()));
    row("sessions go to", choice.dir(), &decided)?;
    row("a new file", &choice.dir().join(file_name()), "")?;
    let all = choice.inventory();
    row("all sessions", &all.root, all.layout.as_str())?;
    let host = site.host.inventory();
    let decided = format!("{}, by {}", host.layout.as_str(), source(site.host.source()));
    row("of the host", &host.root, &decided)?;
    row("subagents", &subagents(stores, site), "")?;
    row("performance log", &dir.performance_log(), "")?;
    for catalog in stores.catalog_sites().iter().filter(|catalog| catalog.dir == dir.path()) {
        row("catalog", &catalog.file, "")?;
    }
    for path in settings(site, stores) {
        row("settings", &path, "")?;
    }
    for considered in choice.considered().iter().filter(|row| row.verdict != Verdict::NotSet) {
        app.out.line(&considered_line(considered))?;
    }
    Ok(())
}

/// One source, what it says, and what became of it.
fn considered_line(considered: &Considered) -> Line {
    let line = Line::new().plain(format!("    {:<17}", source(considered.source)));
    let line = line.plain(format!("{:<11}", verdict(considered.verdict).replace('_', " ")));
    let path = considered.path.as_deref().map(Path::to_string_lossy);
    let given = considered.given.as_deref().map(std::ffi::OsStr::to_string_lossy);
    line.add(style::DIM, path.or(given).unwrap_or_default())
}

fn origin(origin: StoreOrigin) -> String {
    match origin {
        StoreOrigin::Option => "named by --agent-dir".to_owned(),
        StoreOrigin::Variable(name) => format!("named by {name}"),
        StoreOrigin::Home => "in the home directory".to_owned(),
        StoreOrigin::DataHome => "in XDG_DATA_HOME".to_owned(),
    }
}

fn source(source: RootSource) -> &'static str {
    match source {
        RootSource::Option => "--session-dir",
        RootSource::Variable => "the variable",
        RootSource::ProjectSettings => "project settings",
        RootSource::GlobalSettings => "global settings",
        RootSource::Hook => "the hook",
        RootSource::Default => "default",
    }
}

/// The word in `--json`.
fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Chosen => "chosen",
        Verdict::Outranked => "outranked",
        Verdict::NotSet => "not_set",
        Verdict::Blank => "blank",
        Verdict::NoHome => "no_home",
        Verdict::WrongType => "wrong_type",
        Verdict::NotAsked => "not_asked",
    }
}

/// Nothing for what is there, which is the usual.
fn state(stores: &Stores, path: &Path) -> &'static str {
    let is_file =
        path.extension().is_some_and(|end| end == "jsonl" || end == "json" || end == "sqlite");
    match stores.storage().metadata(path).map(|file| file.kind) {
        Ok(FileKind::Dir) if !is_file => "",
        Ok(FileKind::File) if is_file => "",
        Ok(_) => "(not what it should be) ",
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            "(not there) "
        }
        Err(_) => "(cannot be looked at) ",
    }
}

/// The name of a session file made now (rule L9).
fn file_name() -> String {
    let time = iso_from_ms(now_ms()).unwrap_or_default();
    SessionFileName::new(&time, ID).map(|name| name.to_string()).unwrap_or_default()
}

/// Where transcripts of subagents of this directory's sessions go.
fn subagents(stores: &Stores, site: &Site) -> std::path::PathBuf {
    site.transcripts.at(stores.cwd_path()).for_new().to_path_buf()
}

fn settings(site: &Site, stores: &Stores) -> impl Iterator<Item = std::path::PathBuf> {
    let dir = &site.store.dir;
    dir.settings().into_iter().chain(dir.project_settings(stores.cwd_path()))
}

fn write_json(json: &mut JsonWriter<'_>, stores: &Stores) {
    json.begin_object().key("cwd").str(&stores.cwd()).key("stores").begin_array();
    for site in stores.sites().iter().chain(&stores.absent_sites()) {
        write_site(json, stores, site);
    }
    json.end_array().key("problems").begin_array();
    for warning in stores.warnings(stores.sites()).into_iter().chain(stores.unmet_warnings()) {
        json.str(&warning);
    }
    json.end_array().end_object();
}

fn write_site(json: &mut JsonWriter<'_>, stores: &Stores, site: &Site) {
    let (dir, choice) = (&site.store.dir, &site.choice);
    json.begin_object().key("name").str(&site.store.name).key("kind").str(dir.kind().as_str());
    json.key("origin").str(&origin(site.store.origin));
    path(json, "agentDir", dir.path());
    json.key("exists").bool(stores.storage().metadata(dir.path()).is_ok());
    path(json, "sessionDir", choice.dir());
    json.key("layout").str(choice.layout().as_str()).key("source").str(choice.source().as_str());
    path(json, "newFile", &choice.dir().join(file_name()));
    write_inventory(json, "inventory", choice.inventory());
    write_inventory(json, "host", site.host.inventory());
    json.key("hostSource").str(site.host.source().as_str());
    path(json, "subagentSessionDir", &subagents(stores, site));
    path(json, "performanceLog", &dir.performance_log());
    if let Some(catalog) = stores.catalog_sites().iter().find(|catalog| catalog.dir == dir.path()) {
        path(json, "catalog", &catalog.file);
    }
    json.key("settings").begin_array();
    for file in settings(site, stores) {
        json.str(&file.to_string_lossy());
    }
    json.end_array().key("considered").begin_array();
    for considered in choice.considered() {
        write_considered(json, considered);
    }
    json.end_array().end_object();
}

fn write_inventory(json: &mut JsonWriter<'_>, key: &str, inventory: &Inventory) {
    json.key(key).begin_object();
    path(json, "root", &inventory.root);
    json.key("layout").str(inventory.layout.as_str()).end_object();
}

fn write_considered(json: &mut JsonWriter<'_>, considered: &Considered) {
    json.begin_object().key("source").str(considered.source.as_str());
    json.key("verdict").str(verdict(considered.verdict));
    if let Some(given) = &considered.given {
        json.key("given").str(&given.to_string_lossy());
    }
    if let Some(named) = &considered.path {
        path(json, "path", named);
    }
    json.end_object();
}

fn path(json: &mut JsonWriter<'_>, key: &str, path: &Path) {
    json.key(key).str(&path.to_string_lossy());
}
