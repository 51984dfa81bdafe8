//! What a session is told of the outside, and how careful it is.

use std::sync::Arc;

use crate::env::{Clock, IdSource, RandomIds, SystemClock};
use crate::storage::{Durability, LocalStorage, Storage};

use super::options::FirstWrite;
use super::presence::Announcing;

/// The seams and choices of a session.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) durability: Durability,
    pub(super) first_write: FirstWrite,
    /// Where a session announces that it is open.
    pub(super) presence: Option<Announcing>,
    /// Whether a thread may write large new files.
    pub(super) background_writes: bool,
    /// Whether a session that another process has open is refused.
    pub(super) exclusive: bool,
}

impl Default for World {
    fn default() -> Self {
        Self {
            storage: Arc::new(LocalStorage),
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
            durability: Durability::default(),
            first_write: FirstWrite::default(),
            presence: None,
            background_writes: false,
            exclusive: false,
        }
    }
}

impl World {
    pub(super) fn is_synced(&self) -> bool {
        self.durability == Durability::Synced
    }
}
