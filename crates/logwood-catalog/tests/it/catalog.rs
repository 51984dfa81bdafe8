//! What listings with a catalog read, and what stands in it.

use std::fs;
use std::sync::Arc;

use logwood::inventory::{Inventory, SessionInfo};
use logwood::storage::LocalStorage;
use logwood_catalog::catalog::{Catalogs, Status, clear, file_name};
use logwood_testkit::storage::{RecordingStorage, Verb};

use crate::stores::{NOW, Shop, go_on, inventory, message, session};

fn three() -> Shop {
    let mut shop = Shop::new();
    for (name, messages) in [("--p--/a.jsonl", 3), ("--p--/b.jsonl", 40), ("--q--/c.jsonl", 5)] {
        shop.write(name, session(name, messages).as_bytes());
    }
    shop
}

/// What a listing with the catalog opened and read.
fn cost(shop: &Shop) -> (usize, usize) {
    let storage = RecordingStorage::new(Arc::new(LocalStorage));
    let catalog = shop.catalog();
    let inventory = inventory().storage(Arc::new(storage.clone()));
    inventory.list_known_places(&shop.places(), None, &catalog, &go_on);
    (storage.count(Verb::Open), storage.bytes(Verb::ReadAt))
}

#[test]
fn a_warm_listing_opens_no_session_file() {
    let shop = three();
    assert_eq!(cost(&shop).0, 3);
    assert_eq!(cost(&shop), (0, 0));
}

/// Of a file that grew, what is new is read, and the marks by which it is known again.
#[test]
fn of_a_file_that_grew_only_what_is_new_is_read() {
    let mut shop = three();
    cost(&shop);
    let more = message(40) + &message(41);
    shop.append("--p--/b.jsonl", more.as_bytes());
    assert_eq!(cost(&shop), (1, more.len() + 2 * 1024));
    shop.append("--p--/b.jsonl", b"{\"type\":\"mess");
    cost(&shop);
    shop.append("--p--/b.jsonl", b"age\"}\n");
    let line = "{\"type\":\"message\"}\n".len();
    assert_eq!(cost(&shop), (1, line + 2 * 1024), "the line that had no end is read again");
    assert_eq!(cost(&shop), (0, 0));
}

/// The time of a file has ticks: what is written right after a reading may not show in it.
#[test]
fn a_file_that_changed_a_moment_ago_is_looked_at_again() {
    let shop = Shop::new();
    let path = shop.path("--p--/a.jsonl");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let catalog =
        logwood_catalog::catalog::Catalog::open(&shop.catalog_path(), Arc::new(LocalStorage));
    let catalog = catalog.unwrap();
    for n in 0..40 {
        fs::write(&path, session(&format!("{n:04}"), 2)).unwrap();
        let listing = shop.both(&catalog, 1);
        assert_eq!(listing.sessions[0].id, format!("{n:04}"));
    }
}

#[cfg(unix)]
#[test]
fn the_catalog_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let shop = three();
    let catalog = shop.catalog();
    shop.both(&catalog, 1);
    let folder = shop.catalog_path().parent().unwrap().to_path_buf();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{entry:?}");
        names.push(entry.file_name().into_string().unwrap());
    }
    assert!(names.contains(&"x.sqlite".to_owned()), "{names:?}");
}

