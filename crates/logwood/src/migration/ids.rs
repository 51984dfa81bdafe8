use sha2::{Digest, Sha256};

/// The id that a version 1 entry gets: the same on every look and in the migration itself (design section 2, "Rewrites").
///
/// It is the first 8 hex digits of a hash over the header id and the line's index (from 0), counted up while `taken` says that it is used.
///
/// ```
/// use logwood::migration::entry_id;
///
/// let first = entry_id("s1", 4, |_| false);
/// assert_eq!(first.len(), 8);
/// assert_eq!(first, entry_id("s1", 4, |_| false));
/// assert_ne!(first, entry_id("s1", 4, |id| id == first));
/// ```
pub fn entry_id(header_id: &str, line_index: u64, taken: impl Fn(&str) -> bool) -> String {
    let mut hash = Sha256::new();
    hash.update(header_id.as_bytes());
    hash.update([0]);
    hash.update(line_index.to_be_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, ..] = digest;
    let mut number = u32::from_be_bytes([a, b, c, d]);
    loop {
        let id = format!("{number:08x}");
        if !taken(&id) {
            return id;
        }
        number = number.wrapping_add(1);
    }
}
