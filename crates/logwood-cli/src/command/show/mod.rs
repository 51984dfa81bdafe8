//! `logwood show`: a session as a transcript.
//!
//! `run` chooses the entries, `header` says what the session is, `transcript` prints one entry after the other, `body`
//! turns what an entry says into lines, `json` prints the same for programs. `part` is for the end of a session, read without the rest.

mod body;
mod header;
mod json;
mod note;
mod part;
mod run;
mod tool;
mod transcript;

pub(crate) use header::model as describe_model;
pub(crate) use run::{ShowArgs, run};
pub(crate) use tool::calls;
pub(crate) use transcript::{Mode, Transcript};
