//! Mends a damaged session file: a plan first, then the file in one step, with a byte-exact copy beside it (doc/design/repair.md).
//!
//! [`RepairPlan`] says line by line what would be done and why; making one reads and changes nothing. [`Repair`] makes the plan of a
//! file, applies it through storage, and undoes it. A file with nothing but notes has an empty plan and is never touched.
//!
//! What is taken out of the session goes to a side file, `<name>.jsonl.salvage`, each piece with its line and its bytes
//! ([`salvage_pieces`] reads it back); the original stays beside it as `<name>.jsonl.repair.bak`.

mod apply;
mod build;
mod draft;
mod fused;
mod grouping;
mod header;
mod pieces;
mod plan;
mod reattach;
mod salvage;
#[cfg(test)]
mod tests;
mod undo;

pub use apply::{Repair, Repaired};
pub use plan::{RepairPlan, SplitSession, Step, StepKind};
pub use salvage::{SalvagePiece, salvage_pieces};
pub use undo::Undone;
