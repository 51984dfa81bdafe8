//! Gives a JSON line its meaning: header, entries, messages, content blocks, usage.
//!
//! [`Envelope`] is what one pass over a line picks for trees and listings; everything else is decoded from the raw line when it is asked for.

mod envelope;
mod header;
mod kind;
mod line;

pub use envelope::{Envelope, MessageHead, RecordKind};
pub use header::SessionHeader;
pub use kind::{EntryKind, Role};
pub use line::{ParsedLine, parse_line};
