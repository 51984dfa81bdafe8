//! Does an operation to a session of logwood, with a clock and ids that say what the driver's say.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use logwood::entry::{BranchSummaryDraft, CompactionDraft, EntryDraft, JsonText};
use logwood::env::{Clock, IdSource};
use logwood::json::Raw;
use logwood::session::SessionManager;

use super::operations::Operation;

/// A clock and a source of ids that say what the driver's say.
#[derive(Debug, Default)]
pub(super) struct Fixed {
    now: AtomicI64,
    next: AtomicU64,
}

impl Fixed {
    pub(super) fn set(&self, now: i64, ids: u64) {
        self.now.store(now, Ordering::Relaxed);
        self.next.store(ids, Ordering::Relaxed);
    }
}

impl Clock for Fixed {
    fn now_ms(&self) -> i64 {
        self.now.load(Ordering::Relaxed)
    }
}

impl IdSource for Fixed {
    fn new_uuid(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("{number:08x}-0000-4000-8000-000000000000")
    }
}

/// The members of a request, each as the library takes it.
struct Members<'r>(Raw<'r>);

impl Members<'_> {
    fn json(&self, key: &str) -> Option<JsonText> {
        self.0.get(key).map(|raw| JsonText::parse(raw.bytes()).unwrap())
    }

    fn text(&self, key: &str) -> Option<String> {
        self.0.get_str(key).map(|text| text.into_owned())
    }

    fn word(&self, key: &str) -> String {
        self.text(key).unwrap()
    }

    fn flag(&self, key: &str) -> Option<bool> {
        self.json(key).map(|value| value.as_str() == "true")
    }
}

impl Operation {
    /// Does it to a session of logwood. `next` is the id that comes next, `system` what pi folded its prompts to.
    pub(super) fn apply(&self, session: &mut SessionManager, next: &str, system: Option<JsonText>) {
        let text = format!("{{{}}}", self.members);
        let given = Members(Raw::parse(text.as_bytes()).unwrap());
        let done = match self.kind {
            "thinking" => session.append_thinking_level_change(given.word("level")),
            "model" => session.append_model_change(given.word("provider"), given.word("modelId")),
            "custom" => session.append_custom_entry(given.word("customType"), given.json("data")),
            "custom_message" => session.append_custom_message_entry(
                given.word("customType"),
                given.json("content").unwrap(),
                given.flag("display").unwrap(),
                given.json("details"),
            ),
            "name" => session.append_session_info(&given.word("name")),
            "label" => {
                session.append_label_change(&given.word("target"), given.text("label").as_deref())
            }
            "branch" => session.move_leaf(&given.word("id")).map(|()| String::new()),
            "reset" => {
                session.reset_leaf();
                Ok(String::new())
            }
            "branch_summary" => return branch_summary(&given, session),
            "compaction" => session.append_compaction(compaction(&given, next, system)),
            "usage" => session.append(usage(&given)),
            "context_edit" => session.append(context_edit(&given)),
            _ => session.append_message(given.json("message").unwrap()),
        };
        done.unwrap();
    }
}

fn branch_summary(given: &Members<'_>, session: &mut SessionManager) {
    let (from, summary) = (given.text("from"), given.word("summary"));
    let (details, from_hook) = (given.json("details"), given.flag("fromHook"));
    let Some(usage) = given.json("usage") else {
        session.branch_with_summary(from.as_deref(), summary, details, from_hook).unwrap();
        return;
    };
    // The method takes no usage; the draft does.
    let from_id = session.leaf_id().unwrap_or("root").to_owned();
    match from {
        Some(id) => session.move_leaf(&id).unwrap(),
        None => session.reset_leaf(),
    }
    let draft = BranchSummaryDraft { from_id, summary, details, from_hook, usage: Some(usage) };
    session.append(EntryDraft::BranchSummary(draft)).unwrap();
}

fn compaction(given: &Members<'_>, next: &str, system: Option<JsonText>) -> CompactionDraft {
    CompactionDraft {
        summary: given.word("summary"),
        // pi writes a compaction's own id where nothing before it is kept.
        first_kept_entry_id: Some(given.text("firstKept").unwrap_or_else(|| next.to_owned())),
        tokens_before: given.json("tokens").unwrap().as_str().parse().unwrap(),
        details: given.json("details"),
        from_hook: given.flag("fromHook"),
        usage: given.json("usage"),
        system_message: system,
    }
}

fn usage(given: &Members<'_>) -> EntryDraft {
    EntryDraft::Usage {
        kind: given.word("kind"),
        provider: given.word("provider"),
        model: given.word("model"),
        usage: given.json("usage").unwrap(),
        note: given.text("note"),
    }
}

fn context_edit(given: &Members<'_>) -> EntryDraft {
    let replacement = given.0.get("replacement").unwrap();
    let content = replacement.get("content").map(|raw| JsonText::parse(raw.bytes()).unwrap());
    EntryDraft::ContextEdit { target_id: given.word("target"), content }
}
