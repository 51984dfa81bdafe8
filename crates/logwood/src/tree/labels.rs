//! Labels as they were set, moved and cleared (spec 2.3).

use std::collections::HashMap;

/// The label of each entry that has one.
///
/// The order is that of a JavaScript map: setting again keeps the place, clearing and setting moves to the end (L1 of spec 15).
#[derive(Debug, Clone, Default)]
pub struct Labels {
    by_target: HashMap<Box<str>, Label>,
    set: u64,
}

#[derive(Debug, Clone)]
struct Label {
    order: u64,
    text: Box<str>,
}

impl Labels {
    /// Replays one label entry: text sets, none or an empty text clears. The target need not exist.
    pub fn apply(&mut self, target: &str, label: Option<&str>) {
        let Some(text) = label.filter(|label| !label.is_empty()) else {
            self.by_target.remove(target);
            return;
        };
        self.set += 1;
        let new = Label { order: self.set, text: text.into() };
        let slot = self.by_target.entry(target.into()).or_insert(new);
        slot.text = text.into();
    }

    /// The label of the entry with this id.
    pub fn get(&self, target: &str) -> Option<&str> {
        self.by_target.get(target).map(|label| &*label.text)
    }

    /// Every pair of target and label, in map order.
    pub fn in_order(&self) -> Vec<(&str, &str)> {
        let mut all: Vec<_> = self.by_target.iter().collect();
        all.sort_by_key(|(_, label)| label.order);
        all.into_iter().map(|(target, label)| (&**target, &*label.text)).collect()
    }
}
