//! Ids and parents: leaf, branch path, children, labels, common ancestor; cycles broken.
//!
//! Knows nothing of files: entries are put in by [`SessionTree::insert`] in file order and linked by [`SessionTree::link`].

mod build;
mod descent;
mod ids;
mod labels;
mod node;
mod session_tree;
#[cfg(test)]
mod tests;
mod walk;

pub use build::{Inserted, LinkFault};
pub use descent::Descent;
pub use labels::Labels;
pub use node::{NewNode, NodeId};
pub use session_tree::{SessionTree, Siblings};
pub use walk::{Visit, Walk};
