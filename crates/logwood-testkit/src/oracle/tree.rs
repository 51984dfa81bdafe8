//! Ids, parents, children, labels and the name.

use serde_json::Value;

/// The model of one session.
pub struct Oracle<'r> {
    entries: Vec<&'r Value>,
}

impl<'r> Oracle<'r> {
    /// Takes the entries out of the records of a file of version 3: objects of a type that is not `session` with a
    /// non-empty text as id (design, "Entries").
    #[must_use]
    pub fn new(records: &'r [Value]) -> Self {
        let is_entry = |record: &&Value| {
            let kind = record.get("type").and_then(Value::as_str);
            record.is_object() && kind != Some("session") && !id_of(record).is_empty()
        };
        Self { entries: records.iter().filter(is_entry).collect() }
    }

    /// Every entry line, in file order; an id may stand there more than once.
    #[must_use]
    pub fn lines(&self) -> &[&'r Value] {
        &self.entries
    }

    /// Every id once, in the order of their first lines.
    #[must_use]
    pub fn ids(&self) -> Vec<&'r str> {
        let mut ids: Vec<&str> = Vec::new();
        for entry in &self.entries {
            if !ids.contains(&id_of(entry)) {
                ids.push(id_of(entry));
            }
        }
        ids
    }

    /// What an id means: its last line.
    #[must_use]
    pub fn entry(&self, id: &str) -> Option<&'r Value> {
        self.entries.iter().rev().find(|entry| id_of(entry) == id).copied()
    }

    /// The position after loading: the entry of the last line.
    #[must_use]
    pub fn leaf(&self) -> Option<&'r str> {
        self.entries.last().map(|entry| id_of(entry))
    }

    /// The parent as it is written, when there is such an entry.
    fn written_parent(&self, id: &str) -> Option<&'r str> {
        let parent = self.entry(id)?.get("parentId")?.as_str()?;
        self.entry(parent).map(id_of)
    }

    /// The ids met on the way up from an entry, itself first, until the way ends or repeats.
    fn way_up(&self, id: &'r str) -> Vec<&'r str> {
        let mut way = vec![id];
        while let Some(parent) = way.last().and_then(|last| self.written_parent(last)) {
            if way.contains(&parent) {
                break;
            }
            way.push(parent);
        }
        way
    }

    /// Whether an entry is its own ancestor, and of all entries on that cycle the first in the file.
    fn breaks_a_cycle(&self, id: &'r str) -> bool {
        let way = self.way_up(id);
        let closes = way.last().and_then(|last| self.written_parent(last)) == Some(id);
        closes && self.ids().into_iter().find(|other| way.contains(other)) == Some(id)
    }

    /// The parent; none for roots: those without parent, with an unknown one, and the first entry of each cycle.
    #[must_use]
    pub fn parent(&self, id: &'r str) -> Option<&'r str> {
        self.written_parent(id).filter(|_| !self.breaks_a_cycle(id))
    }

    /// The entries without parent, in file order.
    #[must_use]
    pub fn roots(&self) -> Vec<&'r str> {
        self.ids().into_iter().filter(|id| self.parent(id).is_none()).collect()
    }

    /// The children of an entry, in file order.
    #[must_use]
    pub fn children(&self, of: &str) -> Vec<&'r str> {
        self.ids().into_iter().filter(|id| self.parent(id) == Some(of)).collect()
    }

    /// The path from a root to an entry; empty for an unknown one.
    #[must_use]
    pub fn branch(&self, to: &str) -> Vec<&'r str> {
        let mut path = Vec::new();
        let mut next = self.entry(to).map(id_of);
        while let Some(id) = next {
            path.push(id);
            next = self.parent(id);
        }
        path.reverse();
        path
    }

    /// The tree depth first, with the number of ancestors: roots in file order, children by time (times that cannot be
    /// read last), ties in file order.
    #[must_use]
    pub fn walk(&self) -> Vec<(&'r str, usize)> {
        let mut visits = Vec::new();
        let mut open: Vec<_> = self.roots().into_iter().rev().map(|id| (id, 0)).collect();
        while let Some((id, depth)) = open.pop() {
            visits.push((id, depth));
            let mut children = self.children(id);
            children.sort_by_key(|child| self.time(child).unwrap_or(i64::MAX));
            open.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
        }
        visits
    }

    /// The time of an entry in milliseconds, where it can be read.
    #[must_use]
    pub fn time(&self, id: &str) -> Option<i64> {
        let text = self.entry(id)?.get("timestamp")?.as_str()?;
        text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
    }

    /// The label of an id: label lines replayed in file order, an empty or missing one clears.
    #[must_use]
    pub fn label(&self, target: &str) -> Option<&'r str> {
        let of_target =
            |entry: &&&Value| kind(entry) == "label" && text(entry, "targetId") == Some(target);
        let last = self.entries.iter().rfind(of_target)?;
        text(last, "label").filter(|label| !label.is_empty())
    }

    /// The display name: the last `session_info` line of the file, trimmed; none when that is empty.
    #[must_use]
    pub fn name(&self) -> Option<&'r str> {
        let last = self.entries.iter().rfind(|entry| kind(entry) == "session_info")?;
        text(last, "name").map(str::trim).filter(|name| !name.is_empty())
    }
}

/// The id of a record, empty where it has no usable one.
pub(super) fn id_of(record: &Value) -> &str {
    text(record, "id").unwrap_or_default()
}

pub(super) fn kind(record: &Value) -> &str {
    text(record, "type").unwrap_or_default()
}

pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}
