//! Entry ids in one string, found by hash: about 25 bytes an entry with ids of 8 characters.

use foldhash::quality::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
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
        // Most parents are the entry just before.
        let last = self.ends.len().checked_sub(1).map(|last| last as u32);
        if let Some(last) = last.filter(|last| self.text_of(*last) == id) {
            return Some(last);
        }
        let hash = self.hasher.hash_one(id);
        self.table.find(hash, |number| self.text_of(*number) == id).copied()
    }

    /// The number of an id, and whether it is new.
    pub(super) fn insert(&mut self, id: &str) -> (u32, bool) {
        let Self { text, ends, table, hasher } = self;
        let same = |number: &u32| slice(text, ends, *number) == id;
        let rehash = |number: &u32| hasher.hash_one(slice(text, ends, *number));
        let vacant = match table.entry(hasher.hash_one(id), same, rehash) {
            Entry::Occupied(known) => return (*known.get(), false),
            Entry::Vacant(vacant) => vacant,
        };
        let number = u32::try_from(ends.len()).expect("fewer than 2^32 entries fit in memory");
        vacant.insert(number);
        text.push_str(id);
        ends.push(text.len());
        (number, true)
    }

    /// Makes room for about this many more ids.
    pub(super) fn reserve(&mut self, count: usize) {
        let Self { text, ends, table, hasher } = self;
        table.reserve(count, |number| hasher.hash_one(slice(text, ends, *number)));
        ends.reserve(count);
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
