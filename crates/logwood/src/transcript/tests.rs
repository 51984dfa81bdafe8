//! Folders, recovery, messages and families, in memory; files that fail are in `tests/it/transcript.rs`.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::*;
use crate::env::IdSource;
use crate::inventory::{HeaderRow, read_headers};
use crate::location::{
    AgentDir, Environment, PathStyle, Settings, SettingsFile, SettingsScope, Store, StoreKind,
    StoreOrigin, TranscriptRoots, TranscriptSetting,
};
use crate::storage::{MemoryStorage, Storage};

const PARENT: &str =
    "/agent/sessions/--p--/2025-03-04T09-00-00-000Z_7d3c1f60-5b0a-4c52-9a11-000000000001.jsonl";
const ROOT: &str = "/agent/subagent-sessions";

/// The default root of `/agent`, below the configured one if there is one.
fn roots(configured: Option<&str>) -> TranscriptRoots {
    let environment = Environment::new(None, []).with_style(PathStyle::Unix);
    let store = Store::new(AgentDir::new("/agent", StoreKind::Dreb), StoreOrigin::Home);
    let global =
        configured.map_or("{}".to_owned(), |root| format!("{{\"subagentSessionDir\":\"{root}\"}}"));
    let settings = Settings::new(
        SettingsFile::parse(SettingsScope::Global, "/g", global.as_bytes()),
        SettingsFile::absent(SettingsScope::Project, ""),
    );
    TranscriptSetting::new(&environment, &store, &settings).at(Path::new("/p"))
}

fn header(more: &str) -> String {
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"c\",\"timestamp\":\"2025-03-04T09:02:00.000Z\",\"cwd\":\"/p\"{more}}}\n"
    )
}

/// A header of an agent of the parent.
fn child(agent: &str) -> String {
    header(&format!(",\"parentSession\":\"{PARENT}\",\"agentType\":\"{agent}\""))
}

fn message(message: &str) -> String {
    format!("{{\"type\":\"message\",\"id\":\"m\",\"parentId\":null,\"message\":{message}}}\n")
}

fn user(text: &str) -> String {
    message(&format!("{{\"role\":\"user\",\"content\":\"{text}\"}}"))
}

fn answer(reason: &str) -> String {
    message(&format!("{{\"role\":\"assistant\",\"content\":[],\"stopReason\":\"{reason}\"}}"))
}

fn memory(files: &[(&str, String)]) -> MemoryStorage {
    let memory = MemoryStorage::new();
    memory.put(PARENT, header("")).unwrap();
    for (path, text) in files {
        memory.put(path, text.clone()).unwrap();
    }
    memory
}

fn recover(memory: &MemoryStorage) -> Vec<RecoveredChild> {
    let recovery = recover_children(memory, &roots(None), Path::new(PARENT)).unwrap();
    assert_eq!(recovery.problems, []);
    recovery.children
}

/// The one child of a folder `a` that holds `text`.
fn only(text: String) -> RecoveredChild {
    let memory = memory(&[("/agent/subagent-sessions/a/x.jsonl", text)]);
    <[RecoveredChild; 1]>::try_from(recover(&memory)).map(|[child]| child).unwrap()
}

fn names(files: &[TranscriptFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.to_str().unwrap()).collect()
}

