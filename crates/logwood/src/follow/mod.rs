//! Sessions that grow while somebody looks: what was appended, once each and in order, without reading the rest again.
//!
//! [`SessionFollower`] follows one file, [`StoreFollower`] every session below some roots, [`Follower`] either. Both are asked: [`poll`](SessionFollower::poll)
//! looks at the disk and gives [`FollowEvent`]s; there is no thread, and nothing happens in between. A front end that is told by the
//! system that something changed asks at once, and now and then anyway.
//!
//! What holds:
//!
//! - Every entry line is delivered once, in file order, when it is whole: when its LF is there, or its JSON object is closed. A torn
//!   line is held back; when it gets an end by a fence (rule F26) it is told as skipped, and is no entry.
//! - Before what comes behind the known end is taken, the known end must still stand there. A file that was migrated, replaced,
//!   rewritten in place or cut is told as such and followed on behind the entry that was delivered last: by its number and id, else by
//!   its id. Only where that entry is gone, all of the file is delivered anew, and [`Change::SessionRewritten`] says so before.
//! - A program that rewrites in place is not disturbed: what looks damaged must look the same twice before it counts.
//! - A [`SessionCursor`] of each event, kept by the caller, survives a restart: a follower that resumes with it goes on behind that event.
//!
//! Files of version 1 and 2 are read whole when they change, since their ids follow from all lines before; programs bring them to
//! version 3 before they append.

mod cursor;
mod end;
mod event;
mod find;
mod follower;
mod lines;
mod mark;
mod older;
mod session;
mod store;

pub use cursor::{FollowCursor, SessionCursor};
pub use event::{Appended, Change, FollowEvent, Rewrite};
pub use follower::{Followed, Follower, Hints};
pub use mark::Start;
pub use session::SessionFollower;
pub use store::StoreFollower;
