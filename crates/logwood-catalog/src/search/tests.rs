use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use logwood::inventory::{Inventory, Place, SessionInfo};
use logwood::location::Layout;
use logwood::storage::{Create, MemoryStorage, Storage};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::filter::{Filter, Surroundings};
use crate::text::{Extent, Field};

/// Sessions in memory.
struct World {
    storage: Arc<dyn Storage>,
    rows: Vec<SessionInfo>,
}

impl World {
    /// Each session is a list of lines; the header comes from the number.
    fn of(sessions: &[Vec<Value>]) -> Self {
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        storage.create_dir_all(Path::new("/s")).unwrap();
        for (at, lines) in sessions.iter().enumerate() {
            let header = json!({"type": "session", "version": 3, "id": format!("5e55-000{at}"), "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/work/demo"});
            let text: String =
                [header].iter().chain(lines).map(|line| format!("{line}\n")).collect();
            let path = format!("/s/{at}.jsonl");
            storage
                .open_append(Path::new(&path), Create::Exclusive)
                .unwrap()
                .append(text.as_bytes())
                .unwrap();
        }
        let inventory = Inventory::new().storage(Arc::clone(&storage));
        let place = Place::new("dreb", "/s", Layout::Flat);
        let mut rows =
            inventory.list_places(&[place], None, &|_| ControlFlow::Continue(())).sessions;
        rows.sort_by(|a, b| a.path.cmp(&b.path));
        Self { storage, rows }
    }

    fn found(&self, query: &str) -> Found {
        self.found_with(query, |search| search)
    }

    fn found_with(&self, query: &str, change: impl FnOnce(Search<'_>) -> Search<'_>) -> Found {
        let filter = Filter::parse(query, &Surroundings::default()).unwrap();
        let search = change(Search::new(&filter).storage(Arc::clone(&self.storage)));
        let found = search.entries(&self.rows, &|_| ControlFlow::Continue(()));
        assert_eq!(found.problems, []);
        found
    }

    /// The ids of the entries found, best first; the session's id where it is the header.
    fn ids(&self, query: &str) -> Vec<String> {
        let hits = self.found(query).hits.into_iter();
        hits.map(|hit| hit.entry_id.unwrap_or(hit.session_id)).collect()
    }

    /// The numbers of the sessions that are meant.
    fn sessions(&self, query: &str) -> Vec<usize> {
        let filter = Filter::parse(query, &Surroundings::default()).unwrap();
        let search = Search::new(&filter).storage(Arc::clone(&self.storage)).threads(2);
        let (meant, problems) = search.sessions(&self.rows, &|_| ControlFlow::Continue(()));
        assert_eq!(problems, []);
        (0..meant.len()).filter(|at| meant[*at]).collect()
    }
}

fn entry(id: &str, parent: Option<&str>, rest: Value) -> Value {
    let mut entry = json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-02T00:00:00.000Z"});
    entry.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    entry
}

fn user(id: &str, parent: Option<&str>, text: &str) -> Value {
    entry(id, parent, json!({"message": {"role": "user", "content": text}}))
}

fn answer(id: &str, parent: Option<&str>, text: &str) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    entry(
        id,
        parent,
        json!({"message": {"role": "assistant", "content": content, "provider": "p", "model": "opus-4", "stopReason": "stop"}}),
    )
}

fn call(id: &str, parent: Option<&str>, tool: &str, arguments: Value) -> Value {
    let content = json!([{"type": "toolCall", "id": "c", "name": tool, "arguments": arguments}]);
    entry(
        id,
        parent,
        json!({"message": {"role": "assistant", "content": content, "provider": "p", "model": "opus-4", "stopReason": "toolUse"}}),
    )
}

fn result(id: &str, parent: Option<&str>, tool: &str, text: &str) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    entry(
        id,
        parent,
        json!({"message": {"role": "toolResult", "toolCallId": "c", "toolName": tool, "content": content}}),
    )
}

fn label(id: &str, parent: Option<&str>, target: &str, label: Option<&str>) -> Value {
    entry(id, parent, json!({"type": "label", "targetId": target, "label": label}))
}

