//! Entry ids in one string, found by hash: about 25 bytes an entry with ids of 8 characters.

use foldhash::quality::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Every id once, numbered in order of first appearance.
#[derive(Debug, Clone, Default)]
pub(super) struct IdTable {
    text: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl IdTable {
    /// The number of an id.
    pub(super) fn find(&self, id: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(id);
        self.table.find(hash, |number| self.text_of(*number) == id).copied()
    }

    /// The number of an id, and whether it is new.
    pub(super) fn insert(&mut self, id: &str) -> (u32, bool) {
        if let Some(number) = self.find(id) {
            return (number, false);
        }
        let number = u32::try_from(self.ends.len()).expect("fewer than 2^32 entries fit in memory");
        self.text.push_str(id);
        self.ends.push(self.text.len());
        let Self { text, ends, table, hasher } = self;
        let rehash = |number: &u32| hasher.hash_one(slice(text, ends, *number));
        table.insert_unique(hasher.hash_one(id), number, rehash);
        (number, true)
    }

    /// The id of a number.
    pub(super) fn text_of(&self, number: u32) -> &str {
        slice(&self.text, &self.ends, number)
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], number: u32) -> &'a str {
    let at = number as usize;
    let start = at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    let end = ends.get(at).copied().unwrap_or(start);
    text.get(start..end).unwrap_or_default()
}
