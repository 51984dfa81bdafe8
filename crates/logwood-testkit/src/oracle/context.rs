//! From a leaf to the messages of the model (spec 5.1, newer-dialects).

use serde_json::{Map, Value, json};

use super::tree::{Oracle, kind, text};

/// A message and the entry it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sourced {
    /// The id of the entry.
    pub entry: String,
    /// The message.
    pub message: Value,
}

/// The context at one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// The messages in order.
    pub messages: Vec<Sourced>,
    /// `off` unless the path says otherwise.
    pub thinking_level: String,
    /// `{provider, modelId}`, or null.
    pub model: Value,
}

impl Oracle<'_> {
    /// The context at an entry; without one, that of the position before every entry.
    #[must_use]
    pub fn context(&self, leaf: Option<&str>) -> Context {
        let path = leaf.map(|leaf| self.branch(leaf)).unwrap_or_default();
        let (thinking_level, model) = self.settings(&path);
        Context { messages: self.messages(&path), thinking_level, model }
    }

    /// The last of each along the whole path, compactions do not matter.
    fn settings(&self, path: &[&str]) -> (String, Value) {
        let (mut thinking, mut model) = ("off".to_owned(), Value::Null);
        for entry in path.iter().filter_map(|id| self.entry(id)) {
            let message = entry.get("message").unwrap_or(&Value::Null);
            match kind(entry) {
                "thinking_level_change" => {
                    thinking = text(entry, "thinkingLevel").unwrap_or_default().to_owned();
                }
                "model_change" => {
                    model =
                        json!({"provider": entry.get("provider"), "modelId": entry.get("modelId")});
                }
                "message" if text(message, "role") == Some("assistant") => {
                    model = json!({"provider": message.get("provider"), "modelId": message.get("model")});
                }
                _ => {}
            }
        }
        (thinking, model)
    }

    fn messages(&self, path: &[&str]) -> Vec<Sourced> {
        let Some(at) = path.iter().rposition(|id| self.is(id, "compaction")) else {
            return self.emit(path, path);
        };
        let (before, rest) = path.split_at(at);
        let (compaction, after) = rest.split_first().unwrap_or((&"", &[]));
        let first = self.entry(compaction).and_then(|entry| text(entry, "firstKeptEntryId"));
        let kept_from = before.iter().position(|id| Some(*id) == first).unwrap_or(before.len());
        let kept = before.get(kept_from..).unwrap_or_default();
        let selected: Vec<&str> = kept.iter().chain(after).copied().collect();
        let kept: Vec<&str> = kept.iter().copied().filter(|id| !self.is_system(id)).collect();
        let mut messages = self.summary(compaction);
        messages.extend(self.emit(&kept, &selected));
        messages.extend(self.emit(after, &selected));
        messages
    }

    fn is(&self, id: &str, wanted: &str) -> bool {
        self.entry(id).is_some_and(|entry| kind(entry) == wanted)
    }

    fn is_system(&self, id: &str) -> bool {
        let role = self.entry(id).and_then(|entry| entry.pointer("/message/role"));
        self.is(id, "message") && role == Some(&json!("system"))
    }

    /// What a compaction itself gives: the system state it carries, then its summary.
    fn summary(&self, id: &str) -> Vec<Sourced> {
        let Some(entry) = self.entry(id) else { return Vec::new() };
        let system = entry.get("systemMessage").filter(|system| system.is_object());
        let summary = self.made(id, entry, "compactionSummary", &["summary", "tokensBefore"]);
        system
            .map(with_content)
            .into_iter()
            .chain([summary])
            .map(|message| Sourced { entry: id.to_owned(), message })
            .collect()
    }

    fn emit(&self, ids: &[&str], selected: &[&str]) -> Vec<Sourced> {
        let messages = ids.iter().filter_map(|id| {
            let message = self.edited(id, self.message(id)?, selected)?;
            Some(Sourced { entry: (*id).to_owned(), message })
        });
        messages.collect()
    }

    /// The message of an entry without edits.
    fn message(&self, id: &str) -> Option<Value> {
        let entry = self.entry(id)?;
        match kind(entry) {
            "message" => {
                entry.get("message").filter(|message| message.is_object()).map(with_content)
            }
            "custom_message" => Some(self.made(
                id,
                entry,
                "custom",
                &["customType", "content", "display", "details"],
            )),
            "branch_summary"
                if text(entry, "summary").is_some_and(|summary| !summary.is_empty()) =>
            {
                Some(self.made(id, entry, "branchSummary", &["summary", "fromId"]))
            }
            _ => None,
        }
    }

    /// A message put together from fields of an entry.
    fn made(&self, id: &str, entry: &Value, role: &str, keys: &[&str]) -> Value {
        let mut message = Map::new();
        message.insert("role".into(), role.into());
        for key in keys {
            if let Some(value) = entry.get(key) {
                message.insert((*key).into(), value.clone());
            }
        }
        message.insert("timestamp".into(), json!(self.time(id)));
        Value::Object(message)
    }

    /// The message as the last edit among the selected entries leaves it; none when that takes it out.
    fn edited(&self, id: &str, mut message: Value, selected: &[&str]) -> Option<Value> {
        let mut edits = selected.iter().filter_map(|edit| self.entry(edit));
        let edit =
            edits.rfind(|edit| kind(edit) == "context_edit" && text(edit, "targetId") == Some(id));
        let role = text(&message, "role").unwrap_or_default().to_owned();
        let may =
            self.is(id, "custom_message") || ["user", "assistant", "toolResult"].contains(&&*role);
        let Some(replacement) = edit.filter(|_| may).and_then(|edit| edit.get("replacement"))
        else {
            return Some(message);
        };
        let content = replacement.get("content")?.clone();
        let block = content.is_string() && ["assistant", "toolResult"].contains(&&*role);
        let content = if block { json!([{"type": "text", "text": content}]) } else { content };
        message.as_object_mut()?.insert("content".into(), content);
        Some(message)
    }
}

/// Null and missing content count as empty.
fn with_content(message: &Value) -> Value {
    let mut message = message.clone();
    let empty = match text(&message, "role") {
        Some("user" | "assistant" | "toolResult") => json!([]),
        Some("system") => json!(""),
        _ => return message,
    };
    if message.get("content").is_none_or(Value::is_null)
        && let Some(map) = message.as_object_mut()
    {
        map.insert("content".into(), empty);
    }
    message
}
