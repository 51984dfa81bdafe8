//! The second look: at what an export writes.

use std::io::{self, Write};

use super::{Redactor, Report};

/// Passes bytes on and looks for secrets in them, line by line. A line is held until it is whole.
#[derive(Debug)]
pub struct Guard<'a, W> {
    out: W,
    redactor: &'a Redactor,
    line: Vec<u8>,
    report: Report,
}

/// In bytes.
pub(super) const LONGEST_SECRET: usize = 256;

impl<'a, W: Write> Guard<'a, W> {
    /// Looks at all that goes to `out`.
    pub fn new(out: W, redactor: &'a Redactor) -> Self {
        Self { out, redactor, line: Vec::new(), report: Report::default() }
    }

    /// What was found, and where the bytes went.
    ///
    /// # Errors
    /// When the last line cannot be written.
    pub fn finish(mut self) -> io::Result<(W, Report)> {
        self.line_done()?;
        self.out.flush()?;
        Ok((self.out, self.report))
    }

    fn line_done(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.line);
        for part in without_data(&text) {
            for finding in self.redactor.find(part) {
                self.report.count(&finding.kind);
            }
        }
        self.out.write_all(&self.line)?;
        self.line.clear();
        Ok(())
    }
}

/// The parts of a line around data: runs of characters of base64 too long for any secret, such as pictures.
fn without_data(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    for run in line.split_inclusive(|c| !is_data_char(c)) {
        if run.len() > LONGEST_SECRET {
            parts.extend(line.get(from..at));
            from = at + run.len();
        }
        at += run.len();
    }
    parts.extend(line.get(from..));
    parts
}

pub(super) fn is_data_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_')
}

impl<W: Write> Write for Guard<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            self.line.extend_from_slice(line);
            if line.ends_with(b"\n") {
                self.line_done()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
