//! The catalog: what sessions said, in one SQLite file for each agent directory, so that a listing opens only what changed.
//!
//! Derived data only: whoever removes the file loses time and nothing else. [`Catalog`] is a
//! [`KnownFiles`](logwood::inventory::KnownFiles), the memory of a listing; [`Catalogs`] are those of several stores.
//! Why it is built as it is stands in `doc/design/catalog.md`.
//!
//! | file | |
//! |---|---|
//! | `schema.rs`, `open.rs` | the tables; opening, and rebuilding what is damaged or of another version |
//! | `rows.rs`, `changes.rs` | rows out of the file and into it |
//! | `known.rs`, `several.rs` | the seam to the inventory, for one catalog and for several |
//! | `page.rs` | the first rows without a look at every file |
//! | `state.rs` | what is in it; checking and removing it |

mod changes;
mod known;
mod open;
mod os_bytes;
mod page;
mod place;
mod rows;
mod schema;
mod several;
mod state;

pub use open::Catalog;
pub use page::Page;
pub use place::file_name;
pub use several::Catalogs;
pub use state::{Status, clear};
