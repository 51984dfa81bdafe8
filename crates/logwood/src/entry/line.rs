use crate::json::{SyntaxError, trim_js_bytes};

use super::Envelope;

/// One line that is JSON.
#[derive(Debug, Clone, Copy)]
pub struct ParsedLine<'a> {
    /// The JSON text: the line without a byte order mark or other white space around it.
    pub text: &'a [u8],
    /// What was picked from it.
    pub envelope: Envelope<'a>,
    /// Whether a byte order mark stood before it (rule F5, case 07).
    pub had_bom: bool,
}

/// Reads one line: none when it is blank as JavaScript sees it (spec 2.1).
///
/// # Errors
/// The place where the line stops being JSON.
pub fn parse_line(line: &[u8]) -> Option<Result<ParsedLine<'_>, SyntaxError>> {
    let plain = line.starts_with(b"{").then(|| Envelope::scan(line));
    if let Some(Ok(envelope)) = plain {
        return Some(Ok(ParsedLine { text: line, envelope, had_bom: false }));
    }
    let text = trim_js_bytes(line);
    if text.is_empty() {
        return None;
    }
    let had_bom = line.starts_with("\u{feff}".as_bytes());
    Some(Envelope::scan(text).map(|envelope| ParsedLine { text, envelope, had_bom }))
}
