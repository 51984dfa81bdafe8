//! The text of a `.trashinfo` file (freedesktop.org Trash specification 1.0).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What logwood adds, which others ignore: files with one group were deleted together.
const GROUP: &str = "X-Logwood-Group";

/// Where a file in the trash came from, and when it was put there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TrashInfo {
    pub(super) original: PathBuf,
    /// Local time, `YYYY-MM-DDThh:mm:ss`; empty where the file names none.
    pub(super) deleted: String,
    pub(super) group: Option<String>,
}

impl TrashInfo {
    pub(super) fn text(&self) -> String {
        let path = escape(self.original.as_os_str().as_encoded_bytes());
        let mut text = format!("[Trash Info]\nPath={path}\nDeletionDate={}\n", self.deleted);
        if let Some(group) = &self.group {
            text.push_str(&format!("{GROUP}={group}\n"));
        }
        text
    }

    /// Reads a file; none where it names no path, or one that is not UTF-8. Of a key that comes twice the first counts.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        lines.find(|line| line.trim_end() == "[Trash Info]")?;
        let lines: Vec<_> = lines.take_while(|line| !line.starts_with('[')).collect();
        let value = |key: &str| {
            lines.iter().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))
        };
        Some(Self {
            original: PathBuf::from(unescape(value("Path")?.trim())?),
            deleted: value("DeletionDate").unwrap_or_default().trim().to_owned(),
            group: value(GROUP).map(|group| group.trim().to_owned()),
        })
    }

    pub(super) fn file_name(&self) -> Option<&Path> {
        self.original.file_name().map(Path::new)
    }
}

/// As a URI has it: everything but letters, digits, `/` and `-_.!~*'()` as `%XX`.
fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        if byte.is_ascii_alphanumeric() || b"/-_.!~*'()".contains(byte) {
            text.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// The text behind the escapes; a `%` that starts none stands for itself.
fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = (*first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        let code = code.filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()));
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(path: &str) -> TrashInfo {
        TrashInfo {
            original: path.into(),
            deleted: "2026-12-01T12:00:00".into(),
            group: Some("g".into()),
        }
    }

    /// The escapes are those that Python's `urllib.parse.quote(path, "/!~*'()")` gives.
    #[test]
    fn the_text_is_what_others_write() {
        assert_eq!(
            info("/a b/100%/ä#?.jsonl").text(),
            "[Trash Info]\nPath=/a%20b/100%25/%C3%A4%23%3F.jsonl\nDeletionDate=2026-12-01T12:00:00\nX-Logwood-Group=g\n"
        );
    }

    #[test]
    fn what_was_written_reads_back() {
        for path in ["/a b/100%/ä#?.jsonl", "/x\ny/-rf.jsonl", "/%41"] {
            assert_eq!(TrashInfo::parse(&info(path).text()), Some(info(path)));
        }
    }

    #[test]
    fn texts_of_others() {
        let read = |text: &str| TrashInfo::parse(text).map(|info| info.original);
        assert_eq!(read("[Trash Info]\r\nPath=/a\r\n"), Some("/a".into()));
        assert_eq!(read("# c\n[Trash Info]\nPath = /a%zz%2\nPath=/b\n"), Some("/a%zz%2".into()));
        for text in ["", "Path=/a", "[Trash Info]\nPathology=/a", "[Trash Info]\nPath=%ff"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
