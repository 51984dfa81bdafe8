//! Which lines of a file belong to one session (newer-dialects, "multi-header files"; cases 15, 16, 22).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::entry::{RecordKind, SessionHeader};
use crate::json::Raw;
use crate::migration::Steps;

use super::pieces::Unit;

/// The units of a file by session, the one that keeps the file first.
pub(super) struct Grouping {
    /// For each session the numbers of its units, in file order.
    pub(super) groups: Vec<Vec<usize>>,
}

/// What stands between two headers; the first one is what stands before any.
struct Sections {
    /// The section of each unit.
    of_unit: Vec<usize>,
    /// The header of each section but the first.
    headers: Vec<SessionHeader>,
}

impl Sections {
    fn of(units: &[Unit<'_>]) -> Self {
        let mut headers = Vec::new();
        let of_unit = units.iter().map(|unit| {
            headers.extend(unit.record().and_then(|record| record.header()));
            headers.len()
        });
        Self { of_unit: of_unit.collect(), headers }
    }
}

impl Grouping {
    /// Groups the units of a file; `named` is the session id in the name of the file.
    pub(super) fn of(units: &[Unit<'_>], named: Option<&str>) -> Self {
        let sections = Sections::of(units);
        let mut union = Union::new(sections.headers.len() + 1);
        if !sections.headers.is_empty() {
            join_same_ids(&sections, &mut union);
            join_linked(units, &sections, &mut union);
            join_the_start(units, &sections, &mut union, named);
            join_without_version(units, &sections, &mut union);
            join_without_entries(units, &sections, &mut union);
        }
        Self { groups: collect(&sections, &mut union) }
    }
}

/// The same header again is the same session.
fn join_same_ids(sections: &Sections, union: &mut Union) {
    let mut first = HashMap::new();
    for (at, header) in sections.headers.iter().enumerate() {
        let seen = *first.entry(header.id()).or_insert(at + 1);
        union.join(seen, at + 1);
    }
}

/// An entry that hangs on one before another header shows that this header begins nothing (case 15).
fn join_linked(units: &[Unit<'_>], sections: &Sections, union: &mut Union) {
    let entries = || {
        let both = units.iter().zip(&sections.of_unit);
        both.filter_map(|(unit, section)| {
            unit.record().filter(|r| r.is_entry()).map(|r| (r, *section))
        })
    };
    let mut places: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut own: HashSet<(usize, Cow<'_, str>)> = HashSet::new();
    for (record, section) in entries() {
        if let Some(id) = record.id.and_then(Raw::as_str) {
            places.entry(id.clone()).or_insert(section);
            own.insert((section, id));
        }
    }
    for (record, section) in entries() {
        let Some(parent) = record.parent.and_then(Raw::as_str) else { continue };
        if let Some(place) = places.get(&parent).copied()
            && !own.contains(&(section, parent))
        {
            union.join(place, section);
        }
    }
}

/// What stands before the first header belongs to the session whose header it lost, if that is in the file: the one the file is
/// named after, else the first, unless the remains of another header show that it had one of its own.
fn join_the_start(units: &[Unit<'_>], sections: &Sections, union: &mut Union, named: Option<&str>) {
    if (1..=sections.headers.len()).any(|section| union.is_joined(0, section)) {
        return;
    }
    let start = || units.iter().zip(&sections.of_unit).filter(|(_, section)| **section == 0);
    let has_entries = start().any(|(unit, _)| unit.is_entry());
    let had_a_header = start().any(|(unit, _)| unit.is_broken_header());
    let same = sections.headers.iter().position(|header| Some(header.id()) == named);
    match same {
        Some(at) if has_entries => union.join(0, at + 1),
        None if has_entries && had_a_header && named.is_some() => {}
        _ => union.join(0, 1),
    }
}

/// A header of version 1 or of none before entries with ids is a spoilt one: by itself it would give them all other ids.
fn join_without_version(units: &[Unit<'_>], sections: &Sections, union: &mut Union) {
    for (unit, section) in units.iter().zip(&sections.of_unit) {
        let header = section.checked_sub(1).and_then(|at| sections.headers.get(at));
        let is_old = header.is_some_and(|header| Steps::of(header) == Steps::AssignIds);
        if is_old && unit.record().is_some_and(|record| record.kind == RecordKind::Entry) {
            union.join(0, *section);
        }
    }
}

/// A header without entries is no session worth a file; where the first is one, the entries after it stay where they show now.
fn join_without_entries(units: &[Unit<'_>], sections: &Sections, union: &mut Union) {
    let mut has_entries = vec![false; sections.headers.len() + 1];
    for (unit, section) in units.iter().zip(&sections.of_unit) {
        if let Some(has) = has_entries.get_mut(union.root(*section)).filter(|_| unit.is_entry()) {
            *has = true;
        }
    }
    let has = |root: usize| has_entries.get(root).copied().unwrap_or(true);
    if let Some(first) = (1..has_entries.len()).find(|root| !has(union.root(0)) && has(*root)) {
        union.join(0, first);
    }
    for section in 1..has_entries.len() {
        let root = union.root(section);
        if !has(root) {
            union.join(0, root);
        }
    }
}

fn collect(sections: &Sections, union: &mut Union) -> Vec<Vec<usize>> {
    let mut number: HashMap<usize, usize> = HashMap::from([(union.root(0), 0)]);
    let mut groups = vec![Vec::new()];
    for (at, section) in sections.of_unit.iter().enumerate() {
        let next = groups.len();
        let group = *number.entry(union.root(*section)).or_insert(next);
        if group == next {
            groups.push(Vec::new());
        }
        if let Some(group) = groups.get_mut(group) {
            group.push(at);
        }
    }
    groups
}

/// Sets that are joined; near linear.
#[derive(Debug)]
pub(super) struct Union(Vec<usize>);

impl Union {
    pub(super) fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    /// The member that stands for the set of `at`: the smallest one.
    pub(super) fn root(&mut self, mut at: usize) -> usize {
        while let Some(up) = self.0.get(at).copied().filter(|up| *up != at) {
            let above = self.0.get(up).copied().unwrap_or(up);
            if let Some(slot) = self.0.get_mut(at) {
                *slot = above;
            }
            at = above;
        }
        at
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(slot) = self.0.get_mut(a.max(b)) {
            *slot = a.min(b);
        }
    }

    pub(super) fn is_joined(&mut self, a: usize, b: usize) -> bool {
        self.root(a) == self.root(b)
    }
}
