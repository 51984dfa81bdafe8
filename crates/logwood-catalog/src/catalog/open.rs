//! Opening a catalog; making it anew where it is missing, damaged or of another version.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use logwood::env::{Clock, SystemClock};
use logwood::error::{Error, ErrorKind, Result};
use logwood::storage::{AppendFile, Create, LockOutcome, Storage};
use rusqlite::{Connection, OpenFlags};

use super::changes::Pending;
use super::schema::{APPLICATION, TABLES, VERSION};

/// How long another process may hold the file before this one goes on without it.
const PATIENCE: Duration = Duration::from_millis(250);

/// The size of a page, in bytes: a row is then in one page as a rule, and a listing asks for few of them.
const PAGE: i64 = 16 * 1024;

/// Memory for pages of the file, in KiB.
const CACHE_KIB: i64 = 16 * 1024;

/// The catalog of one agent directory: what its session files said when they were last read.
///
/// Several processes may have it open. All read; one at a time writes, the others then go on without writing. Whatever goes wrong
/// with the file is told by [`trouble`](Self::trouble) and costs time only: what is not known is read from the session files.
///
/// ```
/// use logwood::inventory::{Inventory, Place};
/// use logwood::location::Layout;
/// use logwood::storage::LocalStorage;
/// use logwood_catalog::catalog::Catalog;
/// use std::sync::Arc;
///
/// # let dir = tempfile::tempdir()?;
/// # let (cache, sessions) = (dir.path().join("cache/x.sqlite"), dir.path().join("sessions"));
/// let catalog = Catalog::open(&cache, Arc::new(LocalStorage))?;
/// let places = [Place::new("mine", sessions, Layout::Nested)];
/// let go_on = |_: logwood::inventory::Progress<'_>| std::ops::ControlFlow::Continue(());
/// let listing = Inventory::new().list_known_places(&places, None, &catalog, &go_on);
/// catalog.finish();
/// # assert_eq!((listing.sessions.len(), catalog.trouble()), (0, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Catalog {
    path: PathBuf,
    pub(super) storage: Arc<dyn Storage>,
    pub(super) clock: Arc<dyn Clock>,
    connection: Mutex<Connection>,
    pub(super) pending: Mutex<Pending>,
    /// The lock of who writes, while this catalog does.
    writer: Mutex<Writer>,
    trouble: Mutex<Option<String>>,
    /// Nothing is read or written any more.
    broken: AtomicBool,
}

/// Whether this catalog may write.
#[derive(Debug, Default)]
enum Writer {
    #[default]
    NotAsked,
    Held(#[expect(dead_code, reason = "held for its lock")] Box<dyn AppendFile>),
    /// Another process writes, or the file is not to be written to.
    No,
}

impl Catalog {
    /// Opens the catalog in the file at `path`, which is made where it is not there or not as it should be: private (0600), the
    /// directories above it too (0700).
    ///
    /// # Errors
    /// When the file cannot be opened or made, or another process is making it at this moment. Listings work without.
    pub fn open(path: &Path, storage: Arc<dyn Storage>) -> Result<Self> {
        Self::open_with_clock(path, storage, Arc::new(SystemClock))
    }

    /// Opens a catalog that is there, as it is: nothing is made or mended. None where there is none.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn open_existing(path: &Path, storage: Arc<dyn Storage>) -> Result<Option<Self>> {
        match storage.metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            _ => {
                let connection =
                    connect(path, &*storage).map_err(|fault| unusable(path, &fault))?;
                Ok(Some(Self::on(connection, path, storage, Arc::new(SystemClock))))
            }
        }
    }

    /// As [`open`](Self::open) with another clock.
    ///
    /// # Errors
    /// As there.
    pub fn open_with_clock(
        path: &Path,
        storage: Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self> {
        let (connection, writer) = match connect(path, &*storage) {
            Ok(connection) => (connection, Writer::NotAsked),
            Err(_) => {
                let lock = lock(path, &*storage)?.ok_or_else(|| busy(path))?;
                (make(path, &*storage)?, Writer::Held(lock))
            }
        };
        // The lock was for making the file.
        drop(writer);
        Ok(Self::on(connection, path, storage, clock))
    }

    fn on(
        connection: Connection,
        path: &Path,
        storage: Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            path: path.to_path_buf(),
            storage,
            clock,
            connection: Mutex::new(connection),
            pending: Mutex::default(),
            writer: Mutex::default(),
            trouble: Mutex::default(),
            broken: AtomicBool::new(false),
        }
    }

    /// Empties the catalog, so that the next listing fills it anew.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn rebuild(&self) -> Result<()> {
        if !self.may_write() {
            return Err(busy(&self.path));
        }
        let fresh = make(&self.path, &*self.storage)?;
        *self.connection() = fresh;
        self.broken.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why the catalog could not be used since it was opened, for a person; none where it could.
    pub fn trouble(&self) -> Option<String> {
        guard(&self.trouble).clone()
    }

    pub(super) fn connection(&self) -> MutexGuard<'_, Connection> {
        guard(&self.connection)
    }

    /// Whether this process may write now; asked once until [`finish`](Self::finish).
    pub(super) fn may_write(&self) -> bool {
        let mut writer = guard(&self.writer);
        if matches!(*writer, Writer::NotAsked) {
            let lock = lock(&self.path, &*self.storage).ok().flatten();
            *writer = lock.map_or(Writer::No, Writer::Held);
        }
        matches!(*writer, Writer::Held(_))
    }

    /// Gives the lock back.
    pub(super) fn stop_writing(&self) {
        *guard(&self.writer) = Writer::NotAsked;
    }

    /// Whether it is no use to try.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Notes why the file cannot be used. One that is damaged is emptied, and what is read from now on goes into the new one.
    pub(super) fn failed(&self, fault: &Fault) {
        if fault.is_busy() {
            return;
        }
        self.broken.store(true, Ordering::Relaxed);
        let mended = fault.is_damage() && self.rebuild().is_ok();
        let what = if mended { "was damaged and is made anew" } else { "cannot be used" };
        let path = self.path.display();
        guard(&self.trouble).get_or_insert_with(|| format!("the catalog {path} {what}: {fault}"));
    }
}

