//! Threads and projects over rows.

use super::super::*;
use super::{header, storage};

/// A row for each `(file, parent)`, in this order.
fn rows(files: &[(&str, &str)]) -> Vec<SessionInfo> {
    let texts: Vec<_> = files
        .iter()
        .map(|(path, parent)| {
            let parent = if parent.is_empty() {
                String::new()
            } else {
                format!(r#","parentSession":"{parent}""#)
            };
            (*path, header("s", &parent) + "\n")
        })
        .collect();
    let texts: Vec<_> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let listing = Inventory::new().storage(storage(&texts)).list_all("/s".as_ref()).unwrap();
    let mut rows = listing.sessions;
    rows.sort_by_key(|row| {
        files.iter().position(|(path, _)| row.path == std::path::Path::new(path))
    });
    rows
}

fn order(files: &[(&str, &str)]) -> Vec<(usize, usize)> {
    threaded(&rows(files))
}

#[test]
fn children_stand_below_their_parents_in_the_order_of_the_list() {
    let files = [
        ("/s/p/b1.jsonl", "/s/p/b.jsonl"),
        ("/s/p/a.jsonl", ""),
        ("/s/p/a1.jsonl", "/s/p/a.jsonl"),
        ("/s/p/b.jsonl", ""),
        ("/s/p/a11.jsonl", "/s/p/a1.jsonl"),
        ("/s/p/a2.jsonl", "/s/p/a.jsonl"),
    ];
    assert_eq!(order(&files), [(1, 0), (2, 1), (4, 2), (5, 1), (3, 0), (0, 1)]);
}

#[test]
fn a_parent_that_is_not_there_makes_a_root_and_one_that_moved_is_found_by_its_name() {
    let files = [
        ("/s/p/a.jsonl", "/old/machine/b.jsonl"),
        ("/s/p/b.jsonl", "/gone.jsonl"),
        ("/s/p/c.jsonl", "/old/machine/twice.jsonl"),
        ("/s/p/twice.jsonl", ""),
        ("/s/q/twice.jsonl", ""),
    ];
    assert_eq!(order(&files), [(1, 0), (0, 1), (2, 0), (3, 0), (4, 0)]);
}

/// F-23: sessions that are each other's parent are all shown.
#[test]
fn every_loop_is_opened_at_its_first_row() {
    let files = [
        ("/s/p/tail.jsonl", "/s/p/x.jsonl"),
        ("/s/p/y.jsonl", "/s/p/x.jsonl"),
        ("/s/p/x.jsonl", "/s/p/z.jsonl"),
        ("/s/p/z.jsonl", "/s/p/y.jsonl"),
        ("/s/p/self.jsonl", "/s/p/self.jsonl"),
    ];
    assert_eq!(order(&files), [(1, 0), (3, 1), (2, 2), (0, 3), (4, 0)]);
}

/// A thread of 20,000 forks, and as many in one loop: no recursion, and no time to notice.
#[test]
fn a_long_thread_takes_linear_time() {
    let row = rows(&[("/s/p/a.jsonl", "")]).remove(0);
    for last_parent in [None, Some("/n/0".to_owned())] {
        let rows: Vec<_> = (0..20_000)
            .map(|n| SessionInfo {
                path: format!("/n/{n}").into(),
                parent_session_path: Some(format!("/n/{}", n + 1))
                    .filter(|_| n < 19_999)
                    .or_else(|| last_parent.clone()),
                ..row.clone()
            })
            .collect();
        let started = std::time::Instant::now();
        let order = threaded(&rows);
        assert!(started.elapsed().as_secs() < 2);
        assert_eq!(order.len(), 20_000);
        assert_eq!(order.last().unwrap().1, 19_999);
    }
}

#[test]
fn projects_are_grouped_by_their_folder_and_headers_without_one_together() {
    let row = rows(&[("/s/p/a.jsonl", "")]).remove(0);
    let rows: Vec<_> = ["/p", "C:\\Work", "", "/p/", "c:/work", "/P", ""]
        .map(|cwd| SessionInfo { cwd: cwd.to_owned(), ..row.clone() })
        .to_vec();
    assert_eq!(by_project(&rows), [vec![0, 3], vec![1, 4], vec![2, 6], vec![5]]);
}
