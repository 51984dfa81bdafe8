//! Cases that list many sessions, or choose the most recent one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use logwood::env::{Clock as _, SystemClock};
use logwood::inventory::{
    Inventory, Listing, SessionInfo, SessionKind, by_project, most_recent, read_header, threaded,
};
use logwood::json::iso_from_ms;
use logwood::location::encode_cwd;
use logwood::session::{NewSession, SessionOptions};
use logwood::storage::LocalStorage;
use logwood_testkit::cases::Case;
use serde_json::{Value, json};

const DEMO: &str = "in/sessions/--work-demo--";

fn inventory() -> Inventory {
    Inventory::new().threads(2).now_ms(SystemClock.now_ms())
}

/// Lists a folder of a case and shows that looking changed nothing.
fn list(case: &Case, dir: &str) -> Listing {
    let before = case.snapshot().unwrap();
    let listing = inventory().list_all_from_dir(&case.path(dir)).unwrap();
    assert_eq!(case.snapshot().unwrap(), before, "looking changed the case");
    listing
}

fn list_all(case: &Case) -> Listing {
    let before = case.snapshot().unwrap();
    let listing = inventory().list_all(&case.path("in/sessions")).unwrap();
    assert_eq!(case.snapshot().unwrap(), before, "looking changed the case");
    listing
}

/// Holds rows to everything that the facts at `pointer` say of them.
fn hold(case: &Case, pointer: &str, rows: &[SessionInfo]) {
    let facts = case.fact(pointer).as_object().expect("the case states facts of a list");
    let column =
        |value: fn(&SessionInfo) -> Value| json!(rows.iter().map(value).collect::<Vec<_>>());
    let iso = |ms| json!(iso_from_ms(ms).unwrap());
    let mut held = 0;
    for (fact, want) in facts {
        let found = match fact.as_str() {
            "count" => json!(rows.len()),
            "ids" => column(|row| json!(row.id)),
            "names" => column(|row| json!(row.name)),
            "cwds" => column(|row| json!(row.cwd)),
            "message_counts" => column(|row| json!(row.message_count)),
            "first_messages" => column(|row| json!(row.first_message_or_placeholder())),
            "modified" => json!(rows.iter().map(|row| iso(row.modified_ms)).collect::<Vec<_>>()),
            "created" => json!(rows.iter().map(|row| iso(row.created_ms)).collect::<Vec<_>>()),
            "modified_raw" => of_some(rows, want, |row| iso_from_ms(row.modified_ms)),
            // The case tells children from others; that a session with a parent is a fork is said by its own word.
            "kinds" => of_some(rows, want, |row| {
                let child = row.kind == SessionKind::Subagent;
                Some(if child { "subagent" } else { "main" }.to_owned())
            }),
            "agent_types" => of_some(rows, want, |row| row.agent_type.clone()),
            _ => continue,
        };
        assert_eq!(&found, want, "{fact}");
        held += 1;
    }
    assert!(held > 0, "no fact of {pointer} is held");
}

/// A value of the rows whose ids the fact names.
fn of_some(
    rows: &[SessionInfo],
    want: &Value,
    value: impl Fn(&SessionInfo) -> Option<String>,
) -> Value {
    let named = rows.iter().filter(|row| want.get(&row.id).is_some());
    json!(named.map(|row| (row.id.clone(), value(row))).collect::<BTreeMap<_, _>>())
}

fn recent(dir: &Path, cwd: &str) -> Option<String> {
    let path: PathBuf = most_recent(&LocalStorage, dir, cwd).unwrap()?;
    Some(read_header(&LocalStorage, &path).unwrap().unwrap().id().to_owned())
}

/// Lists the folder and holds it to the facts of its list.
fn listed(number: &str, dir: &str) {
    let case = Case::load(number).unwrap();
    hold(&case, "/list", &list(&case, dir).sessions);
}

#[test]
fn case_07_listed() {
    listed("07", DEMO);
}

#[test]
fn case_09_listed() {
    listed("09", DEMO);
}

#[test]
fn case_13_listed() {
    listed("13", DEMO);
}

#[test]
fn case_15_listed() {
    listed("15", DEMO);
}