/// What is wrong with the file.
#[derive(Debug)]
pub(super) enum Fault {
    Sql(rusqlite::Error),
    Damaged(&'static str),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

pub(super) fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Fault {
    /// Whether another process has the file for itself at the moment.
    fn is_busy(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
        matches!(self.code(), Some(DatabaseBusy | DatabaseLocked))
    }

    /// Whether to make the file anew is a remedy.
    fn is_damage(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType,
        };
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase, Unknown};
        let Self::Sql(error) = self else { return true };
        let is_odd = matches!(
            error,
            InvalidColumnType(..) | FromSqlConversionFailure(..) | IntegralValueOutOfRange(..)
        );
        // `Unknown` is a table that is not there: in a file of the right version it was lost.
        is_odd || matches!(self.code(), Some(DatabaseCorrupt | NotADatabase | Unknown))
    }

    fn code(&self) -> Option<rusqlite::ErrorCode> {
        match self {
            Self::Sql(error) => error.sqlite_error_code(),
            Self::Damaged(_) => None,
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sql(error) => error.fmt(f),
            Self::Damaged(what) => f.write_str(what),
        }
    }
}

fn busy(path: &Path) -> Error {
    Error::new(ErrorKind::Locked, "cannot use the catalog")
        .with_path(path)
        .with_why("another process is making it")
        .with_hint("wait until it is done, or use --no-catalog")
}

fn unusable(path: &Path, why: &Fault) -> Error {
    Error::new(ErrorKind::Io, "cannot use the catalog")
        .with_path(path)
        .with_why(why.to_string())
        .with_hint("remove the file: it holds nothing that is not in the sessions")
}

/// The lock of who writes; none where another process has it.
fn lock(path: &Path, storage: &dyn Storage) -> Result<Option<Box<dyn AppendFile>>> {
    let file = beside(path, ".lock");
    let taken = make_private(&file, storage).and_then(|mut lock| {
        // Where there are no locks, SQLite has none either; then one process has to be enough.
        Ok((lock.try_lock()? != LockOutcome::Busy).then_some(lock))
    });
    taken.map_err(|error| Error::io("cannot make", &file, error))
}

fn make_private(path: &Path, storage: &dyn Storage) -> std::io::Result<Box<dyn AppendFile>> {
    match storage.open_append(path, Create::IfMissing) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            storage.create_dir_all(path.parent().unwrap_or(path))?;
            storage.open_append(path, Create::IfMissing)
        }
        other => other,
    }
}

pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The files that SQLite has beside its own.
pub(super) const SIDES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Opens a file that is there and of this version.
fn connect(path: &Path, storage: &dyn Storage) -> std::result::Result<Connection, Fault> {
    // SQLite takes an empty file for a new database, so it must be there before.
    if storage.metadata(path).is_ok_and(|file| file.len == 0) {
        return Err(Fault::Damaged("it is empty"));
    }
    let connection = open_file(path)?;
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if (number("application_id")?, number("user_version")?) != (APPLICATION.into(), VERSION.into())
    {
        return Err(Fault::Damaged("it is of another version"));
    }
    Ok(connection)
}

fn open_file(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// Makes the file anew. Processes that have the old one open go on with it, and it vanishes with them.
fn make(path: &Path, storage: &dyn Storage) -> Result<Connection> {
    let sides = SIDES.map(|ending| beside(path, ending));
    for file in sides.iter().map(PathBuf::as_path).chain([path]) {
        match storage.remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io("cannot remove", file, error));
            }
            _ => {}
        }
    }
    make_private(path, storage).map_err(|error| Error::io("cannot make", path, error))?;
    let made = open_file(path).and_then(|connection| {
        connection.pragma_update(None, "page_size", PAGE)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let version =
            format!("PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION};");
        connection.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} {version} COMMIT;"))?;
        Ok(connection)
    });
    made.map_err(|error| unusable(path, &error.into()))
}
