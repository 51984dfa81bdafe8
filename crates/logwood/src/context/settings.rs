use crate::entry::{EntryKind, Role};
use crate::error::Result;
use crate::json::Raw;
use crate::tree::NodeId;

use super::Entries;

/// A model by provider and id; a part that the session does not name is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelRef {
    /// The provider, such as `anthropic`.
    pub provider: Option<String>,
    /// The model's id at the provider.
    pub model_id: Option<String>,
}

impl std::fmt::Display for ModelRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = |part: &Option<String>| part.clone().unwrap_or_else(|| "?".to_owned());
        write!(f, "{}/{}", part(&self.provider), part(&self.model_id))
    }
}

/// Model and thinking level at a position: read along the whole path, also before a compaction (spec 5.1, case 39).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The thinking level; `off` unless the path changes it.
    pub thinking_level: String,
    /// The last model change or assistant message.
    pub model: Option<ModelRef>,
    /// The last model change alone: pi may name a virtual model there and the physical one in messages.
    pub chosen_model: Option<ModelRef>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { thinking_level: "off".to_owned(), model: None, chosen_model: None }
    }
}

/// The settings at `leaf`; reads at most three entries, since the last one of a kind counts.
///
/// # Errors
/// When one of them cannot be read any more.
pub fn settings_at(entries: &impl Entries, leaf: Option<NodeId>) -> Result<Settings> {
    let mut settings = Settings::default();
    let Some(leaf) = leaf else { return Ok(settings) };
    let tree = entries.tree();
    let last = |wanted: &dyn Fn(NodeId) -> bool| tree.ancestors(leaf).find(|node| wanted(*node));
    let is = |node: NodeId, kind: EntryKind| tree.kind(node) == kind;
    if let Some(node) = last(&|node| is(node, EntryKind::ThinkingLevelChange)) {
        settings.thinking_level = level_of(&entries.entry_text(node)?);
    }
    if let Some(node) = last(&|node| is(node, EntryKind::ModelChange)) {
        settings.chosen_model = Some(model_of(&entries.entry_text(node)?, "modelId"));
    }
    let answers = |node| is(node, EntryKind::ModelChange) || tree.role(node) == Role::Assistant;
    if let Some(node) = last(&answers) {
        settings.model = match tree.kind(node) {
            EntryKind::ModelChange => settings.chosen_model.clone(),
            _ => Some(model_of_message(&entries.entry_text(node)?)),
        };
    }
    Ok(settings)
}

fn level_of(text: &[u8]) -> String {
    let entry = Raw::parse(text).unwrap_or_else(|_| Raw::null());
    let level = entry.get("thinkingLevel");
    level.map_or_else(String::new, |level| {
        level.as_str().unwrap_or_else(|| level.text()).into_owned()
    })
}

fn model_of(text: &[u8], id_key: &str) -> ModelRef {
    Raw::parse(text).map_or_else(|_| ModelRef::default(), |entry| model_in(entry, id_key))
}

fn model_of_message(text: &[u8]) -> ModelRef {
    let message = Raw::parse(text).ok().and_then(|entry| entry.get("message"));
    message.map_or_else(ModelRef::default, |message| model_in(message, "model"))
}

fn model_in(object: Raw<'_>, id_key: &str) -> ModelRef {
    ModelRef {
        provider: object.get_str("provider").map(Into::into),
        model_id: object.get_str(id_key).map(Into::into),
    }
}
