//! Stand-in until json/string.rs, number.rs, stringify.rs, space.rs and date.rs land: whoever lands those deletes this file and its lines in mod.rs.
#![expect(missing_docs, clippy::indexing_slicing, reason = "stub")]
use std::borrow::Cow;
pub(crate) mod string {
    use super::*;
    pub(crate) fn unescape(inner: &[u8]) -> Cow<'_, str> {
        if !inner.contains(&b'\\') {
            return String::from_utf8_lossy(inner);
        }
        let text = String::from_utf8_lossy(inner);
        let mut out: Vec<u16> = vec![];
        let mut it = text.encode_utf16();
        while let Some(c) = it.next() {
            if c != 92 {
                out.push(c);
                continue;
            }
            match it.next().unwrap_or(0) as u8 {
                b'n' => out.push(10),
                b't' => out.push(9),
                b'r' => out.push(13),
                b'b' => out.push(8),
                b'f' => out.push(12),
                b'u' => {
                    let h: String =
                        it.by_ref().take(4).filter_map(|u| char::from_u32(u as u32)).collect();
                    out.push(u16::from_str_radix(&h, 16).unwrap_or(0));
                }
                o => out.push(o as u16),
            }
        }
        Cow::Owned(String::from_utf16_lossy(&out))
    }
    pub fn escape_into(out: &mut Vec<u8>, text: &str) {
        let s = serde_json::to_string(text).unwrap_or_default();
        out.extend_from_slice(&s.as_bytes()[1..s.len() - 1]);
    }
}
pub(crate) mod number {
    pub(crate) fn parse_number(raw: &[u8]) -> Option<f64> {
        std::str::from_utf8(raw).ok()?.parse().ok()
    }
    pub fn js_number_text(n: f64) -> String {
        ryu_js::Buffer::new().format(n).to_owned()
    }
}
pub use number::js_number_text;
pub use string::escape_into;
pub fn stringify(raw: &[u8]) -> Vec<u8> {
    raw.to_vec()
}
pub fn utf16_len(s: &str) -> usize {
    s.encode_utf16().count()
}
pub fn trim_js(s: &str) -> &str {
    s.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}
pub fn trim_js_bytes(mut b: &[u8]) -> &[u8] {
    loop {
        let l = b.len();
        b = b.trim_ascii();
        b = b.strip_prefix("\u{feff}".as_bytes()).unwrap_or(b);
        if b.len() == l {
            return b;
        }
    }
}
pub fn parse_iso_ms(b: &[u8]) -> Option<i64> {
    let t: jiff::Timestamp = std::str::from_utf8(b).ok()?.parse().ok()?;
    Some(t.as_millisecond())
}
pub fn iso_from_ms(ms: i64) -> Option<String> {
    Some(format!("{:.3}", jiff::Timestamp::from_millisecond(ms).ok()?))
}
