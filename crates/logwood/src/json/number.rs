//! Numbers as JavaScript reads and writes them (spec 0.4), except that no value is lost: a number that an `f64`
//! cannot hold keeps its text (design section 2, "Values").

use std::borrow::Cow;

/// The text `JSON.stringify` gives for `value`: shortest digits that read back, `null` for NaN and infinities, `0` for -0.
///
/// ```
/// use logwood::json::js_number_text;
/// assert_eq!(js_number_text(2.0), "2");
/// assert_eq!(js_number_text(1e21), "1e+21");
/// assert_eq!(js_number_text(f64::NAN), "null");
/// ```
#[must_use]
pub fn js_number_text(value: f64) -> String {
    if value.is_finite() {
        ryu_js::Buffer::new().format_finite(value).to_owned()
    } else {
        "null".to_owned()
    }
}

/// The value of a JSON number text, as `JSON.parse` reads it: 1e400 is infinity.
///
/// `None` when `raw` is not exactly one JSON number (no white space around it either). Exponents beyond ±650,000
/// are cut there, whatever the digits before them would make of it.
#[must_use]
pub fn parse_number(raw: impl AsRef<[u8]>) -> Option<f64> {
    let raw = raw.as_ref();
    if let Some(value) = short_decimal(raw) {
        return Some(value);
    }
    if !is_json_number(raw) {
        return None;
    }
    std::str::from_utf8(raw).ok()?.parse().ok()
}

/// The value of digits with a point among them, where they and the power of ten below them are whole numbers that an `f64` holds: one
/// division rounds right then. None for everything else.
fn short_decimal(raw: &[u8]) -> Option<f64> {
    let (integer, rest) = split_digits(raw);
    let fraction = match rest {
        [] => rest,
        [b'.', fraction @ ..] if !fraction.is_empty() => fraction,
        _ => return None,
    };
    let is_integer = matches!(integer, [b'0'] | [b'1'..=b'9', ..]);
    if !is_integer || raw.len() > MANTISSA_DIGITS || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digits = integer.iter().chain(fraction);
    let mantissa = digits.fold(0, |sum: u64, digit| sum * 10 + u64::from(digit - b'0'));
    let power = POWERS.get(fraction.len())?;
    (mantissa <= 1 << f64::MANTISSA_DIGITS).then(|| mantissa as f64 / power)
}

/// So many digits fit into 64 bits.
const MANTISSA_DIGITS: usize = 19;
const POWERS: [f64; 19] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
];

/// The text `JSON.stringify(JSON.parse(raw))` gives for a JSON number, but only when that text has the same value.
///
/// A number that JavaScript would round, overflow or underflow keeps its text, and so does anything that is not a JSON number.
///
/// ```
/// use logwood::json::normalise_number;
/// assert_eq!(&*normalise_number(b"1E2"), b"100");
/// assert_eq!(&*normalise_number(b"12345678901234567890"), b"12345678901234567890");
/// ```
#[must_use]
pub fn normalise_number(raw: &[u8]) -> Cow<'_, [u8]> {
    if is_plain_integer(raw) {
        return Cow::Borrowed(raw);
    }
    let Some(value) = parse_number(raw).filter(|value| value.is_finite()) else {
        return Cow::Borrowed(raw);
    };
    let mut buffer = ryu_js::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    if text == raw || !same_value(raw, text) {
        return Cow::Borrowed(raw);
    }
    Cow::Owned(text.to_vec())
}

/// Integers below 1e21 either are their own text or would be rounded; they are nearly all numbers of a session.
fn is_plain_integer(raw: &[u8]) -> bool {
    let digits = raw.strip_prefix(b"-").unwrap_or(raw);
    match digits {
        b"0" => raw.len() == 1,
        [b'1'..=b'9', rest @ ..] => rest.len() <= 20 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

fn is_json_number(raw: &[u8]) -> bool {
    let unsigned = raw.strip_prefix(b"-").unwrap_or(raw);
    let (integer, rest) = split_digits(unsigned);
    if integer.is_empty() || (integer.len() > 1 && integer.starts_with(b"0")) {
        return false;
    }
    match rest.strip_prefix(b".").map(split_digits) {
        Some((fraction, rest)) => !fraction.is_empty() && is_exponent_or_end(rest),
        None => is_exponent_or_end(rest),
    }
}

fn is_exponent_or_end(rest: &[u8]) -> bool {
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] | [b'e' | b'E', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// Whether two JSON number texts name exactly the same number (0 and -0 are the same number).
fn same_value(left: &[u8], right: &[u8]) -> bool {
    let (left, right) = (Decimal::of(left), Decimal::of(right));
    left.scale == right.scale && left.negative == right.negative && left.digits().eq(right.digits())
}

/// ±0.d₁d₂d₃… × 10^scale with d₁ and the last digit not zero; zero has no digits, no sign and scale 0.
struct Decimal<'a> {
    negative: bool,
    integer: &'a [u8],
    fraction: &'a [u8],
    scale: i64,
}

impl<'a> Decimal<'a> {
    fn of(text: &'a [u8]) -> Self {
        let unsigned = text.strip_prefix(b"-").unwrap_or(text);
        let (integer, rest) = split_digits(unsigned);
        let (fraction, rest) = rest.strip_prefix(b".").map_or((&b""[..], rest), split_digits);
        let mut decimal = Decimal {
            negative: unsigned.len() != text.len(),
            integer,
            fraction,
            scale: length(integer).saturating_add(exponent(rest)),
        };
        decimal.strip_zeros();
        decimal
    }

    fn strip_zeros(&mut self) {
        let integer = strip_leading(self.integer);
        let mut skipped = self.integer.len() - integer.len();
        self.integer = integer;
        if integer.is_empty() {
            let fraction = strip_leading(self.fraction);
            skipped += self.fraction.len() - fraction.len();
            self.fraction = fraction;
        }
        self.scale = self.scale.saturating_sub(i64::try_from(skipped).unwrap_or(i64::MAX));
        self.fraction = strip_trailing(self.fraction);
        if self.fraction.is_empty() {
            self.integer = strip_trailing(self.integer);
        }
        if self.integer.is_empty() && self.fraction.is_empty() {
            (self.negative, self.scale) = (false, 0);
        }
    }

    fn digits(&self) -> impl Iterator<Item = &u8> {
        self.integer.iter().chain(self.fraction)
    }
}

fn length(digits: &[u8]) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

/// The exponent behind `e`, saturated: no text is long enough to bring such a value back into range of an `f64`.
fn exponent(text: &[u8]) -> i64 {
    let text = text.strip_prefix(b"e").or_else(|| text.strip_prefix(b"E")).unwrap_or_default();
    let digits = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"-")).unwrap_or(text);
    let size = digits.iter().fold(0i64, |sum, digit| {
        sum.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')))
    });
    if text.starts_with(b"-") { size.saturating_neg() } else { size }
}

