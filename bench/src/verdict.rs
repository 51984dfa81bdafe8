//! Goals against figures: what is compared, and whether it is enough.

use crate::cell::Cell;
use crate::run::Results;

/// One megabyte, as the goals count.
const MB: f64 = 1e6;

/// The share of its time in the queue above which a time of several threads says nothing.
const DISTURBED: f64 = 0.1;

/// One line of a goal.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// What is measured.
    pub(crate) subject: Cell,
    pub(crate) quantity: Quantity,
    /// Must be kept, else the goal is missed.
    pub(crate) must: Option<f64>,
    /// What is claimed in public.
    pub(crate) target: Option<f64>,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Quantity {
    /// Milliseconds, at most.
    Ms,
    /// Microseconds for each entry, at most, at the pace of the machine that the goal was set on: there a limit took a time that is
    /// known, and by what it takes here a time of there is made.
    MicrosEachThere(Pace),
    /// How many times the time of another cell it takes, at most.
    Over(Cell),
    /// By how many times the time of the second cell it takes longer than the first, at most.
    Beyond(Cell, Cell),
    /// How many times faster than another cell it is, at least.
    Faster(Cell),
    /// How many times faster than a program that was measured once, at least.
    FasterThan(Peer),
    /// Peak memory in MB, at most.
    Memory,
    /// Peak memory in MB beside something that is held on purpose, at most.
    MemoryBeside(&'static str),
    /// Peak memory in bytes for each entry, at most.
    MemoryEach,
}

/// A program that cannot be measured in every run: what it took once, and what the limit took on the same machine then.
/// The limit of this run makes a time of today out of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) ms: f64,
    pub(crate) limit_ms: f64,
    pub(crate) limit: Cell,
}

/// How fast the machine was that a goal was set on: what a limit took there for each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    pub(crate) limit_us: f64,
    pub(crate) limit: Cell,
}

/// How a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// As good as claimed.
    Target,
    /// Good enough, not as good as claimed.
    BelowTarget,
    /// Not good enough.
    Missed,
    /// Not good enough, but several threads had to share their processors with other programs.
    Busy,
    /// There is no figure.
    NotMeasured,
}

impl Verdict {
    /// Whether a run may end well with it. What was not measured has its reason in the list of failures, or was left out on purpose.
    pub(crate) fn is_kept(self) -> bool {
        self != Self::Missed
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Target => "yes",
            Self::BelowTarget => "below target",
            Self::Missed => "**missed**",
            Self::Busy => "machine busy",
            Self::NotMeasured => "not measured",
        }
    }
}

impl Row {
    /// The figure, in the unit of the quantity.
    pub(crate) fn value(&self, results: &Results) -> Option<f64> {
        let median = |cell| results.time(cell).map(|time| time.median);
        let peak = || results.peak(self.subject).map(|peak| peak.median);
        let one = || results.one(self.subject);
        let value = match self.quantity {
            Quantity::Ms => median(self.subject)?,
            Quantity::MicrosEachThere(pace) => {
                let each = |cell| Some(median(cell)? / results.one(cell)?.count as f64);
                each(self.subject)? / each(pace.limit)? * pace.limit_us
            }
            Quantity::Over(other) => median(self.subject)? / median(other)?,
            Quantity::Beyond(other, unit) => {
                ((median(self.subject)? - median(other)?) / median(unit)?).max(0.0)
            }
            Quantity::Faster(other) => median(other)? / median(self.subject)?,
            Quantity::FasterThan(peer) => {
                peer.ms / peer.limit_ms * median(peer.limit)? / median(self.subject)?
            }
            Quantity::Memory => peak()? / MB,
            Quantity::MemoryBeside(_) => (peak()? - one()?.held as f64) / MB,
            Quantity::MemoryEach => peak()? / one()?.count as f64,
        };
        value.is_finite().then_some(value)
    }

    /// How the figure stands against must and target.
    pub(crate) fn verdict(&self, results: &Results) -> Verdict {
        match self.compared(results) {
            Verdict::Missed | Verdict::BelowTarget if self.was_disturbed(results) => Verdict::Busy,
            verdict => verdict,
        }
    }

