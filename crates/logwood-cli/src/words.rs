//! Small words that several commands use.

pub(crate) use logwood_render::plain::{size, tokens};

/// `1 entry`, `2 entries`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
