//! One function for each command, a table of all of them, and the process state they work on. No transport, no printing.
//!
//! Each file holds the commands of one subject and their rows of the table ([`commands`]); [`Dispatcher`] looks a request up,
//! checks its fields against the row and runs it.

mod append;
mod context;
mod dispatcher;
mod entries;
mod export;
mod facts;
mod listing;
mod manage;
mod navigate;
mod node;
mod open;
mod performance;
mod position;
mod preview;
mod remove;
mod row;
mod said;
mod search;
mod statistics;
mod subagents;
mod subscribe;
mod table;
mod tree;

pub use dispatcher::{Dispatcher, RpcOptions};
pub(crate) use open::path_member;
pub use row::{CommandSpec, DataSpec, Example, FieldKind, FieldSpec};
pub use table::commands;
