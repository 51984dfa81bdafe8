//! One way out of the store for every format: with secrets or without, and looked at again where they were taken out.

use std::io::{self, Read, Write};

use logwood::context::Entries;
use logwood::error::Result;
use logwood::line::LineReader;
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use crate::about::About;
use crate::html::{HtmlOptions, html};
use crate::jsonl::{Chain, jsonl};
use crate::markdown::{MarkdownOptions, markdown};
use crate::redact::{Guard, Redacted, Redactor, Report, redact_line};

/// What an export is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One page with every branch.
    Html,
    /// One branch.
    Markdown,
    /// One branch as a session file.
    Jsonl(Chain),
}

/// How a session is exported.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The format.
    pub format: Format,
    /// The branch; none for that of the current position.
    pub leaf: Option<NodeId>,
    /// Whether messages are shown that their extension hides from people.
    pub hidden: bool,
    /// Takes secrets out; none leaves everything.
    pub redactor: Option<&'a Redactor>,
    /// The home directory, shown as `~` in the paths of tool calls.
    pub home: Option<&'a str>,
}

/// What was done about secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// What was taken out.
    pub redacted: Report,
    /// What the second look found in what was written. Where there is anything, do not hand the export on.
    pub left: Report,
}

impl Export<'_> {
    /// Writes the session; it stays as it is. The inner error is that of `out`.
    ///
    /// # Errors
    /// When an entry cannot be read any more.
    pub fn write(
        &self,
        session: &SessionManager,
        out: &mut impl Write,
    ) -> Result<io::Result<Exported>> {
        let about = About::of(session).with_usage(session)?;
        let Some(redactor) = self.redactor else {
            let header = session.header_text();
            return Ok(self.plain(session, &about, &header, out)?.map(|()| Exported::default()));
        };
        let entries = Redacted::new(session, redactor)?;
        let mut redacted = entries.report().clone();
        let about = about.redacted(redactor, &mut Report::default());
        let header = session.header_text();
        let header = redact_line(redactor, &header, &mut redacted);
        let mut guard = Guard::new(out, redactor);
        let written = self.plain(&entries, &about, &header, &mut guard)?;
        Ok(written.and_then(|()| guard.finish()).map(|(_, left)| Exported { redacted, left }))
    }

    fn plain(
        &self,
        entries: &impl Entries,
        about: &About,
        header: &[u8],
        out: &mut impl Write,
    ) -> Result<io::Result<()>> {
        let (home, leaf, hidden) = (self.home, self.leaf, self.hidden);
        match self.format {
            Format::Html => html(entries, about, &HtmlOptions { home, leaf, hidden }, out),
            Format::Markdown => {
                let options = MarkdownOptions { home, leaf, hidden, without_thinking: false };
                markdown(entries, about, &options, out)
            }
            Format::Jsonl(chain) => {
                jsonl(entries, header, leaf.or(entries.tree().leaf()), chain, out)
            }
        }
    }
}

/// Copies a whole session file, every line of it: byte for byte, or without secrets, and then each line that held none stays byte for
/// byte. What is no JSON goes along too.
///
/// # Errors
/// Those of `file` and `out`.
pub fn copy_file(
    file: impl Read,
    redactor: Option<&Redactor>,
    out: &mut impl Write,
) -> io::Result<Exported> {
    let Some(redactor) = redactor else {
        let mut file = file;
        io::copy(&mut file, out)?;
        out.flush()?;
        return Ok(Exported::default());
    };
    let mut redacted = Report::default();
    let mut guard = Guard::new(out, redactor);
    let mut lines = LineReader::new(file);
    while let Some(line) = lines.next_line()? {
        guard.write_all(&redact_line(redactor, line.bytes, &mut redacted))?;
        if line.complete {
            guard.write_all(b"\n")?;
        }
    }
    let (_, left) = guard.finish()?;
    Ok(Exported { redacted, left })
}
