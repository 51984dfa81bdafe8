use std::collections::HashSet;

/// Counts the ends of branches while entries go by in file order; memory grows with the number of branches, not of entries.
///
/// Every entry but the last one has a child, or it is in `ends`. That is exact where parents stand before their children, as
/// programs write them; a line that repeats an entry in the middle of a branch, or one written before its parent, may count as an end.
#[derive(Debug, Default, Clone)]
pub(super) struct BranchCount {
    /// The id of the last entry, still escaped.
    last: Vec<u8>,
    ends: HashSet<Box<[u8]>>,
}

impl BranchCount {
    /// A count that goes on from what [`last`](Self::last) and [`ends`](Self::ends) said.
    pub(super) fn resumed(last: Vec<u8>, ends: HashSet<Box<[u8]>>) -> Self {
        Self { last, ends }
    }

    /// The id of the last entry, still escaped; empty before the first.
    pub(super) fn last(&self) -> &[u8] {
        &self.last
    }

    /// The ids that have no child so far, the last entry's left out.
    pub(super) fn ends(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.ends.iter().map(|end| &**end)
    }

    /// Takes the next entry: the text of its id and of its parent's, as they stand between the quotes.
    pub(super) fn entry(&mut self, id: &[u8], parent: Option<&[u8]>) {
        if !self.last.is_empty() && parent != Some(&self.last) {
            self.ends.insert(self.last.as_slice().into());
        }
        if let Some(parent) = parent.filter(|_| !self.ends.is_empty()) {
            self.ends.remove(parent);
        }
        self.last.clear();
        self.last.extend_from_slice(id);
    }

    /// How many entries have no child.
    pub(super) fn count(&self) -> u64 {
        let last = !self.last.is_empty() && !self.ends.contains(self.last.as_slice());
        self.ends.len() as u64 + u64::from(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(entries: &[(&str, &str)]) -> u64 {
        let mut count = BranchCount::default();
        for (id, parent) in entries {
            count.entry(id.as_bytes(), (!parent.is_empty()).then_some(parent.as_bytes()));
        }
        count.count()
    }

    #[test]
    fn ends_of_branches_are_counted() {
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&[("a", "")]), 1);
        assert_eq!(count(&[("a", ""), ("b", "a"), ("c", "b")]), 1);
        assert_eq!(count(&[("a", ""), ("b", "a"), ("c", "a"), ("d", "b")]), 2);
        assert_eq!(count(&[("a", ""), ("b", "a"), ("c", "a"), ("d", "a"), ("e", "c")]), 3);
        assert_eq!(count(&[("a", ""), ("b", ""), ("c", "b")]), 2);
        assert_eq!(count(&[("a", ""), ("b", "a"), ("a", ""), ("b", "a")]), 1, "the same twice");
        let repeated = [("a", ""), ("b", "a"), ("a", ""), ("b", "a"), ("c", "b")];
        assert_eq!(count(&repeated), 1, "the same twice, and on from there (case 26)");
    }
}
