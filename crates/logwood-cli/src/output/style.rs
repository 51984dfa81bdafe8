//! The palette: the terminal's own colours that can be read on a dark and on a light background, and none of its greys.

use anstyle::{AnsiColor, Style};

/// What went wrong.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What to do next.
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// What is worth a look.
pub(crate) const WARNING: Style = AnsiColor::Magenta.on_default().bold();
/// Text as it is.
pub(crate) const PLAIN: Style = Style::new();
/// Less important text.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Thoughts.
pub(crate) const THOUGHT: Style = Style::new().dimmed().italic();
/// A heading, a name.
pub(crate) const STRONG: Style = Style::new().bold();
/// The person.
pub(crate) const USER: Style = AnsiColor::Blue.on_default().bold();
/// The model.
pub(crate) const ASSISTANT: Style = AnsiColor::Green.on_default().bold();
/// A tool, a command.
pub(crate) const TOOL: Style = AnsiColor::Cyan.on_default();
/// A label.
pub(crate) const LABEL: Style = AnsiColor::Magenta.on_default();
/// An id.
pub(crate) const ID: Style = Style::new().dimmed();
/// What was looked for.
pub(crate) const MATCH: Style = AnsiColor::Yellow.on_default().bold().underline();
