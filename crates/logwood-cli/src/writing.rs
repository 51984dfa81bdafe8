//! What the commands that write have in common: how careful they are, where new sessions go, and how they say what they made.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use logwood::entry::{EntryDraft, SessionHeader};
use logwood::inventory::read_header;
use logwood::problem::{Problem, ProblemKind};
use logwood::session::{Appended, Durability, Elsewhere, SessionManager, SessionOptions};

use crate::app::App;
use crate::error::Result;
use crate::json_view::problem;
use crate::output::{Line, Object, array};
use crate::session_ref;
use crate::stores::Stores;

/// What a command reports is on the disk (design section 4).
pub(crate) fn options() -> SessionOptions {
    SessionOptions::new().durability(Durability::Synced).background_writes(true)
}

/// Where processes announce which sessions they have open: the user's runtime directory, else a folder of the user among the temporary
/// files.
pub(crate) fn runtime_dir() -> PathBuf {
    if let Some(dir) = std::env::var_os("XDG_RUNTIME_DIR").filter(|dir| !dir.is_empty()) {
        return PathBuf::from(dir).join("logwood");
    }
    let user = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    let user = user.replace(['/', '\\'], "-");
    std::env::temp_dir().join(format!("logwood-{user}"))
}

/// Announces that a session is open here, for a change that no other process may have it open for.
///
/// # Errors
/// `locked`, naming the holder, where another has it open.
pub(crate) fn alone(path: &Path) -> Result<Elsewhere> {
    let asking = SessionOptions::new().presence(runtime_dir(), "logwood").exclusive(true);
    Ok(asking.elsewhere(path)?)
}

/// The path from the root, as other programs find it in a header.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A session that a new one is made of, and where the new one goes.
pub(crate) struct Source {
    /// The file of the old one.
    pub(crate) path: PathBuf,
    /// The working directory of the new one, where it is another.
    pub(crate) cwd: Option<String>,
    /// The folder of the new one, where it is not that of the old one.
    pub(crate) folder: Option<PathBuf>,
}

impl Source {
    /// Finds the session, and the folder of the directory that `into` names, in the same store where it has one.
    ///
    /// # Errors
    /// As [`session_ref::resolve`] and [`Stores::folder`].
    pub(crate) fn find(word: &OsStr, into: Option<&OsStr>, app: &mut App) -> Result<Self> {
        let stores = Stores::new(&app.globals);
        let path = absolute(&session_ref::resolve(word, &stores)?);
        let Some(into) = into else {
            return Ok(Self { path, cwd: None, folder: stores.named_dir() });
        };
        let mut globals = app.globals.clone();
        globals.cwd = Some(into.to_owned());
        let there = Stores::new(&globals);
        let folder = there.folder(Some(&path))?;
        app.warn(there.warnings(there.sites()))?;
        if there.storage().metadata(there.cwd_path()).is_err() {
            app.warn([format!("`{}` is not there (yet)", there.cwd())])?;
        }
        Ok(Self { path, cwd: Some(there.cwd()), folder: Some(folder) })
    }

    /// Opens the session, so that new ones made of it go to the folder.
    ///
    /// # Errors
    /// As [`SessionOptions::open`].
    pub(crate) fn open(&self) -> Result<SessionManager> {
        let options = match &self.folder {
            Some(folder) => options().session_dir(folder),
            None => options(),
        };
        Ok(options.open(&self.path)?)
    }
}

/// The header of a session file, without the rest; none where it cannot be read.
pub(crate) fn header(path: &Path) -> Option<SessionHeader> {
    read_header(&*options().shared_storage(), path).ok()?.ok()
}

/// Appends one entry; of a long file only both ends are read for it.
///
/// # Errors
/// As [`SessionOptions::append_to`].
pub(crate) fn append_one(
    options: &SessionOptions,
    path: &Path,
    draft: EntryDraft,
    app: &mut App,
) -> Result<Appended> {
    if header(path).is_some_and(|header| header.version() < 3) {
        migrate_first(&mut options.open(path)?, app)?;
    }
    let appended = options.append_to(path, draft)?;
    warn_of_no_lock(&appended.problems, app)?;
    Ok(appended)
}

/// Brings an old file to version 3, as any change of it does, and says where the original is kept.
///
/// # Errors
/// As [`SessionManager::migrate`].
pub(crate) fn migrate_first(session: &mut SessionManager, app: &mut App) -> Result<()> {
    let version = session.header().version();
    let Some(backup) = session.migrate()? else { return Ok(()) };
    let kept = format!("the original is kept as `{}`", backup.display());
    app.warn([format!("the session was of version {version} and is migrated; {kept}")])
}

/// The members that name a session of which only the file is known.
pub(crate) fn object_of_file(path: &Path) -> Object {
    Object::new()
        .str("sessionFile", &path.to_string_lossy())
        .str_or_null("sessionId", header(path).as_ref().map(SessionHeader::id))
}

/// The members that name a session.
pub(crate) fn object(session: &SessionManager) -> Object {
    let file = session.session_file().map(Path::to_string_lossy);
    Object::new().str_or_null("sessionFile", file.as_deref()).str("sessionId", session.session_id())
}

/// Says that nothing keeps two writers of the file apart, where that is so.
///
/// # Errors
/// When the warning cannot be written.
pub(crate) fn warn_of_no_lock(problems: &[Problem], app: &mut App) -> Result<()> {
    let found = problems.iter().find(|problem| problem.kind == ProblemKind::NoLock);
    app.warn(found.map(|problem| problem.kind.describe().to_owned()))
}

/// Adds who else has the session open and whether the file has no lock, where there is anything to say.
pub(crate) fn with_problems(object: Object, elsewhere: &Elsewhere, all: &[Problem]) -> Object {
    let holders = elsewhere.holders.iter().map(|holder| problem(&holder.problem()));
    let no_lock = all.iter().filter(|problem| problem.kind == ProblemKind::NoLock).map(problem);
    let found: Vec<_> = holders.chain(no_lock).collect();
    if found.is_empty() { object } else { object.json("problems", &array(found)) }
}

/// Prints the file and the id of a new session, one a line; with `--quiet` the file only. `text` is what was given back.
pub(crate) fn print_made(
    session: &SessionManager,
    text: Option<&str>,
    app: &mut App,
) -> Result<()> {
    if app.globals.json {
        return Ok(app.out.json(&object(session).opt_str("text", text).end())?);
    }
    let file = session.session_file().map(Path::to_string_lossy).unwrap_or_default();
    app.out.line(&Line::new().plain(file))?;
    if !app.globals.quiet {
        app.out.line(&Line::new().plain(session.session_id()))?;
    }
    match text.filter(|text| !text.is_empty()) {
        Some(text) if !app.globals.quiet => {
            app.out.gap()?;
            print_text(text, app)
        }
        _ => Ok(()),
    }
}

/// Prints a text of several lines.
pub(crate) fn print_text(text: &str, app: &mut App) -> Result<()> {
    for line in text.lines() {
        app.out.line(&Line::new().plain(line.replace('\t', "    ")))?;
    }
    Ok(())
}
