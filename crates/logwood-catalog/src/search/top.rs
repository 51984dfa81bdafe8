//! The best hits, and no more than are wanted.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::Hit;

/// Keeps the best hits that it is given.
#[derive(Debug)]
pub(super) struct Top {
    limit: usize,
    /// The worst of them first.
    hits: BinaryHeap<Reverse<Ranked>>,
}

/// By score, then the newer one, then the path, then the place in the file; so that the order is the same whoever finds them first.
#[derive(Debug)]
struct Ranked(Hit);

impl Ranked {
    fn key(&self) -> (i64, i64, Reverse<&std::path::Path>, Reverse<u64>) {
        let hit = &self.0;
        (hit.score, hit.time_ms.unwrap_or(i64::MIN), Reverse(&hit.path), Reverse(hit.line))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl Top {
    /// Keeps so many.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, hits: BinaryHeap::new() }
    }

    /// Whether a hit of this score and time may be among the best, so that it is worth its snippet.
    pub(super) fn wants(&self, score: i64, time_ms: Option<i64>) -> bool {
        let better = |worst: &Reverse<Ranked>| {
            (score, time_ms.unwrap_or(i64::MIN))
                >= (worst.0.0.score, worst.0.0.time_ms.unwrap_or(i64::MIN))
        };
        self.hits.len() < self.limit || self.hits.peek().is_some_and(better)
    }

    /// Takes a hit.
    pub(super) fn push(&mut self, hit: Hit) {
        self.hits.push(Reverse(Ranked(hit)));
        if self.hits.len() > self.limit {
            self.hits.pop();
        }
    }

    /// Takes those of another.
    pub(super) fn merge(&mut self, other: Self) {
        other.hits.into_iter().for_each(|hit| self.push(hit.0.0));
    }

    /// The hits, best first.
    pub(super) fn into_sorted(self) -> Vec<Hit> {
        self.hits.into_sorted_vec().into_iter().map(|hit| hit.0.0).collect()
    }
}
