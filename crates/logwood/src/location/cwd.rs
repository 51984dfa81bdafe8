//! Whether two working directories are the same project.

use std::borrow::Cow;

use super::path_style::has_drive;

/// A working directory as it is compared (rule L10; design "Choosing", case 55): equal keys are one project.
///
/// The comparison is lexical. Trailing separators do not count; a path that starts with a drive letter is compared
/// without case and with `/` for `\`; every other path keeps its case. Nothing else is normalised, and links are not
/// looked at.
///
/// ```
/// use logwood::location::CwdKey;
///
/// assert_eq!(CwdKey::new(r"C:\Work\Demo"), CwdKey::new(r"c:\work\demo\"));
/// assert_eq!(CwdKey::new("/proj/demo/"), CwdKey::new("/proj/demo"));
/// assert_ne!(CwdKey::new("/proj/Demo"), CwdKey::new("/proj/demo"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CwdKey(String);

impl CwdKey {
    /// The key of `cwd`, which is a header's cwd or the directory that a command runs in.
    pub fn new(cwd: &str) -> Self {
        Self(key(cwd).into_owned())
    }

    /// The text that is compared; not a path to show, since its case may have changed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether `a` and `b` are the same working directory (rule L10), without making keys of them first.
///
/// ```
/// assert!(logwood::location::same_cwd("/proj/app/", "/proj/app"));
/// assert!(!logwood::location::same_cwd("/proj/client/app", "/proj/client-app"));
/// ```
pub fn same_cwd(a: &str, b: &str) -> bool {
    a == b || key(a) == key(b)
}

fn key(cwd: &str) -> Cow<'_, str> {
    if has_drive(cwd) {
        let folded = cwd.to_lowercase().replace('\\', "/");
        return Cow::Owned(folded.trim_end_matches('/').to_owned());
    }
    let share = cwd.starts_with(r"\\");
    let kept = cwd.trim_end_matches(|c| c == '/' || (share && c == '\\'));
    if kept.is_empty() { root_of(cwd) } else { Cow::Borrowed(kept) }
}

/// A path of separators only is the root; an empty one stays empty.
fn root_of(cwd: &str) -> Cow<'_, str> {
    cwd.chars().next().map_or(Cow::Borrowed(""), |first| Cow::Owned(first.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{CwdKey, same_cwd};

    /// Case 55: the four headers make three groups.
    #[test]
    fn drive_letter_paths_compare_without_case_and_others_with() {
        assert!(same_cwd(r"C:\Work\Demo", r"c:\work\demo"));
        assert!(!same_cwd("/proj/Demo", "/proj/demo"));
        assert!(!same_cwd(r"C:\Work\Demo", "/proj/demo"));
    }

    #[test]
    fn trailing_separators_do_not_count() {
        for (a, b) in [
            ("/proj/demo", "/proj/demo//"),
            (r"C:\", "c:"),
            (r"C:\x\", "C:/x"),
            ("/", "//"),
            (r"\\Srv\share\", r"\\Srv\share"),
        ] {
            assert!(same_cwd(a, b), "{a} and {b}");
            assert_eq!(CwdKey::new(a), CwdKey::new(b), "{a} and {b}");
        }
    }

    #[test]
    fn other_differences_count() {
        for (a, b) in [
            ("/proj/client/app", "/proj/client-app"),
            ("/", ""),
            (r"/proj/demo\", "/proj/demo"),
            ("/proj/./demo", "/proj/demo"),
            (r"\\Srv\share", r"\\srv\share"),
            ("1:/x", "1:/X"),
        ] {
            assert!(!same_cwd(a, b), "{a} and {b}");
        }
    }
}
