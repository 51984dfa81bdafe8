use std::borrow::Cow;

use crate::error::Result;
use crate::tree::{NodeId, SessionTree};

/// Where a context finds its entries; a session is one.
pub trait Entries {
    /// The tree of the session.
    fn tree(&self) -> &SessionTree;

    /// The JSON text of an entry, as version 3 has it.
    ///
    /// # Errors
    /// When the entry's body cannot be read any more.
    fn entry_text(&self, node: NodeId) -> Result<Cow<'_, [u8]>>;

    /// Shows the JSON text of an entry to `look`, for callers who do not keep it.
    ///
    /// # Errors
    /// As [`entry_text`](Self::entry_text).
    fn read_entry(&self, node: NodeId, look: &mut dyn FnMut(&[u8])) -> Result<()> {
        look(&self.entry_text(node)?);
        Ok(())
    }

    /// Shows the message of an entry to `look` where it is known to go into a context as it stands; false where it is not, and then
    /// nothing is shown.
    ///
    /// # Errors
    /// As [`entry_text`](Self::entry_text).
    fn read_plain_message(&self, node: NodeId, look: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let _ = (node, look);
        Ok(false)
    }
}