/// Gives out these ids, the last one for ever.
#[derive(Debug)]
struct Ids(Mutex<Vec<&'static str>>);

impl IdSource for Ids {
    fn new_uuid(&self) -> String {
        let mut ids = self.0.lock().unwrap();
        let next = if ids.len() > 1 { ids.remove(0) } else { ids[0] };
        format!("00000000-0000-4000-8000-{next}")
    }
}

/// Spec 6.10: a name that is there, be it as a link to nothing, is not taken.
#[test]
fn a_new_folder_has_a_free_name_and_is_not_made() {
    let memory = memory(&[("/agent/subagent-sessions/00000000000a/x.jsonl", String::new())]);
    memory.put_link("/agent/subagent-sessions/00000000000b", "/nowhere").unwrap();
    let ids = Ids(Mutex::new(vec!["00000000000a", "00000000000b", "00000000000c"]));
    let dir = new_single_dir(&memory, &ids, Path::new(ROOT)).unwrap();
    assert_eq!(dir, Path::new("/agent/subagent-sessions/00000000000c"));
    let chain = new_chain_dir(&memory, &ids, Path::new(ROOT)).unwrap();
    assert_eq!(chain, Path::new("/agent/subagent-sessions/chain-00000000000c"));
    assert!(memory.metadata(&dir).is_err() && memory.metadata(&chain).is_err());
    let ids = Ids(Mutex::new(vec!["00000000000a"]));
    new_single_dir(&memory, &ids, Path::new(ROOT)).unwrap_err();
}

/// Spec 6.11, discovery 1 and 2: the newest file; of equal ones the first.
#[test]
fn the_newest_file_of_a_folder_is_its_transcript() {
    let memory = memory(&[]);
    let dir = Path::new("/agent/subagent-sessions/a");
    assert_eq!(transcript_files(&memory, dir).unwrap(), []);
    for (name, time) in [("b.jsonl", 20), ("c.jsonl", 30), ("d.jsonl", 30), ("e.txt", 90)] {
        memory.put(dir.join(name), "x").unwrap();
        memory.set_modified_ms(dir.join(name), time).unwrap();
    }
    memory.create_dir_all(&dir.join("z.jsonl")).unwrap();
    memory.put(dir.join("step-1/x.jsonl"), "x").unwrap();
    let files = transcript_files(&memory, dir).unwrap();
    assert_eq!(names(&files), ["/agent/subagent-sessions/a/c.jsonl"]);
    assert_eq!(files[0].step, None);
}

/// Spec 6.11, discovery 3: steps by number, then name; those without a file are skipped.
#[test]
fn steps_come_by_number_and_then_by_name() {
    let memory = memory(&[]);
    let dir = Path::new("/agent/subagent-sessions/chain-a");
    for name in ["step-10", "step-2", "step-02", "step-3", "other", "step-x"] {
        memory.put(dir.join(name).join("x.jsonl"), "x").unwrap();
    }
    memory.create_dir_all(&dir.join("step-1")).unwrap();
    memory.put(dir.join("step-4"), "a file").unwrap();
    let files = transcript_files(&memory, dir).unwrap();
    let at = |step: &str| format!("/agent/subagent-sessions/chain-a/{step}/x.jsonl");
    assert_eq!(names(&files), ["step-02", "step-2", "step-3", "step-10"].map(at));
    let steps: Vec<_> = files.iter().map(|file| file.step.unwrap()).collect();
    assert_eq!(steps, [2, 2, 3, 10]);
}

/// Spec 17.3: a parallel call with two tasks and a chain of two, after a restart.
#[test]
fn children_and_chains_are_found_again() {
    let memory = memory(&[
        (
            "/agent/subagent-sessions/0123456789ab/a.jsonl",
            child("Explore") + &user("look") + &answer("stop"),
        ),
        ("/agent/subagent-sessions/ba9876543210/b.jsonl", child("test") + &answer("stop")),
        (
            "/agent/subagent-sessions/chain-00112233aabb/step-1/c.jsonl",
            child("plan") + &answer("stop"),
        ),
        (
            "/agent/subagent-sessions/chain-00112233aabb/step-2/d.jsonl",
            child("do") + &answer("error"),
        ),
        ("/agent/subagent-sessions/cccccccccccc/e.jsonl", header(",\"agentType\":\"x\"")),
    ]);
    let mut agents = BackgroundAgents::default();
    agents.take_in(recover(&memory));
    let rows: Vec<_> = agents
        .iter()
        .map(|agent| {
            let child = &agent.child;
            (&*agent.id, &*child.agent_type, child.file.to_str().unwrap(), child.status.as_str())
        })
        .collect();
    let file = |name: &str| format!("/agent/subagent-sessions/{name}");
    let (a, b) = (file("0123456789ab/a.jsonl"), file("ba9876543210/b.jsonl"));
    let c = file("chain-00112233aabb/step-1/c.jsonl");
    assert_eq!(
        rows,
        [
            ("rehydrated-0123456789ab", "Explore", &*a, "completed"),
            ("rehydrated-ba9876543210", "test", &*b, "completed"),
            ("rehydrated-chain-00112233aabb", "plan", &*c, "failed"),
        ]
    );
    let first = &agents.find("rehydrated-0123456789ab").unwrap().child;
    assert_eq!((&*first.task_summary, first.cwd.as_deref()), ("look", Some("/p")));
    assert_eq!(first.started_ms, 1_741_078_920_000);
    assert_eq!(agents.iter().nth(1).unwrap().child.task_summary, "test (ba9876543210)");
}

/// Spec 6.11: the configured root first, the default one second; two folders of one name are told apart; nothing is moved.
#[test]
fn the_configured_root_goes_before_the_default_one() {
    let memory = memory(&[
        ("/agent/subagent-sessions/a/x.jsonl", child("old")),
        ("/new/a/x.jsonl", child("new")),
        ("/new/b/x.jsonl", child("newer")),
    ]);
    let found = recover_children(&memory, &roots(Some("/new")), Path::new(PARENT)).unwrap();
    let mut agents = BackgroundAgents::default();
    agents.take_in(found.children);
    let rows: Vec<_> = agents.iter().map(|agent| (&*agent.id, &*agent.child.agent_type)).collect();
    let want = [("rehydrated-a", "new"), ("rehydrated-b", "newer"), ("rehydrated-a-2", "old")];
    assert_eq!(rows, want);
    assert!(memory.contents("/agent/subagent-sessions/a/x.jsonl").is_ok());
}

/// Spec 6.11: links to folders are followed, and a folder that is reached twice counts once, as it was reached first.
#[test]
fn a_folder_that_is_reached_twice_counts_once() {
    let memory = memory(&[("/agent/subagent-sessions/b/x.jsonl", child("one"))]);
    memory.put_link("/agent/subagent-sessions/a", "/agent/subagent-sessions/b").unwrap();
    memory.put_link("/agent/subagent-sessions/gone", "/nowhere").unwrap();
    let dirs: Vec<_> = recover(&memory).into_iter().map(|child| child.dir).collect();
    assert_eq!(dirs, [Path::new("/agent/subagent-sessions/a")]);
    memory.put_link("/linked", ROOT).unwrap();
    let found = recover_children(&memory, &roots(Some("/linked")), Path::new(PARENT)).unwrap();
    let dirs: Vec<_> = found.children.into_iter().map(|child| child.dir).collect();
    assert_eq!(dirs, [Path::new("/linked/a")]);
}

/// Names that were given out stay, whatever appears before them.
#[test]
fn a_name_stays_with_its_folder() {
    let memory = memory(&[("/agent/subagent-sessions/a/x.jsonl", child("old"))]);
    let roots = roots(Some("/new"));
    let find = || recover_children(&memory, &roots, Path::new(PARENT)).unwrap().children;
    let mut agents = BackgroundAgents::default();
    agents.take_in(find());
    memory.put("/new/a/x.jsonl", child("new")).unwrap();
    agents.take_in(find());
    assert_eq!(agents.find("rehydrated-a").unwrap().child.agent_type, "old");
    assert_eq!(agents.find("rehydrated-a-2").unwrap().child.agent_type, "new");
    memory.remove_file(Path::new("/new/a/x.jsonl")).unwrap();
    agents.take_in(find());
    assert_eq!(agents.iter().count(), 2);
}

/// F-32: the same file name takes no child from another parent; it only stands for a parent that moved.
#[test]
fn a_file_name_alone_makes_no_child() {
    let name = Path::new(PARENT).file_name().unwrap().to_str().unwrap();
    let of = |parent: &str| header(&format!(",\"parentSession\":\"{parent}\",\"agentType\":\"x\""));
    let memory = memory(&[
        ("/agent/subagent-sessions/a/x.jsonl", of(&format!("/there/{name}"))),
        ("/agent/subagent-sessions/b/x.jsonl", of(&format!("/gone/{name}"))),
        ("/agent/subagent-sessions/c/x.jsonl", of("/gone/parent.jsonl")),
        ("/agent/subagent-sessions/d/x.jsonl", of(&format!("../agent/sessions/--p--/{name}"))),
        ("/agent/subagent-sessions/e/x.jsonl", of("/link.jsonl")),
    ]);
    memory.put(format!("/there/{name}"), header("")).unwrap();
    memory.put_link("/link.jsonl", PARENT).unwrap();
    let dirs: Vec<_> =
        recover(&memory).iter().map(|child| child.dir.file_name().unwrap().to_owned()).collect();
    assert_eq!(dirs, ["b", "d", "e"]);
}

/// Spec 6.11: of a chain the first step that names the parent; the status is the last step's, whomever that names.
#[test]
fn the_first_step_that_names_the_parent_stands_for_a_chain() {
    let memory = memory(&[
        ("/agent/subagent-sessions/chain-a/step-1/x.jsonl", "damaged".to_owned()),
        ("/agent/subagent-sessions/chain-a/step-2/x.jsonl", child("two") + &answer("aborted")),
        ("/agent/subagent-sessions/chain-a/step-3/x.jsonl", child("three") + &answer("aborted")),
        ("/agent/subagent-sessions/chain-a/step-4/x.jsonl", header("") + &answer("stop")),
    ]);
    let rows: Vec<_> = recover(&memory).into_iter().map(|c| (c.agent_type, c.status)).collect();
    assert_eq!(rows, [("two".to_owned(), AgentStatus::Completed)]);
}

/// Spec 6.11: a blank agent is `agent`; without a time in the header the file's counts.
#[test]
fn what_a_header_does_not_say_is_filled_in() {
    let text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"c\",\"agentType\":\" \",\"cwd\":7,\"parentSession\":\"{PARENT}\"}}\n"
    );
    let memory = memory(&[("/agent/subagent-sessions/a/x.jsonl", text)]);
    memory.set_modified_ms("/agent/subagent-sessions/a/x.jsonl", 77_000).unwrap();
    let child = recover(&memory).remove(0);
    assert_eq!((&*child.agent_type, &*child.task_summary), ("agent", "agent (a)"));
    assert_eq!((child.started_ms, child.cwd), (77_000, None));
}

