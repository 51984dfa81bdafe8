//! Follows a project folder that was moved: sessions get its new path, lie in its folder of the store, and stay linked.
//!
//! [`Relocation::plan`] says what would change, [`Relocation::apply`] does it, file by file. Whatever interrupts it, the same
//! relocation can be run again and does the rest: a session that moved already is known by its new place.

mod apply;
mod plan;
#[cfg(test)]
mod tests;

pub use apply::{RelocationFailure, RelocationReport, Step};
pub use plan::{Mended, Moved, Relocation, RelocationPlan};
