//! The clock: time on the wall, less the time in which others had the processors.
//!
//! The kernel keeps for each thread how long it stood ready in the queue of a processor. On an idle machine that is next to
//! nothing; where other work runs it is most of the noise, so it is taken off and said apart.

use std::time::Instant;

/// Started before an operation.
pub(crate) struct Clock {
    begin: Instant,
    waited: Option<f64>,
}

/// How long something took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Time {
    /// Without the time in the queue.
    pub(crate) ms: f64,
    /// In the queue; none where the system does not say, and then it is in `ms`.
    pub(crate) waited: Option<f64>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let waited = queued("self");
        Self { begin: Instant::now(), waited }
    }

    /// The time of this process, whose work is done by `threads`.
    ///
    /// While one of several waits the others may work, so with more than one nothing is taken off.
    pub(crate) fn stop_threads(&self, threads: usize) -> Time {
        let time = self.stop();
        match threads {
            1 => time,
            _ => Time { ms: time.ms + time.waited.unwrap_or_default(), ..time },
        }
    }

    /// The time of this process, whose first thread does the work.
    pub(crate) fn stop(&self) -> Time {
        let wall = self.wall();
        let waited = self.waited.zip(queued("self")).map(|(before, now)| now - before);
        Time::new(wall, waited)
    }

    /// The whole time of another process that has just ended and is not yet forgotten.
    pub(crate) fn stop_for(&self, process: u32) -> Time {
        Time::new(self.wall(), queued(&process.to_string()))
    }

    fn wall(&self) -> f64 {
        self.begin.elapsed().as_secs_f64() * 1e3
    }
}

impl Time {
    fn new(wall: f64, waited: Option<f64>) -> Self {
        let waited = waited.map(|waited| waited.clamp(0.0, wall));
        Self { ms: wall - waited.unwrap_or_default(), waited }
    }
}

/// The time a process stood in the queue since it began, in milliseconds.
fn queued(process: &str) -> Option<f64> {
    queued_of(&std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?)
}

/// The second of three numbers, nanoseconds.
fn queued_of(schedstat: &str) -> Option<f64> {
    let ns: u64 = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(ns as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_in_the_queue_is_taken_off_and_kept() {
        assert_eq!(Time::new(10.0, Some(2.5)), Time { ms: 7.5, waited: Some(2.5) });
        assert_eq!(Time::new(10.0, None), Time { ms: 10.0, waited: None });
        assert_eq!(Time::new(10.0, Some(11.0)).ms, 0.0);
    }

    #[test]
    fn the_queue_is_read() {
        assert_eq!(queued_of("9000000 2500000 7\n"), Some(2.5));
        assert_eq!(queued_of(""), None);
    }
}
