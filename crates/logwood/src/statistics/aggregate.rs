use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::Arc;

use crate::inventory::SessionKind;

use super::{
    ModelName, Money, Period, Tokens, Totals, UsageKey, UsageOwner, UsageRecord, UsageSource,
};

/// What many sessions cost; every answer once, however many forks repeat it (case 64).
///
/// Sessions may be added in any order, the result is the same: an answer belongs to the oldest session that has it, and its branch is
/// abandoned only where it is so in every session that has it.
///
/// Memory grows with the number of answers, about 120 bytes each.
#[derive(Debug, Default)]
pub struct Statistics {
    pub(super) owners: Vec<UsageOwner>,
    /// For each owner the session that it worked for, where it is known.
    pub(super) parents: Vec<Option<usize>>,
    pub(super) answers: HashMap<UsageKey, Counted>,
    period: Period,
    copies: u64,
    without_time: u64,
}

/// One answer, or what else was paid for.
#[derive(Debug, Clone)]
pub(super) struct Counted {
    /// Which owner.
    pub(super) owner: u32,
    pub(super) time_ms: Option<i64>,
    pub(super) source: UsageSource,
    pub(super) model: Arc<ModelName>,
    pub(super) tokens: Tokens,
    pub(super) cost: Option<Money>,
    pub(super) current_branch: bool,
}

/// The records of one session that are in the period, with their keys: what can be made beside other sessions, before they are added.
#[derive(Debug)]
pub struct Prepared {
    answers: Vec<(UsageKey, Counted)>,
    without_time: u64,
}

impl Statistics {
    /// Of a period; of everything by default.
    pub fn of(period: Period) -> Self {
        Self { period, ..Self::default() }
    }

    /// Takes the records of a session.
    pub fn add(&mut self, owner: UsageOwner, records: &[UsageRecord]) {
        let prepared = Prepared::of(records, self.period);
        self.add_prepared(owner, prepared);
    }

    /// Takes the records of a session that were prepared for the same period.
    pub fn add_prepared(&mut self, owner: UsageOwner, prepared: Prepared) {
        let number = u32::try_from(self.owners.len()).unwrap_or(u32::MAX);
        self.owners.push(owner);
        self.parents.push(None);
        self.without_time += prepared.without_time;
        for (key, answer) in prepared.answers {
            self.count(key, Counted { owner: number, ..answer });
        }
    }

    fn count(&mut self, key: UsageKey, answer: Counted) {
        match self.answers.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(answer);
            }
            Entry::Occupied(mut entry) => {
                self.copies += 1;
                let known = entry.get_mut();
                known.current_branch |= answer.current_branch;
                if age(&self.owners, answer.owner) < age(&self.owners, known.owner) {
                    known.owner = answer.owner;
                }
            }
        }
    }

    /// Says which session a subagent's session worked for: both by their places in [`owners`](Self::owners).
    pub fn set_parent(&mut self, child: usize, parent: usize) {
        if let Some(slot) = self.parents.get_mut(child) {
            *slot = Some(parent);
        }
    }

    /// The sessions, in the order in which they were added.
    pub fn owners(&self) -> &[UsageOwner] {
        &self.owners
    }

    /// The period that counts.
    pub fn period(&self) -> Period {
        self.period
    }

    /// How many copies of answers were left out.
    pub fn copies_skipped(&self) -> u64 {
        self.copies
    }

    /// How many records were left out because they have no time, where a period is asked for.
    pub fn without_time(&self) -> u64 {
        self.without_time
    }

    /// All of it together.
    pub fn totals(&self) -> Totals {
        self.sum(|_| true)
    }

    /// What the answers of one session cost.
    pub fn totals_of(&self, owner: usize) -> Totals {
        self.sum(|answer| answer.owner as usize == owner)
    }

    fn sum(&self, wanted: impl Fn(&Counted) -> bool) -> Totals {
        let mut totals = Totals::default();
        for answer in self.answers.values().filter(|answer| wanted(answer)) {
            totals += self.totals_of_answer(answer);
        }
        totals
    }

    pub(super) fn totals_of_answer(&self, answer: &Counted) -> Totals {
        let owner = self.owners.get(answer.owner as usize);
        let of_subagent = owner.is_some_and(|owner| owner.kind == SessionKind::Subagent);
        Totals::of(answer.source, answer.tokens, answer.cost, answer.current_branch, of_subagent)
    }

    /// The session at the top of those that worked for one another; ends also where they make a loop.
    pub(super) fn top(&self, owner: usize) -> usize {
        let mut at = owner;
        for _ in 0..self.owners.len() {
            match self.parents.get(at).copied().flatten() {
                Some(parent) => at = parent,
                None => return at,
            }
        }
        owner
    }
}

/// What tells which of two sessions had an answer first.
fn age(owners: &[UsageOwner], owner: u32) -> Option<(i64, &Path)> {
    owners.get(owner as usize).map(|owner| (owner.created_ms, owner.path.as_path()))
}

impl Prepared {
    /// The records that are in a period.
    pub fn of(records: &[UsageRecord], period: Period) -> Self {
        let timeless = |record: &&UsageRecord| record.time_ms().is_none();
        let lost = !period.is_everything();
        Self {
            answers: records
                .iter()
                .filter(|record| period.holds(record.time_ms()))
                .map(|record| (record.key(), Counted::of(record)))
                .collect(),
            without_time: if lost { records.iter().filter(timeless).count() as u64 } else { 0 },
        }
    }
}

impl Counted {
    fn of(record: &UsageRecord) -> Self {
        Self {
            owner: 0,
            time_ms: record.time_ms(),
            source: record.source,
            model: Arc::clone(&record.model),
            tokens: record.tokens,
            cost: record.cost,
            current_branch: record.current_branch,
        }
    }
}
