//! What every command is given: the global options, the streams, and what the environment says.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use logwood::error::Error;
use logwood::session::{Elsewhere, Holder, SessionManager, SessionOptions, live_sessions};
use logwood::storage::LocalStorage;
use logwood_catalog::filter::{Filter, Surroundings};

use crate::args::{Alone, Globals};
use crate::error::Result;
use crate::now::now_ms;
use crate::output::{Clockface, Line, Stream, style};
use crate::session_ref;
use crate::stores::Stores;
use crate::writing;

/// The widest column of ids; longer ids are cut, and their start is enough to name an entry.
const ID_COLUMNS: usize = 12;

/// A session that is about to be changed.
pub(crate) struct Target {
    pub(crate) options: SessionOptions,
    pub(crate) path: PathBuf,
    /// Who else has it open.
    pub(crate) elsewhere: Elsewhere,
}

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
        self.open_path(&self.find(word)?)
    }

    /// Opens the session in a file, to read it.
    pub(crate) fn open_path(&self, path: &Path) -> Result<SessionManager> {
        Ok(SessionOptions::new().read_only(true).open(path)?)
    }

    /// Opens the session that a word names, to change it.
    pub(crate) fn open_to_write(
        &mut self,
        word: &OsStr,
        alone: Alone,
    ) -> Result<(SessionManager, Elsewhere)> {
        let target = self.target(word, alone)?;
        Ok((target.options.open(target.path)?, target.elsewhere))
    }

    /// The file that a word names, and how it is changed: what is appended is on the disk when it is reported.
    pub(crate) fn target(&mut self, word: &OsStr, alone: Alone) -> Result<Target> {
        let stores = Stores::new(&self.globals);
        let path = session_ref::resolve(word, &stores)?;
        let options = writing::options().fallback_cwd(stores.cwd());
        let elsewhere = self.elsewhere(&path, alone.exclusive)?;
        Ok(Target { options, path, elsewhere })
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

    /// Who else has a session open that is about to be changed: said as a warning, and refused where it must be open here alone. Keep
    /// the answer until the change is done.
    ///
    /// # Errors
    /// `locked`, naming the holder, where it must be open here alone; when the warning cannot be written.
    pub(crate) fn elsewhere(&mut self, path: &Path, exclusive: bool) -> Result<Elsewhere> {
        if exclusive {
            return writing::alone(path);
        }
        let asking = SessionOptions::new().presence(writing::runtime_dir(), "logwood");
        let elsewhere = asking.elsewhere(path)?;
        let warning = |holder| {
            format!(
                "the session is open elsewhere, in {holder}; both go on, each on its own branch"
            )
        };
        self.warn(elsewhere.holders.iter().map(warning))?;
        Ok(elsewhere)
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

    /// Reads a query, by the clock and the zone of the machine.
    ///
    /// # Errors
    /// What is wrong with it, where, and what to do.
    pub(crate) fn filter(&self, query: &str) -> Result<Filter> {
        let surroundings =
            Surroundings { now_ms: now_ms(), zone: self.clock.zone(), home: self.home() };
        Ok(Filter::parse(query, &surroundings).map_err(Error::from)?)
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