/// Spec 6.11: text blocks trimmed and joined, white space collapsed, more than 120 characters cut to 117 and dots.
#[test]
fn the_task_is_the_first_text_of_the_user() {
    let task = |text: &str| only(child("x") + text).task_summary;
    assert_eq!(task(&user("  a\\n\\n b\\tc ")), "a b c");
    let blocks = r#"{"role":"user","content":[{"type":"text","text":" a "},{"type":"image"},{"type":"text","text":"b"}]}"#;
    assert_eq!(task(&message(blocks)), "a b");
    assert_eq!(task(&(user(" ") + &answer("stop") + &user("late"))), "late");
    assert_eq!(task(&user(&"x".repeat(120))), "x".repeat(120));
    assert_eq!(task(&user(&"x".repeat(121))), "x".repeat(117) + "...");
    // No half of a pair is left (spec 0.3): the emoji would be units 117 and 118.
    let pair = "x".repeat(116) + "😀" + &"x".repeat(9);
    assert_eq!(task(&user(&pair)), "x".repeat(116) + "...");
    assert_eq!(task("not JSON\n"), "x (a)");
}

/// F-32: a first message over 256 KiB has a summary; one that starts after them has none, as in dreb.
#[test]
fn a_long_first_message_has_a_task_too() {
    let long = "y".repeat(400 * 1024);
    assert_eq!(only(child("x") + &user(&long)).task_summary, "y".repeat(117) + "...");
    let filler = answer("stop").repeat(4000);
    assert!(filler.len() > 256 * 1024);
    assert_eq!(only(child("x") + &filler + &user("late")).task_summary, "x (a)");
}

