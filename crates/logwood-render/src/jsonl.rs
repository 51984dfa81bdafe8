//! A branch of a session as a session file of its own (spec 8.8).

use std::io::{self, Write};

use logwood::context::Entries;
use logwood::entry::Entry;
use logwood::error::Result;
use logwood::json::{Raw, iso_from_ms, set_member};
use logwood::tree::NodeId;

/// How the lines of a branch are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chain {
    /// Header and entries as they are.
    Kept,
    /// As dreb and pi export: a header of version 3 with the same id and this time (milliseconds since 1970), without parent and
    /// agent type; every entry hangs on the one before it.
    Renewed {
        /// The time of the header.
        now_ms: i64,
    },
}

/// Writes the branch that ends in `leaf` below `header`, the text of the header's line; the header alone where there is none. Every line ends with a line feed.
///
/// The inner error is that of `out`.
///
/// # Errors
/// When an entry cannot be read any more.
pub fn jsonl(
    entries: &impl Entries,
    header: &[u8],
    leaf: Option<NodeId>,
    chain: Chain,
    out: &mut impl Write,
) -> Result<io::Result<()>> {
    let header = match chain {
        Chain::Kept => header.to_vec(),
        Chain::Renewed { now_ms } => renewed(header, now_ms),
    };
    let mut written = line(out, &header);
    let mut before: Option<String> = None;
    for node in leaf.map(|leaf| entries.tree().branch(leaf)).unwrap_or_default() {
        if written.is_err() {
            break;
        }
        let text = entries.entry_text(node)?;
        written = match chain {
            Chain::Kept => line(out, &text),
            Chain::Renewed { .. } => line(out, &chained(&text, before.as_deref())),
        };
        before = Some(entries.tree().id(node).to_owned());
    }
    Ok(written.and_then(|()| out.flush()))
}

fn line(out: &mut impl Write, text: &[u8]) -> io::Result<()> {
    out.write_all(text)?;
    out.write_all(b"\n")
}

/// The entry below another one; one that says so already stays byte for byte.
fn chained(text: &[u8], parent: Option<&str>) -> Vec<u8> {
    let Ok(entry) = Entry::parse(text) else { return text.to_vec() };
    if entry.parent_id().as_deref() == parent && entry.raw().get("parentId").is_some() {
        return text.to_vec();
    }
    set_member(entry.raw(), "parentId", &parent.map_or(b"null".to_vec(), quoted))
}

fn renewed(header: &[u8], now_ms: i64) -> Vec<u8> {
    let header = Raw::parse(header).unwrap_or_else(|_| Raw::null());
    let member = |key: &str| header.get_str(key).unwrap_or_default();
    let mut object = br#"{"type":"session","version":3}"#.to_vec();
    let time = iso_from_ms(now_ms).unwrap_or_default();
    for (key, value) in [("id", &*member("id")), ("timestamp", &*time), ("cwd", &*member("cwd"))] {
        if let Ok(raw) = Raw::parse(&object) {
            object = set_member(raw, key, &quoted(value));
        }
    }
    object
}

fn quoted(text: &str) -> Vec<u8> {
    let mut out = vec![b'"'];
    logwood::json::escape_into(&mut out, text);
    out.push(b'"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use logwood::session::SessionOptions;

    fn exported(chain: Chain) -> String {
        let mut session = SessionOptions::new().in_memory("/work/demo");
        let say = |text: &str| {
            let message = format!(r#"{{"role":"user","content":"{text}"}}"#);
            logwood::entry::JsonText::parse(message.as_bytes()).unwrap()
        };
        let first = session.append_message(say("a")).unwrap();
        session.append_message(say("side")).unwrap();
        session.move_leaf(&first).unwrap();
        session.append_message(say("b")).unwrap();
        let mut out = Vec::new();
        jsonl(&session, &session.header_text(), session.leaf(), chain, &mut out).unwrap().unwrap();
        String::from_utf8(out).unwrap()
    }

    fn members(line: &str, keys: &[&str]) -> Vec<String> {
        let raw = Raw::parse(line.as_bytes()).unwrap();
        keys.iter()
            .map(|key| raw.get(key).map_or(String::new(), |raw| raw.text().into_owned()))
            .collect()
    }

    #[test]
    fn a_branch_is_whole_and_alone() {
        let text = exported(Chain::Kept);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(text.ends_with('\n') && !text.contains("side"));
        assert_eq!(members(lines[1], &["parentId"]), ["null"]);
        assert_eq!(members(lines[2], &["parentId"]), members(lines[1], &["id"]));
    }

    /// Spec 8.8.
    #[test]
    fn a_renewed_header_has_the_id_and_the_time() {
        let text = exported(Chain::Renewed { now_ms: 1_735_689_600_000 });
        let header = text.lines().next().unwrap();
        let keys: Vec<_> = Raw::parse(header.as_bytes())
            .unwrap()
            .members()
            .map(|(key, _)| key.text().into_owned())
            .collect();
        assert_eq!(keys, ["type", "version", "id", "timestamp", "cwd"]);
        assert_eq!(
            members(header, &["timestamp", "cwd"]),
            ["\"2025-01-01T00:00:00.000Z\"", "\"/work/demo\""]
        );
    }

    /// An entry whose parent is not there, or is none, hangs on the one before it.
    #[test]
    fn entries_are_chained() {
        assert_eq!(
            chained(br#"{"id":"b","parentId":"lost","x":1.0}"#, Some("a")),
            br#"{"id":"b","parentId":"a","x":1.0}"#
        );
        assert_eq!(
            chained(br#"{ "id":"b", "parentId":"a" }"#, Some("a")),
            br#"{ "id":"b", "parentId":"a" }"#
        );
        assert_eq!(
            chained(br#"{"id":"b","parentId":"lost"}"#, None),
            br#"{"id":"b","parentId":null}"#
        );
        assert_eq!(chained(br#"{"id":"b"}"#, None), br#"{"id":"b","parentId":null}"#);
    }
}
