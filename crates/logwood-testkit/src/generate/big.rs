//! Big inputs of one shape, always the same: written to a file, a buffer or a hasher.

use std::io::{Result, Write};

/// The header of every big session.
pub const HEADER: &str = r#"{"type":"session","version":3,"id":"22222222-3333-4444-8555-666666666666","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/mira/big"}"#;

/// Writes a session of `entries` user and assistant messages in one chain; ids count up from `00000000` in hex.
///
/// # Errors
///
/// What `out` says.
pub fn chain(out: &mut impl Write, entries: u32) -> Result<()> {
    tree(out, entries, |at| at.checked_sub(1))
}

/// Writes a session in which every entry but the first is a child of the first.
///
/// # Errors
///
/// What `out` says.
pub fn wide(out: &mut impl Write, entries: u32) -> Result<()> {
    tree(out, entries, |at| (at > 0).then_some(0))
}

/// Writes a session in which every entry is its own root.
///
/// # Errors
///
/// What `out` says.
pub fn roots(out: &mut impl Write, entries: u32) -> Result<()> {
    tree(out, entries, |_| None)
}

/// Writes a session whose entries form one cycle: each is the child of the one before, the first that of the last.
///
/// # Errors
///
/// What `out` says.
pub fn cycle(out: &mut impl Write, entries: u32) -> Result<()> {
    tree(out, entries, |at| Some(at.checked_sub(1).unwrap_or(entries - 1)))
}

/// Writes a session in which entry `at` is a child of entry `parent(at)`.
///
/// # Errors
///
/// What `out` says.
pub fn tree(out: &mut impl Write, entries: u32, parent: impl Fn(u32) -> Option<u32>) -> Result<()> {
    writeln!(out, "{HEADER}")?;
    for at in 0..entries {
        write!(out, r#"{{"type":"message","id":"{at:08x}","parentId":"#)?;
        match parent(at) {
            Some(parent) => write!(out, r#""{parent:08x}""#)?,
            None => write!(out, "null")?,
        }
        write!(out, r#","timestamp":"2026-01-01T00:00:00.000Z","message":"#)?;
        writeln!(out, "{}}}", message(at))?;
    }
    Ok(())
}

fn message(at: u32) -> String {
    if at.is_multiple_of(2) {
        return format!(
            r#"{{"role":"user","content":"question {at}","timestamp":{}}}"#,
            1_767_225_600_000_u64 + u64::from(at)
        );
    }
    format!(
        r#"{{"role":"assistant","content":[{{"type":"text","text":"answer {at}"}}],"api":"anthropic-messages","provider":"anthropic","model":"claude-sonnet-4-5","usage":{{"input":3,"output":5,"cacheRead":100,"cacheWrite":0,"totalTokens":108,"cost":{{"input":0.000009,"output":0.000075,"cacheRead":0.00003,"cacheWrite":0,"total":0.000114}}}},"stopReason":"stop","timestamp":{}}}"#,
        1_767_225_600_000_u64 + u64::from(at)
    )
}

/// Writes a session of a question and an answer whose tool call has arguments nested `levels` deep, lists and objects in turn.
///
/// # Errors
///
/// What `out` says.
pub fn nested(out: &mut impl Write, levels: usize) -> Result<()> {
    writeln!(out, "{HEADER}")?;
    let time = "2026-01-01T00:00:00.000Z";
    writeln!(
        out,
        r#"{{"type":"message","id":"00000000","parentId":null,"timestamp":"{time}","message":{{"role":"user","content":"go deep","timestamp":1}}}}"#
    )?;
    write!(
        out,
        r#"{{"type":"message","id":"00000001","parentId":"00000000","timestamp":"{time}","message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"dig","arguments":"#
    )?;
    for level in 0..levels {
        out.write_all(if level % 2 == 0 { br#"{"a":"# } else { b"[" })?;
    }
    write!(out, "0")?;
    for level in (0..levels).rev() {
        out.write_all(if level % 2 == 0 { b"}" } else { b"]" })?;
    }
    writeln!(out, r#"}}],"provider":"p","model":"m","stopReason":"toolUse","timestamp":2}}}}"#)
}

/// Writes a session with one entry whose text is `bytes` long.
///
/// # Errors
///
/// What `out` says.
pub fn long_line(out: &mut impl Write, bytes: usize) -> Result<()> {
    writeln!(out, "{HEADER}")?;
    write!(
        out,
        r#"{{"type":"message","id":"00000000","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{{"role":"user","content":""#
    )?;
    let block = [b'x'; 8192];
    let mut left = bytes;
    while left > 0 {
        let part = block.get(..left.min(block.len())).unwrap_or(&block);
        out.write_all(part)?;
        left -= part.len();
    }
    writeln!(out, r#"","timestamp":1}}}}"#)
}
