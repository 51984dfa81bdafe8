//! Plans for small files, each with one fault, and what they write.

use std::sync::Arc;

use crate::error::ErrorKind;
use crate::storage::MemoryStorage;

use super::{Repair, RepairPlan, Repaired, StepKind, salvage_pieces};

const PATH: &str = "/--work--/2025-03-04T09-00-00-000Z_s1.jsonl";
const HEADER: &str = r#"{"type":"session","version":3,"id":"s1","timestamp":"2025-03-04T09:00:00.000Z","cwd":"/work"}"#;

fn other_header(id: &str) -> String {
    HEADER.replace("\"s1\"", &format!("\"{id}\"")).replace("T09:00", "T10:00")
}

fn entry(id: &str, parent: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2025-03-04T09:01:00.000Z","message":{{"role":"user","content":[{{"type":"text","text":"{id}"}}]}}}}"#
    )
}

struct Mended {
    storage: MemoryStorage,
    plan: RepairPlan,
    done: Option<Repaired>,
}

impl Mended {
    fn text(&self) -> String {
        self.file(PATH)
    }

    fn file(&self, path: &str) -> String {
        String::from_utf8(self.storage.contents(path).unwrap()).unwrap()
    }

    fn kinds(&self) -> Vec<&str> {
        self.plan.steps.iter().map(|step| step.kind.as_str()).collect()
    }

    fn lines(&self) -> Vec<u64> {
        self.plan.steps.iter().map(|step| step.position.map_or(0, |p| p.line)).collect()
    }
}

fn repair(storage: &MemoryStorage) -> Repair {
    Repair::of(PATH).storage(Arc::new(storage.clone()))
}

fn storage_with(text: &[u8]) -> MemoryStorage {
    let storage = MemoryStorage::new();
    crate::storage::Storage::create_dir_all(&storage, "/--work--".as_ref()).unwrap();
    storage.put(PATH, text).unwrap();
    storage
}

/// Mends a file in memory; a second plan has to be empty.
fn mend_with(text: &[u8], options: impl Fn(Repair) -> Repair) -> Mended {
    let storage = storage_with(text);
    let repair = options(repair(&storage));
    let plan = repair.plan().unwrap();
    assert_eq!(storage.contents(PATH).unwrap(), text, "a plan changes nothing");
    let done = repair.apply(&plan).unwrap();
    assert_eq!(done.is_none(), plan.is_empty());
    let again = repair.plan().unwrap();
    assert!(again.is_empty(), "not mended by one repair: {:?}", again.steps);
    if let Some(done) = &done {
        assert_eq!(storage.contents(&done.backup).unwrap(), text);
    }
    Mended { storage, plan, done }
}

fn mend(lines: &[&str]) -> Mended {
    mend_with((lines.join("\n") + "\n").as_bytes(), |repair| repair)
}

#[test]
fn what_only_has_notes_is_not_touched() {
    let (a, b) = (entry("a", ""), entry("b", "a"));
    let v1 = HEADER.replace("\"version\":3,", "");
    let no_id = r#"{"type":"message","timestamp":"2025-03-04T09:01:00.000Z","message":{"role":"user","content":"x"}}"#;
    for text in [
        format!("{HEADER}\n{a}\n{b}"),
        format!("\u{feff}{HEADER}\r\n\r\n{a}\r\n{b}\r\n"),
        format!(
            "{{\"type\":\"title\",\"title\":\"t\"}}\n{HEADER}\n{a}\n{a}\n{}\n",
            entry("c", "gone")
        ),
        format!("{v1}\n{no_id}\n{HEADER}\n{{\"x\":1}}\n{no_id}\n"),
        format!("{HEADER}\n{{\"type\":\"unheard_of\",\"x\":1}}\n"),
    ] {
        let mended = mend_with(text.as_bytes(), |repair| repair);
        assert_eq!(mended.plan.steps, [], "{text}");
        assert_eq!(mended.text(), text);
    }
}