#[test]
fn the_state_says_what_is_in_it_and_clearing_removes_all_versions() {
    let mut shop = three();
    shop.write("--q--/empty.jsonl", b"");
    let folder = shop.dir.path().join("cache/logwood");
    let agent = shop.dir.path();
    let path = folder.join(file_name(agent));
    let catalog = logwood_catalog::catalog::Catalog::open(&path, Arc::new(LocalStorage)).unwrap();
    shop.both(&catalog, 2);
    catalog.finish();
    let status = catalog.status().unwrap();
    let bytes = ["--p--/a.jsonl", "--p--/b.jsonl", "--q--/c.jsonl"]
        .map(|name| fs::metadata(shop.path(name)).unwrap().len());
    let size = status.size;
    assert!(size > 4096);
    assert_eq!(
        status,
        Status { path: path.clone(), size, sessions: 3, others: 1, bytes: bytes.iter().sum() }
    );
    catalog.check().unwrap();
    catalog.rebuild().unwrap();
    assert_eq!(catalog.status().unwrap().sessions, 0);
    let old = folder.join(file_name(agent).replace(".sqlite", "0.sqlite"));
    fs::write(&old, "x").unwrap();
    fs::write(folder.join("other-1.sqlite"), "x").unwrap();
    drop(catalog);
    assert!(clear(&folder, agent, &LocalStorage).unwrap() > 1);
    let left: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["other-1.sqlite"]);
    assert_eq!(clear(&folder.join("none"), agent, &LocalStorage).unwrap(), 0);
}

fn ids(rows: &[SessionInfo]) -> Vec<&str> {
    rows.iter().map(|row| row.id.as_str()).collect()
}

#[test]
fn the_first_page_is_the_start_of_the_listing_or_none() {
    let mut shop = Shop::new();
    for n in 0..30 {
        // Some have the same time, and some belong to subagents.
        let agent = if n % 7 == 0 { ",\"agentType\":\"scout\"" } else { "" };
        let text = session(&format!("s{n:02}"), 1 + n / 3).replacen(
            ",\"cwd\"",
            &format!("{agent},\"cwd\""),
            1,
        );
        shop.write(&format!("--p{}--/{n:02}.jsonl", n % 4), text.as_bytes());
    }
    shop.write(
        "--p1--/future.jsonl",
        session("future", 1).replace("2025-06", "2125-06").as_bytes(),
    );
    let mut catalogs = Catalogs::new();
    catalogs.add(vec![shop.dir.path().to_path_buf()], shop.catalog());
    assert_eq!(catalogs.page(&shop.places(), 5, NOW), None, "nothing is known yet");
    let listing = shop.both(&catalogs, 2);
    catalogs.finish();
    let rows: Vec<_> =
        listing.sessions.into_iter().filter(|row| row.kind.as_str() != "subagent").collect();
    for limit in [0, 1, 2, 5, 26, 100] {
        let page = catalogs.page(&shop.places(), limit, NOW).unwrap();
        assert_eq!(ids(&page.sessions), ids(&rows[..limit.min(rows.len())]), "{limit}");
        assert_eq!(page.sessions, rows[..limit.min(rows.len())]);
        assert_eq!((page.total, page.hidden), (26, 5));
    }
    let newest = rows.iter().position(|row| !row.is_future).unwrap();
    let path = rows[newest].path.clone();
    shop.touch(&path);
    assert_eq!(catalogs.page(&shop.places(), 5, NOW), None, "a row of it is not what it was");
    assert_eq!(
        catalogs.page(
            &[logwood::inventory::Place::new("", "/elsewhere", logwood::location::Layout::Flat)],
            5,
            NOW
        ),
        None
    );
}

/// A listing of one project neither forgets nor reads what belongs to others.
#[test]
fn a_project_is_listed_from_the_catalog_of_all() {
    let shop = three();
    cost(&shop);
    let catalog = shop.catalog();
    let storage = RecordingStorage::new(Arc::new(LocalStorage));
    let place = [logwood::inventory::Place::new(
        "mine",
        shop.path("--p--"),
        logwood::location::Layout::Flat,
    )];
    let list = |inventory: &Inventory, cwd| {
        inventory.list_known_places(&place, Some(cwd), &catalog, &go_on)
    };
    let inventory = inventory().storage(Arc::new(storage.clone()));
    assert_eq!(list(&inventory, "/p").sessions.len(), 2);
    assert_eq!(list(&inventory, "/other").sessions.len(), 0);
    assert_eq!(storage.count(Verb::Open), 0);
    catalog.finish();
    assert_eq!(catalog.status().unwrap().sessions, 3);
}