    /// Whether a time of several threads was much lengthened by others: it cannot be taken off as with one thread.
    fn was_disturbed(&self, results: &Results) -> bool {
        let timed = !matches!(
            self.quantity,
            Quantity::Memory | Quantity::MemoryBeside(_) | Quantity::MemoryEach
        );
        let (time, waited) = (results.time(self.subject), results.waited(self.subject));
        let share = waited.zip(time).map(|(waited, time)| waited.median / time.median);
        timed && self.subject.has_threads() && share.is_some_and(|share| share > DISTURBED)
    }

    fn compared(&self, results: &Results) -> Verdict {
        let Some(value) = self.value(results) else { return Verdict::NotMeasured };
        let keeps = |bound: f64| {
            if self.quantity.more_is_better() { value >= bound } else { value <= bound }
        };
        match (self.must, self.target) {
            (_, Some(target)) if keeps(target) => Verdict::Target,
            (Some(must), _) if !keeps(must) => Verdict::Missed,
            (_, None) => Verdict::Target,
            (_, Some(_)) => Verdict::BelowTarget,
        }
    }
}

impl Quantity {
    fn more_is_better(self) -> bool {
        matches!(self, Self::Faster(_) | Self::FasterThan(_))
    }

    /// A value in its unit.
    pub(crate) fn show(self, value: f64) -> String {
        let number = short(value);
        match self {
            Self::Ms => format!("{number} ms"),
            Self::MicrosEachThere(_) => format!("{number} us"),
            Self::Over(_) | Self::Beyond(..) | Self::Faster(_) | Self::FasterThan(_) => {
                format!("{number} x")
            }
            Self::Memory | Self::MemoryBeside(_) => format!("{number} MB"),
            Self::MemoryEach => format!("{number} B"),
        }
    }

    /// What is compared, in words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Ms => "time".to_owned(),
            Self::MicrosEachThere(pace) => {
                let limit = pace.limit.name();
                format!("time for each, where {limit} takes {} us", short(pace.limit_us))
            }
            Self::Over(cell) => format!("times {} {}", cell.name(), cell.corpus.name()),
            Self::Beyond(cell, unit) => {
                let unit = format!("{} {}", unit.name(), unit.corpus.name());
                format!("beyond {}, in times {unit}", cell.name())
            }
            Self::Faster(cell) => format!("faster than {}", cell.name()),
            Self::FasterThan(peer) => format!("faster than {} (recorded)", peer.name),
            Self::Memory => "peak memory".to_owned(),
            Self::MemoryBeside(what) => format!("peak memory beside {what}"),
            Self::MemoryEach => "peak memory for each entry".to_owned(),
        }
    }
}

