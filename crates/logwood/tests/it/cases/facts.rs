//! A file after it was written to, held to every fact that the case states of it: a fact that nobody looks at fails.
#![expect(clippy::indexing_slicing, reason = "members of JSON values are looked up by name")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use logwood::problem::ProblemKind;
use logwood::session::{SessionManager, SessionOptions};
use logwood_testkit::cases::Case;
use logwood_testkit::json::decode;
use serde_json::{Value, json};

use super::support::{entries, entry, ids, texts_of};

/// A file that was written, as a program that comes later finds it.
pub(super) struct Written {
    pub session: SessionManager,
    bytes: Vec<u8>,
    /// The file before, or the source of a copy.
    source: PathBuf,
    before: Vec<u8>,
    /// The id of the entry that was appended.
    new: Option<String>,
}

impl Written {
    /// Reads `path`; `source` had the bytes `before`.
    pub(super) fn look(path: &Path, source: &Path, before: &[u8]) -> Self {
        let session = SessionOptions::new().read_only(true).open(path).unwrap();
        let bytes = std::fs::read(path).unwrap();
        Self { session, bytes, source: source.into(), before: before.into(), new: None }
    }

    /// The entry that the facts call the new one.
    pub(super) fn with_new(self, id: String) -> Self {
        Self { new: Some(id), ..self }
    }

    /// Compares all facts at `pointer`.
    pub(super) fn holds(&self, case: &Case, pointer: &str) {
        self.holds_all(case.fact(pointer), pointer);
    }

    pub(super) fn holds_all(&self, facts: &Value, at: &str) {
        let facts = facts.as_object().unwrap();
        assert!(!facts.is_empty());
        for (name, wanted) in facts {
            assert_eq!(self.found(name, wanted), *wanted, "{at}/{name}");
        }
    }

    fn found(&self, name: &str, wanted: &Value) -> Value {
        let session = &self.session;
        match name {
            "entry_count" => session.entries().count().into(),
            "distinct_ids" => self.distinct_ids().into(),
            "distinct_ids_equals_entries" => {
                (self.distinct_ids() == session.entries().count()).into()
            }
            "ids" => ids(session, session.tree().nodes()),
            "types" => entries(session).iter().map(|entry| entry["type"].clone()).collect(),
            "old_text_first" => {
                let first = &entries(session)[0]["message"]["content"];
                first.as_str().or(first[0]["text"].as_str()).into()
            }
            "context_texts" => texts_of(session),
            "name" => session.session_name().into(),
            "orphans" => self.count(ProblemKind::OrphanParent).into(),
            "malformed_lines" => {
                (self.count(ProblemKind::MalformedLine) + self.count(ProblemKind::TornTail)).into()
            }
            _ if name.starts_with("header") || matches!(name, "version" | "line1_type") => {
                self.of_header(name, wanted)
            }
            _ if name.starts_with("branch_") || name.starts_with("new_") => {
                self.of_branch(name, wanted)
            }
            _ => self.of_copy(name, wanted),
        }
    }

    fn of_header(&self, name: &str, wanted: &Value) -> Value {
        let header = decode(&String::from_utf8(self.session.header_text()).unwrap()).unwrap();
        match name {
            "header_count" => {
                self.json_lines().filter(|line| line["type"] == "session").count().into()
            }
            "line1_type" => self.json_lines().next().unwrap()["type"].clone(),
            "version" => header["version"].clone(),
            "header_cwd" => header["cwd"].clone(),
            "header_parentSession_is_source" => {
                (header["parentSession"] == *self.source.to_string_lossy()).into()
            }
            "header" => {
                let names = wanted.as_object().unwrap().keys();
                names.map(|name| (name.clone(), header[name].clone())).collect()
            }
            _ => unknown(),
        }
    }

    fn of_branch(&self, name: &str, wanted: &Value) -> Value {
        let tree = self.session.tree();
        let branch = tree.branch(self.session.leaf().unwrap());
        let new = || self.new.as_deref().unwrap();
        match name {
            "branch_length" => branch.len().into(),
            "branch_ids_prefix" => {
                ids(&self.session, branch.into_iter().take(wanted.as_array().unwrap().len()))
            }
            "new_entry_parent" => {
                tree.parent(self.session.require(new()).unwrap()).map(|node| tree.id(node)).into()
            }
            "new_entry_on_own_line" => self.json_lines().any(|line| line["id"] == new()).into(),
            "new_session_id" => (!self.before_has(self.session.session_id())).into(),
            _ => unknown(),
        }
    }

    fn of_copy(&self, name: &str, wanted: &Value) -> Value {
        let session = &self.session;
        let tree = session.tree();
        match name {
            "last_byte" => self.bytes.ends_with(b"\n").then_some("\\n").into(),
            "old_bytes_are_prefix" => self.bytes.starts_with(&self.before).into(),
            "lines_after_header_equal_source" => {
                (self.after_header(&self.bytes) == self.after_header(&self.before)).into()
            }
            "line_bytes_equal_for_ids" => {
                let ids = wanted.as_array().unwrap().iter();
                ids.filter(|id| self.line_is_old(id.as_str().unwrap())).cloned().collect()
            }
            "parent_of" => {
                let children = wanted.as_object().unwrap().keys();
                children.map(|id| (id.clone(), entry(session, id)["parentId"].clone())).collect()
            }
            "labels" => {
                let labels = tree.labels().in_order().into_iter();
                labels.map(|(id, label)| (id.to_owned(), json!(label))).collect()
            }
            "file_name_id_equals_header_id" => {
                let stem = self.path().file_stem().unwrap().to_str().unwrap();
                stem.ends_with(&format!("_{}", session.session_id())).into()
            }
            "dir_name" => {
                self.path().parent().unwrap().file_name().unwrap().to_str().unwrap().into()
            }
            _ => unknown(),
        }
    }

    fn path(&self) -> &Path {
        self.session.session_file().unwrap()
    }

    fn count(&self, kind: ProblemKind) -> usize {
        self.session.problems().iter().filter(|problem| problem.kind == kind).count()
    }

    fn distinct_ids(&self) -> usize {
        let entries = entries(&self.session);
        entries.iter().map(|entry| entry["id"].as_str().unwrap()).collect::<HashSet<_>>().len()
    }

    /// The lines that a plain reader of JSON lines can read.
    fn json_lines(&self) -> impl Iterator<Item = Value> {
        let lines = self.bytes.split(|byte| *byte == b'\n');
        lines.filter_map(|line| decode(std::str::from_utf8(line).ok()?).ok())
    }

    fn after_header<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        bytes.get(end + 1..).unwrap()
    }

    /// Whether the line of an entry stands in the file before, byte for byte.
    fn line_is_old(&self, id: &str) -> bool {
        let marker = format!("\"id\":\"{id}\"");
        let mut lines = self.bytes.split(|byte| *byte == b'\n');
        let line = lines.find(|line| holds_bytes(line, marker.as_bytes())).unwrap();
        self.before.split(|byte| *byte == b'\n').any(|old| old == line)
    }

    fn before_has(&self, text: &str) -> bool {
        holds_bytes(&self.before, text.as_bytes())
    }
}

fn holds_bytes(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn unknown() -> Value {
    json!("nobody looks at this fact")
}
