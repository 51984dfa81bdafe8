//! Where sessions are looked for, and what is there: the one place that lists sessions for the command.

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use logwood::error::{Error, ErrorKind};
use logwood::inventory::{
    FileProblem, Inventory, Listing, Place, ProgressFn, SessionFile, SessionInfo, SessionKind,
    files_with_id, read_settings,
};
use logwood::location::{
    Environment, HostInventory, Layout, RootChoice, RootRequest, RootSource, Settings, Store,
    StoreOrigin, TranscriptSetting,
};
use logwood::problem::ProblemKind;
use logwood::storage::{FileKind, LocalStorage, Storage};

use logwood_catalog::catalog::{Catalogs, Page};

use crate::args::Globals;
use crate::catalogs::{self, CatalogSite};
use crate::error::{CommandError, Result};
use crate::hook;
use crate::now::now_ms;
use crate::transcripts::Transcripts;

/// More threads than this read no faster, and each holds a file open.
const MOST_THREADS: usize = 8;

/// How many threads read files.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MOST_THREADS)
}

/// The stores that the options and the environment name, and what each of them says about where sessions go.
pub(crate) struct Stores {
    environment: Environment,
    agent_dirs: Vec<OsString>,
    session_dir: Option<OsString>,
    hook: Option<OsString>,
    /// The directory of the process, from which paths are shown.
    base: PathBuf,
    cwd: PathBuf,
    storage: Arc<dyn Storage>,
    sites: OnceCell<Vec<Site>>,
    hook_answer: OnceCell<Option<OsString>>,
    hook_warning: RefCell<Option<String>>,
    /// Sessions are read from their files each time.
    no_catalog: bool,
}

/// A directory that the own variable of a program names, and that is none.
pub(crate) struct Unmet {
    /// The variable.
    pub(crate) variable: &'static str,
    /// The directory, and what is wrong.
    pub(crate) problem: FileProblem,
}

impl Unmet {
    /// What to do.
    pub(crate) fn advice(&self) -> String {
        format!("correct or unset {}", self.variable)
    }
}

/// One store, its settings, and the roots that follow.
pub(crate) struct Site {
    /// The store.
    pub(crate) store: Store,
    /// Its settings and those of the project.
    pub(crate) settings: Settings,
    /// Where the project's sessions go.
    pub(crate) choice: RootChoice,
    /// What the dashboard would count as all sessions.
    pub(crate) host: HostInventory,
    /// Where transcripts of subagents go.
    pub(crate) transcripts: TranscriptSetting,
}

/// Which sessions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Those of the project directory.
    Project,
    /// All.
    All,
    /// All by the dashboard's rule.
    Host,
}

impl Stores {
    /// Reads options and environment; looks at no store yet.
    pub(crate) fn new(globals: &Globals) -> Self {
        let environment = Environment::new(std::env::home_dir(), std::env::vars_os());
        let base = std::env::current_dir().unwrap_or_default();
        let cwd = globals.cwd.as_ref().and_then(|dir| environment.resolve_root(dir, &base));
        Self {
            environment,
            agent_dirs: globals.agent_dir.clone(),
            session_dir: globals.session_dir.clone(),
            hook: globals.session_dir_hook.clone(),
            // Without a separator at its end, as the programs name their folders after it.
            cwd: cwd.unwrap_or_else(|| base.clone()).components().collect(),
            base,
            storage: Arc::new(LocalStorage),
            sites: OnceCell::new(),
            hook_answer: OnceCell::new(),
            hook_warning: RefCell::new(None),
            no_catalog: globals.no_catalog,
        }
    }

