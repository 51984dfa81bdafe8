//! Sessions of a size that the reference cannot read: over 1 GiB, and a million entries. The same shapes run small in every test.

use std::io::Write;
use std::path::Path;

use logwood::inventory::Inventory;
use logwood::session::{SessionManager, SessionOptions};

const MIB: usize = 1 << 20;
const H: &str =
    r#"{"type":"session","version":3,"id":"big","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/"}"#;

fn write(path: &Path, lines: impl Iterator<Item = String>) {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    writeln!(out, "{H}").unwrap();
    lines.for_each(|line| writeln!(out, "{line}").unwrap());
    out.flush().unwrap();
}

fn parent(number: usize) -> String {
    number.checked_sub(1).map_or("null".to_owned(), |before| format!("\"{before:08x}\""))
}

fn message(number: usize, role: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{number:08x}","parentId":{},"timestamp":"2025-01-01T00:00:01.000Z","message":{{"role":"{role}","content":"{number}","timestamp":1}}}}"#,
        parent(number)
    )
}

fn custom(number: usize, bytes: usize) -> String {
    format!(
        r#"{{"type":"custom","id":"{number:08x}","parentId":{},"timestamp":"2025-01-01T00:00:01.000Z","customType":"x","data":"{}"}}"#,
        parent(number),
        "x".repeat(bytes)
    )
}

fn open(path: &Path) -> SessionManager {
    let session = SessionOptions::new().read_only(true).open(path).unwrap();
    assert_eq!(session.problems(), []);
    session
}

/// A message, one line of `longest` bytes, `others` lines of a MiB, and a message at the end.
fn large(longest: usize, others: usize) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let last = others + 2;
    let lines = (0..=last).map(|number| match number {
        0 => message(number, "user"),
        1 => custom(number, longest),
        _ if number == last => message(number, "user"),
        _ => custom(number, MIB),
    });
    write(&path, lines);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size > (longest + others * MIB) as u64);
    let session = open(&path);
    assert_eq!(session.entries().count(), others + 3);
    assert_eq!(session.leaf_id(), Some(&*format!("{last:08x}")));
    let context = session.context().unwrap();
    let ids: Vec<_> = context.messages().map(|message| message.entry_id.to_owned()).collect();
    assert_eq!(ids, ["00000000".to_owned(), format!("{last:08x}")]);
    let listing = Inventory::new().list_all_from_dir(dir.path()).unwrap();
    let row = listing.sessions.first().unwrap();
    assert_eq!((row.size, row.entry_count, row.message_count), (size, last as u64 + 1, 2));
}

/// One chain of `count` messages.
fn chain(count: usize) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    write(&path, (0..count).map(|number| message(number, "user")));
    let session = open(&path);
    let leaf = format!("{:08x}", count - 1);
    assert_eq!((session.entries().count(), session.leaf_id()), (count, Some(&*leaf)));
    let tree = session.tree();
    assert_eq!(tree.branch(tree.find(&leaf).unwrap()).len(), count);
    let context = session.context().unwrap();
    assert_eq!(context.len(), count);
    let last = context.messages().last().unwrap();
    assert_eq!(last.entry_id, leaf);
    assert_eq!(last.raw.get_str("content").as_deref(), Some(&*(count - 1).to_string()));
    let listing = Inventory::new().list_all_from_dir(dir.path()).unwrap();
    let row = listing.sessions.first().unwrap();
    assert_eq!((row.entry_count, row.branch_count), (count as u64, 1));
}

#[test]
fn a_file_larger_than_what_is_kept_is_read_whole() {
    large(9 * MIB, 5);
}

#[test]
#[ignore = "writes and reads 1.1 GiB"]
fn deep_a_file_over_1_gib_with_a_line_over_512_mib_is_read_whole() {
    large(600 * MIB, 500);
}

#[test]
fn ten_thousand_entries_in_one_chain() {
    chain(10_000);
}

#[test]
#[ignore = "a million entries"]
fn deep_a_million_entries_in_one_chain() {
    chain(1_000_000);
}