/// Spec 6.11: the last answer says how it ended; F-32: a long one is read whole, and none at all is no success.
#[test]
fn the_last_answer_decides_the_status() {
    let status = |text: String| only(child("x") + &text).status.as_str();
    assert_eq!(status(answer("stop")), "completed");
    assert_eq!(status(answer("toolUse")), "completed");
    assert_eq!(status(answer("stop") + &answer("error") + &user("on")), "failed");
    assert_eq!(status(answer("error") + &answer("stop")), "completed");
    assert_eq!(status(answer("aborted") + "torn {\"role\":\"assistant\""), "failed");
    assert_eq!(status(user("a")), "failed", "killed before it answered");
    assert_eq!(status(String::new()), "failed");
    let quoted = message(r#"{"role":"user","content":"assistant"}"#);
    assert_eq!(status(answer("error") + &quoted), "failed");
    for size in [1, 60_000, 65_535, 65_536, 300_000] {
        let long = format!(
            r#"{{"role":"assistant","content":"{}","stopReason":"error"}}"#,
            "z".repeat(size)
        );
        let long = message(&long);
        assert_eq!(status(answer("stop") + &long), "failed", "{size}");
        assert_eq!(status(answer("error") + &user(&"z".repeat(size))), "failed", "{size}");
        assert_eq!(status(long + &answer("stop") + &user("z").repeat(3000)), "completed", "{size}");
    }
}

/// Spec 6.11: header lines of any length, after a BOM or blank lines, with characters of several bytes (F-32).
#[test]
fn headers_of_any_length_count() {
    let agent = "é".repeat(200_000);
    let text = format!("\u{feff}\n \n{}", child(&agent));
    assert_eq!(only(text).agent_type, agent);
}

/// Spec 6.11, the reader of the dashboard: steps, else the file, else the newest of the folder, else nothing.
#[test]
fn the_log_of_a_child_is_its_steps_or_its_file() {
    let memory = memory(&[]);
    let (dir, file) = (Path::new("/agent/subagent-sessions/a"), Path::new("/x.jsonl"));
    let log = || log_files(&memory, dir, file).unwrap();
    assert_eq!(log(), [] as [PathBuf; 0]);
    memory.put(dir.join("b.jsonl"), "").unwrap();
    assert_eq!(log(), [dir.join("b.jsonl")]);
    memory.put(file, "").unwrap();
    assert_eq!(log(), [file]);
    memory.put(dir.join("step-2/b.jsonl"), "").unwrap();
    memory.put(dir.join("step-1/c.jsonl"), "").unwrap();
    assert_eq!(log(), [dir.join("step-1/c.jsonl"), dir.join("step-2/b.jsonl")]);
}

/// Spec 6.11: every message of a file in file order, no tree, as it stands there; other lines are passed over.
#[test]
fn messages_come_as_they_stand() {
    let odd = r#"{"role":"odd",  "n":1.0, "n":2}"#;
    let text = child("x")
        + &message(odd)
        + "not JSON\n"
        + &message("null")
        + "{\"type\":\"label\",\"id\":\"l\",\"message\":{}}\n"
        + "{\"type\":\"message\"}\n"
        + &message("7");
    let memory = memory(&[("/x.jsonl", text)]);
    let mut found = Vec::new();
    read_messages(&memory, Path::new("/x.jsonl"), |raw| found.push(raw.text().into_owned()))
        .unwrap();
    assert_eq!(found, [odd, "7"]);
}

/// One row for each file, with the id of its header; `links` are id and parent.
fn relatives(links: &[(&str, &str)]) -> (MemoryStorage, Vec<HeaderRow>) {
    let memory = MemoryStorage::new();
    for (at, (id, parent)) in links.iter().enumerate() {
        let agent = if id.starts_with('s') { ",\"agentType\":\"x\"" } else { "" };
        let parent = match *parent {
            "" => String::new(),
            parent => format!(",\"parentSession\":\"/s/{parent}.jsonl\""),
        };
        let text = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2025-03-04T09:00:{:02}.000Z\"{parent}{agent}}}\n",
            59 - at
        );
        memory.put(format!("/s/{id}.jsonl"), text).unwrap();
    }
    let rows = read_headers(&memory, &["/s".into()]).rows;
    (memory, rows)
}

