//! What a log says: its records by model, and the lines that are none.

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::json::{escape_wtf8_into, unescape_wtf8};
use crate::line::{LineRef, Position};

use super::figures::{Delta, Rolling};
use super::record::{PerformanceRecord, Unusable};

/// The records of a log by model (exact provider and model), in the order in which the models first appear.
#[derive(Debug, Clone, Default)]
pub struct Performance {
    models: Vec<ModelPerformance>,
    usable: u64,
    unusable: Vec<UnusableLine>,
}

/// The answers of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelPerformance {
    provider: String,
    model_id: String,
    /// The latest first.
    samples: Vec<Sample>,
}

/// One answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// When it ended, in milliseconds since 1970-01-01T00:00:00Z.
    pub time_ms: i64,
    /// Tokens a second.
    pub tps: f64,
}

/// A line that is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnusableLine {
    /// Where it starts.
    pub position: Position,
    /// Why it is none.
    pub why: Unusable,
}

impl Performance {
    /// The models in order of first appearance.
    #[doc(alias = "allModelSummaries")]
    pub fn models(&self) -> &[ModelPerformance] {
        &self.models
    }

    /// How many lines are records.
    pub fn usable(&self) -> u64 {
        self.usable
    }

    /// The lines that are neither records nor blank.
    pub fn unusable(&self) -> &[UnusableLine] {
        &self.unusable
    }
}

impl ModelPerformance {
    /// How many of the latest answers the rolling average is of.
    pub const ROLLING: usize = 100;
    /// How many of the latest answers a trend is about.
    pub const RECENT: usize = 10;
    /// How many of the latest answers they are compared with.
    pub const BASELINE: usize = 10_000;

    /// The provider.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The model.
    pub fn model_id(&self) -> &str {
        &self.model_id
    }

    /// The answers, the latest first; of one time, those first in the file.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The figures of the latest [`ROLLING`](Self::ROLLING) answers.
    #[doc(alias = "getRollingAverage")]
    pub fn rolling(&self) -> Rolling {
        self.rolling_of(Self::ROLLING)
    }

    /// The figures of the latest `count` answers; of all for 0.
    pub fn rolling_of(&self, count: usize) -> Rolling {
        Rolling::of(&mut self.latest(count))
    }

    /// How the latest [`RECENT`](Self::RECENT) answers compare with the latest [`BASELINE`](Self::BASELINE).
    #[doc(alias = "getDelta")]
    pub fn delta(&self) -> Delta {
        self.delta_of(Self::RECENT, Self::BASELINE)
    }

    /// How the latest `recent` answers compare with the latest `baseline`; 0 stands for all.
    pub fn delta_of(&self, recent: usize, baseline: usize) -> Delta {
        Delta::of(&mut self.latest(recent), &mut self.latest(baseline))
    }

    fn latest(&self, count: usize) -> Vec<f64> {
        let count = if count == 0 { usize::MAX } else { count };
        self.samples.iter().take(count).map(|sample| sample.tps).collect()
    }
}

/// Puts records together, line by line.
#[derive(Debug, Default)]
pub(super) struct Collector {
    found: Performance,
    /// The numbers of models by their names, see [`push_name`].
    by_name: HashTable<(Vec<u8>, usize)>,
    hasher: RandomState,
    /// The key of the model before.
    key: Vec<u8>,
    before: Option<usize>,
}

impl Collector {
    /// Takes a line, if `wanted` takes its record.
    pub(super) fn line(
        &mut self,
        line: LineRef<'_>,
        wanted: &mut dyn FnMut(&PerformanceRecord<'_>) -> bool,
    ) {
        match PerformanceRecord::parse(line.bytes) {
            Ok(Some(record)) if wanted(&record) => self.record(&record),
            Ok(_) => {}
            Err(why) => {
                self.found.unusable.push(UnusableLine { position: line.position, why });
            }
        }
    }

    fn record(&mut self, record: &PerformanceRecord<'_>) {
        self.found.usable += 1;
        let number = self.number(record);
        if let Some(model) = self.found.models.get_mut(number) {
            model.samples.push(Sample { time_ms: record.time_ms, tps: record.tps });
        }
    }

    /// The number of the record's model, which is a new one where it is the first.
    fn number(&mut self, record: &PerformanceRecord<'_>) -> usize {
        let (provider, model) = record.written_names();
        let is_same = self.key.strip_prefix(provider).is_some_and(|rest| rest == model);
        if let Some(before) = self.before.filter(|_| is_same) {
            return before;
        }
        self.key.clear();
        for name in [provider, model] {
            push_name(&mut self.key, name);
        }
        let hash = self.hasher.hash_one(&self.key);
        let known = self.by_name.find(hash, |(key, _)| *key == self.key).map(|known| known.1);
        let number = known.unwrap_or_else(|| self.enter(hash, record));
        self.before = Some(number);
        number
    }

    fn enter(&mut self, hash: u64, record: &PerformanceRecord<'_>) -> usize {
        let number = self.found.models.len();
        self.found.models.push(ModelPerformance {
            provider: record.provider().into_owned(),
            model_id: record.model_id().into_owned(),
            samples: Vec::new(),
        });
        let hasher = &self.hasher;
        let rehash = |entry: &(Vec<u8>, usize)| hasher.hash_one(&entry.0);
        self.by_name.insert_unique(hash, (self.key.clone(), number), rehash);
        number
    }

    /// Everything, each model's answers in order of time.
    pub(super) fn finish(mut self) -> Performance {
        for model in &mut self.found.models {
            model.samples.sort_by_key(|sample| std::cmp::Reverse(sample.time_ms));
        }
        self.found
    }
}

/// A name in quotes, so that two of them cannot be cut in another place, and with the same escapes whoever wrote it.
fn push_name(key: &mut Vec<u8>, written: &[u8]) {
    if !written.contains(&b'\\') {
        key.extend_from_slice(written);
        return;
    }
    let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    key.push(b'"');
    escape_wtf8_into(key, &unescape_wtf8(inner));
    key.push(b'"');
}
