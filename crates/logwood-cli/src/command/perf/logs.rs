//! The logs of the stores.

use std::path::PathBuf;
use std::sync::Arc;

use logwood::performance::PerformanceLog;

use crate::error::Result;
use crate::now::Now;
use crate::stores::Stores;

/// The log of a store.
pub(super) struct StoreLog {
    pub(super) store: String,
    pub(super) log: PerformanceLog,
    /// Whether there is a file.
    pub(super) exists: bool,
}

/// The log at a path, by the clock of the program.
pub(crate) fn log_at(stores: &Stores, path: PathBuf) -> PerformanceLog {
    PerformanceLog::new(path).storage(Arc::clone(stores.storage())).clock(Arc::new(Now))
}

/// The logs of all stores, be they there or not.
///
/// # Errors
/// When a directory that was asked for is not there.
pub(super) fn all(stores: &Stores) -> Result<Vec<StoreLog>> {
    stores.require_some()?;
    let of_site = |site: &crate::stores::Site| {
        let path = site.store.dir.performance_log();
        let exists = stores.storage().metadata(&path).is_ok();
        StoreLog { store: site.store.name.clone(), log: log_at(stores, path), exists }
    };
    Ok(stores.sites().iter().map(of_site).collect())
}
