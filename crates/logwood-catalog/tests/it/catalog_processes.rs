//! Several processes at once, and processes that die: each is this test program again, with a store to list.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use logwood::inventory::{Place, SessionInfo};
use logwood::location::Layout;
use logwood::storage::LocalStorage;
use logwood_catalog::catalog::Catalog;

use crate::stores::{Later, Shop, go_on, inventory, session};

const STORE: &str = "LOGWOOD_TEST_STORE";

/// Not a test of its own: what the processes below do.
#[test]
fn child_lists_the_store() {
    let Some(dir) = std::env::var_os(STORE).map(PathBuf::from) else { return };
    let place = [Place::new("mine", dir.join("sessions"), Layout::Nested)];
    let path = dir.join("cache/logwood/x.sqlite");
    for n in 0..50 {
        let Ok(catalog) = Catalog::open_with_clock(&path, Arc::new(LocalStorage), Arc::new(Later))
        else {
            sleep(Duration::from_millis(1));
            continue;
        };
        let inventory = inventory().threads(2);
        let plain = inventory.list_places(&place, None, &go_on);
        let helped = inventory.list_known_places(&place, None, &catalog, &go_on);
        // The file that all of them write may have changed in between.
        let still = |rows: Vec<SessionInfo>| -> Vec<SessionInfo> {
            rows.into_iter().filter(|row| !row.path.ends_with("busy.jsonl")).collect()
        };
        assert_eq!(still(helped.sessions), still(plain.sessions));
        catalog.finish();
        assert_eq!(catalog.trouble(), None);
        // So that there is always something to write.
        let text = session(&format!("{}-{n}", std::process::id()), 1);
        std::fs::write(dir.join("sessions/--p0--/busy.jsonl"), text).unwrap();
        if std::env::var_os("LOGWOOD_TEST_REBUILD").is_some() {
            let _ = catalog.rebuild();
        }
    }
}

fn start(shop: &Shop) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "catalog_processes::child_lists_the_store"])
        .env(STORE, shop.dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn shop() -> Shop {
    let mut shop = Shop::new();
    for n in 0..60 {
        shop.write(
            &format!("--p{}--/{n:02}.jsonl", n % 3),
            session(&format!("s{n}"), n).as_bytes(),
        );
    }
    shop
}

/// Kills a process at any moment of making, filling and emptying the catalog; whatever it left is used or made anew.
#[test]
fn a_process_that_is_killed_leaves_a_whole_catalog() {
    let shop = shop();
    for round in 0..24_u64 {
        let mut child: Child = start(&shop).env("LOGWOOD_TEST_REBUILD", "1").spawn().unwrap();
        sleep(Duration::from_millis(3 + round * round * 7 % 97));
        child.kill().unwrap();
        child.wait().unwrap();
        let catalog = shop.catalog();
        catalog.check().unwrap();
        shop.both(&catalog, 2);
        catalog.finish();
        catalog.check().unwrap();
        assert_eq!(catalog.trouble(), None, "round {round}");
    }
}

#[test]
fn processes_that_list_and_write_at_once_all_get_the_same_answer() {
    let mut shop = shop();
    let _ = std::fs::remove_dir_all(shop.dir.path().join("cache"));
    shop.write("--p0--/busy.jsonl", session("x", 1).as_bytes());
    let children: Vec<_> = (0..3).map(|_| start(&shop).spawn().unwrap()).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let catalog = shop.catalog();
    catalog.check().unwrap();
    shop.both(&catalog, 1);
}
