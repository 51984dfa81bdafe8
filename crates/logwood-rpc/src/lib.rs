//! The line protocol of logwood: one JSON object a line in, one a line out.
//!
//! [`Dispatcher`] answers requests and knows no transport; [`serve`] is the one transport there is, over any reader and
//! writer, with [`FrameReader`] cutting the lines; a front end that sends events of subscriptions calls [`Dispatcher::poll`] between
//! requests. [`commands`] is the table of everything that can be asked, from which
//! dispatch, documents and tests all read. The protocol is described in `doc/protocol.md`.
//!
//! ```
//! use logwood_rpc::{Dispatcher, RpcOptions, serve};
//!
//! let mut dispatcher = Dispatcher::new(RpcOptions::default());
//! let mut out = Vec::new();
//! serve(&b"{\"id\":1,\"type\":\"get_leaf_id\"}\n"[..], &mut out, &mut dispatcher)?;
//! let answer = r#"{"id":1,"type":"response","command":"get_leaf_id","success":true,"data":{"leafId":null}}"#;
//! assert_eq!(String::from_utf8_lossy(&out), format!("{answer}\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod cwd;
mod dispatch;
mod follow_event;
mod frame;
mod performance_row;
mod request;
mod response;
mod search_hit;
mod serve;
mod session_row;
mod statistics_row;

pub use cwd::missing_cwds;
pub use dispatch::{
    CommandSpec, DataSpec, Dispatcher, Example, FieldKind, FieldSpec, RpcOptions, commands,
};
pub use follow_event::write_follow_event;
pub use frame::{Frame, FrameReader, LINE_LIMIT};
pub use performance_row::write_performance_members;
pub use search_hit::write_found;
pub use serve::{answer_frame, serve, write_line};
pub use session_row::{flags_of, live_rows, write_file_problem, write_session_row};
pub use statistics_row::{write_session_statistics, write_totals_members};