#[test]
fn case_20_listed() {
    listed("20", "in/sessions/--long--");
}

#[test]
fn case_21_listed() {
    listed("21", DEMO);
}

#[test]
fn case_46_listed() {
    listed("46", DEMO);
}

#[test]
fn case_48_a_future_time_is_no_place_on_top() {
    listed("48", DEMO);
}

#[test]
fn case_49_listed() {
    listed("49", DEMO);
}

#[test]
fn case_50_listed() {
    listed("50", DEMO);
}

#[test]
fn case_51_listed() {
    listed("51", DEMO);
}

#[test]
fn case_52_listed() {
    listed("52", DEMO);
}

#[test]
fn case_07_and_20_are_continued() {
    for number in ["07", "20"] {
        let case = Case::load(number).unwrap();
        let step = case.body()["steps"].as_array().unwrap().iter();
        let step = step.clone().find(|step| step["op"] == "continue_recent").unwrap();
        let text = |key: &str| step[key].as_str().unwrap();
        let id = recent(&case.path(text("dir")), text("cwd"));
        assert_eq!(json!(id), *case.fact("/continue_recent/session_id"));
    }
}

#[test]
fn case_18_empty_files_are_told() {
    let case = Case::load("18").unwrap();
    let listing = list(&case, DEMO);
    assert_eq!(json!(listing.sessions.len()), *case.fact("/list/count_ok"));
    let empty = listing.problems.iter().filter(|problem| problem.kind.as_str() == "empty_file");
    assert_eq!(json!(empty.count()), *case.fact("/list/empty"));
}

#[test]
fn case_22_list_and_opener_agree() {
    let case = Case::load("22").unwrap();
    let listing = list(&case, DEMO);
    assert_eq!(listing.sessions.len() + listing.problems.len(), 1);
    let error = SessionOptions::new().open(case.input(0)).unwrap_err();
    assert_eq!(listing.problems[0].error, error.kind());
}

#[test]
fn case_48_is_flagged_and_never_without_a_clock() {
    let case = Case::load("48").unwrap();
    let listing = list(&case, DEMO);
    let flagged = listing.sessions.iter().filter(|row| row.is_future);
    let flags: BTreeMap<_, _> = flagged.map(|row| (&row.id, ["future_timestamp"])).collect();
    assert_eq!(json!(flags), *case.fact("/list/flags"));
    let without = Inventory::new().list_all_from_dir(&case.path(DEMO)).unwrap();
    assert!(without.sessions.iter().all(|row| !row.is_future));
}

#[test]
fn case_53_colliding_folders() {
    let case = Case::load("53").unwrap();
    let cwds = ["/work/client/app", "/work/client-app"];
    for (at, cwd) in cwds.iter().enumerate() {
        assert_eq!(encode_cwd(cwd), *case.fact("/encoded_dir_both").as_str().unwrap());
        let dir = case.path("in/sessions").join(encode_cwd(cwd));
        let id = case.fact(&format!("/continue_recent/{at}/session_id"));
        assert_eq!(json!(recent(&dir, cwd)), *id);
    }
    let dir = case.path("in/sessions").join(encode_cwd(cwds[0]));
    hold(&case, "/list", &inventory().list(cwds[0], &dir).sessions);
    hold(&case, "/list_all", &list_all(&case).sessions);
}

#[test]
fn case_54_folder_names() {
    let case = Case::load("54").unwrap();
    for (cwd, folder) in case.fact("/encode").as_object().unwrap() {
        assert_eq!(json!(encode_cwd(cwd)), *folder, "{cwd}");
    }
    // A directory whose folder name would be too long: stored, and found again by the cwd in its header.
    let cwd = case.fact("/too_long/cwd").as_str().unwrap();
    let dir = case.path("in").join(encode_cwd(cwd));
    let new = NewSession { cwd: Some(cwd.to_owned()), ..NewSession::default() };
    let mut session = SessionOptions::new().create(&dir, new).unwrap();
    session.flush().unwrap();
    let listing = inventory().list(cwd, &dir);
    assert_eq!((listing.sessions.len(), listing.sessions[0].cwd.as_str()), (1, cwd));
}

