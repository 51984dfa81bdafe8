//! The transcripts of subagents of every store: headers first, rows only of those that are wanted.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use logwood::inventory::{FileProblem, HeaderRow, Listing, SessionFile, SessionInfo, read_headers};
use logwood::location::same_cwd;
use logwood::storage::Storage;
use logwood::transcript::Kinship;

use crate::stores::Stores;

/// The headers of transcripts, and the store that each belongs to.
pub(crate) struct Transcripts {
    storage: Arc<dyn Storage>,
    rows: Vec<HeaderRow>,
    stores: Vec<Arc<str>>,
    /// Folders and files that could not be read.
    pub(crate) problems: Vec<FileProblem>,
}

impl Transcripts {
    /// Reads the headers of all stores, or of the one of this name. Relative roots start at the project directory (rule L26).
    pub(crate) fn read(stores: &Stores, only: Option<&str>) -> Self {
        let mut found = Self {
            storage: Arc::clone(stores.storage()),
            rows: Vec::new(),
            stores: Vec::new(),
            problems: Vec::new(),
        };
        let mut seen = HashSet::new();
        for site in stores.sites() {
            let name = site.store_name();
            if only.is_some_and(|only| only != &*name) {
                continue;
            }
            let roots = site.transcripts.at(stores.cwd_path());
            let roots: Vec<PathBuf> = roots.all().map(|root| root.to_path_buf()).collect();
            let headers = read_headers(&*found.storage, &roots);
            found.problems.extend(headers.problems);
            for row in headers.rows {
                // Two stores may be configured to one root.
                if row.metadata.identity.is_none_or(|identity| seen.insert(identity)) {
                    found.rows.push(row);
                    found.stores.push(Arc::clone(&name));
                }
            }
        }
        found
    }

    /// Those that belong to the sessions of a listing: of all projects, or of one; without those that are listed already.
    pub(crate) fn beside(&self, listing: &Listing, project: Option<&str>) -> Vec<SessionFile> {
        let wanted = match project {
            None => (0..self.rows.len()).collect(),
            Some(cwd) => self.of_project(cwd, &listing.sessions),
        };
        let listed: HashSet<_> = listing.sessions.iter().map(|row| row.path.as_path()).collect();
        let mut files = self.files(wanted);
        files.retain(|file| !listed.contains(file.path.as_path()));
        files
    }

    /// The headers.
    pub(crate) fn rows(&self) -> &[HeaderRow] {
        &self.rows
    }

    /// Those of a project: of its sessions, however deep below, and those that ran in its directory.
    pub(crate) fn of_project(&self, cwd: &str, sessions: &[SessionInfo]) -> Vec<usize> {
        let kinship = Kinship::of(&*self.storage, &self.rows);
        let mut wanted: HashSet<usize> =
            sessions.iter().flat_map(|session| kinship.transcripts(&session.path)).collect();
        let here = |row: &HeaderRow| row.header.cwd().is_some_and(|own| same_cwd(&own, cwd));
        let rows = self.rows.iter().enumerate();
        wanted.extend(rows.filter(|(_, row)| here(row)).map(|(at, _)| at));
        let mut wanted: Vec<_> = wanted.into_iter().collect();
        wanted.sort_unstable();
        wanted
    }

    /// The files of some of them, to be listed.
    pub(crate) fn files(&self, places: Vec<usize>) -> Vec<SessionFile> {
        let file = |at: usize| {
            let (row, store) = (self.rows.get(at)?, self.stores.get(at)?);
            Some(SessionFile { path: row.path.clone(), store: Arc::clone(store), adopts: false })
        };
        places.into_iter().filter_map(file).collect()
    }
}