/// The family of a session as lines: two spaces for each generation, a mark at the session itself.
fn family(links: &[(&str, &str)], of: &str) -> Vec<String> {
    let (memory, rows) = relatives(links);
    let path = format!("/s/{of}.jsonl");
    let family = Kinship::of(&memory, &rows).family(Path::new(&path)).unwrap();
    let gone = family.gone.map(|path| format!("gone {path}"));
    let members = family.members.iter().map(|member| {
        let mark = if member.is_given { "*" } else { "" };
        format!("{}{}{mark}", "  ".repeat(member.depth), rows[member.row].header.id())
    });
    gone.into_iter().chain(members).collect()
}

#[test]
fn a_family_reaches_from_the_oldest_parent_to_the_last_child() {
    // Later lines are older, so that the order is by age and not by name.
    let links = [
        ("a", ""),
        ("f2", "a"),
        ("f1", "a"),
        ("s3", "f1"),
        ("s2", "s3"),
        ("other", ""),
        ("s1", "a"),
    ];
    let want = ["a", "  s1", "  f1*", "    s3", "      s2", "  f2"];
    assert_eq!(family(&links, "f1"), want);
    assert_eq!(family(&links, "other"), ["other*"]);
}

#[test]
fn a_parent_that_is_gone_still_holds_its_children_together() {
    let links = [("a", "lost"), ("b", "lost"), ("c", "b"), ("d", "else")];
    assert_eq!(family(&links, "c"), ["gone /s/lost.jsonl", "  b", "    c*", "  a"]);
}

