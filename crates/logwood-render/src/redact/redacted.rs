//! A session without its secrets.

use std::borrow::Cow;

use logwood::context::Entries;
use logwood::error::Result;
use logwood::tree::{NodeId, SessionTree};

use super::json_line::redact_line;
use super::{Redactor, Report};

/// The entries of a session as they are without secrets; any export can be made of it. The session stays as it is.
#[derive(Debug)]
pub struct Redacted<'a, E> {
    entries: &'a E,
    redactor: &'a Redactor,
    /// The session's tree with redacted labels.
    tree: SessionTree,
    report: Report,
}

impl<'a, E: Entries> Redacted<'a, E> {
    /// Looks at every entry once, and counts.
    ///
    /// # Errors
    /// When an entry cannot be read any more.
    pub fn new(entries: &'a E, redactor: &'a Redactor) -> Result<Self> {
        let mut report = Report::default();
        for node in entries.tree().nodes() {
            entries.read_entry(node, &mut |text| {
                redact_line(redactor, text, &mut report);
            })?;
        }
        Ok(Self { entries, redactor, tree: tree(entries.tree(), redactor), report })
    }

    /// How many secrets are taken out, by kind.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

fn tree(tree: &SessionTree, redactor: &Redactor) -> SessionTree {
    let mut copy = tree.clone();
    for (target, label) in tree.labels().in_order() {
        // Counted with the label's own entry.
        if let Cow::Owned(label) = redactor.redact(label, &mut Report::default()) {
            copy.labels_mut().apply(target, Some(&label));
        }
    }
    copy
}

impl<E: Entries> Entries for Redacted<'_, E> {
    fn tree(&self) -> &SessionTree {
        &self.tree
    }

    fn entry_text(&self, node: NodeId) -> Result<Cow<'_, [u8]>> {
        let text = self.entries.entry_text(node)?;
        let redacted = redact_line(self.redactor, &text, &mut Report::default()).into_owned();
        Ok(Cow::Owned(redacted))
    }
}
