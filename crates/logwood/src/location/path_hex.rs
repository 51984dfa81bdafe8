//! Paths that are not Unicode, as text that is.

use std::path::{Path, PathBuf};

/// The bytes of a path as hexadecimal digits.
pub(crate) fn path_to_hex(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The path that [`path_to_hex`] wrote; none where the text is something else, or paths are no bytes.
pub(crate) fn path_from_hex(text: &str) -> Option<PathBuf> {
    let digits = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    path_of(text.as_bytes().chunks(2).map(digits).collect::<Option<_>>()?)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

/// One that is not Unicode cannot be put together again safely.
#[cfg(not(unix))]
fn path_of(_: Vec<u8>) -> Option<PathBuf> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt as _;

    #[test]
    fn any_path_comes_back() {
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a/\xff\x00b"));
        assert_eq!(path_to_hex(path), "2f612fff0062");
        assert_eq!(path_from_hex("2f612fff0062").as_deref(), Some(path));
        assert_eq!(path_from_hex("2g"), None);
    }
}