#[test]
fn whole_records_are_found_at_both_ends_of_a_line_and_beside_nul_bytes() {
    let (a, b, c) = (entry("a", ""), entry("b", "a"), entry("c", "b"));
    let torn = &b[..b.len() - 9];
    let whole = format!("{HEADER}\n{a}\n{b}\n{c}\n");
    for (line, fragments) in [
        (format!("{a}{b}{c}"), vec![]),
        (format!("{a}\u{b}{b}  {c}"), vec![]),
        (format!("{a}{b}{c}{torn}"), vec![torn]),
        (format!("{torn}{a}{b}{c}"), vec![torn]),
        (format!("{a}J{b}{c}"), vec!["J"]),
        (format!("{a}\0\0{b}{c}\0"), vec!["\0\0", "\0"]),
        (format!("{torn}\0{a}{b}{c}"), vec![]),
    ] {
        let mended = mend(&[HEADER, &line]);
        let text = mended.text().replace('\u{b}', "").replace("\n  ", "\n");
        assert_eq!(text, whole, "{line}");
        assert_eq!(mended.plan.recovered, ["a", "b", "c"]);
        let salvage = mended.storage.contents(&mended.done.unwrap().salvage).unwrap();
        let pieces = salvage_pieces(&salvage);
        for (piece, fragment) in pieces.iter().zip(fragments) {
            assert_eq!(piece.bytes, fragment.as_bytes());
        }
        for piece in pieces {
            let at = piece.position.byte as usize - HEADER.len() - 1;
            assert!(line.as_bytes()[at..].starts_with(piece.bytes), "{line}");
        }
    }
}

/// A block of a message that happens to end the line is part of the message, not an entry.
#[test]
fn a_block_of_a_torn_message_is_no_record() {
    let torn = r#"{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"read","arguments":{}}"#;
    let mended = mend(&[HEADER, &entry("a", ""), torn]);
    assert_eq!((mended.kinds(), mended.lines()), (vec!["fenced_off"], vec![3]));
    assert_eq!(mended.plan.unrecoverable, ["b"]);
    assert_eq!(mended.plan.recovered, [""; 0]);
}

/// Half a megabyte in which every byte could begin a record takes no time.
#[test]
fn a_line_that_could_be_slow_is_not() {
    let deep = "{\"a\":".repeat(100_000);
    let mended = mend(&[HEADER, &deep, &entry("a", "")]);
    assert_eq!(mended.kinds(), ["fenced_off"]);
}

