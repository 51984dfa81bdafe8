//! Many sessions: one row for each file of a directory or a store, and the most recent of a project.
//!
//! A listing opens each file once, reads each byte once, holds one block and the longest line for each thread, and never looks at a
//! session's working directory. What cannot be read is in [`Listing::problems`].
//!
//! | wanted | |
//! |---|---|
//! | one folder, one project, one store | [`Inventory::list_all_from_dir`], [`Inventory::list`], [`Inventory::list_all`] |
//! | several stores in one listing, or certain files | [`Inventory::list_places`] over [`Place`]s, [`Inventory::list_files`] |
//! | the settings that name them | [`read_settings`] |
//! | rows under their parents, or by project | [`threaded`], [`children_below`], [`by_project`] |
//! | the files that may be sessions, unread | [`session_files`] |
//! | without reading again what is known | [`Inventory::list_known_places`] with a [`KnownFiles`] |
//! | headers only, and who names whom as its parent | [`read_headers`], [`Lineage`] |

mod branches;
mod checkpoint;
mod codec;
mod facts;
mod files;
mod header_line;
mod headers;
mod info;
mod known;
mod lister;
mod listing;
mod place;
mod projects;
mod reading;
mod recent;
mod remembered;
mod scan;
mod settings;
mod summary;
#[cfg(test)]
mod tests;
mod threads;

pub use checkpoint::FACTS_VERSION;
pub use facts::Facts;
pub(crate) use files::is_session_name;
pub use files::{SessionFile, session_files};
pub use header_line::{HeaderLine, copy_all};
pub(crate) use headers::telling_name;
pub use headers::{HeaderRow, Headers, Lineage, read_headers, read_headers_and};
pub use info::{Heading, SessionInfo, SessionKind, SessionStatus};
pub use known::{FileKey, KnownFile, KnownFiles, KnownFolder, News};
pub use lister::{Inventory, ProgressFn};
pub use listing::{FileProblem, Listing, Progress};
pub use place::Place;
pub use projects::by_project;
pub use recent::{files_with_id, most_recent, most_recent_in, read_header};
pub use settings::read_settings;
pub use threads::{children_below, threaded};
