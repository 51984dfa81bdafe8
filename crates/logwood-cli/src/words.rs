//! Small words that several commands use.

pub(crate) use logwood_render::plain::{size, tokens};

/// `1 entry`, `2 entries`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A path with `~` for the home directory.
pub(crate) fn with_tilde(path: &str, home: Option<&str>) -> String {
    let below = home.filter(|home| !home.is_empty()).and_then(|home| path.strip_prefix(home));
    match below.filter(|below| below.is_empty() || below.starts_with('/')) {
        Some(below) => format!("~{below}"),
        None => path.to_owned(),
    }
}
