//! The files that a conversation read and changed (spec 5.8).

use crate::entry::JsonText;
use crate::json::Raw;

/// The paths of files that were read, and of those that were written or edited, as the calls of the tools name them.
///
/// ```
/// use logwood::compaction::FileLists;
/// use logwood::json::Raw;
///
/// let mut files = FileLists::default();
/// let answer = br#"{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{"path":"/a.rs"}}]}"#;
/// files.add_message(Raw::parse(answer)?);
/// assert_eq!(files.read_files(), ["/a.rs"]);
/// assert_eq!(files.text(), "\n\n<read-files>\n/a.rs\n</read-files>");
/// # Ok::<(), logwood::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileLists {
    read: Vec<String>,
    modified: Vec<String>,
}

impl FileLists {
    /// Adds what the calls of a message read and change; only `read`, `write` and `edit` with a `path` that is text count.
    pub fn add_message(&mut self, message: Raw<'_>) {
        for block in message.get("content").into_iter().flat_map(Raw::elements) {
            if block.get("type").is_some_and(|kind| kind.is_str("toolCall")) {
                self.add_call(block);
            }
        }
    }

    fn add_call(&mut self, call: Raw<'_>) {
        let path = call.get("arguments").and_then(|arguments| arguments.get_str("path"));
        let list = match call.get_str("name").as_deref() {
            Some("read") => &mut self.read,
            Some("write" | "edit") => &mut self.modified,
            _ => return,
        };
        list.extend(path.map(|path| path.into_owned()));
    }

    /// Adds the lists that an earlier summary, a compaction or a branch summary, stored with itself; those of extensions say something else.
    pub fn add_summary(&mut self, entry: Raw<'_>) {
        let details = entry.get("details");
        let by_extension = entry.get("fromHook").is_some_and(Raw::is_truthy);
        let paths = |key: &str| {
            let list = details.filter(|_| !by_extension).and_then(|details| details.get(key));
            let texts = list.into_iter().flat_map(Raw::elements).filter_map(Raw::as_str);
            texts.map(|path| path.into_owned()).collect::<Vec<_>>()
        };
        self.read.extend(paths("readFiles"));
        self.modified.extend(paths("modifiedFiles"));
    }

    /// The files that were read and not changed, each once, in the order of their UTF-16 units.
    pub fn read_files(&self) -> Vec<&str> {
        let modified: std::collections::HashSet<&String> = self.modified.iter().collect();
        sorted(self.read.iter().filter(|path| !modified.contains(path)))
    }

    /// The files that were written or edited, each once, in the order of their UTF-16 units.
    pub fn modified_files(&self) -> Vec<&str> {
        sorted(self.modified.iter())
    }

    /// What stands behind the text of a summary; nothing where no file was touched.
    pub fn text(&self) -> String {
        let section = |name: &str, paths: Vec<&str>| match paths.as_slice() {
            [] => String::new(),
            paths => format!("\n\n<{name}>\n{}\n</{name}>", paths.join("\n")),
        };
        section("read-files", self.read_files()) + &section("modified-files", self.modified_files())
    }

    /// What is stored with a summary, so that the next one knows these files too.
    pub fn details(&self) -> JsonText {
        let list = |paths: Vec<&str>| {
            Some(JsonText::array(&paths.into_iter().map(JsonText::string).collect::<Vec<_>>()))
        };
        JsonText::object(&[
            ("readFiles", list(self.read_files())),
            ("modifiedFiles", list(self.modified_files())),
        ])
    }
}

fn sorted<'a>(paths: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut paths: Vec<&str> = paths.map(String::as_str).collect();
    paths.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    paths.dedup();
    paths
}
