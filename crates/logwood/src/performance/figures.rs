//! The figures of one model: the rolling average, and how recent answers compare with it (spec 9.5).

/// Fewer values than this say nothing about a trend.
const FEWEST: usize = 3;
/// Changes below this count as none, in percent.
const STABLE_PERCENT: f64 = 1.0;

/// Figures over the latest answers, in tokens a second; zeros where there are none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rolling {
    /// Half of them were slower.
    pub median: f64,
    /// The average.
    pub mean: f64,
    /// How many there were.
    pub count: usize,
}

/// How the latest answers compare with those of a longer time, of which they are a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Delta {
    /// The median of the longer time, in tokens a second; 0 without answers.
    pub baseline_median: f64,
    /// The median of the latest.
    pub recent_median: f64,
    /// The difference in percent of the longer time's; 0 where there are fewer than 3 answers.
    pub percent: f64,
    /// What the difference means.
    pub direction: Direction,
    /// How many answers the longer time has.
    pub baseline_count: usize,
    /// How many the latest are.
    pub recent_count: usize,
}

/// What became of the speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Faster, by 1 % or more.
    Above,
    /// Slower, by 1 % or more.
    Below,
    /// About the same, or nobody can tell yet.
    Stable,
}

impl Direction {
    /// dreb's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Above => "above",
            Self::Below => "below",
            Self::Stable => "stable",
        }
    }

    fn of(percent: f64) -> Self {
        match percent {
            percent if percent.abs() < STABLE_PERCENT => Self::Stable,
            percent if percent > 0.0 => Self::Above,
            _ => Self::Below,
        }
    }
}

impl Rolling {
    /// Of values in the order in which they are to be added up.
    pub(super) fn of(values: &mut [f64]) -> Self {
        if values.is_empty() {
            return Self::default();
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Self { mean, count: values.len(), median: median(values) }
    }
}

impl Delta {
    /// Of the values of the latest answers and of the longer time.
    pub(super) fn of(recent: &mut [f64], baseline: &mut [f64]) -> Self {
        let (baseline_count, recent_count) = (baseline.len(), recent.len());
        let (baseline_median, recent_median) = (median(baseline), median(recent));
        let tells = baseline_count.min(recent_count) >= FEWEST && baseline_median > 0.0;
        let change = (recent_median - baseline_median) / baseline_median * 100.0;
        let percent = if tells { change } else { 0.0 };
        Self {
            baseline_median,
            recent_median,
            percent,
            direction: Direction::of(percent),
            baseline_count,
            recent_count,
        }
    }

    /// Whether there are answers enough for the difference to say something.
    pub fn tells(&self) -> bool {
        self.baseline_count.min(self.recent_count) >= FEWEST
    }
}

/// The middle value, or half way between the middle two; 0 without values. Changes their order.
fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    let is_odd = values.len() % 2 == 1;
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    if is_odd {
        return upper;
    }
    let lower = below.iter().copied().max_by(f64::total_cmp).unwrap_or(upper);
    (lower + upper) / 2.0
}
