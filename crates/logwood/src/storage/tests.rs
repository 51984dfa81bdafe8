use super::{Access, FileKind, Metadata};

fn modified_at(modified_ns: i64) -> Metadata {
    let access = Access { mode: 0o600, owner: None };
    Metadata { len: 0, modified_ns, kind: FileKind::File, identity: None, access }
}

/// `new Date(Math.round(ms))`, as Node computes `stat.mtime`.
#[test]
fn milliseconds_are_rounded_as_node_rounds_them() {
    assert_eq!(modified_at(1_499_999).modified_ms(), 1);
    assert_eq!(modified_at(1_500_000).modified_ms(), 2);
    assert_eq!(modified_at(-1_500_000).modified_ms(), -1);
    assert_eq!(modified_at(-1_500_001).modified_ms(), -2);
}
