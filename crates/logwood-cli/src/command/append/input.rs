//! What stands on the standard input: one object over several lines, or an object a line.

use logwood::entry::{EntryDraft, JsonText, RawEntry, Role};
use logwood::error::ErrorKind;
use logwood::json::{Raw, trim_js_bytes};

use crate::error::{CommandError, Result};

const FORM: &str = "nothing was written; each line is a message ({\"role\":\"user\",…}) or an entry ({\"type\":\"custom\",…})";

/// The entries to append; with `raw` none of the objects is a message.
///
/// # Errors
/// `parse` for what is no JSON, `invalid_argument` for what can be no entry; with the number of the line.
pub(super) fn drafts(input: &[u8], raw: bool) -> Result<Vec<EntryDraft>> {
    let whole = trim_js_bytes(input);
    if whole.is_empty() {
        let message = "cannot append: there is nothing on the standard input";
        return Err(CommandError::new(ErrorKind::InvalidArgument, message).hint(FORM));
    }
    if Raw::parse(whole).is_ok() {
        return Ok(vec![draft(whole, raw).map_err(|fault| fault.at(None))?]);
    }
    let lines = input.split(|byte| *byte == b'\n').map(trim_js_bytes).zip(1..);
    let lines = lines.filter(|(line, _)| !line.is_empty());
    lines.map(|(line, number)| draft(line, raw).map_err(|fault| fault.at(Some(number)))).collect()
}

/// Why an object is not taken.
struct Fault(ErrorKind, String);

impl Fault {
    fn new(why: &str) -> Self {
        Self(ErrorKind::InvalidArgument, why.to_owned())
    }

    fn at(self, line: Option<u64>) -> CommandError {
        let Self(kind, why) = self;
        let place = line.map_or("the input".to_owned(), |line| format!("line {line} of the input"));
        CommandError::new(kind, format!("cannot append: {place} {why}")).hint(FORM)
    }
}

fn draft(text: &[u8], raw: bool) -> std::result::Result<EntryDraft, Fault> {
    let object = Raw::parse(text).map_err(|error| not_json(error.at, error.truncated))?;
    if !object.is_object() {
        return Err(Fault::new("is no JSON object"));
    }
    match object.get_str("role") {
        Some(role) if !raw => match Role::from_word(&role) {
            Role::BranchSummary | Role::CompactionSummary => {
                Err(Fault::new("is a summary, which is an entry of its own and no message"))
            }
            _ => JsonText::parse(text)
                .map(EntryDraft::Message)
                .map_err(|error| not_json(error.at, error.truncated)),
        },
        _ => entry(text),
    }
}

fn entry(text: &[u8]) -> std::result::Result<EntryDraft, Fault> {
    let entry = RawEntry::parse(text).map_err(|error| not_json(error.at, error.truncated))?;
    match entry.type_word().as_deref() {
        None | Some("") => Err(Fault::new("has no `type`")),
        Some("session") => Err(Fault::new("is a header, which is no entry")),
        Some(_) => {
            let draft = EntryDraft::Raw(entry);
            match draft.arbitration_fault() {
                Some(fault) => Err(Fault::new(&format!("is no record of an arbitration: {fault}"))),
                None => Ok(draft),
            }
        }
    }
}

fn not_json(at: usize, truncated: bool) -> Fault {
    let why = match truncated {
        true => "is no JSON: it ends too early".to_owned(),
        false => format!("is no JSON from its byte {} on", at + 1),
    };
    Fault(ErrorKind::Parse, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(input: &str, raw: bool) -> Vec<&'static str> {
        let word = |draft: &EntryDraft| match draft {
            EntryDraft::Message(_) => "message",
            EntryDraft::Raw(_) => "raw",
            _ => "other",
        };
        drafts(input.as_bytes(), raw).unwrap().iter().map(word).collect()
    }

    #[test]
    fn a_role_makes_a_message_and_a_type_an_entry() {
        let user = r#"{"role":"user","content":"hi"}"#;
        let custom = r#"{"type":"custom","customType":"x","role":7}"#;
        assert_eq!(kinds(&format!("{user}\n\n \r\n{custom}\r\n"), false), ["message", "raw"]);
        assert_eq!(kinds("\u{feff}{\n \"role\": \"user\"\n}\n", false), ["message"]);
        assert_eq!(kinds(r#"{"type":"x","role":"user"}"#, true), ["raw"]);
    }

    #[test]
    fn one_bad_line_refuses_all() {
        let good = r#"{"role":"user","content":"hi"}"#;
        for (bad, kind, why) in [
            ("{\"role\":", "parse", "line 2 of the input is no JSON: it ends too early"),
            ("{\"a\" 1}", "parse", "line 2 of the input is no JSON from its byte 6 on"),
            ("[1]", "invalid_argument", "line 2 of the input is no JSON object"),
            ("{\"type\":\"session\"}", "invalid_argument", "line 2 of the input is a header"),
            ("{\"a\":1}", "invalid_argument", "line 2 of the input has no `type`"),
            (
                r#"{"type":"custom","customType":"subagent_arbitration","data":{"prompt":"x"}}"#,
                "invalid_argument",
                "line 2 of the input is no record of an arbitration",
            ),
            (
                "{\"role\":\"branchSummary\"}",
                "invalid_argument",
                "line 2 of the input is a summary",
            ),
        ] {
            let Err(CommandError::Failed(failure)) =
                drafts(format!("{good}\n{bad}\n{good}").as_bytes(), false)
            else {
                panic!("{bad}")
            };
            assert_eq!(failure.kind.as_str(), kind, "{bad}");
            assert!(failure.message.contains(why), "{}", failure.message);
        }
        assert!(drafts(b" \n", false).is_err());
    }
}
