//! One JSON text the way JavaScript reads and writes it; knows nothing of sessions.
//!
//! [`Cursor`] validates a text and picks fields in one pass, [`Raw`] is a valid slice that is decoded on demand, and
//! [`set_member`] and [`remove_member`] change one member and nothing else. [`stringify()`] rewrites a text as JavaScript would,
//! [`write_object`] puts a new one together. The small rules have a file each: numbers, strings, white space and lengths, times.

mod cursor;
mod date;
mod edit;
mod number;
mod raw;
mod space;
mod string;
mod stringify;
#[cfg(test)]
mod vectors;
mod write;

pub(crate) use cursor::plain_prefix;
pub use cursor::{Cursor, SyntaxError};
pub(crate) use date::is_written_as_iso;
pub use date::{MAX_DATE_MS, file_stamp, iso_from_ms, parse_date_ms, parse_iso_ms};
pub use edit::{remove_member, set_member};
pub use number::{js_number_text, normalise_number, parse_number};
pub use raw::{Elements, JsonKind, Members, Raw, RawKey};
pub use space::{
    collapse_js_space, is_js_space, trim_js, trim_js_bytes, truncate_utf16, utf16_len,
};
pub use string::{escape_into, escape_wtf8_into, has_lone_surrogate, unescape, unescape_wtf8};
pub use stringify::stringify;
pub use write::{ArrayWriter, JsonWriter, ObjectWriter, write_array, write_object};
