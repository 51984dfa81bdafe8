//! Reads the totals that test runners print: `cargo nextest` and the harness behind `cargo test`.

use std::ops::Add;

/// How many tests passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Totals {
    /// The totals a line of a runner's output names; nothing for any other line.
    pub(crate) fn of_line(line: &str) -> Self {
        let line = line.trim_start();
        if line.starts_with("test result: ") || is_nextest_summary(line) {
            Self { passed: sum(line, &["passed"]), failed: sum(line, FAILURES) }
        } else {
            Self::default()
        }
    }

    /// These totals, with one failure added when the step failed although no test did (a build error, a crash).
    pub(crate) fn with_step(self, ok: bool) -> Self {
        let silent = !ok && self.failed == 0;
        Self { failed: self.failed + u64::from(silent), ..self }
    }
}

impl Add for Totals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

/// What nextest and the harness call a test that did not pass ("exec failed" ends in the same word).
const FAILURES: &[&str] = &["failed", "timed"];

fn is_nextest_summary(line: &str) -> bool {
    line.starts_with("Summary [") && line.contains(" run: ")
}

/// Adds up the numbers that stand before one of `words`: `11 passed`, `1 exec failed`.
fn sum(line: &str, words: &[&str]) -> u64 {
    let mut last_number = 0;
    let mut total = 0;
    for word in line.split(|c: char| !c.is_alphanumeric()) {
        if let Ok(number) = word.parse() {
            last_number = number;
        } else if words.contains(&word) {
            total += std::mem::take(&mut last_number);
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(passed: u64, failed: u64) -> Totals {
        Totals { passed, failed }
    }

    #[test]
    fn reads_the_harness() {
        let line = "test result: ok. 7 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(Totals::of_line(line), totals(7, 0));
        let line = "test result: FAILED. 5 passed; 3 failed; 0 ignored; 0 measured; 1 filtered out; finished in 2.00s";
        assert_eq!(Totals::of_line(line), totals(5, 3));
    }

    #[test]
    fn reads_nextest() {
        let line = "     Summary [   0.131s] 12 tests run: 12 passed, 3 skipped";
        assert_eq!(Totals::of_line(line), totals(12, 0));
        let line = "     Summary [  10.003s] 9/12 tests run: 4 passed (1 slow), 2 failed, 1 exec failed, 2 timed out, 0 skipped";
        assert_eq!(Totals::of_line(line), totals(4, 5));
        let line = "     Summary [   0.001s] 1 test run: 1 passed, 0 skipped";
        assert_eq!(Totals::of_line(line), totals(1, 0));
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(Totals::of_line("test a::b ... ok"), Totals::default());
        assert_eq!(Totals::of_line("3 passed, 4 failed in a log"), Totals::default());
    }

    #[test]
    fn a_failed_step_without_a_failed_test_is_a_failure() {
        assert_eq!(totals(3, 0).with_step(false), totals(3, 1));
        assert_eq!(totals(3, 2).with_step(false), totals(3, 2));
        assert_eq!(totals(3, 0).with_step(true), totals(3, 0));
    }
}
