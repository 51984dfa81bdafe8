//! How far a write goes before it counts as done.

/// What an acknowledged append survives. `doc/design/durability.md` says how that was tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Durability {
    /// The end of the process, killed or not: the bytes are with the operating system. A power cut may take the last seconds. As dreb.
    #[default]
    Buffered,
    /// A power cut too: the bytes are on the disk (`fdatasync`) before the append returns.
    Synced,
}
