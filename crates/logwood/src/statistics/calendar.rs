//! Local days, weeks and months, and the period that is wanted.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

/// Tells days by the clock of one time zone, which the caller names: the library asks no environment.
///
/// ```
/// use jiff::tz::{self, TimeZone};
/// use logwood::statistics::Calendar;
///
/// let east = Calendar::new(TimeZone::fixed(tz::offset(9)));
/// assert_eq!(east.day(1_741_131_000_000).unwrap().to_string(), "2025-03-05"); // 2025-03-04T23:30Z
/// ```
#[derive(Debug, Clone)]
pub struct Calendar {
    zone: TimeZone,
}

impl Calendar {
    /// A calendar of a time zone.
    pub fn new(zone: TimeZone) -> Self {
        Self { zone }
    }

    /// The local day of a time in milliseconds since 1970; none where it is out of the range of dates.
    pub fn day(&self, ms: i64) -> Option<Date> {
        let time = Timestamp::from_millisecond(ms).ok()?;
        Some(self.zone.to_datetime(time).date())
    }

    /// The ISO week of a day, as `2025-W10`; it begins on Monday.
    pub fn week(day: Date) -> String {
        let week = day.iso_week_date();
        format!("{:04}-W{:02}", week.year(), week.week())
    }

    /// The month of a day, as `2025-03`.
    pub fn month(day: Date) -> String {
        format!("{:04}-{:02}", day.year(), day.month())
    }

    /// The time at which a day begins, in milliseconds since 1970.
    pub fn start_of(&self, day: Date) -> Option<i64> {
        let start = self.zone.to_ambiguous_zoned_datetime(day.at(0, 0, 0, 0)).compatible().ok()?;
        Some(start.timestamp().as_millisecond())
    }

    /// A whole day.
    pub fn period_of(&self, day: Date) -> Option<Period> {
        let next = day.checked_add(1.day()).ok()?;
        Some(Period { from_ms: Some(self.start_of(day)?), to_ms: Some(self.start_of(next)?) })
    }
}

/// From a time on, up to before another; in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Period {
    /// The first time of it; none is from the beginning.
    pub from_ms: Option<i64>,
    /// The first time after it; none is to the end.
    pub to_ms: Option<i64>,
}

impl Period {
    /// Whether it has all times, also that of an answer that has none.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a time is in it; no time is only where it is everything.
    pub fn holds(&self, time_ms: Option<i64>) -> bool {
        match time_ms {
            None => self.is_everything(),
            Some(time) => {
                self.from_ms.is_none_or(|from| time >= from)
                    && self.to_ms.is_none_or(|to| time < to)
            }
        }
    }
}
