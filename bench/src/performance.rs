//! What logwood does with a performance log, through its public interface.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use logwood::performance::{PerformanceDraft, PerformanceLog, Recording};

use crate::Fault;
use crate::clock::Clock;
use crate::limits::{WRITES, newlines};
use crate::op::Outcome;

/// Reads a log; counts its records.
pub(crate) fn open(path: &Path) -> Result<Outcome, Fault> {
    let log = PerformanceLog::new(path);
    let clock = Clock::start();
    let said = log.read()?;
    let time = clock.stop();
    Ok(Outcome::new(time, black_box(said).usable()))
}

/// The rolling figures and the trend of every model of a log that was read; counts the records that they are of.
pub(crate) fn summary(path: &Path) -> Result<Outcome, Fault> {
    let said = PerformanceLog::new(path).read()?;
    let clock = Clock::start();
    let figures: Vec<_> =
        said.models().iter().map(|model| (model.rolling(), model.delta())).collect();
    let time = clock.stop();
    if black_box(figures).iter().any(|(rolling, _)| rolling.count == 0) {
        return Err("a model without records".into());
    }
    Ok(Outcome::new(time, said.models().iter().map(|model| model.samples().len() as u64).sum()))
}

/// Records answers in a new log; counts them.
pub(crate) fn record(folder: &Path) -> Result<Outcome, Fault> {
    let folder = folder.join(format!("performance-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let outcome = record_in(&folder.join("performance.jsonl"));
    // What stays behind is in the folder of corpora and harms nobody.
    let _ = fs::remove_dir_all(&folder);
    outcome
}

fn record_in(path: &Path) -> Result<Outcome, Fault> {
    let mut log = PerformanceLog::new(path);
    let answer = PerformanceDraft {
        session_id: "11838f01-06dd-4cf4-b52a-1017bc0a5be9".into(),
        provider: "anthropic".into(),
        model_id: "larch-small-4".into(),
        output_tokens: 2628.0,
        duration_ms: 9316.0,
        stop_reason: Some("stop".into()),
        ..PerformanceDraft::default()
    };
    let clock = Clock::start();
    for _ in 0..WRITES {
        if let Recording::Left(why) = log.record(&answer)? {
            return Err(format!("a record was left out: {}", why.as_str()).into());
        }
    }
    let time = clock.stop();
    let found = newlines(path, 1)?.count;
    if found != WRITES {
        return Err(format!("{found} records instead of {WRITES}").into());
    }
    Ok(Outcome::new(time, WRITES))
}
