//! Tool calls and results that have no partner in a context (case 38).
//!
//! The context stays what the format says; leaving them out is a view of its own that says what it left out.

use std::collections::HashMap;

use crate::entry::Role;
use crate::json::{JsonKind, Raw, set_member};
use crate::tree::NodeId;

use super::{ContextMessage, SessionContext};

/// A tool call without a later result, or a result without an earlier call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpairedTool {
    /// The entry it stands in.
    pub node: NodeId,
    /// The id of that entry.
    pub entry_id: String,
    /// The id of the call.
    pub call_id: String,
    /// The name of the tool, where it is known.
    pub tool: Option<String>,
    /// Whether it is a result (else a call).
    pub is_result: bool,
}

/// Every tool call without a result after it and every result without a call before it, in order.
pub fn unpaired_tools(context: &SessionContext) -> Vec<UnpairedTool> {
    let mut open: HashMap<String, Vec<usize>> = HashMap::new();
    let mut found: Vec<Option<UnpairedTool>> = Vec::new();
    for message in context.messages() {
        match message.role {
            Role::Assistant => {
                for call in calls(message.raw) {
                    let call = unpaired(&message, call, "id", "name", false);
                    open.entry(call.call_id.clone()).or_default().push(found.len());
                    found.push(Some(call));
                }
            }
            Role::ToolResult => {
                let result = unpaired(&message, message.raw, "toolCallId", "toolName", true);
                match open.get_mut(&result.call_id).and_then(Vec::pop) {
                    Some(call) => {
                        if let Some(slot) = found.get_mut(call) {
                            *slot = None;
                        }
                    }
                    None => found.push(Some(result)),
                }
            }
            _ => {}
        }
    }
    found.into_iter().flatten().collect()
}

/// The context without them, and what was left out. An assistant message that held nothing else goes too.
pub fn without_unpaired_tools(context: &SessionContext) -> (SessionContext, Vec<UnpairedTool>) {
    let left_out = unpaired_tools(context);
    let mut by_node: HashMap<NodeId, Vec<&str>> = HashMap::new();
    for tool in &left_out {
        by_node.entry(tool.node).or_default().push(&tool.call_id);
    }
    let kept = context.messages().filter_map(|message| {
        let here = by_node.get(&message.node).map_or(&[][..], Vec::as_slice);
        Some((message, strip(&message, here)?))
    });
    let paired = context.with_messages(kept);
    (paired, left_out)
}

/// The message without these calls; none when nothing is left of it.
fn strip(message: &ContextMessage<'_>, call_ids: &[&str]) -> Option<Vec<u8>> {
    let content = message.raw.get("content").unwrap_or_else(Raw::null);
    match message.role {
        _ if call_ids.is_empty() => Some(message.raw.bytes().to_vec()),
        Role::Assistant if content.kind() == JsonKind::Array => {
            let blocks: Vec<_> =
                content.elements().filter(|block| !is_one_of(*block, call_ids)).collect();
            let blocks: Vec<_> = blocks.iter().map(|block| block.bytes()).collect();
            let text = [b"[", blocks.join(&b","[..]).as_slice(), b"]"].concat();
            (!blocks.is_empty()).then(|| set_member(message.raw, "content", &text))
        }
        _ => None,
    }
}

fn is_one_of(block: Raw<'_>, call_ids: &[&str]) -> bool {
    is_call(&block) && call_ids.contains(&&*block.get_str("id").unwrap_or_default())
}

fn calls(message: Raw<'_>) -> impl Iterator<Item = Raw<'_>> {
    message.get("content").into_iter().flat_map(Raw::elements).filter(is_call)
}

fn is_call(block: &Raw<'_>) -> bool {
    block.get("type").is_some_and(|kind| kind.is_str("toolCall"))
}

fn unpaired(
    message: &ContextMessage<'_>,
    raw: Raw<'_>,
    id_key: &str,
    name_key: &str,
    is_result: bool,
) -> UnpairedTool {
    UnpairedTool {
        node: message.node,
        entry_id: message.entry_id.to_owned(),
        call_id: raw.get_str(id_key).unwrap_or_default().into_owned(),
        tool: raw.get_str(name_key).map(Into::into),
        is_result,
    }
}
