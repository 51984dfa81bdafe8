//! The inside of one measurement: a process of its own that does one operation and says how it went.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Fault;
use crate::op::Op;

/// What one run gave; a line of JSON between the processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measure {
    /// Milliseconds, without those of `waited`.
    pub(crate) ms: f64,
    /// How many lines, files, entries or writes there were.
    pub(crate) count: u64,
    /// Bytes that were asked for and are held, such as a context.
    pub(crate) held: u64,
    /// The most memory the process had, in bytes; none where the system does not say.
    pub(crate) peak: Option<u64>,
    /// Milliseconds in which others had the processors, not in `ms`: how busy the machine was.
    pub(crate) waited: Option<f64>,
}

/// Does the operation once; the answer is the line for the runner.
pub(crate) fn run(op: Op, path: &Path) -> Result<String, Fault> {
    let outcome = op.run(path)?;
    let measure = Measure {
        ms: outcome.time.ms,
        count: outcome.count,
        held: outcome.held,
        peak: peak(),
        waited: outcome.time.waited,
    };
    Ok(serde_json::to_string(&measure)?)
}

/// The high-water mark of this process. `getrusage` would not do: across `exec` it keeps the mark of the process before.
fn peak() -> Option<u64> {
    peak_of(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read() {
        assert_eq!(peak_of("Name:\tx\nVmPeak:\t9 kB\nVmHWM:\t    12 kB\n"), Some(12 * 1024));
        assert_eq!(peak_of("Name:\tx\n"), None);
    }
}
