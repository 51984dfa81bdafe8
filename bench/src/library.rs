//! What logwood does, through its public interface.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use logwood::entry::parse_line;
use logwood::json::Raw;
use logwood::line::LineReader;
use logwood::session::{SessionManager, SessionOptions};

use crate::Fault;
use crate::clock::Clock;
use crate::op::Outcome;

fn opened(path: &Path) -> Result<SessionManager, Fault> {
    Ok(SessionOptions::new().read_only(true).open(path)?)
}

fn entries(session: &SessionManager) -> u64 {
    session.tree().len() as u64
}

/// Opens a session; counts its entries.
pub(crate) fn open(path: &Path) -> Result<Outcome, Fault> {
    let clock = Clock::start();
    let session = opened(path)?;
    let time = clock.stop();
    Ok(Outcome::new(time, entries(&session)))
}

/// Opens a session and builds the context at its leaf; counts its entries, and the bytes of the context as held.
pub(crate) fn context(path: &Path) -> Result<Outcome, Fault> {
    let clock = Clock::start();
    let session = opened(path)?;
    let context = session.context()?;
    let time = clock.stop();
    let held = context.messages().map(|message| message.raw.bytes().len() as u64).sum();
    if context.is_empty() {
        return Err("the context is empty".into());
    }
    Ok(Outcome { held, ..Outcome::new(time, entries(&session)) })
}

/// Every entry of an open session with its depth and label, in the order of the tree.
pub(crate) fn tree(path: &Path) -> Result<Outcome, Fault> {
    let session = opened(path)?;
    let clock = Clock::start();
    let tree = session.tree();
    let visits: Vec<_> = tree.walk().map(|visit| (visit, tree.label(visit.node))).collect();
    let time = clock.stop();
    Ok(Outcome::new(time, black_box(visits).len() as u64))
}

/// The children of each entry of an open session, as a list for each; counts the entries asked.
pub(crate) fn children(path: &Path) -> Result<Outcome, Fault> {
    let session = opened(path)?;
    let tree = session.tree();
    let (mut asked, mut found) = (0, tree.roots().count());
    let clock = Clock::start();
    for node in tree.nodes() {
        asked += 1;
        found += black_box(tree.children(node).collect::<Vec<_>>()).len();
    }
    let time = clock.stop();
    if found as u64 != asked {
        return Err(format!("{found} of {asked} entries are a root or somebody's child").into());
    }
    Ok(Outcome::new(time, asked))
}

/// The member `type` of each line, decoded, a line each, to /dev/null; counts the lines.
pub(crate) fn types(path: &Path) -> Result<Outcome, Fault> {
    let clock = Clock::start();
    let mut reader = LineReader::new(File::open(path)?);
    let mut sink = BufWriter::new(File::create("/dev/null")?);
    let mut lines = 0;
    while let Some(line) = reader.next_line()? {
        let Some(parsed) = parse_line(line.bytes) else { continue };
        let kind = parsed?.envelope.kind.and_then(Raw::as_str);
        sink.write_all(kind.as_deref().unwrap_or("null").as_bytes())?;
        sink.write_all(b"\n")?;
        lines += 1;
    }
    sink.flush()?;
    Ok(Outcome::new(clock.stop(), lines))
}
