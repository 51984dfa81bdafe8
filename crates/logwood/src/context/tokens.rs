use crate::entry::Role;
use crate::json::{JsonKind, Raw, stringify, utf16_len};

/// How many characters an image counts for in custom messages and tool results (spec 5.5).
const IMAGE_CHARS: usize = 4800;

/// The token estimate of a message: a quarter of its characters in UTF-16 units, rounded up (spec 5.5).
///
/// User messages count their text only, images included for custom messages and tool results only; unknown roles count 0.
#[doc(alias = "estimateTokens")]
pub fn estimate_tokens(role: Role, message: Raw<'_>) -> u64 {
    let content = message.get("content").unwrap_or_else(Raw::null);
    let chars = match role {
        Role::User => text_chars(content),
        Role::Assistant => content.elements().map(assistant_block_chars).sum(),
        Role::Custom | Role::ToolResult => text_chars(content) + images(content) * IMAGE_CHARS,
        Role::BashExecution => chars_of(message, "command") + chars_of(message, "output"),
        Role::BranchSummary | Role::CompactionSummary => chars_of(message, "summary"),
        _ => 0,
    };
    chars.div_ceil(4) as u64
}

fn text_chars(content: Raw<'_>) -> usize {
    match content.kind() {
        JsonKind::String => content.as_str().map_or(0, |text| utf16_len(&text)),
        _ => content.elements().map(|block| block_chars(block, "text", "text")).sum(),
    }
}

fn assistant_block_chars(block: Raw<'_>) -> usize {
    let is_call = block.get("type").is_some_and(|kind| kind.is_str("toolCall"));
    let call = if is_call { call_chars(block) } else { 0 };
    block_chars(block, "text", "text") + block_chars(block, "thinking", "thinking") + call
}

fn call_chars(block: Raw<'_>) -> usize {
    let arguments = block.get("arguments").map(|arguments| stringify(arguments.bytes()));
    let arguments = arguments.unwrap_or_default();
    chars_of(block, "name") + utf16_len(&String::from_utf8_lossy(&arguments))
}

fn block_chars(block: Raw<'_>, kind: &str, key: &str) -> usize {
    let fits = block.get("type").is_some_and(|word| word.is_str(kind));
    if fits { chars_of(block, key) } else { 0 }
}

fn images(content: Raw<'_>) -> usize {
    let is_image = |block: &Raw<'_>| block.get("type").is_some_and(|kind| kind.is_str("image"));
    content.elements().filter(is_image).count()
}

fn chars_of(object: Raw<'_>, key: &str) -> usize {
    object.get_str(key).map_or(0, |text| utf16_len(&text))
}
