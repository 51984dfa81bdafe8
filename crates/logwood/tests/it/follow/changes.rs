//! What happens to a followed file besides appends, one thing at a time.

use std::io::Write as _;
use std::sync::Arc;

use logwood::error::ErrorKind;
use logwood::follow::{Change, FollowCursor, SessionFollower, Start};
use logwood::session::SessionOptions;
use logwood::storage::{Create, MemoryStorage, Replacement, Storage as _};
use logwood_testkit::storage::FaultyStorage;

use super::{HEADER, PATH, append, disk, follow, line, words};

#[test]
fn only_what_comes_is_told_or_all_of_it() {
    let storage = disk(&["a", "b"]);
    let mut now = follow(&storage, Start::Now);
    let mut all = follow(&storage, Start::Beginning);
    assert_eq!(words(&now.poll()), [""; 0]);
    assert_eq!(words(&all.poll()), ["+s", "a", "b"]);
    append(&storage, &line("c"));
    assert_eq!(words(&now.poll()), ["c"]);
    assert_eq!(words(&all.poll()), ["c"]);
    assert_eq!(words(&all.poll()), [""; 0]);
}

#[test]
fn an_event_says_where_its_line_is() {
    let storage = disk(&["a"]);
    let mut all = follow(&storage, Start::Beginning);
    let mut now = follow(&storage, Start::Now);
    append(&storage, &format!("\n{}", line("b")));
    let place = |follower: &mut SessionFollower| match &follower.poll().pop().unwrap().change {
        Change::EntryAppended(entry) => (entry.byte, entry.line),
        other => unreachable!("{other:?}"),
    };
    let byte = (HEADER.len() + line("a").len() + 1) as u64;
    assert_eq!(place(&mut all), (byte, Some(4)));
    assert_eq!(place(&mut now), (byte, None));
}

#[test]
fn a_torn_line_that_is_fenced_is_no_entry() {
    let storage = disk(&["a"]);
    let mut follower = follow(&storage, Start::Beginning);
    append(&storage, "{\"type\":\"custom\",\"id\":\"torn");
    assert_eq!(words(&follower.poll()), ["+s", "a"]);
    assert_eq!(words(&follower.poll()), [""; 0]);
    append(&storage, &format!("\n{}", line("b")));
    assert_eq!(words(&follower.poll()), ["malformed_line@3", "b"]);
}

#[test]
fn a_torn_line_that_was_there_at_the_start_is_told_when_it_is_whole() {
    let storage = disk(&["a"]);
    let text = line("b");
    append(&storage, &text[..20]);
    let mut follower = follow(&storage, Start::Now);
    append(&storage, &text[20..]);
    assert_eq!(words(&follower.poll()), ["b"]);
}

/// Case 02: the last record is whole and has no line end; dreb then fuses the next one to it.
#[test]
fn case_02_a_whole_record_needs_no_line_end() {
    let storage = disk(&[]);
    append(&storage, line("a").trim_end());
    let mut follower = follow(&storage, Start::Beginning);
    assert_eq!(words(&follower.poll()), ["+s", "a"]);
    append(&storage, "\n");
    assert_eq!(words(&follower.poll()), [""; 0]);
    append(&storage, line("b").trim_end());
    assert_eq!(words(&follower.poll()), ["b"]);
    append(&storage, &format!("{}{}", line("fused"), line("c")));
    assert_eq!(words(&follower.poll()), ["malformed_line@3", "c"]);
    let now = follow(&storage, Start::Now);
    assert_eq!(
        now.cursor(),
        FollowCursor::parse(&now.cursor().to_json()).unwrap().session(PATH.as_ref()).unwrap()
    );
}

#[test]
fn a_number_at_the_end_may_go_on() {
    let storage = disk(&[]);
    append(&storage, "12");
    let mut follower = follow(&storage, Start::Beginning);
    assert_eq!(words(&follower.poll()), ["+s"]);
    append(&storage, "3\n");
    assert_eq!(words(&follower.poll()), ["not_an_entry@2"]);
}