#[test]
fn a_header_is_rebuilt_from_the_name_of_the_file_and_what_is_left_of_it() {
    let a = entry("a", "");
    for (torn, header) in [
        // The folder `--work--` can only mean `/work`.
        (r#"{"type":"session","version":3,"id":"s"#, HEADER.to_owned()),
        (r#"{"type":"session","vers"#, HEADER.to_owned()),
        (
            r#"{"type":"session","version":4,"id":"s1","timestamp":"2025","cwd":"/a-b","parentSession":"/p","age"#,
            HEADER
                .replace("\"version\":3", "\"version\":4")
                .replace(r#""cwd":"/work"}"#, r#""cwd":"/a-b","parentSession":"/p"}"#),
        ),
    ] {
        let mended = mend(&[torn, &a]);
        assert_eq!(mended.text(), format!("{header}\n{a}\n"));
        assert_eq!(mended.kinds(), ["header_rebuilt", "fenced_off"]);
    }
    let mended = mend(&[&a]);
    assert_eq!(mended.text(), format!("{HEADER}\n{a}\n"));
    let text = mend_with(format!("{a}\n").as_bytes(), |repair| repair.cwd("/x-y")).text();
    assert!(text.starts_with(&HEADER.replace("/work", "/x-y")), "{text}");
}

/// Entries without ids are of version 1, and a header without a version says so.
#[test]
fn a_rebuilt_header_has_the_version_of_the_entries() {
    let old = r#"{"type":"message","timestamp":"2025-03-04T09:01:00.000Z","message":{"role":"user","content":"x"}}"#;
    let text = mend(&["{\"type\":\"session\"", old]).text();
    assert_eq!(text, format!("{}\n\n{old}\n", HEADER.replace("\"version\":3,", "")));
    let hook = entry("a", "").replace("\"user\"", "\"hookMessage\"");
    assert!(mend(&[&hook]).text().starts_with(r#"{"type":"session","version":2,"#));
}

#[test]
fn a_header_that_comes_late_becomes_the_first_line() {
    let (a, b) = (entry("a", ""), entry("b", "a"));
    let mended = mend(&[&a, HEADER, &b]);
    assert_eq!(mended.text(), format!("{HEADER}\n{a}\n{b}\n"));
    assert_eq!((mended.kinds(), mended.lines()), (vec!["header_moved"], vec![2]));
}

#[test]
fn a_header_whose_id_is_no_text_gets_that_of_the_name() {
    let bad = HEADER.replace("\"s1\"", " 12");
    let mended = mend(&["{\"x\":1}", &bad, &entry("a", "")]);
    assert_eq!(mended.kinds(), ["header_id"]);
    assert!(mended.text().contains(&HEADER.replace("\"s1\"", " \"s1\"")));
}

#[test]
fn several_sessions_of_a_file_get_files_of_their_own() {
    let second = other_header("s2");
    let (a, b, x, y) = (entry("a", ""), entry("b", "a"), entry("x", ""), entry("y", "x"));
    let mended = mend(&[HEADER, &a, &second, &x, &other_header("empty"), &y, HEADER, &b]);
    assert_eq!(mended.text(), format!("{HEADER}\n{a}\n{b}\n"));
    let path = "/--work--/2025-03-04T10-00-00-000Z_s2.jsonl";
    assert_eq!(mended.file(path), format!("{second}\n{x}\n{y}\n"));
    assert_eq!(mended.plan.sessions[0].session_id, "s2");
    assert_eq!((mended.plan.entries, mended.plan.sessions[0].entries), (2, 2));
    assert_eq!(mended.kinds(), ["session_split", "fenced_off", "fenced_off"]);
    let split = Repair::of(path).storage(Arc::new(mended.storage.clone())).plan().unwrap();
    assert!(split.is_empty());
}

/// What has the name of another session stays as it is.
#[test]
fn a_name_that_is_taken_gets_a_number() {
    let text = [HEADER, &entry("a", ""), &other_header("s2"), &entry("x", "")].join("\n");
    let storage = storage_with(text.as_bytes());
    let taken = "/--work--/2025-03-04T10-00-00-000Z_s2.jsonl";
    storage.put(taken, "mine").unwrap();
    let plan = repair(&storage).plan().unwrap();
    let done = repair(&storage).apply(&plan).unwrap().unwrap();
    assert_eq!(storage.contents(taken).unwrap(), b"mine");
    assert!(done.sessions[0].ends_with("2025-03-04T10-00-00-000Z_s2-2.jsonl"));
}

/// A second session without a header of its own in front: the entries before its header had another, of which the start is left.
#[test]
fn entries_that_lost_their_header_do_not_get_that_of_another_session() {
    let (a, x, second) = (entry("a", ""), entry("x", ""), other_header("s2"));
    let mended = mend(&["{\"type\":\"sess", &a, &second, &x]);
    assert_eq!(mended.text(), format!("{HEADER}\n{a}\n"));
    assert_eq!(mended.kinds(), ["header_rebuilt", "fenced_off", "session_split"]);
}

#[test]
fn ids_are_given_where_the_entry_stands_and_a_number_stays_what_others_hang_on() {
    let no_id = entry("a", "").replace("\"id\":\"a\",", "");
    let number = entry("7", "").replace("\"7\"", "7");
    let empty = entry("", "7");
    let mended = mend(&[HEADER, &no_id, &no_id, &number, &empty, &entry("z", "7")]);
    assert_eq!(mended.kinds(), ["id_given"; 4]);
    let ids: std::collections::HashSet<_> = mended.plan.recovered.iter().collect();
    assert_eq!(ids.len(), 4);
    assert_eq!(mended.plan.recovered[2], "7");
    assert_eq!(
        mended.plan.recovered,
        mend(&[HEADER, &no_id, &no_id, &number, &empty]).plan.recovered
    );
}

#[test]
fn orphans_are_hung_on_the_entry_before_them_only_when_asked() {
    let lines = [HEADER, &entry("a", ""), &entry("b", "gone"), &entry("c", "b")].join("\n");
    assert!(mend_with(lines.as_bytes(), |repair| repair).plan.is_empty());
    let mended = mend_with(lines.as_bytes(), |repair| repair.reattach(true));
    assert_eq!(mended.text(), lines.replace("gone", "a") + "\n");
    let step = &mended.plan.steps[0];
    assert_eq!((step.kind, step.detail.as_deref()), (StepKind::Reattached, Some("a")));
}

/// The entry before an orphan may hang on the orphan itself: then it is no parent for it.
#[test]
fn an_orphan_is_never_hung_on_its_own_branch() {
    let lines = [HEADER, &entry("a", ""), &entry("b", "c"), &entry("c", "gone")].join("\n");
    let mended = mend_with(lines.as_bytes(), |repair| repair.reattach(true));
    assert_eq!(mended.plan.steps[0].detail.as_deref(), Some("a"));
    let lines = [HEADER, &entry("b", "c"), &entry("c", "gone")].join("\n");
    assert!(mend_with(lines.as_bytes(), |repair| repair.reattach(true)).plan.is_empty());
}

/// The ids of version 1 come from the lines, so a line that is taken out leaves its place.
#[test]
fn version_1_keeps_its_line_numbers() {
    let header = HEADER.replace("\"version\":3,", "");
    let old = r#"{"type":"message","timestamp":"2025-03-04T09:01:00.000Z","message":{"role":"user","content":"x"}}"#;
    let mended = mend(&[&header, old, "\0\0", HEADER, old]);
    assert_eq!(mended.text(), [&header, old, "", HEADER, old, ""].join("\n"));
}

#[test]
fn what_is_no_session_is_refused() {
    for (text, kind) in [
        ("", ErrorKind::EmptyFile),
        ("\n \r\n", ErrorKind::EmptyFile),
        ("\0\0\0", ErrorKind::NotASession),
        ("{\"type\":\"message\",\"role\":\"user\",\"content\":[]}\n", ErrorKind::NotASession),
        ("{\"id\":\"5\",\"buoy\":1}\nx\n", ErrorKind::NotASession),
    ] {
        let storage = storage_with(text.as_bytes());
        assert_eq!(repair(&storage).plan().unwrap_err().kind(), kind, "{text:?}");
    }
    // The start of a header counts only in a file that has the name of a session.
    let storage = storage_with(b"");
    storage.put("/x.jsonl", "{\"type\":\"session\",\"ver").unwrap();
    let other = Repair::of("/x.jsonl").storage(Arc::new(storage));
    assert_eq!(other.plan().unwrap_err().kind(), ErrorKind::HeaderCorrupt);
    assert!(mend(&["{\"type\":\"session\",\"ver"]).text().starts_with(HEADER));
}

#[test]
fn copies_of_earlier_repairs_stay() {
    let storage = storage_with(format!("{HEADER}\nx\n").as_bytes());
    let done = |storage: &MemoryStorage| {
        let plan = repair(storage).plan().unwrap();
        repair(storage).apply(&plan).unwrap().unwrap()
    };
    assert!(done(&storage).backup.to_string_lossy().ends_with(".jsonl.repair.bak"));
    storage.put(PATH, format!("{HEADER}\ny\n")).unwrap();
    let second = done(&storage);
    assert!(second.backup.to_string_lossy().ends_with(".jsonl.repair.bak.2"));
    assert!(second.salvage.to_string_lossy().ends_with(".jsonl.salvage.2"));
    assert_eq!(storage.contents(&second.backup).unwrap(), format!("{HEADER}\ny\n").as_bytes());
}

#[test]
fn a_plan_for_another_content_is_refused() {
    let storage = storage_with(format!("{HEADER}\nx\n").as_bytes());
    let plan = repair(&storage).plan().unwrap();
    storage.put(PATH, format!("{HEADER}\nx\ny\n")).unwrap();
    assert_eq!(repair(&storage).apply(&plan).unwrap_err().kind(), ErrorKind::ChangedOnDisk);
    assert_eq!(storage.contents(PATH).unwrap(), format!("{HEADER}\nx\ny\n").as_bytes());
}

#[test]
fn undo_restores_every_byte_and_takes_the_other_files_back() {
    let text = [HEADER, &entry("a", ""), "x\0", &other_header("s2"), &entry("x", "")].join("\n");
    let mended = mend_with(text.as_bytes(), |repair| repair);
    let split = mended.done.unwrap().sessions;
    let undone = repair(&mended.storage).undo().unwrap();
    assert_eq!(mended.storage.contents(PATH).unwrap(), text.as_bytes());
    assert_eq!(undone.removed, split);
    assert!(mended.storage.contents(&split[0]).is_err());
    assert_eq!(repair(&mended.storage).undo().unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn undo_is_refused_when_something_was_written_since() {
    let text = [HEADER, &entry("a", ""), "x", &other_header("s2"), &entry("x", "")].join("\n");
    let mended = mend_with(text.as_bytes(), |repair| repair);
    let now = mended.text() + &entry("b", "a") + "\n";
    mended.storage.put(PATH, now.clone()).unwrap();
    let error = repair(&mended.storage).undo().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ChangedOnDisk);
    let bytes = entry("b", "a").len() + 1;
    assert!(error.to_string().contains(&format!("{bytes} bytes were appended since")), "{error}");
    assert!(error.to_string().contains(".repair.bak"));
    mended.storage.put(PATH, &now[..20]).unwrap();
    assert!(repair(&mended.storage).undo().unwrap_err().to_string().contains("changed since"));
    // Another session of the file that went on stays.
    let split = mended.done.as_ref().unwrap().sessions[0].clone();
    mended.storage.put(PATH, &now[..mended.text().len().max(now.len() - bytes)]).unwrap();
    mended.storage.put(&split, "went on").unwrap();
    assert_eq!(repair(&mended.storage).undo().unwrap().kept, [split]);
}

#[test]
fn undo_needs_a_repair() {
    let storage = storage_with(HEADER.as_bytes());
    assert_eq!(repair(&storage).undo().unwrap_err().kind(), ErrorKind::NotFound);
}
