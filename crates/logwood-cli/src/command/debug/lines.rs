//! Stage 1: the lines of a file, as they are cut; nothing is known of sessions beyond what one line says.

use std::path::Path;

use logwood::entry::{ParsedLine, RecordKind, parse_line};
use logwood::error::Error;
use logwood::json::SyntaxError;
use logwood::line::{LineReader, LineRef};
use logwood::storage::{LocalStorage, Sequential, Storage as _};

use crate::app::App;
use crate::error::{CommandError, Result};
use crate::output::{Line, Object, style};

/// What one line is.
struct Row {
    number: u64,
    byte: u64,
    length: usize,
    complete: bool,
    kind: &'static str,
    detail: String,
}

pub(super) fn run(path: &Path, app: &mut App) -> Result<()> {
    let failed = |error| CommandError::from(Error::io("cannot read", path, error));
    let mut file = LocalStorage.open(path).map_err(failed)?;
    let mut reader = LineReader::new(Sequential::new(&mut *file));
    let mut next = || match reader.next_line() {
        Ok(line) => line.map(|line| Ok(Row::of(line))),
        Err(error) => Some(Err(failed(error))),
    };
    if app.globals.json {
        return app.out.json_list(std::iter::from_fn(next).map(|row| Ok(row?.json())));
    }
    let heading = format!("{:>7} {:>11} {:>9}  end   what", "line", "byte", "length");
    app.out.line(&Line::new().add(style::DIM, heading))?;
    while let Some(row) = next() {
        app.out.line(&row?.line())?;
    }
    Ok(())
}

impl Row {
    fn of(line: LineRef<'_>) -> Self {
        let (kind, detail) = match parse_line(line.bytes) {
            None => ("blank", String::new()),
            Some(Err(error)) => ("malformed", why(line.bytes, error)),
            Some(Ok(parsed)) => what(&parsed),
        };
        Self {
            number: line.position.line,
            byte: line.position.byte,
            length: line.bytes.len(),
            complete: line.complete,
            kind,
            detail,
        }
    }

    fn line(&self) -> Line {
        let end = if self.complete { "LF" } else { "none" };
        let style = match self.kind {
            "malformed" => style::ERROR,
            "header" | "entry" => style::PLAIN,
            _ => style::TOOL,
        };
        Line::new()
            .add(
                style::DIM,
                format!("{:>7} {:>11} {:>9}  {end:<4}  ", self.number, self.byte, self.length),
            )
            .add(style, self.kind)
            .plain(format!(" {}", self.detail))
    }

    fn json(&self) -> String {
        Object::new()
            .num("line", self.number)
            .num("byte", self.byte)
            .num("length", self.length as u64)
            .bool("complete", self.complete)
            .str("kind", self.kind)
            .opt_str("detail", Some(self.detail.as_str()).filter(|detail| !detail.is_empty()))
            .end()
    }
}

fn what(parsed: &ParsedLine<'_>) -> (&'static str, String) {
    let envelope = &parsed.envelope;
    let text = |raw: Option<logwood::json::Raw<'_>>| {
        raw.map_or(String::new(), |raw| raw.as_str().unwrap_or_else(|| raw.text()).into_owned())
    };
    let (kind, detail) = match envelope.record_kind() {
        RecordKind::Header => ("header", text(envelope.id)),
        RecordKind::Entry => (
            "entry",
            format!("{} {} {}", text(envelope.kind), text(envelope.id), text(envelope.head.role)),
        ),
        RecordKind::MissingId => ("missing_id", text(envelope.kind)),
        RecordKind::NotAnEntry => ("not_an_entry", String::new()),
    };
    let bom = if parsed.had_bom { ", byte order mark" } else { "" };
    let lone = if envelope.lone_surrogate { ", half a character" } else { "" };
    (kind, format!("{}{bom}{lone}", detail.trim_end()))
}

fn why(bytes: &[u8], error: SyntaxError) -> String {
    let nul = if bytes.contains(&0) { ", NUL bytes" } else { "" };
    format!("{error}{nul}")
}
