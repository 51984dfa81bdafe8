//! Dates of a query: written out, or counted back from now.

use jiff::civil::{Date, DateTime, Time};
use jiff::{Span, Timestamp};

use super::Surroundings;

/// The milliseconds since 1970 that a text names; a date is its first moment in the zone.
pub(super) fn parse(text: &str, surroundings: &Surroundings) -> Option<i64> {
    let now = Timestamp::from_millisecond(surroundings.now_ms).ok()?;
    let today = surroundings.zone.to_datetime(now).date();
    match text {
        "now" => Some(surroundings.now_ms),
        "today" => start_of(today, surroundings),
        "yesterday" => start_of(today.yesterday().ok()?, surroundings),
        _ => ago(text, now, surroundings).or_else(|| written(text, surroundings)),
    }
}

impl Surroundings {
    /// The time that a text names, in milliseconds since 1970: a date (its first moment in the zone), a date with a time, `now`, `today`,
    /// `yesterday`, or how long ago it was (`30min`, `2h`, `7d`, `3w`, `6mo`, `1y`). None where it names none.
    ///
    /// ```
    /// use logwood_catalog::filter::Surroundings;
    ///
    /// let surroundings = Surroundings { now_ms: 1_750_000_000_000, ..Surroundings::default() };
    /// assert_eq!(surroundings.time_of("2h"), Some(1_750_000_000_000 - 2 * 60 * 60 * 1000));
    /// assert_eq!(surroundings.time_of("soon"), None);
    /// ```
    pub fn time_of(&self, text: &str) -> Option<i64> {
        parse(text, self)
    }
}

fn start_of(date: Date, surroundings: &Surroundings) -> Option<i64> {
    local(date.to_datetime(Time::midnight()), surroundings)
}

/// A time of the zone; one that the clocks skip is as much later.
fn local(time: DateTime, surroundings: &Surroundings) -> Option<i64> {
    let time = surroundings.zone.to_ambiguous_timestamp(time).compatible().ok()?;
    Some(time.as_millisecond())
}

/// `2d` and the like: hours and less are counted on the clock, days and more in the calendar.
fn ago(text: &str, now: Timestamp, surroundings: &Surroundings) -> Option<i64> {
    let unit = text.find(|c: char| !c.is_ascii_digit())?;
    let (count, unit) = text.split_at_checked(unit)?;
    let count: i64 = count.parse().ok()?;
    let span = Span::new();
    let (span, on_the_clock) = match unit {
        "s" => (span.try_seconds(count), true),
        "min" | "m" => (span.try_minutes(count), true),
        "h" => (span.try_hours(count), true),
        "d" => (span.try_days(count), false),
        "w" => (span.try_weeks(count), false),
        "mo" => (span.try_months(count), false),
        "y" => (span.try_years(count), false),
        _ => return None,
    };
    let span = span.ok()?;
    if on_the_clock {
        return Some(now.checked_sub(span).ok()?.as_millisecond());
    }
    local(surroundings.zone.to_datetime(now).checked_sub(span).ok()?, surroundings)
}

/// A year and a month, a date, a date with a time, or a time with its own zone.
fn written(text: &str, surroundings: &Surroundings) -> Option<i64> {
    if let Some((year, month)) = text.split_once('-').filter(|_| text.len() == "2026-01".len()) {
        let date = Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()?;
        return start_of(date, surroundings);
    }
    if text.len() == "2026-01-31".len() {
        return start_of(text.parse().ok()?, surroundings);
    }
    match text.parse::<Timestamp>() {
        Ok(time) => Some(time.as_millisecond()),
        Err(_) => local(text.parse().ok()?, surroundings),
    }
}

/// A time as [`parse`] reads it in every zone.
pub(super) fn print(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map_or_else(|_| String::new(), |time| time.to_string())
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    /// 2026-03-29T12:00 in Berlin, the day the clocks go forward.
    fn surroundings() -> Surroundings {
        let now: Timestamp = "2026-03-29T10:00:00Z".parse().unwrap();
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        Surroundings { now_ms: now.as_millisecond(), zone, home: None }
    }

    #[test]
    fn dates_are_of_the_zone() {
        for (text, wanted) in [
            ("2026-01-31", "2026-01-30T23:00:00Z"),
            ("2026-07", "2026-06-30T22:00:00Z"),
            ("2026-01-31T14:30", "2026-01-31T13:30:00Z"),
            ("2026-01-31T14:30:05Z", "2026-01-31T14:30:05Z"),
            ("2026-01-31T14:30:05.5+05:00", "2026-01-31T09:30:05.5Z"),
            ("today", "2026-03-28T23:00:00Z"),
            ("yesterday", "2026-03-27T23:00:00Z"),
            ("now", "2026-03-29T10:00:00Z"),
            ("90s", "2026-03-29T09:58:30Z"),
            ("30min", "2026-03-29T09:30:00Z"),
            ("5m", "2026-03-29T09:55:00Z"),
            ("6h", "2026-03-29T04:00:00Z"),
            // At the same time of the day before, which was 25 hours ago.
            ("1d", "2026-03-28T11:00:00Z"),
            ("2w", "2026-03-15T11:00:00Z"),
            ("2mo", "2026-01-29T11:00:00Z"),
            ("1y", "2025-03-29T11:00:00Z"),
        ] {
            let wanted: Timestamp = wanted.parse().unwrap();
            assert_eq!(parse(text, &surroundings()), Some(wanted.as_millisecond()), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "soon",
            "2026",
            "2026-13",
            "2026-02-30",
            "d",
            "2x",
            "-2d",
            "99999999999999999999d",
            "9999999y",
            "2026-1-1",
        ] {
            assert_eq!(parse(text, &surroundings()), None, "{text}");
        }
    }

    #[test]
    fn a_printed_time_is_read_again() {
        for ms in [0, 1_774_778_400_123, -1] {
            assert_eq!(parse(&print(ms), &surroundings()), Some(ms));
        }
    }
}
