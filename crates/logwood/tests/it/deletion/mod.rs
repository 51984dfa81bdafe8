//! Deletion against real programs, a real disk, and a storage that fails.

mod faults;
#[cfg(unix)]
mod program;