#[test]
fn a_file_that_goes_and_comes_back_is_followed_on() {
    let storage = disk(&["a"]);
    let mut follower = follow(&storage, Start::Now);
    let text = storage.contents(PATH).unwrap();
    storage.remove_file(PATH.as_ref()).unwrap();
    assert_eq!(words(&follower.poll()), ["-s"]);
    assert_eq!(words(&follower.poll()), [""; 0]);
    let cursor = follower.cursor();
    storage.put(PATH, [text, line("b").into_bytes()].concat()).unwrap();
    assert_eq!(words(&follower.poll()), ["+s", "b"]);
    let mut resumed = SessionFollower::resume(Arc::new(storage), cursor);
    assert_eq!(words(&resumed.poll()), ["+s", "b"]);
}

#[test]
fn another_session_in_the_file_is_another_session() {
    let storage = disk(&["a"]);
    let mut follower = follow(&storage, Start::Now);
    let text = HEADER.replace("\"s\"", "\"t\"") + &line("a");
    storage.put(PATH, text).unwrap();
    assert_eq!(words(&follower.poll()), ["-s", "+t", "a"]);
}

#[test]
fn a_file_that_lost_the_last_entry_is_told_anew_once_it_stays_so() {
    let storage = disk(&["a", "b", "c"]);
    let mut follower = follow(&storage, Start::Beginning);
    assert_eq!(words(&follower.poll()), ["+s", "a", "b", "c"]);
    let mut file = storage.open_append(PATH.as_ref(), Create::Never).unwrap();
    file.truncate((HEADER.len() + 2 * line("a").len()) as u64).unwrap();
    assert_eq!(words(&follower.poll()), [""; 0], "a program may be about to write it again");
    assert_eq!(words(&follower.poll()), ["shrunk, anew", "a", "b"]);
    assert_eq!(words(&follower.poll()), [""; 0]);
}

#[test]
fn a_replaced_file_goes_on_behind_the_last_entry_and_is_told() {
    let storage = disk(&["a", "b"]);
    let mut follower = follow(&storage, Start::Now);
    let mut new = Replacement::of(PATH.as_ref(), &storage).unwrap();
    let header = HEADER.replace("\"/p\"", "\"/elsewhere\"");
    new.write_all(format!("{header}{}{}{}", line("a"), line("b"), line("c")).as_bytes()).unwrap();
    drop(new.commit().unwrap());
    assert_eq!(words(&follower.poll()), ["replaced", "c"]);
}

#[test]
fn what_is_no_session_any_more_is_gone() {
    let storage = disk(&["a"]);
    let mut follower = follow(&storage, Start::Now);
    let mut file = storage.open_append(PATH.as_ref(), Create::Never).unwrap();
    file.truncate(0).unwrap();
    assert_eq!(words(&follower.poll()), [""; 0]);
    assert_eq!(words(&follower.poll()), ["-s"]);
    file.append(format!("{HEADER}{}{}", line("a"), line("b")).as_bytes()).unwrap();
    assert_eq!(words(&follower.poll()), ["+s", "b"]);
}