/// Three digits that count.
pub(crate) fn short(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::op::Op;
    use crate::run::tests::results;

    const OURS: Cell = Cell { corpus: Corpus::C, task: crate::cell::Task::Inside(Op::Context) };
    const LIMIT: Cell = Cell { corpus: Corpus::C, task: crate::cell::Task::Inside(Op::Newlines) };

    fn row(quantity: Quantity, must: Option<f64>, target: Option<f64>) -> Row {
        Row { subject: OURS, quantity, must, target }
    }

    fn verdict(ours: f64, must: Option<f64>, target: Option<f64>) -> Verdict {
        let results = results(&[(OURS, ours, 1), (LIMIT, 10.0, 1)]);
        row(Quantity::Over(LIMIT), must, target).verdict(&results)
    }

    #[test]
    fn at_most_a_number_of_times_a_limit() {
        assert_eq!(verdict(50.0, Some(7.0), Some(5.0)), Verdict::Target);
        assert_eq!(verdict(50.1, Some(7.0), Some(5.0)), Verdict::BelowTarget);
        assert_eq!(verdict(70.1, Some(7.0), Some(5.0)), Verdict::Missed);
    }

    #[test]
    fn a_bound_may_stand_alone() {
        assert_eq!(verdict(70.0, Some(7.0), None), Verdict::Target);
        assert_eq!(verdict(70.1, Some(7.0), None), Verdict::Missed);
        assert_eq!(verdict(50.0, None, Some(5.0)), Verdict::Target);
        assert_eq!(verdict(70.0, None, Some(5.0)), Verdict::BelowTarget);
    }

    #[test]
    fn only_a_must_ends_a_run_badly() {
        assert!(!verdict(70.1, Some(7.0), Some(5.0)).is_kept());
        assert!(verdict(60.0, Some(7.0), Some(5.0)).is_kept());
    }

    #[test]
    fn at_least_a_number_of_times_faster() {
        let verdict = |ours: f64| {
            let results = results(&[(OURS, ours, 1), (LIMIT, 100.0, 1)]);
            row(Quantity::Faster(LIMIT), Some(7.0), Some(10.0)).verdict(&results)
        };
        assert_eq!(verdict(10.0), Verdict::Target);
        assert_eq!(verdict(12.0), Verdict::BelowTarget);
        assert_eq!(verdict(15.0), Verdict::Missed);
    }

    #[test]
    fn a_recorded_peer_is_scaled_by_the_limit_of_today() {
        let peer = Peer { name: "p", ms: 3000.0, limit_ms: 30.0, limit: LIMIT };
        let value = |limit: f64| {
            let results = results(&[(OURS, 200.0, 1), (LIMIT, limit, 1)]);
            row(Quantity::FasterThan(peer), None, None).value(&results)
        };
        assert_eq!(value(30.0), Some(15.0));
        assert_eq!(value(60.0), Some(30.0));
    }

    #[test]
    fn a_time_of_the_machine_that_the_goal_was_set_on() {
        // A hundred times the limit here, so a hundred times the limit there.
        let results = results(&[(OURS, 300.0, 1), (LIMIT, 3.0, 1)]);
        let there = Quantity::MicrosEachThere(Pace { limit_us: 2.0, limit: LIMIT });
        let value = row(there, None, None).value(&results).unwrap();
        assert!((value - 200.0).abs() < 1e-9, "{value}");
    }

    #[test]
    fn memory_in_all_beside_and_for_each() {
        let results = results(&[(OURS, 1.0, 20_000_000)]);
        let value = |quantity| row(quantity, None, None).value(&results).unwrap();
        assert_eq!(value(Quantity::Memory), 20.0);
        assert_eq!(value(Quantity::MemoryBeside("it")), 15.0);
        assert_eq!(value(Quantity::MemoryEach), 20_000.0);
    }

    #[test]
    fn a_disturbed_time_of_two_threads_is_not_a_miss() {
        let two = Cell::inside(Op::InventoryTwice, Corpus::A);
        let verdict = |subject, ms, quantity| {
            let results = results(&[(subject, ms, 65_000_000)]);
            Row { subject, quantity, must: Some(4.0), target: None }.verdict(&results)
        };
        // Half a millisecond was spent in the queue.
        assert_eq!(verdict(two, 4.5, Quantity::Ms), Verdict::Busy);
        assert_eq!(verdict(two, 5.5, Quantity::Ms), Verdict::Missed);
        assert_eq!(verdict(two, 3.5, Quantity::Ms), Verdict::Target);
        assert_eq!(verdict(OURS, 4.5, Quantity::Ms), Verdict::Missed);
        assert_eq!(verdict(two, 4.5, Quantity::Memory), Verdict::Missed);
    }

    #[test]
    fn without_figures_there_is_no_verdict() {
        let nothing = results(&[(OURS, 1.0, 1)]);
        let over = row(Quantity::Over(LIMIT), Some(7.0), None);
        assert_eq!(over.verdict(&nothing), Verdict::NotMeasured);
        let no_time = results(&[(OURS, 1.0, 1), (LIMIT, 0.0, 1)]);
        assert_eq!(over.verdict(&no_time), Verdict::NotMeasured);
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(
            [0.123, 4.56, 45.67, 456.7, 45678.9].map(short),
            ["0.12", "4.56", "45.7", "457", "45679"]
        );
    }
}