/// One session with a branch that was left, a compaction, a label and tools.
fn harbour() -> World {
    World::of(&[
        vec![
            user("u001", None, "Where is the harbour light?"),
            answer("a001", Some("u001"), "The lamp stands north of the harbour."),
            user("u002", Some("a001"), "And on the abandoned pier, harbour side?"),
            call(
                "c001",
                Some("a001"),
                "bash",
                json!({"command": "grep -r lamp", "path": "src/lamp.rs"}),
            ),
            result("r001", Some("c001"), "bash", "src/lamp.rs: fn lamp()"),
            entry(
                "k001",
                Some("r001"),
                json!({"type": "compaction", "summary": "We spoke of lamps.", "firstKeptEntryId": "c001", "tokensBefore": 1}),
            ),
            label("l001", Some("k001"), "a001", Some("beacon")),
            answer("a002", Some("l001"), "Done with the lamp."),
        ],
        vec![
            user("u101", None, "nothing of the kind"),
            answer("a101", Some("u101"), "no lamp here, harbour elsewhere"),
        ],
    ])
}

#[test]
fn all_words_must_be_in_one_entry() {
    let world = harbour();
    assert_eq!(world.ids("lamp north"), ["a001"]);
    assert_eq!(world.ids("LAMP elsewhere"), ["a101"]);
    assert_eq!(world.ids("harbour spoke"), [""; 0]);
    assert_eq!(world.ids("\"north of  the\""), ["a001"]);
    assert_eq!(
        world.ids("lamp -north -grep -fn role:assistant"),
        ["a101", "a002"].map(str::to_owned).into_iter().rev().collect::<Vec<_>>()
    );
}

#[test]
fn a_star_wants_the_start_of_a_word() {
    let world = World::of(&[vec![
        user("u1", None, "a cargo of arguments"),
        user("u2", Some("u1"), "largo"),
        user("u3", Some("u2"), "(argon)"),
    ]]);
    assert_eq!(world.found("arg").total, 3);
    let mut ids = world.ids("arg*");
    ids.sort();
    assert_eq!(ids, ["u1", "u3"]);
}

#[test]
fn every_term_about_entries_is_asked() {
    let world = harbour();
    for (query, wanted) in [
        ("role:tool", &["r001"][..]),
        ("role:summary", &["k001"]),
        ("tool:bash", &["c001", "r001"]),
        ("tool:bas", &[]),
        ("tool:bas*", &["c001", "r001"]),
        ("file:lamp.rs", &["c001"]),
        ("label:beac", &["a001"]),
        ("label:* harbour", &["a001"]),
        ("beacon", &["l001"]),
        ("is:abandoned", &["u002"]),
        ("harbour -is:abandoned role:user", &["u001"]),
        ("model:opus lamp", &["a001", "a002", "a101", "c001"]),
        ("after:2026-01-03", &[]),
        ("after:2026-01-02 before:2026-01-03 role:tool", &["r001"]),
        ("re:lamp\\(\\)$", &["r001"]),
        ("re:^WHERE", &["u001"]),
    ] {
        let mut ids = world.ids(query);
        ids.sort();
        assert_eq!(ids, wanted, "{query}");
    }
}

#[test]
fn a_hit_says_where_it_lies_and_where_to_open_it() {
    let world = harbour();
    let hit = |query: &str| world.found(query).hits.remove(0);
    let branches = ["north", "pier", "grep", "spoke"].map(|query| hit(query).branch.unwrap());
    assert_eq!(branches, [Branch::Compacted, Branch::Abandoned, Branch::Current, Branch::Current]);
    let beacon = hit("beacon");
    assert_eq!(
        (beacon.entry_id.as_deref(), beacon.open_at.as_deref(), beacon.field),
        (Some("l001"), Some("a001"), Field::Label)
    );
    let north = hit("north");
    assert_eq!(
        (north.open_at.as_deref(), north.line, north.session_id.as_str()),
        (Some("a001"), 3, "5e55-0000")
    );
    assert_eq!(north.snippet.text, "The lamp stands north of the harbour.");
    assert_eq!(&north.snippet.text[north.snippet.marks[0].clone()], "north");
    assert_eq!(north.time_ms, Some(1_767_312_000_000));
}