fn strip_leading(digits: &[u8]) -> &[u8] {
    let start = digits.iter().position(|&d| d != b'0').unwrap_or(digits.len());
    digits.get(start..).unwrap_or_default()
}

fn strip_trailing(digits: &[u8]) -> &[u8] {
    let end = digits.iter().rposition(|&d| d != b'0').map_or(0, |last| last + 1);
    digits.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::vectors::vectors;

    #[test]
    fn numbers_are_written_as_node_writes_them() {
        for number in &vectors().numbers {
            let value = parse_number(&number.raw).unwrap();
            assert_eq!(js_number_text(value), number.js, "{number:?}");
        }
        assert_eq!(js_number_text(f64::NAN), "null");
        assert_eq!(js_number_text(f64::NEG_INFINITY), "null");
        assert_eq!(js_number_text(-0.0), "0");
    }

    #[test]
    fn a_number_that_would_be_rounded_keeps_its_text() {
        for number in &vectors().numbers {
            let want = if number.exact { &number.js } else { &number.raw };
            let got = normalise_number(number.raw.as_bytes());
            assert_eq!(std::str::from_utf8(&got).unwrap(), want, "{number:?}");
        }
    }

    #[test]
    fn only_json_numbers_are_numbers() {
        for text in [
            "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e5", "NaN", "inf", "Infinity",
            "1 ", " 1", "0x1", "1_0", "١", "--1", "1e5.5",
        ] {
            assert_eq!(parse_number(text), None, "{text:?}");
            assert_eq!(&*normalise_number(text.as_bytes()), text.as_bytes());
        }
        assert_eq!(parse_number("1e400"), Some(f64::INFINITY));
        assert_eq!(parse_number(b"-2.5E-1"), Some(-0.25));
    }

    #[test]
    fn long_texts_are_compared_in_linear_time() {
        let zeros = "0".repeat(100_000);
        for one in [format!("1.{zeros}"), format!("0.{zeros}1e100001"), format!("1{zeros}e-100000")]
        {
            assert!(*normalise_number(one.as_bytes()) == *b"1", "{} bytes", one.len());
        }
        for kept in [format!("1.{zeros}1"), format!("1e-1{zeros}"), format!("1e1{zeros}")] {
            assert!(*normalise_number(kept.as_bytes()) == *kept.as_bytes());
        }
    }

    #[test]
    fn short_decimals_are_what_the_long_way_gives() {
        for text in [
            "0",
            "0.0",
            "9007199254740992",
            "9007199254740993",
            "0.3",
            "83.33333333333333",
            "999999999999999999.9",
        ] {
            let wanted: f64 = text.parse().unwrap();
            assert_eq!(parse_number(text).map(f64::to_bits), Some(wanted.to_bits()), "{text}");
        }
        assert_eq!(short_decimal(b"83.33333333333333"), Some(83.33333333333333));
        for other in [
            "01",
            "1.",
            ".5",
            "-1",
            "1e1",
            "9007199254740993",
            "1.2.3",
            "1.x",
            "",
            "12345678901234567890",
        ] {
            assert_eq!(short_decimal(other.as_bytes()), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn decimals_are_rounded_right(text in "(0|[1-9][0-9]{0,11})(\\.[0-9]{1,12})?") {
            let wanted: f64 = text.parse().unwrap();
            prop_assert_eq!(parse_number(&text).map(f64::to_bits), Some(wanted.to_bits()));
        }

        #[test]
        fn any_f64_reads_back_and_is_its_own_normal_form(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
            let text = js_number_text(value);
            prop_assert_eq!(parse_number(&text), Some(value));
            prop_assert!(matches!(normalise_number(text.as_bytes()), Cow::Borrowed(_)));
            let long = match text.split_once('e') {
                Some((digits, exponent)) => {
                    let (sign, power) = exponent.split_at(1);
                    format!("{digits}E{sign}00{power}")
                }
                None if text.contains('.') => format!("{text}00e-0"),
                None => format!("{text}000.00E-3"),
            };
            prop_assert_eq!(&*normalise_number(long.as_bytes()), text.as_bytes());
        }

        #[test]
        fn any_bytes_do(raw in proptest::collection::vec(any::<u8>(), 0..12)) {
            let _ = (parse_number(&raw), normalise_number(&raw));
        }
    }
}
