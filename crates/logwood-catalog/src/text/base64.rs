//! Finds base64 in text, which nobody searches for and which would fill a catalog (case 51).

use std::ops::Range;

/// A block of at least so many bytes is base64.
const LEAST: usize = 512;

/// A line of a wrapped block has at least so many; the usual widths are 64 and 76.
const LINE: usize = 60;

/// The parts of the inside of a JSON string that are no base64.
///
/// A block is a run of characters of the base64 alphabets, upper case, lower case and digits among them, wrapped perhaps by single
/// line ends (`\n`, `\r\n`) every 60 characters or more, and 512 bytes long or more in all.
pub(super) fn without_base64(inner: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut blocks = Blocks { text: inner, at: 0 };
    let mut done = Some(0);
    std::iter::from_fn(move || {
        let from = done?;
        let block = blocks.next();
        done = block.as_ref().map(|block| block.end);
        inner.get(from..block.map_or(inner.len(), |block| block.start))
    })
    .filter(|part| !part.is_empty())
}

/// The blocks of base64 in a text.
struct Blocks<'a> {
    text: &'a [u8],
    at: usize,
}

impl Iterator for Blocks<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let mut block = self.run()?;
            while let Some(line) = self.wrapped_line(block.end) {
                block.end = line.end;
                self.at = line.end;
            }
            if block.len() >= LEAST {
                return Some(block);
            }
        }
    }
}

impl Blocks<'_> {
    /// The next run of the length of a line, found by looking at every sixtieth byte first.
    fn run(&mut self) -> Option<Range<usize>> {
        while let Some(window) = self.text.get(self.at..self.at + LINE) {
            if let Some(last) = window.iter().rposition(|byte| !is_base64(*byte)) {
                self.at += last + 1;
                continue;
            }
            let run = self.after_escape(self.at)..self.run_end(self.at);
            self.at = run.end;
            if self.is_mixed(&run) {
                return Some(run);
            }
        }
        None
    }

    /// The next line of a wrapped block that ends at `end`; the last line may be short.
    fn wrapped_line(&self, end: usize) -> Option<Range<usize>> {
        let rest = self.text.get(end..)?;
        let start = match rest {
            [b'\\', b'n', ..] => end + 2,
            [b'\\', b'r', b'\\', b'n', ..] => end + 4,
            _ => return None,
        };
        let line = start..self.run_end(start);
        (line.len() >= LINE && self.is_mixed(&line)).then_some(line)
    }

    fn run_end(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        from + rest.iter().position(|byte| !is_base64(*byte)).unwrap_or(rest.len())
    }

    /// A run may begin inside of an escape, whose letters look like base64.
    fn after_escape(&self, start: usize) -> usize {
        let before = start.checked_sub(1).and_then(|before| self.text.get(before));
        if before == Some(&b'\\') { start + "uXXXX".len() } else { start }
    }

    fn is_mixed(&self, run: &Range<usize>) -> bool {
        let text = self.text.get(run.clone()).unwrap_or_default();
        let has = |kind: fn(&u8) -> bool| text.iter().any(kind);
        has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        without_base64(text.as_bytes()).map(|part| std::str::from_utf8(part).unwrap()).collect()
    }

    #[test]
    fn a_long_run_is_left_out() {
        let data = "iVBORw0KGgo+/A9z".repeat(40);
        assert_eq!(parts(&format!("see {data} here")), ["see ", " here"]);
        assert_eq!(parts(&format!("data:image/png;base64,{data}")), ["data:image/png;base64,"]);
        assert_eq!(parts(&data), [""; 0]);
        assert_eq!(parts(&format!(r"\u00e9 {data}\n")), [r"\u00e9 ", r"\n"]);
        // The letters of an escape belong to it.
        assert_eq!(parts(&format!(r"\u00e9{data}")), [r"\u00e9"]);
    }

    #[test]
    fn a_wrapped_block_is_left_out() {
        let line = "iVBORw0KGgo+/A9z".repeat(4);
        let block = [line.as_str(); 9].join(r"\n");
        assert_eq!(parts(&format!(r"cert:\n\n{block}\n\nend")), [r"cert:\n\niVBO", r"\n\nend"]);
        let block = [line.as_str(); 9].join(r"\r\n");
        assert_eq!(parts(&format!("x {block} end")), ["x ", " end"]);
    }

    /// What people search for: long paths, sums, one word a line, a ruler, plain letters.
    #[test]
    fn other_long_things_stay() {
        let sums =
            std::iter::repeat_n("0123456789abcdef".repeat(4), 20).collect::<Vec<_>>().join(r"\n");
        let paths = "/usr/lib/Some1/very/long/path".repeat(8);
        for text in [sums, paths, "=".repeat(2000), "a".repeat(5000), r"Word1\n".repeat(300)] {
            assert_eq!(parts(&text), [text.as_str()]);
        }
        assert_eq!(parts(""), [""; 0]);
    }
}
