//! Several stores in one listing, and the settings that name them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use super::super::*;
use super::{ControlFlow, go_on, header, storage, user};
use crate::location::{AgentDir, Environment, Layout, RootChoice, RootRequest, Settings};
use crate::location::{Store, StoreKind, StoreOrigin};
use crate::storage::{MemoryStorage, Storage};

fn session(id: &str, cwd: &str, time: i64) -> String {
    format!("{}\n{}\n", header(id, &format!(r#","cwd":"{cwd}""#)), user("q", time))
}

fn ids(listing: &Listing) -> Vec<(&str, &str)> {
    listing.sessions.iter().map(|row| (&*row.store, row.id.as_str())).collect()
}

#[test]
fn stores_are_merged_by_activity_and_every_row_names_its_own() {
    let files = storage(&[
        ("/dreb/--p--/a.jsonl", &session("a", "/p", 1000)),
        ("/dreb/--q--/b.jsonl", &session("b", "/q", 4000)),
        ("/flat/c.jsonl", &session("c", "/p", 3000)),
        ("/flat/old.jsonl", &format!("{}\n{}\n", header("old", ""), user("q", 10))),
        ("/omp/-x/d.jsonl", &session("d", "/p", 2000)),
        ("/omp/-x/nowhere.jsonl", &format!("{}\n{}\n", header("nowhere", ""), user("q", 20))),
        ("/file", ""),
    ]);
    let inventory = Inventory::new().storage(files);
    let places = [
        Place::new("dreb", "/dreb", Layout::Nested),
        Place::new("pi", "/flat", Layout::Flat),
        Place::new("omp", "/omp", Layout::Nested),
        Place::new("gone", "/gone", Layout::Nested),
        Place::new("bad", "/file", Layout::Nested),
        Place::new("again", "/flat", Layout::Flat),
    ];
    let all = inventory.list_places(&places, None, &go_on);
    let of_p = [("pi", "c"), ("omp", "d"), ("dreb", "a"), ("pi", "old")];
    let everything = [("dreb", "b"), of_p[0], of_p[1], of_p[2], ("omp", "nowhere"), of_p[3]];
    // A store in memory gives identities too, so the folder that is named twice gives its rows once.
    assert_eq!(ids(&all), everything);
    assert_eq!(all.problems.len(), 1, "a root that cannot be read is told, the others are listed");
    assert_eq!(all.problems[0].path, Path::new("/file"));
    let project = inventory.list_places(&places, Some("/p/"), &go_on);
    assert_eq!(ids(&project), of_p);
}

#[test]
fn of_other_projects_no_more_than_the_header_is_read() {
    let broken_later = session("b", "/q", 1) + "not json\n";
    let files = storage(&[("/s/a.jsonl", &session("a", "/p", 1)), ("/s/b.jsonl", &broken_later)]);
    let inventory = Inventory::new().storage(files);
    let listing = inventory.list("/p", Path::new("/s"));
    assert_eq!((listing.sessions.len(), listing.problems.len()), (1, 0));
}

#[test]
fn rows_come_one_by_one_while_it_runs() {
    let files = storage(&[
        ("/s/a.jsonl", &session("a", "/p", 1)),
        ("/s/b.jsonl", ""),
        ("/s/c.jsonl", &session("c", "/q", 3)),
    ]);
    let seen = Mutex::new(BTreeMap::new());
    let note = |progress: Progress<'_>| {
        let id = progress.session.map(|row| row.id.clone());
        seen.lock().unwrap().insert(progress.loaded, id);
        ControlFlow::Continue(())
    };
    let place = Place::new("", "/s", Layout::Flat);
    Inventory::new().storage(files).list_places(&[place], Some("/p"), &note);
    let seen: Vec<_> = seen.into_inner().unwrap().into_values().collect();
    assert_eq!(seen, [Some("a".to_owned()), None, None]);
}

/// oh-my-pi writes a title before the header; a name that a person gave goes before it.
#[test]
fn a_title_is_the_heading_where_there_is_no_name() {
    let title = r#"{"type":"title","v":1,"title":" Harbour plan ","pad":"   "}"#;
    let named =
        r#"{"type":"session_info","id":"n","parentId":null,"timestamp":"x","name":"Named"}"#;
    let body = session("a", "/p", 1);
    let files = storage(&[
        ("/s/a.jsonl", &format!("{title}\n{body}")),
        ("/s/b.jsonl", &format!("{title}\n{body}{named}\n")),
        ("/s/c.jsonl", &format!("{}\n", header("c", r#","title":"In the header""#))),
        ("/s/d.jsonl", &format!("{{\"type\":\"title\",\"title\":3}}\n{body}")),
    ]);
    let mut listing = Inventory::new().storage(files).list_all_from_dir("/s".as_ref()).unwrap();
    listing.sessions.sort_by(|a, b| a.path.cmp(&b.path));
    let headings: Vec<_> = listing.sessions.iter().map(SessionInfo::heading).collect();
    assert_eq!(
        headings,
        [
            (Heading::Title, "Harbour plan"),
            (Heading::Name, "Named"),
            (Heading::Title, "In the header"),
            (Heading::FirstMessage, "q"),
        ]
    );
    assert_eq!(listing.sessions[0].name, None, "the name of the protocol is the name alone");
}

fn store(path: &str, kind: StoreKind) -> Store {
    Store::new(AgentDir::new(path, kind), StoreOrigin::Home)
}

#[test]
fn settings_are_read_and_what_is_wrong_is_told_with_its_place() {
    let files = storage(&[
        ("/a/settings.json", "{\"sessionDir\": \"~/all\"}"),
        ("/p/.dreb/settings.json", "{\n  \"sessionDir\": ,\n}"),
    ]);
    let settings = read_settings(&*files, &store("/a", StoreKind::Dreb), Path::new("/p"));
    assert_eq!(settings.session_dir(), Some("~/all"), "the bad file counts as unset");
    let places: Vec<_> = settings.problems().iter().map(|problem| problem.place).collect();
    assert_eq!(places.len(), 1);
    assert_eq!(places[0].map(|place| (place.line, place.column)), Some((2, 17)));
    let none = read_settings(&*files, &store("/b", StoreKind::Dreb), Path::new("/q"));
    assert_eq!((none.session_dir(), none.problems().len()), (None, 0));
    let odd = MemoryStorage::new();
    odd.create_dir_all(Path::new("/a/settings.json")).unwrap();
    let odd = read_settings(&odd, &store("/a", StoreKind::Pi), Path::new("/q"));
    assert!(odd.problems()[0].what.starts_with("cannot be read"));
}

#[test]
fn a_project_of_oh_my_pi_is_looked_for_in_its_whole_store() {
    let environment = Environment::new(Some("/home/ana".into()), []);
    let settings = Settings::none();
    let place = |kind, session_dir: Option<&str>| {
        let store = store("/home/ana/x", kind);
        let request = RootRequest {
            environment: &environment,
            store: &store,
            settings: &settings,
            base: Path::new("/p"),
            cwd: "/p",
            session_dir: session_dir.map(AsRef::as_ref),
        };
        let choice = RootChoice::new(&request, |_| None);
        let place = Place::of_project(&store, &choice);
        (place.root.to_string_lossy().into_owned(), place.layout)
    };
    let folder = "/home/ana/x/sessions/--p--".to_owned();
    assert_eq!(place(StoreKind::Pi, None), (folder, Layout::Flat));
    let whole = "/home/ana/x/sessions".to_owned();
    assert_eq!(place(StoreKind::OhMyPi, None), (whole, Layout::Nested));
    assert_eq!(place(StoreKind::OhMyPi, Some("/all")), ("/all".to_owned(), Layout::Flat));
}
