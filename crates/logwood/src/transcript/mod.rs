//! Transcripts of subagents: where new ones go, which there are, and how they hang together with the sessions they came from.
//!
//! A transcript is a session file like any other; its header names the agent and the session that started it. The paths are the
//! business of [`location`](crate::location) (rules L26 to L29); this room looks at the disk, and never changes it.
//!
//! | wanted | |
//! |---|---|
//! | a folder for a new child or a chain | [`new_single_dir`], [`new_chain_dir`] |
//! | the files of one folder | [`transcript_files`] |
//! | the children of a session, as after a restart | [`recover_children`], [`BackgroundAgents`] |
//! | what a child said | [`read_messages`], [`log_files`] |
//! | parents, forks and children of a session | [`Kinship`] |

mod agents;
mod discover;
mod kinship;
mod messages;
mod new_dir;
mod outcome;
mod recover;
#[cfg(test)]
mod tests;

pub use agents::{BackgroundAgent, BackgroundAgents};
pub use discover::{TranscriptFile, transcript_files};
pub use kinship::{Family, Kinship, Member};
pub use messages::{log_files, read_messages};
pub use new_dir::{new_chain_dir, new_single_dir};
pub use outcome::AgentStatus;
pub use recover::{RecoveredChild, Recovery, recover_children};
