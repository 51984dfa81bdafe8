//! Random operations, as the texts that the driver reads.

use super::driver::Which;
use super::random::{Random, USAGE};

/// One operation: the members of the driver's request without braces, and what its entry may be a target of.
pub(super) struct Operation {
    pub(super) members: String,
    pub(super) kind: &'static str,
}

/// An entry there is: its id, and whether a `context_edit` may name it, and with what.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) id: String,
    pub(super) role: &'static str,
}

impl Random {
    /// The next operation on a session with these entries, of which `path` leads to the position.
    pub(super) fn operation(
        &mut self,
        which: Which,
        known: &[Known],
        path: &[String],
    ) -> Operation {
        let newest = which == Which::Newest;
        let target = self.pick(known).cloned();
        match (self.below(22), target) {
            (0, _) => Operation::new("thinking", format!("\"level\":{}", self.word())),
            (1, _) => self.model(),
            (2, _) => self.custom(),
            (3 | 4, _) => self.custom_message(),
            (5, _) => self.name(),
            (6 | 7, Some(target)) => self.label(&target),
            (8, Some(target)) => Operation::new("branch", format!("\"id\":\"{}\"", target.id)),
            (9, _) if self.below(3) == 0 => Operation::new("reset", String::new()),
            (10, target) => self.branch_summary(target, newest),
            (11, _) => self.compaction(path, newest),
            (12, _) if newest => self.usage(),
            (13 | 14, Some(target))
                if newest && !target.role.is_empty() && path.contains(&target.id) =>
            {
                self.context_edit(&target)
            }
            _ => {
                let (message, role) = self.message(which);
                let members = format!("\"op\":\"message\",\"message\":{message}");
                Operation { members, kind: if role.is_empty() { "message" } else { role } }
            }
        }
    }

    fn model(&mut self) -> Operation {
        Operation::new("model", format!("\"provider\":\"p2\",\"modelId\":{}", self.word()))
    }

    fn custom(&mut self) -> Operation {
        let data = self.value();
        let data = self.maybe("data", data);
        Operation::new("custom", format!("\"customType\":{}{data}", self.word()))
    }

    fn custom_message(&mut self) -> Operation {
        let details = self.value();
        let details = self.maybe("details", details);
        let (content, display) = (self.content(), self.below(2) == 0);
        let members =
            format!("\"customType\":\"x\",\"content\":{content},\"display\":{display}{details}");
        Operation::new("custom_message", members)
    }

    fn name(&mut self) -> Operation {
        let names = ["\"\"", "\"  spaced \\u00a0\\ufeff\"", "\"Name 🌲\"", "\"\\t\""];
        Operation::new("name", format!("\"name\":{}", self.one(&names)))
    }

    fn label(&mut self, target: &Known) -> Operation {
        let labels = [",\"label\":\"mark\"", ",\"label\":\" two \"", ",\"label\":\"\"", ""];
        let label = self.one(&labels);
        Operation::new("label", format!("\"target\":\"{}\"{label}", target.id))
    }

    fn branch_summary(&mut self, target: Option<Known>, newest: bool) -> Operation {
        let from = match target {
            Some(target) if self.below(4) > 0 => format!("\"{}\"", target.id),
            _ => "null".to_owned(),
        };
        let (summary, extras) = (self.word(), self.summary_extras(newest));
        Operation::new("branch_summary", format!("\"from\":{from},\"summary\":{summary}{extras}"))
    }

    fn compaction(&mut self, path: &[String], newest: bool) -> Operation {
        let first = match self.below(8) {
            0 => "\"nowhere\"".to_owned(),
            1 if newest => "null".to_owned(),
            _ if path.is_empty() => "\"\"".to_owned(),
            _ => format!("\"{}\"", path[self.below(path.len())]),
        };
        let tokens = self.one(&["0", "50000", "1.5"]);
        let (summary, extras) = (self.word(), self.summary_extras(newest));
        let members =
            format!("\"summary\":{summary},\"firstKept\":{first},\"tokens\":{tokens}{extras}");
        Operation::new("compaction", members)
    }

    fn summary_extras(&mut self, newest: bool) -> String {
        let details = self.value();
        let details = self.maybe("details", details);
        let hook = self.one(&["true", "false"]).to_owned();
        let hook = self.maybe("fromHook", hook);
        let usage = if newest { self.maybe("usage", USAGE.to_owned()) } else { String::new() };
        format!("{details}{hook}{usage}")
    }

    fn usage(&mut self) -> Operation {
        let note = self.maybe("note", "\"n\"".to_owned());
        let members = "\"kind\":\"cache_warm\",\"provider\":\"p\",\"model\":\"m\"";
        Operation::new("usage", format!("{members},\"usage\":{USAGE}{note}"))
    }

    fn context_edit(&mut self, target: &Known) -> Operation {
        let content = match target.role {
            "assistant" | "toolResult" => self.blocks(),
            _ => self.content(),
        };
        let replacement = match self.below(2) {
            0 => "null".to_owned(),
            _ => format!("{{\"content\":{content}}}"),
        };
        let members = format!("\"target\":\"{}\",\"replacement\":{replacement}", target.id);
        Operation::new("context_edit", members)
    }
}

impl Operation {
    fn new(kind: &'static str, members: String) -> Self {
        let comma = if members.is_empty() { "" } else { "," };
        Self { members: format!("\"op\":\"{kind}\"{comma}{members}"), kind }
    }

    /// Whether it writes an entry.
    pub(super) fn appends(&self) -> bool {
        !matches!(self.kind, "branch" | "reset")
    }

    /// What a `context_edit` of its entry has to look like; empty where none may name it.
    pub(super) fn role(&self) -> &'static str {
        match self.kind {
            "user" | "assistant" | "toolResult" => self.kind,
            "custom_message" => "custom",
            _ => "",
        }
    }
}