#[test]
fn case_55_drive_letters() {
    let case = Case::load("55").unwrap();
    let rows = list_all(&case).sessions;
    hold(&case, "/list_all", &rows);
    let ids = |group: Vec<usize>| {
        let mut ids: Vec<_> = group.into_iter().map(|at| rows[at].id.as_str()).collect();
        ids.sort_unstable();
        ids
    };
    let mut groups: Vec<_> = by_project(&rows).into_iter().map(ids).collect();
    groups.sort();
    assert_eq!(json!(groups), *case.fact("/groups"));
    let mut cwds: Vec<_> = rows.iter().map(|row| row.cwd.as_str()).collect();
    cwds.sort_unstable();
    assert_eq!(cwds, ["/work/Demo", "/work/demo", "C:\\Work\\Demo", "c:\\work\\demo"]);
}

#[test]
fn case_56_links() {
    let case = Case::load("56").unwrap();
    let started = Instant::now();
    let listing = list_all(&case);
    assert!(started.elapsed().as_secs() < case.fact("/max_seconds").as_u64().unwrap());
    hold(&case, "/list_all", &listing.sessions);
    assert_eq!(listing.problems, []);
}

#[test]
fn case_60_threads_end() {
    let case = Case::load("60").unwrap();
    let started = Instant::now();
    let rows = list(&case, DEMO).sessions;
    hold(&case, "/list", &rows);
    let mut order: Vec<_> = threaded(&rows).into_iter().map(|(at, _)| at).collect();
    order.sort_unstable();
    assert_eq!(order, (0..rows.len()).collect::<Vec<_>>(), "each once");
    assert!(started.elapsed().as_secs() < case.fact("/max_seconds").as_u64().unwrap());
}

#[test]
fn case_61_children_are_told_apart() {
    let case = Case::load("61").unwrap();
    let mut rows = list(&case, DEMO).sessions;
    hold(&case, "/list_all_kinds", &rows);
    let all = rows.len();
    rows.retain(|row| row.kind != SessionKind::Subagent);
    hold(&case, "/list_default", &rows);
    assert_eq!(json!(all - rows.len()), *case.fact("/list_default/hidden_subagents"));
}

#[test]
fn case_62_a_session_without_its_folder_is_listed() {
    let case = Case::load("62").unwrap();
    hold(&case, "/list_all", &list_all(&case).sessions);
}

#[test]
fn case_78_looking_deletes_nothing() {
    let case = Case::load("78").unwrap();
    let before = case.snapshot().unwrap();
    let files = std::fs::read_dir(case.path(DEMO)).unwrap().count();
    assert_eq!(json!(files), *case.fact("/files"));
    let listing = list(&case, DEMO);
    assert_eq!(
        listing.sessions.len() + listing.problems.len(),
        4,
        "none is missing without a word"
    );
    assert_eq!(list_all(&case).problems.len(), listing.problems.len());
    let found = most_recent(&LocalStorage, &case.path(DEMO), "/work/demo").unwrap();
    SessionOptions::new().open(found.unwrap()).unwrap().context().unwrap();
    for at in 0..4 {
        let _ = SessionOptions::new().open(case.input(at));
    }
    assert_eq!(case.snapshot().unwrap(), before);
}

#[test]
fn case_80_two_thousand_are_listed() {
    let Some(case) = Case::generated("80").unwrap() else { return };
    let rows = inventory().list_all(&case.path("in/sessions")).unwrap().sessions;
    let fact = |key: &str| case.fact(&format!("/list_all/{key}"));
    assert_eq!(json!(rows.len()), *fact("count"));
    assert_eq!(json!(rows[0].id), *fact("first_id"));
    assert_eq!(json!(rows.last().unwrap().id), *fact("last_id"));
    assert!(rows.iter().all(|row| json!(row.message_count) == *fact("message_counts_all")));
}

#[test]
fn case_81_one_huge_session_is_listed() {
    let Some(case) = Case::generated("81").unwrap() else { return };
    let listing = inventory().list_all_from_dir(&case.path(DEMO)).unwrap();
    hold(&case, "/list", &listing.sessions);
}