    /// A path as it is shown and opened: without the directory of the process where it lies below it.
    pub(crate) fn shorten(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.base).unwrap_or(path).to_path_buf()
    }

    /// The project directory.
    pub(crate) fn cwd(&self) -> String {
        self.cwd.to_string_lossy().into_owned()
    }

    /// The project directory as a path.
    pub(crate) fn cwd_path(&self) -> &Path {
        &self.cwd
    }

    /// The directory of `--session-dir`.
    pub(crate) fn named_dir(&self) -> Option<PathBuf> {
        self.environment.resolve_root(self.session_dir.as_deref()?, &self.cwd)
    }

    /// The storage that everything is read through.
    pub(crate) fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    /// The environment as far as it names stores.
    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The stores that are there, and those that were asked for; with a session directory one is enough.
    pub(crate) fn sites(&self) -> &[Site] {
        self.sites.get_or_init(|| {
            let (there, gone): (Vec<_>, _) =
                self.candidates().into_iter().partition(|store| self.is_wanted(store));
            // A directory that somebody names is looked at on a machine without any store too.
            let lone = gone.into_iter().next().filter(|_| there.is_empty());
            let named = self.session_dir.is_some() || self.hook.is_some();
            let stores = there.into_iter().chain(lone.filter(|_| named));
            stores.map(|store| self.site(store)).collect()
        })
    }

    /// The stores that are not there and of which there is something to say: a variable names them, or there is no other.
    pub(crate) fn absent_sites(&self) -> Vec<Site> {
        let none = self.sites().is_empty();
        let known = |store: &Store| self.sites().iter().any(|site| site.store.dir == store.dir);
        let named = |store: &Store| matches!(store.origin, StoreOrigin::Variable(_));
        let stores = self.candidates().into_iter();
        let absent = stores.filter(|store| !known(store) && (none || named(store)));
        absent.map(|store| self.site(store)).collect()
    }

    /// Every store that is looked for.
    fn candidates(&self) -> Vec<Store> {
        self.environment.stores(&self.agent_dirs, &self.base)
    }

    /// The one store of `rpc`: the first that was asked for, else dreb's (rule L11).
    pub(crate) fn one_site(&self) -> Option<Site> {
        let store = self.environment.one_store(&self.agent_dirs, &self.base)?;
        Some(self.site(store))
    }

    fn is_wanted(&self, store: &Store) -> bool {
        let named = store.origin.is_asked_for() || store.session_dir_variable.is_some();
        named
            || self.storage.metadata(store.dir.path()).is_ok_and(|file| file.kind == FileKind::Dir)
    }

    fn site(&self, store: Store) -> Site {
        let settings = read_settings(&*self.storage, &store, &self.cwd);
        let cwd = self.cwd();
        let request = RootRequest {
            environment: &self.environment,
            store: &store,
            settings: &settings,
            base: &self.cwd,
            cwd: &cwd,
            session_dir: self.session_dir.as_deref(),
        };
        let answer = || self.hook_answer.get_or_init(|| self.ask_hook()).clone();
        let choice = RootChoice::new(&request, |_| answer());
        let host = HostInventory::new(&self.environment, &store, &settings, &self.base);
        let transcripts = TranscriptSetting::new(&self.environment, &store, &settings);
        Site { store, settings, choice, host, transcripts }
    }

    fn ask_hook(&self) -> Option<OsString> {
        let command = self.hook.as_deref()?;
        match hook::ask(command, &self.cwd) {
            Ok(answer) => answer,
            Err(why) => {
                self.hook_warning.replace(Some(why));
                None
            }
        }
    }

    /// Why the hook failed, if it did.
    pub(crate) fn hook_warning(&self) -> Option<String> {
        self.hook_warning.borrow().clone()
    }

    /// What was odd about hook and settings, one sentence each.
    pub(crate) fn warnings(&self, sites: &[Site]) -> Vec<String> {
        let mut warnings: Vec<String> = Vec::new();
        for problem in sites.iter().flat_map(|site| site.settings.problems()) {
            let text = problem.to_string();
            if !warnings.contains(&text) {
                warnings.push(text);
            }
        }
        warnings.extend(self.hook_warning());
        warnings
    }

    /// The roots of a scope, each once.
    pub(crate) fn places(&self, scope: Scope) -> Vec<Place> {
        let mut seen = HashSet::new();
        let places = self.sites().iter().map(|site| site.place(scope));
        places.filter(|place| seen.insert((place.root.clone(), place.layout))).collect()
    }

    /// The directories that are looked at for all sessions.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        self.places(Scope::All).into_iter().map(|place| place.root).collect()
    }

    /// Where the transcripts of subagents of every store lie, for sessions of a working directory; each root once.
    pub(crate) fn transcript_roots(&self, cwd: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for site in self.sites() {
            for root in site.transcripts.at(cwd).all() {
                if !found.iter().any(|other| other == root) {
                    found.push(root.to_path_buf());
                }
            }
        }
        found
    }

    /// The name of the store that a file lies in; empty where it lies in none.
    pub(crate) fn store_of(&self, file: &Path) -> Arc<str> {
        let holds = |site: &&Site| {
            let roots = site.transcripts.at(&self.cwd);
            [site.store.dir.path(), &site.choice.inventory().root]
                .into_iter()
                .chain(roots.all())
                .any(|root| file.starts_with(root))
        };
        self.sites().iter().find(holds).map_or_else(|| Arc::from(""), Site::store_name)
    }

    /// The same with the name of each store, for sessions of several working directories.
    pub(crate) fn transcript_places(&self, cwds: &[&Path]) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for (site, cwd) in
            self.sites().iter().flat_map(|site| cwds.iter().map(move |cwd| (site, cwd)))
        {
            for root in site.transcripts.at(cwd).all() {
                if places.iter().all(|place| place.root != root) {
                    places.push(Place::new(&site.store_name(), root, Layout::Nested));
                }
            }
        }
        places
    }

    /// A store of that name must be there, where one is named.
    ///
    /// # Errors
    /// `not_found` with the names that there are.
    pub(crate) fn require_store(&self, wanted: Option<&str>, scope: Scope) -> Result<()> {
        let Some(wanted) = wanted else { return Ok(()) };
        let places = self.places(scope);
        if places.iter().any(|place| &*place.store == wanted) {
            return Ok(());
        }
        let mut names: Vec<_> = places.iter().map(|place| &*place.store).collect();
        names.dedup();
        let message = format!("there is no store called `{wanted}`");
        Err(CommandError::new(ErrorKind::NotFound, message)
            .hint(format!("the stores here are: {}", names.join(", "))))
    }

    /// What lists roots; unlike this it can be handed to another thread.
    pub(crate) fn lister(&self) -> Lister {
        let inventory =
            Inventory::new().storage(Arc::clone(&self.storage)).threads(threads()).now_ms(now_ms());
        let catalogs = if self.no_catalog { Vec::new() } else { self.catalog_sites() };
        let storage = Arc::clone(&self.storage);
        Lister { inventory, cwd: self.cwd(), storage, catalogs, troubles: Mutex::default() }
    }

    /// The file of the session with this id, if there is exactly one; only headers are read.
    pub(crate) fn file_of(&self, id: &str) -> Option<PathBuf> {
        <[PathBuf; 1]>::try_from(self.files_of(id)).ok().map(|[file]| file)
    }

    /// The files of all sessions with this id, where there is none those of transcripts of subagents; only headers are read.
    pub(crate) fn files_of(&self, id: &str) -> Vec<PathBuf> {
        let files = files_with_id(&*self.storage, &self.places(Scope::All), id);
        if !files.is_empty() {
            return files;
        }
        let transcripts = Transcripts::read(self, None);
        let own = transcripts.rows().iter().filter(|row| row.header.id() == id);
        own.map(|row| row.path.clone()).collect()
    }

    fn rows(&self, scope: Scope) -> Vec<SessionInfo> {
        self.lister().list(&self.places(scope), scope, &go_on).sessions
    }

    /// How many files and folders of all stores cannot be read, so that what they hold is not found.
    pub(crate) fn unreadable(&self) -> usize {
        let found = self.lister().list(&self.places(Scope::All), Scope::All, &go_on);
        let unread = |problem: &&FileProblem| problem.kind == ProblemKind::UnreadableFile;
        found.problems.iter().filter(unread).count()
    }

    /// The directories that were asked for and are not there, or are no directories.
    pub(crate) fn absent(&self) -> Vec<FileProblem> {
        let by_option = |site: &&Site| site.choice.source() == RootSource::Option;
        let asked = |site: &&Site| site.store.origin.is_asked_for();
        let sites = self.sites();
        let mut wanted: Vec<PathBuf> = match sites.iter().find(by_option) {
            Some(site) => vec![site.choice.dir().to_path_buf()],
            None => sites.iter().filter(asked).map(|site| site.store.dir.path().into()).collect(),
        };
        wanted.dedup();
        wanted.into_iter().filter_map(|dir| self.fault_of(dir)).collect()
    }

    /// The directories that the own variables of the programs name and that are none, so that their sessions are missing;
    /// with `--session-dir` nobody looks there.
    pub(crate) fn unmet(&self) -> Vec<Unmet> {
        if self.named_dir().is_some() {
            return Vec::new();
        }
        let agent_dirs = self.candidates().into_iter().filter_map(|store| match store.origin {
            _ if store.origin.is_asked_for() => None,
            StoreOrigin::Variable(name) => Some((name, store.dir.path().to_path_buf())),
            _ => None,
        });
        let by_variable = |site: &&Site| site.choice.source() == RootSource::Variable;
        let flat = self.sites().iter().filter(by_variable);
        let flat = flat.map(|site| (Environment::PI_SESSION_DIR, site.choice.dir().to_path_buf()));
        let unmet = agent_dirs.chain(flat).filter_map(|(variable, dir)| {
            let problem = self.fault_of(dir)?;
            let why = format!("{variable} names it, and {}", problem.why);
            Some(Unmet { variable, problem: FileProblem { why, ..problem } })
        });
        unmet.collect()
    }

    /// A sentence for each of them.
    pub(crate) fn unmet_warnings(&self) -> Vec<String> {
        let text = |unmet: Unmet| {
            let FileProblem { path, why, .. } = &unmet.problem;
            format!("{}: {why}; {}", path.display(), unmet.advice())
        };
        self.unmet().into_iter().map(text).collect()
    }

    fn fault_of(&self, path: PathBuf) -> Option<FileProblem> {
        let (error, why) = match self.storage.metadata(&path) {
            Ok(file) if file.kind == FileKind::Dir => return None,
            Ok(_) => (ErrorKind::NotAFile, "it is no directory".to_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                (ErrorKind::NotFound, "there is no such directory".to_owned())
            }
            Err(error) => (ErrorKind::of_io(&error), error.to_string()),
        };
        Some(FileProblem { path, kind: ProblemKind::UnreadableFile, error, why })
    }

    /// An error where nothing of what was asked for can be looked at.
    ///
    /// # Errors
    /// That of the first directory, if all of them are missing.
    pub(crate) fn require_some(&self) -> Result<()> {
        let absent = self.absent();
        let asked = self.sites().iter().filter(|site| site.store.origin.is_asked_for()).count();
        let by_option = self.sites().iter().any(|site| site.choice.source() == RootSource::Option);
        let all = if by_option { 1 } else { asked };
        match absent.first() {
            Some(first) if absent.len() >= all => {
                let hint = "check the path; without --agent-dir and --session-dir every store that is found is used";
                Err(Error::new(first.error, "cannot look for sessions in")
                    .with_path(&first.path)
                    .with_why(&first.why)
                    .with_hint(hint)
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// The folder for a new session of the project: in the store around `beside`, else in the first of all.
    ///
    /// # Errors
    /// `not_found` where there is no store and none can be made.
    pub(crate) fn folder(&self, beside: Option<&Path>) -> Result<PathBuf> {
        let around =
            |path: &Path| self.sites().iter().find(|site| path.starts_with(site.store.dir.path()));
        if let Some(site) = beside.and_then(around).or(self.sites().first()) {
            return Ok(site.choice.dir().to_path_buf());
        }
        let made = self.one_site().map(|site| site.choice.dir().to_path_buf());
        made.or_else(|| self.named_dir()).ok_or_else(no_store)
    }

    /// The folder below which new transcripts of the project's sessions go, in the first store.
    ///
    /// # Errors
    /// `not_found` where there is no store and none can be made.
    pub(crate) fn transcript_root(&self) -> Result<PathBuf> {
        let root = |site: &Site| site.transcripts.at(&self.cwd).for_new().to_path_buf();
        let first = self.sites().first().map(root);
        first.or_else(|| self.one_site().as_ref().map(root)).ok_or_else(no_store)
    }

    /// Every session of every store, subagents' included, the last active first.
    ///
    /// # Errors
    /// When a directory that was asked for is not there.
    pub(crate) fn sessions(&self) -> Result<Vec<SessionInfo>> {
        self.require_some()?;
        Ok(self.rows(Scope::All))
    }

    /// The sessions of the project directory without subagents', the last active first.
    ///
    /// # Errors
    /// When a directory that was asked for is not there.
    pub(crate) fn sessions_of_project(&self) -> Result<Vec<SessionInfo>> {
        self.require_some()?;
        let mut sessions = self.rows(Scope::Project);
        sessions.retain(|session| session.kind != SessionKind::Subagent);
        Ok(sessions)
    }
}

fn no_store() -> CommandError {
    let message = "no store of sessions was found, and no home directory to make one in";
    CommandError::new(ErrorKind::NotFound, message)
        .hint("name one with --agent-dir or --session-dir")
}

/// Lists roots for one working directory.
pub(crate) struct Lister {
    inventory: Inventory,
    cwd: String,
    storage: Arc<dyn Storage>,
    catalogs: Vec<CatalogSite>,
    troubles: Mutex<Vec<String>>,
}

impl Lister {
    /// The sessions below the roots that belong to the scope.
    pub(crate) fn list(&self, places: &[Place], scope: Scope, progress: ProgressFn<'_>) -> Listing {
        let cwd = (scope == Scope::Project).then_some(self.cwd.as_str());
        let Some(catalogs) = self.open_catalogs(places) else {
            return self.inventory.list_places(places, cwd, progress);
        };
        let listing = self.inventory.list_known_places(places, cwd, &catalogs, progress);
        catalogs.finish();
        self.tell(catalogs.troubles());
        listing
    }

    /// The first rows of all sessions as the catalogs know them; none where a listing is needed.
    pub(crate) fn first_page(&self, places: &[Place], limit: usize) -> Option<Page> {
        self.open_catalogs(places)?.page(places, limit, now_ms())
    }

    /// Why catalogs could not be used, a sentence for each.
    pub(crate) fn troubles(&self) -> Vec<String> {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// None where nothing of it is wanted.
    fn open_catalogs(&self, places: &[Place]) -> Option<Catalogs> {
        if self.catalogs.is_empty() {
            return None;
        }
        let roots = places.iter().map(|place| place.root.as_path());
        let (catalogs, troubles) = catalogs::open(&self.catalogs, roots, &self.storage);
        self.tell(troubles);
        Some(catalogs)
    }

    fn tell(&self, troubles: Vec<String>) {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).extend(troubles);
    }

    /// The rows of certain files.
    pub(crate) fn list_files(&self, files: Vec<SessionFile>, progress: ProgressFn<'_>) -> Listing {
        self.inventory.list_files(files, progress)
    }
}

impl Site {
    /// The root of a scope. A directory that an option or a hook names belongs to no store.
    pub(crate) fn place(&self, scope: Scope) -> Place {
        let mut place = match scope {
            Scope::Project => Place::of_project(&self.store, &self.choice),
            Scope::All => Place::of_all(&self.store, &self.choice),
            Scope::Host => {
                let inventory = self.host.inventory();
                return Place::new(&self.store.name, &inventory.root, inventory.layout);
            }
        };
        place.store = self.store_name();
        place
    }

    /// The name that rows of this store carry; none where an option or a hook names the directory.
    pub(crate) fn store_name(&self) -> Arc<str> {
        let outside = matches!(self.choice.source(), RootSource::Option | RootSource::Hook);
        Arc::from(if outside { "" } else { &*self.store.name })
    }
}

/// Listens to no progress.
pub(crate) fn go_on(_: logwood::inventory::Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
