//! Times as JavaScript reads and writes them (spec 0.5): `toISOString` and the ISO part of `Date.parse`.
//!
//! Pure: the zone of texts without an offset is the caller's to give. Milliseconds are since 1970-01-01T00:00:00Z, leap seconds not counted.

/// The last millisecond a JavaScript `Date` can hold; the first is its negative.
pub const MAX_DATE_MS: i64 = 8_640_000_000_000_000;

const DAY_MS: i64 = 86_400_000;
const MINUTE_MS: i64 = 60_000;

/// `new Date(ms).toISOString()`: 24 characters, or 27 for years outside 0 to 9999. `None` beyond [`MAX_DATE_MS`].
///
/// ```
/// assert_eq!(logwood::json::iso_from_ms(1_733_234_400_000).unwrap(), "2024-12-03T14:00:00.000Z");
/// ```
#[doc(alias = "toISOString")]
#[must_use]
pub fn iso_from_ms(ms: i64) -> Option<String> {
    in_range(ms)?;
    let (year, month, day) = civil_from_days(ms.div_euclid(DAY_MS));
    let of_day = ms.rem_euclid(DAY_MS);
    let (hour, minute) = (of_day / 3_600_000, of_day / MINUTE_MS % 60);
    let (second, milli) = (of_day / 1000 % 60, of_day % 1000);
    let mut text = String::with_capacity(27);
    match year {
        0..=9999 => push_digits(&mut text, year, 4),
        _ => {
            text.push(if year < 0 { '-' } else { '+' });
            push_digits(&mut text, year.abs(), 6);
        }
    }
    let parts = [('-', month, 2), ('-', day, 2), ('T', hour, 2), (':', minute, 2)];
    for (mark, number, digits) in parts.into_iter().chain([(':', second, 2), ('.', milli, 3)]) {
        text.push(mark);
        push_digits(&mut text, number, digits);
    }
    text.push('Z');
    Some(text)
}

/// Whether a text that was read as `ms` is written as [`iso_from_ms`] writes it. Most texts show it by their form.
pub(crate) fn is_written_as_iso(text: &[u8], ms: i64) -> bool {
    let at = |place: usize, byte: u8| text.get(place) == Some(&byte);
    let has_form = text.len() == 24 && at(10, b'T') && at(19, b'.') && at(23, b'Z');
    let in_day = text.get(11..13).is_some_and(|hour| hour < b"24");
    let in_month = text.get(8..10).is_some_and(|day| day <= b"28");
    has_form && in_day && in_month || iso_from_ms(ms).is_some_and(|iso| iso.as_bytes() == text)
}

/// The last `digits` decimal digits of a number that is not negative.
fn push_digits(text: &mut String, number: i64, digits: u32) {
    for place in (0..digits).rev() {
        let digit = (number / 10_i64.pow(place)).rem_euclid(10);
        text.push(char::from(b'0' + digit as u8));
    }
}

/// Reads an ISO time; a date-time without an offset counts as UTC. See [`parse_date_ms`] for what is accepted.
///
/// Texts that [`iso_from_ms`] wrote take a short way without a loop or an allocation.
///
/// ```
/// use logwood::json::parse_iso_ms;
/// assert_eq!(parse_iso_ms("2024-12-03T14:00:00.000Z"), Some(1_733_234_400_000));
/// assert_eq!(parse_iso_ms("2024-12-03T15:00:00+01:00"), Some(1_733_234_400_000));
/// assert_eq!(parse_iso_ms("yesterday"), None);
/// ```
#[must_use]
pub fn parse_iso_ms(text: impl AsRef<[u8]>) -> Option<i64> {
    parse_date_ms(text, |_| 0)
}

/// Reads an ISO time as `Date.parse` does, in the zone given by `local_offset`.
///
/// `local_offset` takes a local time in milliseconds and gives how far the zone is ahead of UTC then, in milliseconds;
/// it is asked only for a date-time without an offset. Accepted are
/// - dates `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, which are UTC, also with a year of sign and six digits (`-000000` is none);
/// - one of these, `T` or a space, and `HH:MM`, `HH:MM:SS` or `HH:MM:SS.f…` (any number of digits, cut to milliseconds);
///   `24:00:00.000` is the end of the day;
/// - after that `Z` or `±HH:MM`. `t` and `z` will do.
///
/// Everything else is `None`, and so is what no [`MAX_DATE_MS`] allows. Node's other forms (`Dec 3, 2024`, `2024-1-1`) and
/// its reading of February 30 as March 1 are left out on purpose: spec 0.5 wants them to be invalid.
#[doc(alias = "Date.parse")]
#[must_use]
pub fn parse_date_ms(text: impl AsRef<[u8]>, local_offset: impl Fn(i64) -> i64) -> Option<i64> {
    let text = text.as_ref();
    let ms = match parse_canonical(text) {
        Some(ms) => ms,
        None => parse_any(text, local_offset)?,
    };
    in_range(ms)
}

