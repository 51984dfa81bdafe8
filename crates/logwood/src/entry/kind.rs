//! The words of `type` and `role`.

/// What an entry is (spec 1.4, newer-dialects): the nine types of dreb, two of pi, and everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A message of the conversation.
    Message,
    /// The thinking level changed.
    ThinkingLevelChange,
    /// The model changed.
    ModelChange,
    /// Earlier messages were replaced by a summary.
    Compaction,
    /// What happened on a branch that was left.
    BranchSummary,
    /// State of an extension; never in the context.
    Custom,
    /// A message of an extension; in the context.
    CustomMessage,
    /// A label was set, moved or cleared.
    Label,
    /// The display name changed (not to be confused with a listing's `SessionInfo`).
    SessionInfo,
    /// Usage that belongs to no assistant message (pi).
    Usage,
    /// Replaces or hides an earlier entry in the context (pi).
    ContextEdit,
    /// Any other type; kept, and a node of the tree.
    Unknown,
}

const KINDS: [(&str, EntryKind); 11] = [
    ("message", EntryKind::Message),
    ("thinking_level_change", EntryKind::ThinkingLevelChange),
    ("model_change", EntryKind::ModelChange),
    ("compaction", EntryKind::Compaction),
    ("branch_summary", EntryKind::BranchSummary),
    ("custom", EntryKind::Custom),
    ("custom_message", EntryKind::CustomMessage),
    ("label", EntryKind::Label),
    ("session_info", EntryKind::SessionInfo),
    ("usage", EntryKind::Usage),
    ("context_edit", EntryKind::ContextEdit),
];

impl EntryKind {
    /// The kind that the value of `type` names.
    pub fn from_word(word: &str) -> Self {
        KINDS.iter().find(|(name, _)| *name == word).map_or(Self::Unknown, |(_, kind)| *kind)
    }

    /// The value of `type`; `unknown` for any type that is not known.
    pub fn as_str(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("unknown", |(name, _)| name)
    }

    /// Whether the default view of a tree hides it: label, custom, model and thinking level changes, names, usage and context edits
    /// (spec 7.7; newer-dialects for the last two).
    pub fn is_bookkeeping(self) -> bool {
        matches!(
            self,
            Self::Label
                | Self::Custom
                | Self::ModelChange
                | Self::ThinkingLevelChange
                | Self::SessionInfo
                | Self::Usage
                | Self::ContextEdit
        )
    }
}

/// Who speaks in a message (spec 1.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// What a tool gave back.
    ToolResult,
    /// A command that the person ran.
    BashExecution,
    /// A message of an extension.
    Custom,
    /// A branch summary inside a context.
    BranchSummary,
    /// A compaction summary inside a context.
    CompactionSummary,
    /// Prompt and tools (pi).
    System,
    /// Version 2's name for `custom`.
    HookMessage,
    /// Any other role; kept, shown to no model.
    Unknown,
    /// The entry has no message object, so nobody speaks.
    None,
}

const ROLES: [(&str, Role); 9] = [
    ("user", Role::User),
    ("assistant", Role::Assistant),
    ("toolResult", Role::ToolResult),
    ("bashExecution", Role::BashExecution),
    ("custom", Role::Custom),
    ("branchSummary", Role::BranchSummary),
    ("compactionSummary", Role::CompactionSummary),
    ("system", Role::System),
    ("hookMessage", Role::HookMessage),
];

impl Role {
    /// The role that a word names.
    pub fn from_word(word: &str) -> Self {
        ROLES.iter().find(|(name, _)| *name == word).map_or(Self::Unknown, |(_, role)| *role)
    }

    /// The word; `unknown` for any that is not known, empty where nobody speaks.
    pub fn as_str(self) -> &'static str {
        let known = ROLES.iter().find(|(_, role)| *role == self).map(|(name, _)| *name);
        known.unwrap_or(if self == Self::None { "" } else { "unknown" })
    }
}