/// Case 63: digits of an id are found as an id and never beside words.
#[test]
fn ids_are_found_whole_and_in_part() {
    let world = harbour();
    assert_eq!(world.ids("c001"), ["c001"]);
    assert_eq!(world.ids("5e55-0001"), ["5e55-0001"]);
    assert_eq!(world.ids("55-0001"), ["5e55-0001"]);
    assert_eq!(world.ids("001"), [""; 0], "too short a part");
    assert_eq!(world.ids("c001 grep"), [""; 0]);
    let hit = world.found("5E55-0001").hits.remove(0);
    assert_eq!((hit.field, hit.entry_id, hit.open_at, hit.branch), (Field::Id, None, None, None));
    assert_eq!(world.ids("u002 -is:abandoned"), [""; 0]);
}

#[test]
fn what_is_asked_about_sessions_only_gives_sessions() {
    let world = harbour();
    assert_eq!(world.ids("cwd:/work"), ["5e55-0000", "5e55-0001"]);
    assert_eq!(world.found("").sessions, 2);
    assert_eq!(world.ids("cwd:/elsewhere"), [""; 0]);
}

#[test]
fn sessions_are_meant_by_one_entry_and_excluded_by_any() {
    let world = harbour();
    for (query, wanted) in [
        ("", &[0, 1][..]),
        ("lamp", &[0, 1]),
        ("lamp north", &[0]),
        ("nothing lamp", &[]),
        ("-north", &[1]),
        ("lamp -tool:bash", &[1]),
        ("-is:abandoned", &[1]),
        ("is:abandoned harbour", &[0]),
        ("label:beacon", &[0]),
        ("-lamp", &[]),
        ("role:tool lamp", &[0]),
        ("model:opus", &[0, 1]),
        ("before:2026-01-02", &[]),
    ] {
        assert_eq!(world.sessions(query), wanted, "{query}");
    }
}

/// The order that doc/search.md promises.
#[test]
fn what_people_wrote_comes_first_and_what_was_left_last() {
    let world = World::of(&[vec![
        user("u001", None, "start"),
        result("r001", Some("u001"), "bash", "lantern"),
        answer("a001", Some("r001"), "my lanterns"),
        answer("a002", Some("a001"), "the lantern"),
        user("u002", Some("a002"), "a lantern?"),
        user("u003", Some("u001"), "another lantern"),
        entry("n001", Some("u002"), json!({"type": "session_info", "name": "Lantern walk"})),
    ]]);
    assert_eq!(world.ids("lantern"), ["n001", "u002", "u003", "a002", "a001", "r001"]);
    assert_eq!(world.found_with("lantern", |search| search.limit(2)).hits.len(), 2);
    assert_eq!(world.found_with("lantern", |search| search.limit(0)).total, 6);
}

#[test]
fn the_middle_of_long_output_is_read_when_asked() {
    let text = format!("{} needle {}", "x ".repeat(20_000), "y ".repeat(20_000));
    let world = World::of(&[vec![
        result("r001", None, "bash", &text),
        user("u001", Some("r001"), "needle"),
    ]]);
    let found = world.found("needle");
    assert_eq!((found.total, found.cut), (1, 1));
    let deep = world.found_with("needle", |search| search.extent(Extent::Whole));
    assert_eq!((deep.total, deep.cut), (2, 0));
    let snippet = &deep.hits[1].snippet;
    assert!(
        snippet.text.starts_with('…') && snippet.text.ends_with('…') && snippet.text.len() < 200,
        "{snippet:?}"
    );
    assert_eq!(&snippet.text[snippet.marks[0].clone()], "needle");
}

/// Design section 2: an id that stands on several lines says what its last line says.
#[test]
fn a_line_that_a_later_one_outdates_is_not_found() {
    let world =
        World::of(&[vec![user("u001", None, "old words"), user("u001", None, "new words")]]);
    assert_eq!(world.ids("old"), [""; 0]);
    assert_eq!(world.found("words").hits[0].line, 3);
}

#[test]
fn entries_without_id_are_found_all_the_same() {
    let mut line = user("x", None, "stray words");
    line.as_object_mut().unwrap().remove("id");
    let world = World::of(&[vec![user("u001", None, "x"), line]]);
    let hit = world.found("stray").hits.remove(0);
    assert_eq!((hit.entry_id, hit.branch, hit.line), (None, None, 3));
}

