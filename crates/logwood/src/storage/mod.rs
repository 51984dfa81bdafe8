//! The only room that touches files: read, append, replace atomically, lock, list, remove.
//!
//! [`Storage`] is the seam. [`LocalStorage`] is the disk of this machine, [`MemoryStorage`] a file system in memory; wrappers that
//! fail on demand or keep count stand in `logwood-testkit`, and one contract suite there runs on all of them.
//!
//! A file is read through a [`StoredFile`] and appended to through an [`AppendFile`]; [`Exclusive`] is an append file whose lock is
//! held. [`Replacement`] puts a whole new file in place of an old one, from the same primitive calls that everything else uses, so
//! that a test can fail between any two of them. [`LockFile`] is the lock of the performance log, which other programs take too.
//!
//! What holds everywhere: new files are private (0600), new directories too (0700); opening never waits, and what is no regular file
//! is refused; reading changes no time where the system can leave it alone; errors are plain [`std::io::Error`]s, to which the
//! rooms above give words.
#![expect(clippy::disallowed_methods, reason = "this room is the door to the files")]

mod append;
mod contract;
mod directories;
mod durability;
mod local;
mod local_file;
mod lock;
mod lock_file;
mod memory;
mod memory_disk;
mod memory_file;
mod metadata;
mod output;
mod platform;
mod replacement;
mod sequential;
#[cfg(test)]
mod tests;

pub use append::{append_whole, read_full};
pub use contract::{AppendFile, Create, Storage, StoredFile, read_all, read_whole};
pub use directories::create_dir_all_synced;
pub use durability::Durability;
pub use local::LocalStorage;
pub use lock::{Courtesy, Exclusive, LOCK_WAIT, LockOutcome};
pub use lock_file::LockFile;
pub use memory::MemoryStorage;
pub(crate) use metadata::whole_ms;
pub use metadata::{Access, DirEntry, FileId, FileKind, Metadata};
pub use replacement::{Replacement, Settled, replace};
pub use sequential::Sequential;
