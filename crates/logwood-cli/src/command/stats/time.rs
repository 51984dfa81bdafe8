//! From when to when.

use jiff::ToSpan as _;
use jiff::civil::Date;
use logwood::error::ErrorKind;
use logwood::json::iso_from_ms;
use logwood::statistics::{Calendar, Period};
use logwood_catalog::filter::Surroundings;

use super::args::StatsArgs;
use crate::error::{CommandError, Result};

/// The period that the options name.
pub(super) fn period(args: &StatsArgs, now: &Surroundings) -> Result<Period> {
    let from_ms = args.since.as_deref().map(|text| start(text, now)).transpose()?;
    let to_ms = args.until.as_deref().map(|text| end(text, now)).transpose()?;
    match (from_ms, to_ms) {
        (Some(from), Some(to)) if to <= from => {
            let time = |ms| iso_from_ms(ms).unwrap_or_default();
            let message = format!("--until ({}) is not after --since ({})", time(to), time(from));
            Err(CommandError::new(ErrorKind::InvalidArgument, message))
        }
        _ => Ok(Period { from_ms, to_ms }),
    }
}

fn start(text: &str, now: &Surroundings) -> Result<i64> {
    now.time_of(text).ok_or_else(|| {
        let message = format!("`{text}` is no date");
        CommandError::new(ErrorKind::InvalidArgument, message)
            .hint("write 2026-01-31, today, yesterday, or how long ago: 2h, 7d, 3w")
    })
}

/// The end of a day or a month that is named, else the time.
fn end(text: &str, now: &Surroundings) -> Result<i64> {
    let calendar = Calendar::new(now.zone.clone());
    let first = start(text, now)?;
    let Some(day) = calendar.day(first) else { return Ok(first) };
    let next = match text {
        "today" | "yesterday" => day.tomorrow(),
        _ if text.parse::<Date>().is_ok() && text.len() == "2026-01-31".len() => day.tomorrow(),
        _ if text.len() == "2026-01".len() && text.contains('-') => day.checked_add(1.month()),
        _ => return Ok(first),
    };
    Ok(next.ok().and_then(|next| calendar.start_of(next)).unwrap_or(first))
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    /// 2026-03-29T12:00 in Berlin, the day the clocks go forward.
    fn now() -> Surroundings {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        Surroundings { now_ms: 1_774_778_400_000, zone, home: None }
    }

    #[test]
    fn an_end_takes_the_day_or_the_month_that_it_names() {
        for (text, wanted) in [
            ("today", "2026-03-29T22:00:00.000Z"),
            ("yesterday", "2026-03-28T23:00:00.000Z"),
            ("2026-01-31", "2026-01-31T23:00:00.000Z"),
            ("2026-02", "2026-02-28T23:00:00.000Z"),
            ("2026-01-31T14:30", "2026-01-31T13:30:00.000Z"),
            ("1d", "2026-03-28T11:00:00.000Z"),
            ("6h", "2026-03-29T04:00:00.000Z"),
        ] {
            assert_eq!(
                end(text, &now()).ok().and_then(iso_from_ms).as_deref(),
                Some(wanted),
                "{text}"
            );
        }
    }
}
