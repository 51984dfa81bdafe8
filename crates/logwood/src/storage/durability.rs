//! How far a write goes before it counts as done.

/// What an acknowledged write survives (doc/design/durability.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Durability {
    /// The end of the process: the system has the bytes. As dreb.
    #[default]
    Buffered,
    /// The end of the system too: the bytes are on the disk when the append returns.
    Synced,
}