const OLD: &str = "{\"type\":\"session\",\"id\":\"s\",\"timestamp\":\"2024-01-01T00:00:00.000Z\",\"cwd\":\"/p\"}
{\"type\":\"message\",\"timestamp\":\"2024-01-01T00:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}
{\"type\":\"message\",\"timestamp\":\"2024-01-01T00:00:02.000Z\",\"message\":{\"role\":\"hookMessage\",\"content\":\"b\"}}
";

/// The file is of version 1 until it is appended to: then it is another file, and all ids are new to it.
#[test]
fn a_migrated_file_goes_on_behind_the_last_entry() {
    for start in [Start::Now, Start::Beginning] {
        let storage = MemoryStorage::new();
        storage.put(PATH, OLD).unwrap();
        let mut follower = follow(&storage, start);
        let options = SessionOptions::new().storage(Arc::new(storage.clone()));
        let mut session = options.open(PATH).unwrap();
        let ids: Vec<_> =
            session.tree().nodes().map(|node| session.tree().id(node).to_owned()).collect();
        let mut told = words(&follower.poll());
        let restarted = follower.cursor();
        let new = session.append_session_info("N").unwrap();
        let expected = [String::from("migrated"), new];
        assert_eq!(words(&follower.poll()), expected);
        let mut resumed = SessionFollower::resume(Arc::new(storage), restarted);
        assert_eq!(words(&resumed.poll()), expected);
        if start == Start::Beginning {
            assert_eq!(told.remove(0), "+s");
            assert_eq!(told, ids, "the ids are those of every other view");
        }
        assert_eq!(words(&follower.poll()), [""; 0]);
    }
}

/// dreb gives ids of its own and rewrites in place.
#[test]
fn a_file_that_another_program_migrated_goes_on_behind_as_many_entries() {
    let storage = MemoryStorage::new();
    storage.put(PATH, OLD).unwrap();
    let mut follower = follow(&storage, Start::Now);
    let mut file = storage.open_append(PATH.as_ref(), Create::Never).unwrap();
    file.truncate(0).unwrap();
    file.append(format!("{HEADER}{}{}{}", line("x"), line("y"), line("z")).as_bytes()).unwrap();
    assert_eq!(words(&follower.poll()), ["migrated", "z"]);
}

#[test]
fn more_than_a_poll_gives_comes_with_the_next() {
    let storage = disk(&[]);
    let long = "x".repeat(400_000);
    let lines: String = (0..5).map(|n| line(&format!("{n}{long}"))).collect();
    append(&storage, &lines);
    let mut follower = follow(&storage, Start::Beginning);
    let first = follower.poll();
    assert_eq!(first.len(), 4, "the header and three entries of 400 kB");
    assert!(follower.is_behind());
    assert_eq!(follower.poll().len(), 2);
    assert!(!follower.is_behind());
    assert!(follower.poll().is_empty());
}

#[test]
fn what_is_no_session_cannot_be_followed() {
    let storage = MemoryStorage::new();
    storage.put("/log.jsonl", "{\"id\":\"x\",\"type\":\"y\"}\n").unwrap();
    let shared: Arc<MemoryStorage> = Arc::new(storage);
    let kind = |path| SessionFollower::new(shared.clone(), path, Start::Now).unwrap_err().kind();
    assert_eq!(kind("/log.jsonl"), ErrorKind::NotASession);
    assert_eq!(kind("/gone.jsonl"), ErrorKind::NotFound);
}

#[test]
fn what_is_no_cursor_is_refused() {
    for text in ["", "{}", "[]x", "{\"path\":1}", "{\"path\":\"/a\",\"sessionId\":\"s\"}", "[1]"] {
        let error = FollowCursor::parse(text.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{text}");
    }
}

/// dreb rewrites in place, and may do so between any two calls of the reader.
#[test]
fn a_rewrite_in_place_while_the_file_is_read_gives_nothing_twice() {
    for call in 0..12 {
        let storage = disk(&["a", "b"]);
        let other = storage.clone();
        let text = HEADER.replace("\"/p\"", &format!("\"/{}\"", "longer".repeat(15)))
            + &line("a")
            + &line("b")
            + &line("c")
            + &line("d");
        let rewrite = move || {
            let mut file = other.open_append(PATH.as_ref(), Create::Never).unwrap();
            file.truncate(0).unwrap();
            file.append(text.as_bytes()).unwrap();
        };
        let faulty = FaultyStorage::new(Arc::new(storage.clone()));
        let mut follower =
            SessionFollower::new(Arc::new(faulty.clone()), PATH, Start::Now).unwrap();
        append(&storage, &line("c"));
        drop(faulty.clone().with_event(faulty.calls() + call, rewrite));
        let mut told = Vec::new();
        for _ in 0..12 {
            let entries = follower.poll();
            told.extend(entries.iter().filter_map(super::id));
        }
        assert_eq!(told, ["c", "d"], "call {call}");
    }
}
