//! Text for a person: lines of styled pieces, cut and wrapped by the columns they take.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use super::style::PLAIN;
use super::wrap::cut;
use logwood_render::plain::clean;

/// One line of output. Every piece of it is made harmless as it is added (invariant 11 of ARCHITECTURE.md).
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    pieces: Vec<(Style, String)>,
}

impl Line {
    /// An empty line.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds styled text.
    #[must_use]
    pub(crate) fn add(mut self, style: Style, text: impl AsRef<str>) -> Self {
        self.push(style, text.as_ref());
        self
    }

    /// Adds plain text.
    #[must_use]
    pub(crate) fn plain(self, text: impl AsRef<str>) -> Self {
        self.add(PLAIN, text)
    }

    /// Adds styled text.
    pub(crate) fn push(&mut self, style: Style, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some((before, last)) if *before == style => last.push_str(&clean(text)),
            _ => self.pieces.push((style, clean(text).into_owned())),
        }
    }

    /// Its text without styles.
    pub(crate) fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// The columns it takes.
    pub(crate) fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.width()).sum()
    }

    /// The line in at most `columns` columns; what is left out shows as `…`.
    #[must_use]
    pub(crate) fn fit(self, columns: usize) -> Self {
        if self.width() <= columns {
            return self;
        }
        let mut fitted = Self::new();
        let mut room = columns;
        for (style, text) in self.pieces {
            let width = text.width();
            if width >= room {
                // What comes after it is left out too, so the mark is due even where the piece just fits.
                return fitted.add(style, cut(&format!("{text}…"), room));
            }
            room -= width;
            fitted.push(style, &text);
        }
        fitted
    }

    /// The line with the escapes of its styles and without spaces at its end.
    pub(crate) fn render(&self) -> String {
        let mut out = String::new();
        let last = self.pieces.iter().rposition(|(_, text)| !text.trim_end().is_empty());
        for (at, (style, text)) in self.pieces.iter().enumerate() {
            let text = match last {
                Some(last) if at < last => text,
                Some(last) if at == last => text.trim_end(),
                _ => break,
            };
            // Writing to a string cannot fail.
            let _ = write!(out, "{style}{text}{style:#}");
        }
        out
    }
}
