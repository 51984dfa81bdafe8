//! `logwood doctor`: what is odd about the stores, and what can be done. It looks and changes nothing.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use logwood::location::Layout;
use logwood::storage::{FileKind, Metadata, Storage};

use super::perf::log_at;
use logwood_catalog::catalog::Catalog;

use crate::app::App;
use crate::catalogs::CatalogSite;
use crate::error::Result;
use crate::exit::Exit;
use crate::now::now_ms;
use crate::output::{Line, Object, array, style};
use crate::stores::{Scope, Site, Stores};
use crate::words::counted;

/// dreb takes a lock of its performance log for left behind after this time, in milliseconds (design section 2).
const STALE_LOCK: i64 = 5 * 60 * 1000;

#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {}

/// Something odd.
struct Finding {
    path: PathBuf,
    what: String,
    advice: String,
}

pub(crate) fn run(_: &DoctorArgs, app: &mut App) -> Result<Exit> {
    let stores = Stores::new(&app.globals);
    let findings = examine(&stores);
    if app.globals.json {
        print_json(app, &stores, &findings)?;
    } else {
        print(app, &stores, &findings)?;
    }
    Ok(if findings.is_empty() { Exit::Done } else { Exit::Problems })
}

fn examine(stores: &Stores) -> Vec<Finding> {
    let mut findings = Vec::new();
    for problem in stores.absent() {
        findings.push(Finding::new(
            &problem.path,
            &problem.why,
            "correct --agent-dir, --session-dir or LOGWOOD_AGENT_DIR",
        ));
    }
    let mut seen: Vec<PathBuf> = Vec::new();
    for unmet in stores.unmet() {
        let problem = &unmet.problem;
        findings.push(Finding::new(&problem.path, &problem.why, &unmet.advice()));
        seen.push(unmet.problem.path);
    }
    for site in stores.sites() {
        findings.extend(lock_finding(stores, site));
        findings.extend(log_finding(stores, site));
    }
    // The folder of the project comes last, since it usually lies below what was looked at before.
    let scopes = [Scope::All, Scope::Host, Scope::Project];
    for place in scopes.into_iter().flat_map(|scope| stores.places(scope)) {
        if !seen.iter().any(|root| place.root.starts_with(root)) {
            roots(&**stores.storage(), &place.root, place.layout, &mut findings);
            seen.push(place.root);
        }
    }
    for site in stores.sites() {
        for problem in site.settings.problems() {
            let advice = "correct the file; until then what is wrong counts as unset";
            let what = problem.to_string();
            if !findings.iter().any(|finding| finding.what == what) {
                findings.push(Finding::new(&problem.file, &what, advice));
            }
        }
    }
    findings.extend(stores.hook_finding());
    findings.extend(stores.catalog_sites().iter().filter_map(|site| catalog_finding(stores, site)));
    findings
}

impl Stores {
    /// A hook that failed.
    fn hook_finding(&self) -> Option<Finding> {
        let what = self.hook_warning()?;
        Some(Finding::new(
            self.cwd_path(),
            &what,
            "run it by hand in that directory, with LOGWOOD_CWD set",
        ))
    }
}

impl Finding {
    fn new(path: &Path, what: &str, advice: &str) -> Self {
        Self { path: path.to_path_buf(), what: what.to_owned(), advice: advice.to_owned() }
    }
}

/// What was counted below one root.
#[derive(Default)]
struct Tally {
    /// Files and folders that other users can read.
    open: usize,
    /// Names ending in `.jsonl` that cannot be looked at.
    closed: usize,
    /// Names ending in `.jsonl` that are no regular files.
    odd: usize,
    /// Folders in which nothing can be made.
    locked: usize,
}

/// A root and, where it is nested, the folders in it.
fn roots(storage: &dyn Storage, root: &Path, layout: Layout, findings: &mut Vec<Finding>) {
    let entries = match storage.list(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => return findings.push(unreadable(root, &error)),
        Ok(entries) => entries,
    };
    let mut tally = Tally::default();
    match layout {
        Layout::Flat => findings.extend(tally.folder(storage, root)),
        Layout::Nested => {
            let folders = entries.iter().map(|entry| root.join(&entry.name));
            let is_dir = |path: &PathBuf| {
                storage.metadata(path).is_ok_and(|file| file.kind == FileKind::Dir)
            };
            for folder in folders.filter(is_dir) {
                findings.extend(tally.folder(storage, &folder));
            }
        }
    }
    if is_shut_off(storage, root) {
        tally.open = 0;
    }
    tally.report(root, findings);
}

impl Tally {
    /// Counts in a folder with session files; the finding where it cannot be read.
    fn folder(&mut self, storage: &dyn Storage, dir: &Path) -> Option<Finding> {
        let entries = match storage.list(dir) {
            Err(error) => return Some(unreadable(dir, &error)),
            Ok(entries) => entries,
        };
        self.open += usize::from(storage.metadata(dir).is_ok_and(|file| is_open(&file)));
        self.locked += usize::from(!is_writable(dir));
        let is_session = |name: &std::ffi::OsStr| name.as_encoded_bytes().ends_with(b".jsonl");
        for entry in entries.iter().filter(|entry| is_session(&entry.name)) {
            match storage.metadata(&dir.join(&entry.name)) {
                Ok(file) if file.kind != FileKind::File => self.odd += 1,
                Ok(file) => self.open += usize::from(is_open(&file)),
                Err(_) => self.closed += 1,
            }
        }
        None
    }

