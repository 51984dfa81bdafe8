//! How long ago something was, as the selector of dreb and pi says it; a time that lies ahead is said to, and never is `now` (case 48).

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// `now`, `5m`, `3h`, `2d`, `3w`, `4mo`, `2y`; `in 5m` for a time ahead of the clock by a minute or more.
pub(crate) fn age(now_ms: i64, time_ms: i64) -> String {
    let past = now_ms.saturating_sub(time_ms);
    match past {
        MINUTE.. => span(past),
        _ if past <= -MINUTE => format!("in {}", span(past.saturating_neg())),
        _ => "now".to_owned(),
    }
}

fn span(ms: i64) -> String {
    let (count, unit) = match ms {
        ..HOUR => (ms / MINUTE, "m"),
        _ if ms < DAY => (ms / HOUR, "h"),
        _ if ms < 7 * DAY => (ms / DAY, "d"),
        _ if ms < 30 * DAY => (ms / (7 * DAY), "w"),
        _ if ms < 365 * DAY => (ms / (30 * DAY), "mo"),
        _ => (ms / (365 * DAY), "y"),
    };
    format!("{count}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_cut_down_as_the_reference_does() {
        let ages = [
            (0, "now"),
            (MINUTE - 1, "now"),
            (MINUTE, "1m"),
            (HOUR - 1, "59m"),
            (HOUR, "1h"),
            (DAY - 1, "23h"),
            (DAY, "1d"),
            (7 * DAY - 1, "6d"),
            (7 * DAY, "1w"),
            (30 * DAY - 1, "4w"),
            (30 * DAY, "1mo"),
            (365 * DAY - 1, "12mo"),
            (365 * DAY, "1y"),
            (-MINUTE, "in 1m"),
            (-74 * 365 * DAY, "in 74y"),
            (i64::MIN, "in 292471208y"),
        ];
        for (past, text) in ages {
            assert_eq!(age(0, 0i64.saturating_sub(past)), text);
        }
    }
}
