//! Names and paths as bytes and back.

use std::ffi::{OsStr, OsString};

/// The bytes of a name.
pub(super) fn bytes(name: &OsStr) -> &[u8] {
    name.as_encoded_bytes()
}

/// The name of these bytes; none where the system has no such name.
#[cfg(unix)]
pub(super) fn name(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(OsStr::from_bytes(bytes).to_os_string())
}

/// The name of these bytes; none where it is no text.
#[cfg(not(unix))]
pub(super) fn name(bytes: &[u8]) -> Option<OsString> {
    std::str::from_utf8(bytes).ok().map(OsString::from)
}