/// The stamp of a session's file name: `iso` with `-` for `:` and `.` (spec 3.4).
///
/// ```
/// assert_eq!(logwood::json::file_stamp("2024-12-03T14:00:00.000Z"), "2024-12-03T14-00-00-000Z");
/// ```
#[must_use]
pub fn file_stamp(iso: &str) -> String {
    iso.replace([':', '.'], "-")
}

fn in_range(ms: i64) -> Option<i64> {
    (-MAX_DATE_MS..=MAX_DATE_MS).contains(&ms).then_some(ms)
}

/// The 24 characters of `toISOString`: nearly every timestamp there is.
fn parse_canonical(text: &[u8]) -> Option<i64> {
    let &[
        y1,
        y2,
        y3,
        y4,
        b'-',
        mo1,
        mo2,
        b'-',
        d1,
        d2,
        b'T',
        h1,
        h2,
        b':',
        mi1,
        mi2,
        b':',
        s1,
        s2,
        b'.',
        f1,
        f2,
        f3,
        b'Z',
    ] = text
    else {
        return None;
    };
    let day = days_from_civil(number([y1, y2, y3, y4])?, number([mo1, mo2])?, number([d1, d2])?)?;
    let of_day = time_of_day(
        number([h1, h2])?,
        number([mi1, mi2])?,
        number([s1, s2])?,
        number([f1, f2, f3])?,
    )?;
    Some(day * DAY_MS + of_day)
}

fn parse_any(text: &[u8], local_offset: impl Fn(i64) -> i64) -> Option<i64> {
    let mut scan = Scan(text);
    let date = scan.date()? * DAY_MS;
    if scan.0.is_empty() {
        return Some(date);
    }
    scan.one_of(b"Tt ")?;
    let local = date + scan.time()?;
    let offset = match scan.0 {
        [] => local_offset(local),
        [b'Z' | b'z'] => 0,
        _ => scan.offset()?,
    };
    local.checked_sub(offset)
}

/// What is left of a text being read.
struct Scan<'a>(&'a [u8]);

impl<'a> Scan<'a> {
    fn one_of(&mut self, set: &[u8]) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        set.contains(&first).then(|| {
            self.0 = rest;
            first
        })
    }

    fn digits<const N: usize>(&mut self) -> Option<i64> {
        let (&digits, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        number(digits)
    }

    fn date(&mut self) -> Option<i64> {
        let year = self.year()?;
        let month = self.date_part()?;
        let day = if month.is_some() { self.date_part()? } else { None };
        days_from_civil(year, month.unwrap_or(1), day.unwrap_or(1))
    }

    fn year(&mut self) -> Option<i64> {
        match self.one_of(b"+-") {
            None => self.digits::<4>(),
            Some(b'-') => self.digits::<6>().filter(|&year| year != 0).map(|year| -year),
            Some(_) => self.digits::<6>(),
        }
    }

    /// `-NN`, or `Some(None)` where the date ends.
    fn date_part(&mut self) -> Option<Option<i64>> {
        match self.one_of(b"-") {
            Some(_) => self.digits::<2>().map(Some),
            None => Some(None),
        }
    }

    fn time(&mut self) -> Option<i64> {
        let hour = self.digits::<2>()?;
        self.one_of(b":")?;
        let minute = self.digits::<2>()?;
        let mut second = 0;
        let mut fraction = &b""[..];
        if self.one_of(b":").is_some() {
            second = self.digits::<2>()?;
            if self.one_of(b".").is_some() {
                fraction = self.fraction()?;
            }
        }
        // The end of the day is exact: not even a part of a millisecond may follow 24:00.
        if hour == 24 && fraction.iter().any(|&digit| digit != b'0') {
            return None;
        }
        time_of_day(hour, minute, second, whole_milliseconds(fraction))
    }

    /// At least one digit.
    fn fraction(&mut self) -> Option<&'a [u8]> {
        let digits = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        let (fraction, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        (digits > 0).then_some(fraction)
    }

    /// `±HH:MM` up to the end of the text.
    fn offset(&mut self) -> Option<i64> {
        let sign = if self.one_of(b"+-")? == b'-' { -1 } else { 1 };
        let hours = self.digits::<2>()?;
        self.one_of(b":")?;
        let minutes = self.digits::<2>()?;
        let valid = hours < 24 && minutes < 60 && self.0.is_empty();
        valid.then_some(sign * (hours * 60 + minutes) * MINUTE_MS)
    }
}

