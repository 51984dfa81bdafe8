//! Deletes sessions: says first what would go, then moves it to the trash, and brings it back from there.
//!
//! [`Deletion`] checks a path and makes a [`DeletePlan`]: the file, the copies and side files that logwood keeps beside it, and the
//! forks and transcripts that name it as their parent. [`Deletion::apply`] carries it out with a [`Trash`]: the `trash` program
//! first, then the trash folder of freedesktop.org, and for good only where that is asked for. [`RestorePlan`] is the way back.
//!
//! The trash folder is written here and not by the `trash` crate: that crate opens files by itself, so no test could make it fail
//! between two calls, and it reads the environment.

mod apply;
mod check;
mod freedesktop;
mod plan;
mod refusal;
mod restore;
mod sides;
#[cfg(test)]
mod tests;
mod trash;
mod trash_info;

pub use apply::{DeleteReport, Failed, Method, Removal, Removed, Trash};
pub use freedesktop::HomeTrash;
pub use plan::{DeletePlan, Deletion, Doomed};
pub use refusal::Wording;
pub use restore::{RestorePlan, RestoreReport, TrashedFile};
pub use trash::TrashProgram;
