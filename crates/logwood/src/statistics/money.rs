use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// An amount of US dollars, kept in whole picodollars (10⁻¹²), so that a sum is the same in whatever order it is added up.
///
/// ```
/// use logwood::statistics::Money;
///
/// let sum: Money = [0.1, 0.2, 0.3].into_iter().filter_map(Money::from_dollars).sum();
/// assert_eq!(sum.dollars(), 0.6); // 0.1 + 0.2 + 0.3 is 0.6000000000000001 in binary fractions
/// assert_eq!(Money::from_dollars(-1.0), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(u128);

const PICO: f64 = 1e12;

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// This many dollars; none where they are negative or no finite number (case 65).
    pub fn from_dollars(dollars: f64) -> Option<Self> {
        (dollars.is_finite() && dollars >= 0.0).then(|| Self((dollars * PICO).round() as u128))
    }

    /// This many picodollars.
    pub fn from_picodollars(pico: u128) -> Self {
        Self(pico)
    }

    /// The amount in picodollars.
    pub fn picodollars(self) -> u128 {
        self.0
    }

    /// The amount in dollars.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / PICO
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}
