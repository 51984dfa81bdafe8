use std::ops::AddAssign;

use super::{Money, Tokens, UsageRecord, UsageSource};

/// What some answers cost together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// How many assistant messages.
    pub answers: u64,
    /// The tokens.
    pub tokens: Tokens,
    /// The cost as far as it is known.
    pub cost: Money,
    /// How many answers, summaries and others say no cost; where there are any the cost is a lower bound (case 65).
    pub without_cost: u64,
    /// The part of the cost that sessions of subagents had (case 67).
    pub subagents: Money,
    /// The part of the cost that is on no current branch any more.
    pub abandoned: Money,
    /// The part of the cost that was no answer: summaries, tools, usage entries.
    pub others: Money,
}

impl Totals {
    /// Whether more was paid than is known.
    pub fn is_lower_bound(&self) -> bool {
        self.without_cost > 0
    }

    /// The cost without that of subagents.
    pub fn own(&self) -> Money {
        Money::from_picodollars(
            self.cost.picodollars().saturating_sub(self.subagents.picodollars()),
        )
    }

    /// The cost by the known cost, else by the tokens: what is shown first.
    pub(super) fn rank(&self) -> (Money, u64, u64) {
        (self.cost, self.tokens.total(), self.answers)
    }

    /// Adds one record of a session.
    pub fn add(&mut self, record: &UsageRecord, of_subagent: bool) {
        *self +=
            Self::of(record.source, record.tokens, record.cost, record.current_branch, of_subagent);
    }

    pub(super) fn of(
        source: UsageSource,
        tokens: Tokens,
        cost: Option<Money>,
        current_branch: bool,
        of_subagent: bool,
    ) -> Self {
        let known = cost.unwrap_or_default();
        let part = |yes: bool| if yes { known } else { Money::ZERO };
        let is_answer = source == UsageSource::Answer;
        Self {
            answers: u64::from(is_answer),
            tokens,
            cost: known,
            without_cost: u64::from(cost.is_none()),
            subagents: part(of_subagent),
            abandoned: part(!current_branch),
            others: part(!is_answer),
        }
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.answers += other.answers;
        self.tokens += other.tokens;
        self.cost += other.cost;
        self.without_cost += other.without_cost;
        self.subagents += other.subagents;
        self.abandoned += other.abandoned;
        self.others += other.others;
    }
}