/// Case 60.
#[test]
fn parents_in_a_loop_end() {
    assert_eq!(family(&[("a", "a")], "a"), ["a*"]);
    let links = [("a", "c"), ("b", "a"), ("c", "b"), ("d", "c")];
    for of in ["a", "b", "c", "d"] {
        let ids: Vec<_> = family(&links, of);
        let plain: Vec<_> = ids.iter().map(|line| line.replace('*', "")).collect();
        assert_eq!(plain, ["a", "  b", "    c", "      d"], "{of}");
    }
}

#[test]
fn transcripts_of_transcripts_belong_to_a_session_and_forks_do_not() {
    let links = [("a", ""), ("s1", "a"), ("s2", "s1"), ("f", "a"), ("s3", "f"), ("g", "s1")];
    let (memory, rows) = relatives(&links);
    let kinship = Kinship::of(&memory, &rows);
    let ids =
        |places: Vec<usize>| places.iter().map(|at| rows[*at].header.id()).collect::<Vec<_>>();
    assert_eq!(ids(kinship.transcripts(Path::new("/s/a.jsonl"))), ["s1", "s2"]);
    assert_eq!(ids(kinship.forks(Path::new("/s/a.jsonl"))), ["f"]);
    assert_eq!(kinship.family(Path::new("/s/none.jsonl")), None);
}

/// Generations as deep as these would end a recursion with a small stack.
#[test]
fn a_family_of_many_generations_is_walked() {
    let ids: Vec<String> = (0..3000).map(|n| format!("n{n:05}")).collect();
    let memory = MemoryStorage::new();
    for (at, id) in ids.iter().enumerate() {
        let parent =
            at.checked_sub(1).map(|at| format!(",\"parentSession\":\"/s/{}.jsonl\"", ids[at]));
        let text = header(&parent.unwrap_or_default());
        memory.put(format!("/s/{id}.jsonl"), text).unwrap();
    }
    let rows = read_headers(&memory, &["/s".into()]).rows;
    let family = Kinship::of(&memory, &rows).family(Path::new("/s/n00000.jsonl")).unwrap();
    assert_eq!(family.members.len(), 3000);
    assert_eq!(family.members.last().unwrap().depth, 2999);
}