fn number<const N: usize>(digits: [u8; N]) -> Option<i64> {
    let mut value = 0;
    for digit in digits {
        value = value * 10 + i64::from(char::from(digit).to_digit(10)?);
    }
    Some(value)
}

/// The digits of a fraction of a second, cut to milliseconds.
fn whole_milliseconds(fraction: &[u8]) -> i64 {
    let weights = [100, 10, 1];
    fraction.iter().zip(weights).map(|(digit, weight)| i64::from(digit - b'0') * weight).sum()
}

fn time_of_day(hour: i64, minute: i64, second: i64, milli: i64) -> Option<i64> {
    let of_day = ((hour * 60 + minute) * 60 + second) * 1000 + milli;
    (of_day <= DAY_MS && minute < 60 && second < 60).then_some(of_day)
}

/// Days since 1970-01-01 in the Gregorian calendar without a beginning. Counts years from March, so that the leap day is the last.
fn days_from_civil(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The inverse of [`days_from_civil`]: year, month, day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::vectors::vectors;

    #[test]
    fn times_are_written_as_node_writes_them() {
        for (ms, want) in &vectors().iso {
            assert_eq!(&iso_from_ms(*ms), want, "{ms}");
        }
        assert_eq!(iso_from_ms(i64::MIN), None);
    }

    #[test]
    fn texts_are_read_as_node_reads_them() {
        for date in &vectors().dates {
            assert_eq!(parse_iso_ms(&date.text), date.utc, "{date:?}");
            assert_eq!(parse_date_ms(&date.text, |_| 5 * 3_600_000), date.east5, "{date:?}");
        }
    }

    #[test]
    fn forms_that_only_node_accepts_are_invalid() {
        for text in [
            "2024-02-30T00:00:00.000Z",
            "2023-02-29",
            "1900-02-29T00:00:00Z",
            "2024-04-31",
            "2024-12-03T14:00:00+0100",
            "2024-12-03Z",
            "2024-1-1",
            "-000000-01-01",
            "Dec 3, 2024",
            "1733234400000",
        ] {
            assert_eq!(parse_iso_ms(text), None, "{text}");
        }
    }

    #[test]
    fn the_zone_is_asked_for_local_times_only_and_cannot_overflow() {
        for text in ["2024-12-03", "2024-12-03T14:00Z", "2024-12-03T14:00+01:00"] {
            assert!(parse_date_ms(text, |_| panic!("asked for {text}")).is_some());
        }
        let asked = std::cell::Cell::new(0);
        let minute_east = parse_date_ms("1970-01-01T00:01:01", |local| {
            asked.set(local);
            60_000
        });
        assert_eq!((asked.get(), minute_east), (61_000, Some(1000)));
        assert_eq!(parse_date_ms("1970-01-01T00:00:01", |_| i64::MIN), None);
    }

    proptest! {
        #[test]
        fn reading_what_was_written_gives_the_time(ms in -MAX_DATE_MS..=MAX_DATE_MS) {
            prop_assert_eq!(parse_iso_ms(iso_from_ms(ms).unwrap()), Some(ms));
        }

        #[test]
        fn the_short_way_is_the_long_way(text in "[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\\.[0-9]{3}Z") {
            let (short, long) = (parse_canonical(text.as_bytes()), parse_any(text.as_bytes(), |_| 0));
            prop_assert_eq!(short, long);
        }

        #[test]
        fn any_text_does(text in "2024-12-03T14:00:00\\.\\PC{0,9}|[-+0-9TZ:. ]{0,30}|\\PC{0,30}") {
            let _ = parse_iso_ms(text);
        }
    }
}
