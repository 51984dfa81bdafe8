use std::path::PathBuf;
use std::sync::Arc;

use crate::location::{Layout, RootChoice, Store, StoreKind};

/// A root to list, and the store that it belongs to.
///
/// ```
/// use logwood::inventory::Place;
/// use logwood::location::Layout;
///
/// let place = Place::new("laptop", "/mnt/laptop/.dreb/agent/sessions", Layout::Nested);
/// assert_eq!(&*place.store, "laptop");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The name of the store, which its rows carry.
    pub store: Arc<str>,
    /// The root.
    pub root: PathBuf,
    /// Whether the files lie in the root, or in folders one below it.
    pub layout: Layout,
}

impl Place {
    /// A root of a store.
    pub fn new(store: &str, root: impl Into<PathBuf>, layout: Layout) -> Self {
        Self { store: store.into(), root: root.into(), layout }
    }

    /// Where the sessions of one project lie: the folder that was chosen for it.
    ///
    /// oh-my-pi names its folders by a rule of its own (rule L13), so there the whole store is looked through, and the header decides.
    pub fn of_project(store: &Store, choice: &RootChoice) -> Self {
        let whole = store.dir.kind() == StoreKind::OhMyPi && choice.layout() == Layout::Nested;
        if whole {
            return Self::of_all(store, choice);
        }
        Self::new(&store.name, choice.dir(), Layout::Flat)
    }

    /// Where all sessions of the store lie (rule L24).
    pub fn of_all(store: &Store, choice: &RootChoice) -> Self {
        Self::new(&store.name, &choice.inventory().root, choice.layout())
    }
}
