//! Entries that are told in one thin line: labels, names, settings, decisions of the arbiter, and with `--all` the state of extensions.

use logwood::entry::{Entry, EntryData, Message};
use logwood::json::Raw;

/// The note; none for what is only shown with `--all`.
pub(super) fn of(entry: Entry<'_>, all: bool) -> Option<String> {
    let note = match entry.data() {
        EntryData::ModelChange(model) => {
            let (provider, id) = (model.provider(), model.model_id());
            format!("model {}/{}", provider.unwrap_or_default(), id.unwrap_or_default())
        }
        EntryData::ThinkingLevelChange(level) => {
            format!("thinking {}", level.thinking_level().unwrap_or_default())
        }
        EntryData::Label(label) => {
            let target = label.target_id().unwrap_or_default();
            match label.label().filter(|label| !label.is_empty()) {
                Some(text) => format!("label [{text}] on {target}"),
                None => format!("label of {target} cleared"),
            }
        }
        EntryData::SessionInfo(info) => match info.name().filter(|name| !name.trim().is_empty()) {
            Some(name) => format!("name {name}"),
            None => "name cleared".to_owned(),
        },
        EntryData::ContextEdit(edit) => {
            let target = edit.target_id().unwrap_or_default();
            let hides = edit.replacement().is_none_or(Raw::is_null);
            format!("context edit {} {target}", if hides { "hides" } else { "replaces" })
        }
        EntryData::Custom(custom) if custom.arbitration().is_some() => {
            custom.arbitration().map(|record| record.sentence()).unwrap_or_default()
        }
        EntryData::Message(Message::Missing) => "message without content".to_owned(),
        _ if !all => return None,
        EntryData::Custom(custom) => {
            let data = custom.data().map(Raw::text).unwrap_or_default();
            format!("custom {} {data}", custom.custom_type().unwrap_or_default())
        }
        _ => format!("{} {}", entry.type_word().unwrap_or_default(), entry.raw().text()),
    };
    Some(note.replace('\n', " "))
}
