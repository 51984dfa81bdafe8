//! Which result belongs to which call.

use std::collections::HashMap;

use logwood::context::Entries;
use logwood::entry::{ContentBlock, Entry, EntryData, Message, Role};
use logwood::error::Result;
use logwood::tree::{NodeId, SessionTree};

/// For each call of a tool its results: one on each branch that goes on from it.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// By the node of the answer and the place of the call in it.
    of_call: HashMap<(NodeId, usize), Vec<NodeId>>,
    /// For each answer with results, how far the places of its calls go.
    calls: HashMap<NodeId, usize>,
    /// The results that stand below their calls.
    placed: Vec<bool>,
}

impl Results {
    /// Pairs every result with the nearest call above it that has its id.
    ///
    /// # Errors
    /// When an entry cannot be read any more.
    pub(super) fn pair(entries: &impl Entries) -> Result<Self> {
        let tree = entries.tree();
        let calls = calls(entries)?;
        let descent = tree.descent();
        let depths = depths(tree);
        let mut found = Self { placed: vec![false; tree.len()], ..Self::default() };
        for node in tree.nodes().filter(|node| tree.role(*node) == Role::ToolResult) {
            let Some(id) = called(&entries.entry_text(node)?) else { continue };
            let above = calls.get(&id).into_iter().flatten();
            let nearest = above
                .filter(|(call, _)| descent.is_below(node, *call))
                .max_by_key(|(call, _)| depths.get(call.index()));
            if let (Some(call), Some(placed)) = (nearest, found.placed.get_mut(node.index())) {
                found.of_call.entry(*call).or_default().push(node);
                let calls = found.calls.entry(call.0).or_default();
                *calls = (*calls).max(call.1 + 1);
                *placed = true;
            }
        }
        Ok(found)
    }

    /// The results of a call, in file order.
    pub(super) fn of(&self, answer: NodeId, call: usize) -> &[NodeId] {
        self.of_call.get(&(answer, call)).map_or(&[], Vec::as_slice)
    }

    /// The results of all calls of an answer, in the order of the calls.
    pub(super) fn of_answer(&self, answer: NodeId) -> Vec<NodeId> {
        let calls = self.calls.get(&answer).copied().unwrap_or(0);
        (0..calls).flat_map(|call| self.of(answer, call)).copied().collect()
    }

    /// Whether the result is shown with its call.
    pub(super) fn is_placed(&self, node: NodeId) -> bool {
        self.placed.get(node.index()).copied().unwrap_or(false)
    }
}

type Call = (NodeId, usize);

fn calls(entries: &impl Entries) -> Result<HashMap<String, Vec<Call>>> {
    let tree = entries.tree();
    let mut calls: HashMap<String, Vec<Call>> = HashMap::new();
    for node in tree.nodes().filter(|node| tree.role(*node) == Role::Assistant) {
        let text = entries.entry_text(node)?;
        let Ok(EntryData::Message(message)) = Entry::parse(&text).map(Entry::data) else {
            continue;
        };
        for (place, block) in message.content().blocks().enumerate() {
            if let ContentBlock::ToolCall(call) = block
                && let Some(id) = call.id()
            {
                calls.entry(id.into_owned()).or_default().push((node, place));
            }
        }
    }
    Ok(calls)
}

fn called(text: &[u8]) -> Option<String> {
    match Entry::parse(text).map(Entry::data) {
        Ok(EntryData::Message(Message::ToolResult(result))) => {
            result.tool_call_id().map(std::borrow::Cow::into_owned)
        }
        _ => None,
    }
}

fn depths(tree: &SessionTree) -> Vec<usize> {
    let mut depths = vec![0; tree.len()];
    for visit in tree.walk() {
        if let Some(depth) = depths.get_mut(visit.node.index()) {
            *depth = visit.depth;
        }
    }
    depths
}
