//! One JSON text the way JavaScript reads and writes it; knows nothing of sessions.
//!
//! [`Cursor`] validates a text and picks fields in one pass, [`Raw`] is a valid slice that is decoded on demand, and
//! [`set_member`] and [`remove_member`] change one member and nothing else.

mod cursor;
mod edit;
mod raw;

pub use cursor::{Cursor, SyntaxError};
pub use edit::{remove_member, set_member};
pub use raw::{Elements, JsonKind, Members, Raw, RawKey};
mod stub;
pub use stub::*;
use stub::{number, string};
