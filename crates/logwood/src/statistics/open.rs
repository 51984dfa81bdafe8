use crate::entry::parse_line;
use crate::error::Result;
use crate::session::SessionManager;

use super::UsageRecord;
use super::collect::Current;
use super::read::UsageReader;

/// The usage records of an open session, entries that are not on disk yet included: the same as a [`UsageCollector`](super::UsageCollector)
/// picks from its file, but with the current branch as it is now. Lines without a usable id come last.
///
/// # Errors
/// When a line cannot be read any more.
pub fn usage_of(session: &SessionManager) -> Result<Vec<UsageRecord>> {
    let current = Current::of(session.tree());
    let mut reader = UsageReader::default();
    let mut records = Vec::new();
    for line in session.entries() {
        let found = record(&mut reader, &session.line_text(&line)?);
        records.extend(
            found.map(|record| UsageRecord { current_branch: current.has(line.node), ..record }),
        );
    }
    for text in session.lines_without_id() {
        records.extend(record(&mut reader, &text?));
    }
    Ok(records)
}

fn record(reader: &mut UsageReader, text: &[u8]) -> Option<UsageRecord> {
    let parsed = parse_line(text)?.ok()?;
    reader.record(&parsed)
}
