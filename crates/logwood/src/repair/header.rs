//! Makes a header from the name of the file, what is left of the old one, and what the caller knows.

use std::borrow::Cow;

use crate::entry::RecordKind;
use crate::json::{Raw, set_member, write_object};
use crate::location::{SessionFileName, encode_cwd};

use super::draft::Known;
use super::pieces::{Record, Unit, What, whole_members};

/// The members that a new header writes itself, in the order in which they are written (spec 1.2).
const OWN: [&str; 5] = ["type", "version", "id", "timestamp", "cwd"];

/// What is left of a header that was cut or spoilt: the members that are whole.
#[derive(Default)]
struct Remains<'a>(Vec<(String, Raw<'a>)>);

impl<'a> Remains<'a> {
    fn of(units: &[&Unit<'a>]) -> Self {
        let fragment = |unit: &&&Unit<'a>| matches!(unit.what, What::Fragment(_));
        let broken = units.iter().filter(fragment).find(|unit| unit.is_broken_header());
        broken.map_or_else(Self::default, |unit| Self(whole_members(unit.bytes)))
    }

    fn get(&self, key: &str) -> Option<Raw<'a>> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key).and_then(Raw::as_str).filter(|text| !text.is_empty())
    }
}

/// A header for these units, which have none.
pub(super) fn rebuilt(units: &[&Unit<'_>], known: &Known<'_>) -> Vec<u8> {
    let remains = Remains::of(units);
    let name = SessionFileName::parse(known.file_name);
    let id = name.as_ref().map(|name| Cow::Borrowed(name.id())).or(remains.text("id"));
    let time = name.as_ref().map(|name| Cow::Borrowed(name.timestamp()));
    let time = time.or(remains.text("timestamp")).or_else(|| first_time(units));
    let cwd = cwd(known, remains.text("cwd"));
    write_object(|header| {
        header.field_str("type", "session");
        match remains.get("version").and_then(Raw::as_f64) {
            Some(version) => header.field_f64("version", version),
            None => match version(units) {
                Some(version) => header.field_f64("version", version),
                None => header,
            },
        };
        header.field_str("id", &id.unwrap_or_else(|| made_id(known).into()));
        header.field_opt_str("timestamp", time.as_deref());
        header.field_str("cwd", &cwd);
        for (key, value) in remains.0.iter().filter(|(key, _)| !OWN.contains(&key.as_str())) {
            header.field_raw(key, value.bytes());
        }
    })
}

/// The header with a text as its id, and everything else as it stands (case 22).
pub(super) fn with_id(record: &Record<'_>, known: &Known<'_>) -> Vec<u8> {
    let Ok(header) = Raw::parse(record.text) else { return record.text.to_vec() };
    let number = record.id.filter(|id| id.as_f64().is_some()).map(Raw::text);
    let name = SessionFileName::parse(known.file_name).map(|name| name.id().to_owned().into());
    let id = name.or(number).unwrap_or_else(|| Cow::Owned(made_id(known)));
    let text = set_member(header, "id", &string(&id));
    match (header.get_str("cwd"), Raw::parse(&text)) {
        (None, Ok(text)) => set_member(text, "cwd", &string(&cwd(known, None))),
        _ => text,
    }
}

pub(super) fn string(text: &str) -> Vec<u8> {
    let mut out = vec![b'"'];
    crate::json::escape_into(&mut out, text);
    out.push(b'"');
    out
}

/// The version that the entries speak for: those with ids are of version 3, or 2 where a message has the role of that time.
fn version(units: &[&Unit<'_>]) -> Option<f64> {
    let records = || units.iter().filter_map(|unit| unit.record());
    let mut entries = records().filter(|record| record.is_entry()).peekable();
    let is_empty = entries.peek().is_none();
    let has_ids = entries.any(|record| record.kind == RecordKind::Entry);
    let is_old = records().any(|record| record.is_hook);
    (is_empty || has_ids).then_some(if is_old { 2.0 } else { 3.0 })
}

fn first_time<'a>(units: &[&Unit<'a>]) -> Option<Cow<'a, str>> {
    units.iter().filter(|unit| unit.is_entry()).find_map(|unit| {
        let entry = Raw::parse(unit.record()?.text).ok()?;
        entry.get_str("timestamp").filter(|time| crate::json::parse_iso_ms(&**time).is_some())
    })
}

/// The working directory: what the caller says, what the old header said, what the folder says where it can mean one thing only.
fn cwd<'a>(known: &Known<'a>, old: Option<Cow<'a, str>>) -> Cow<'a, str> {
    let given = known.cwd.map(Cow::Borrowed);
    given.or(old).or_else(|| cwd_of(known.folder).map(Cow::Owned)).unwrap_or_default()
}

/// The directory that a folder is named after; none where a `-` of the name may have been a separator.
fn cwd_of(folder: &str) -> Option<String> {
    let inner = folder.strip_prefix("--")?.strip_suffix("--")?;
    let cwd = format!("/{inner}");
    let is_plain = !inner.is_empty() && !inner.contains('-') && encode_cwd(&cwd) == folder;
    is_plain.then_some(cwd)
}

/// An id for a session of which nothing says it: the same at every look, from the content of the file.
fn made_id(known: &Known<'_>) -> String {
    let hex = known.sha256;
    let part = |range| hex.get(range).unwrap_or_default();
    let parts = [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)];
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::cwd_of;

    #[test]
    fn a_folder_says_the_cwd_only_where_it_can_mean_one_thing() {
        assert_eq!(cwd_of("--work--").as_deref(), Some("/work"));
        for folder in ["--work-demo--", "----", "work", "--C---", "-work-", ""] {
            assert_eq!(cwd_of(folder), None, "{folder}");
        }
    }
}