    fn report(&self, root: &Path, findings: &mut Vec<Finding>) {
        let mut say = |count: usize, one: &str, many: &str, advice: &str| {
            if count > 0 {
                findings.push(Finding::new(root, &counted(count, one, many), advice));
            }
        };
        say(
            self.open,
            "file or folder can be read by other users",
            "files and folders can be read by other users",
            "`chmod -R go=` the directory: sessions hold what was said, read and run",
        );
        say(
            self.locked,
            "folder is not writable for you, so sessions in it cannot go on",
            "folders are not writable for you, so sessions in them cannot go on",
            "`chmod u+w`, or keep them as an archive: reading works",
        );
        say(
            self.closed,
            "name ending in .jsonl leads nowhere or is not for you to look at",
            "names ending in .jsonl lead nowhere or are not for you to look at",
            "`logwood list --all -v` names them; remove the link or restore its target",
        );
        say(
            self.odd,
            "name ending in .jsonl is no regular file",
            "names ending in .jsonl are no regular files",
            "`logwood list --all -v` names them; they are passed over",
        );
    }
}

/// Whether no other user gets as far as this directory.
fn is_shut_off(storage: &dyn Storage, dir: &Path) -> bool {
    let closed = |dir: &Path| storage.metadata(dir).is_ok_and(|file| file.access.mode & 0o011 == 0);
    dir.ancestors().any(closed)
}

fn unreadable(path: &Path, error: &io::Error) -> Finding {
    let what = format!("it cannot be read: {error}");
    Finding::new(
        path,
        &what,
        "sessions in it are missing from every list; check what it is and who owns it",
    )
}

/// Whether other users can read it; the sessions of coding agents hold code and secrets.
fn is_open(file: &Metadata) -> bool {
    file.access.owner.is_some() && file.access.mode & 0o044 != 0
}

#[cfg(unix)]
fn is_writable(dir: &Path) -> bool {
    rustix::fs::access(dir, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(_: &Path) -> bool {
    true
}

/// The lock of the performance log, if it was left behind.
fn lock_finding(stores: &Stores, site: &Site) -> Option<Finding> {
    let mut lock = site.store.dir.performance_log().into_os_string();
    lock.push(".lock");
    let lock = PathBuf::from(lock);
    let file = stores.storage().link_metadata(&lock).ok()?;
    let age = now_ms().saturating_sub(file.modified_ms());
    (age > STALE_LOCK).then(|| {
        let what =
            format!("the lock of the performance log was left behind {} minutes ago", age / 60_000);
        Finding::new(&lock, &what, "remove it if no agent is running; the next writer does so too")
    })
}

/// What is wrong with the performance log itself: it cannot be read, or holds lines that are no records.
fn log_finding(stores: &Stores, site: &Site) -> Option<Finding> {
    let log = log_at(stores, site.store.dir.performance_log());
    let said = match log.read() {
        Ok(said) => said,
        Err(error) => {
            let advice =
                "speeds of models are neither recorded nor shown; check what it is and who owns it";
            return Some(Finding::new(log.path(), &error.summary(), advice));
        }
    };
    let unusable = said.unusable().len();
    (unusable > 0).then(|| {
        let what = counted(unusable, "line is no record", "lines are no records");
        let advice =
            "`logwood perf -v` names them, `logwood perf prune` takes them out; they do no harm";
        Finding::new(log.path(), &what, advice)
    })
}

/// A catalog that cannot be used.
fn catalog_finding(stores: &Stores, site: &CatalogSite) -> Option<Finding> {
    let opened = Catalog::open_existing(&site.file, Arc::clone(stores.storage()));
    let error = match opened.and_then(|catalog| catalog.map_or(Ok(()), |catalog| catalog.check())) {
        Ok(()) => return None,
        Err(error) => error,
    };
    Some(Finding::new(
        &site.file,
        &error.summary(),
        "`logwood catalog rebuild`; nothing is lost with it",
    ))
}

fn print(app: &mut App, stores: &Stores, findings: &[Finding]) -> Result<()> {
    for finding in findings {
        let path = stores.shorten(&finding.path);
        app.out.line(&Line::new().add(style::STRONG, path.to_string_lossy()))?;
        app.out.line(&Line::new().plain("  ").add(style::WARNING, &finding.what))?;
        app.out.line(&Line::new().plain("  ").add(style::HINT, "do: ").plain(&finding.advice))?;
    }
    let names: Vec<_> = stores.sites().iter().map(|site| site.store.name.as_str()).collect();
    let stores = match names.as_slice() {
        [] => "no store was found".to_owned(),
        names => format!("looked at {}", names.join(", ")),
    };
    let found = match findings.len() {
        0 => "nothing odd".to_owned(),
        count => counted(count, "finding", "findings"),
    };
    Ok(app.out.line(&Line::new().plain(format!("{stores}: {found}")))?)
}

fn print_json(app: &mut App, stores: &Stores, findings: &[Finding]) -> Result<()> {
    let rows = findings.iter().map(|finding| {
        Object::new()
            .str("path", &finding.path.to_string_lossy())
            .str("message", &finding.what)
            .str("advice", &finding.advice)
            .end()
    });
    let names = stores.sites().iter().map(|site| crate::output::string(&site.store.name));
    let object = Object::new().json("stores", &array(names)).json("findings", &array(rows));
    Ok(app.out.json(&object.end())?)
}
