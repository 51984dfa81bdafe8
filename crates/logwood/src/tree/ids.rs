//! Entry ids in one string, found by hash: about 30 bytes an entry with ids of 8 characters.

use foldhash::quality::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::BuildHasher;

/// Every id once, numbered in order of first appearance.
#[derive(Debug, Clone, Default)]
pub(super) struct IdTable {
    text: String,
    ends: Vec<usize>,
    table: HashTable<Slot>,
    hasher: RandomState,
}

/// A number and the hash of its id, so that a table that grows asks no id again: they lie all over the memory, and a million of them
/// would be paid by one append.
#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

impl Slot {
    /// The bits by which the table finds its place and tells slots apart.
    fn spread(self) -> u64 {
        u64::from(self.hash) << 32 | u64::from(self.hash)
    }
}

impl IdTable {
    /// The number of an id.
    pub(super) fn find(&self, id: &str) -> Option<u32> {
        // Most parents are the entry just before.
        let last = self.ends.len().checked_sub(1).map(|last| last as u32);
        if let Some(last) = last.filter(|last| self.text_of(*last) == id) {
            return Some(last);
        }
        let wanted = self.slot(id, 0);
        let same = |slot: &Slot| slot.hash == wanted.hash && self.text_of(slot.number) == id;
        self.table.find(wanted.spread(), same).map(|slot| slot.number)
    }

    /// The number of an id, and whether it is new.
    pub(super) fn insert(&mut self, id: &str) -> (u32, bool) {
        let number = u32::try_from(self.ends.len()).expect("fewer than 2^32 entries fit in memory");
        let new = self.slot(id, number);
        let Self { text, ends, table, .. } = self;
        let same = |slot: &Slot| slot.hash == new.hash && slice(text, ends, slot.number) == id;
        match table.entry(new.spread(), same, |slot| slot.spread()) {
            Entry::Occupied(known) => return (known.get().number, false),
            Entry::Vacant(vacant) => drop(vacant.insert(new)),
        }
        text.push_str(id);
        ends.push(text.len());
        (number, true)
    }

    /// Makes room for about this many more ids.
    pub(super) fn reserve(&mut self, count: usize) {
        self.table.reserve(count, |slot| slot.spread());
        self.ends.reserve(count);
    }

    fn slot(&self, id: &str, number: u32) -> Slot {
        Slot { hash: self.hasher.hash_one(id) as u32, number }
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