/// The order is a total one, so it does not matter who finds what first.
#[test]
fn several_threads_find_the_same_in_the_same_order() {
    let session = |at: usize| {
        let said = |n: usize| format!("lamp {} {}", "x".repeat(n % 3), at % 4);
        (0..6).map(|n| user(&format!("u{at:02}{n}"), None, &said(n))).collect::<Vec<_>>()
    };
    let world = World::of(&(0..40).map(session).collect::<Vec<_>>());
    for limit in [1, 7, 100, 1000] {
        let one = world.found_with("lamp", |search| search.limit(limit));
        let four = world.found_with("lamp", |search| search.limit(limit).threads(4));
        assert_eq!((one.hits, one.total, one.sessions), (four.hits, four.total, four.sessions));
    }
}

#[test]
fn an_entry_without_text_says_what_it_is() {
    let change =
        entry("m001", None, json!({"type": "model_change", "provider": "p", "modelId": "opus-4"}));
    let world = World::of(&[vec![change]]);
    let hit = world.found("model:opus").hits.remove(0);
    assert_eq!((hit.field, hit.snippet.text.as_str()), (Field::Other, "[model: opus-4]"));
    assert_eq!(world.found("m001").hits[0].snippet.text, "m001");
}

#[test]
fn a_search_can_be_stopped() {
    let world = harbour();
    let filter = Filter::parse("lamp", &Surroundings::default()).unwrap();
    let search = Search::new(&filter).storage(Arc::clone(&world.storage));
    let found = search.entries(&world.rows, &|_| ControlFlow::Break(()));
    assert!(found.cancelled && found.sessions == 1);
}

/// A plain oracle: every text of the line, folded by itself, tried one after the other.
fn oracle(lines: &[Value], words: &[String]) -> Vec<usize> {
    let folded = |text: &str| crate::text::fold(text);
    let has = |line: &Value, word: &String| {
        let content = &line["message"]["content"];
        let texts: Vec<&str> = match content {
            Value::String(text) => vec![text],
            _ => content[0]["text"].as_str().into_iter().collect(),
        };
        texts.iter().any(|text| folded(text).contains(&folded(word)))
    };
    let holds = |line: &&Value| words.iter().all(|word| has(line, word));
    lines.iter().enumerate().filter(|(_, line)| holds(line)).map(|(at, _)| at + 2).collect()
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "A",
        "é",
        "e\u{301}",
        "e",
        " ",
        "\n",
        "\"",
        "\\",
        "/",
        "灯",
        "台",
        "ß",
        "ss",
        "\u{212a}",
        "k",
        "—",
        "😀",
        "\u{1b}",
        "ﬁ",
        "i",
        "\u{301}",
        "c:\\users",
        "が",
    ]);
    prop::collection::vec(piece, 1..7).prop_map(|pieces| pieces.concat())
}

/// JSON text with every character escaped that may be, or none more than needed.
fn escaped(value: &Value, all: bool) -> String {
    let text = value.to_string();
    if !all {
        return text;
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '/' => out.push_str("\\/"),
            c if c.is_ascii() => out.push(c),
            c => c
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The filter over raw lines never hides a hit, whatever the characters and however they are escaped.
    #[test]
    fn the_scan_finds_what_a_plain_search_finds(
        said in prop::collection::vec((texts(), any::<bool>(), any::<bool>()), 1..6),
        words in prop::collection::vec(texts(), 1..3),
    ) {
        let words: Vec<String> = words.iter().map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect();
        prop_assume!(!words.is_empty());
        let quoted = words.iter().map(|word| format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")));
        let query = quoted.collect::<Vec<_>>().join(" ");
        let lines: Vec<_> = said.iter().enumerate().map(|(at, (text, by_user, _))| {
            let id = format!("zz{at}");
            if *by_user { user(&id, None, text) } else { answer(&id, None, text) }
        }).collect();
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        storage.create_dir_all(Path::new("/s")).unwrap();
        let mut text = json!({"type": "session", "version": 3, "id": "zz"}).to_string() + "\n";
        for (line, (_, _, all)) in lines.iter().zip(&said) {
            text += &(escaped(line, *all) + "\n");
        }
        storage.open_append(Path::new("/s/0.jsonl"), Create::Exclusive).unwrap().append(text.as_bytes()).unwrap();
        let rows = Inventory::new().storage(Arc::clone(&storage)).list_all_from_dir(Path::new("/s")).unwrap().sessions;
        let world = World { storage, rows };
        let mut found: Vec<_> = world.found(&query).hits.iter().map(|hit| hit.line as usize).collect();
        found.sort_unstable();
        prop_assert_eq!(found, oracle(&lines, &words));
    }
}
