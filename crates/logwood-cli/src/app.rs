//! What every command is given: the global options, the streams, and what the environment says.

use std::ffi::OsStr;
use std::path::PathBuf;

use logwood::session::{Holder, SessionManager, SessionOptions, live_sessions};
use logwood::storage::LocalStorage;

use crate::args::Globals;
use crate::error::Result;
use crate::output::{Clockface, Line, Stream, style};
use crate::session_ref;
use crate::stores::Stores;
use crate::writing;

/// The widest column of ids; longer ids are cut, and their start is enough to name an entry.
const ID_COLUMNS: usize = 12;

/// One run of the program.
pub(crate) struct App {
    /// The options that every command has.
    pub(crate) globals: Globals,
    /// Where results go.
    pub(crate) out: Stream,
    /// Where notes go.
    pub(crate) err: Stream,
    /// How times are shown.
    pub(crate) clock: Clockface,
}

impl App {
    /// Opens the session that a word names, to read it.
    pub(crate) fn open(&self, word: &OsStr) -> Result<SessionManager> {
        Ok(SessionOptions::new().read_only(true).open(self.find(word)?)?)
    }

    /// Opens the session that a word names, to change it.
    pub(crate) fn open_to_write(&self, word: &OsStr) -> Result<SessionManager> {
        let (options, path) = self.to_write(word)?;
        Ok(options.open(path)?)
    }

    /// The file that a word names, and how it is changed: what is appended is on the disk when it is reported.
    pub(crate) fn to_write(&self, word: &OsStr) -> Result<(SessionOptions, PathBuf)> {
        let stores = Stores::new(&self.globals);
        let path = session_ref::resolve(word, &stores)?;
        Ok((writing::options().fallback_cwd(stores.cwd()), path))
    }

    /// The file that a word names.
    pub(crate) fn find(&self, word: &OsStr) -> Result<PathBuf> {
        session_ref::resolve(word, &Stores::new(&self.globals))
    }

    /// The sessions that processes have open; a warning where nobody can tell.
    ///
    /// # Errors
    /// When the warning cannot be written.
    pub(crate) fn live(&mut self) -> Result<Vec<Holder>> {
        match live_sessions(&LocalStorage, writing::runtime_dir()) {
            Ok(holders) => Ok(holders),
            Err(error) => {
                self.warn([error.summary()])?;
                Ok(Vec::new())
            }
        }
    }

    /// Says sentences of warning on standard error.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub(crate) fn warn(&mut self, sentences: impl IntoIterator<Item = String>) -> Result<()> {
        for sentence in sentences {
            self.err.line(&Line::new().add(style::WARNING, "warning: ").plain(sentence))?;
        }
        Ok(())
    }

    /// The columns of a row of a table, and those of an id in it; nothing is cut where `--verbose` says so.
    pub(crate) fn row_columns(&self) -> (usize, usize) {
        if self.globals.verbose {
            (usize::MAX, usize::MAX)
        } else {
            (self.out.columns(), ID_COLUMNS)
        }
    }

    /// The home directory as text, which paths are shortened by.
    pub(crate) fn home(&self) -> Option<String> {
        std::env::home_dir()?.into_os_string().into_string().ok()
    }
}
