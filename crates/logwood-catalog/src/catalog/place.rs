//! Where a catalog lies.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::schema::VERSION;

/// The name of the catalog file of an agent directory, below the folder of catalogs: the version, so that programs of two versions
/// do not rebuild each other's, and a hash of the directory's path.
///
/// ```
/// use logwood_catalog::catalog::file_name;
///
/// let one = file_name("/home/ana/.dreb/agent".as_ref());
/// assert_ne!(one, file_name("/home/ana/.pi/agent".as_ref()));
/// assert!(one.ends_with(".sqlite"));
/// ```
pub fn file_name(agent_dir: &Path) -> String {
    format!("{}-{VERSION}.sqlite", stem(agent_dir))
}

/// What the names of all catalogs of an agent directory start with.
pub(super) fn stem(agent_dir: &Path) -> String {
    let hash = Sha256::digest(agent_dir.as_os_str().as_encoded_bytes());
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
