//! What Node 20 says, made by `testdata/make.mjs`. Tests only.

use std::sync::OnceLock;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vectors {
    pub(crate) spaces: Vec<u32>,
    pub(crate) cuts: Vec<CutVector>,
    pub(crate) collapse: Vec<(String, String)>,
    pub(crate) numbers: Vec<NumberVector>,
    pub(crate) strings: Vec<StringVector>,
    pub(crate) texts: Vec<TextVector>,
    pub(crate) iso: Vec<(i64, Option<String>)>,
    pub(crate) dates: Vec<DateVector>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CutVector {
    pub(crate) text: String,
    pub(crate) length: usize,
    pub(crate) max: usize,
    pub(crate) out: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NumberVector {
    pub(crate) raw: String,
    /// `JSON.stringify(JSON.parse(raw))`
    pub(crate) js: String,
    /// whether `js` names exactly the number that `raw` names
    pub(crate) exact: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StringVector {
    hex: String,
    /// the UTF-16 code units of the parsed string
    pub(crate) units: Vec<u16>,
    /// the inside of the string `JSON.stringify` writes
    pub(crate) stringified: String,
}

impl StringVector {
    pub(crate) fn raw(&self) -> Vec<u8> {
        from_hex(&self.hex)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct TextVector {
    hex: String,
    pub(crate) out: String,
}

impl TextVector {
    pub(crate) fn raw(&self) -> Vec<u8> {
        from_hex(&self.hex)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct DateVector {
    pub(crate) text: String,
    /// `Date.parse` where local time is UTC
    pub(crate) utc: Option<i64>,
    /// `Date.parse` where local time is five hours ahead of UTC
    pub(crate) east5: Option<i64>,
}

fn from_hex(hex: &str) -> Vec<u8> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    hex.as_bytes().chunks(2).map(byte).collect()
}

pub(crate) fn vectors() -> &'static Vectors {
    static VECTORS: OnceLock<Vectors> = OnceLock::new();
    VECTORS.get_or_init(|| serde_json::from_str(include_str!("testdata/js.json")).unwrap())
}
