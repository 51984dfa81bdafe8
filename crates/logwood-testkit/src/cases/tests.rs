//! The cases are whole, their setup works, and `doc/cases.md` names the tests of each.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::setup::{time, walk};
use super::{Case, folder, names};

#[test]
fn there_are_75_cases() {
    assert_eq!(names().unwrap().len(), 75);
}

#[test]
fn stored_inputs_are_byte_for_byte_what_the_case_says() {
    let mut checked = 0;
    for name in names().unwrap() {
        let text = std::fs::read_to_string(folder().join(&name).join("case.json")).unwrap();
        let body: Value = serde_json::from_str(&text).unwrap();
        for input in body["inputs"].as_array().into_iter().flatten() {
            let path = folder().join(&name).join(input["path"].as_str().unwrap());
            let digest = Sha256::digest(std::fs::read(&path).unwrap());
            let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(input["sha256"], hex, "{}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn a_case_is_a_copy() {
    let case = Case::load("02").unwrap();
    std::fs::write(case.input(0), "gone").unwrap();
    let again = Case::load("02").unwrap();
    assert_eq!(std::fs::read(again.input(0)).unwrap().len(), 757);
    assert!(Case::load("04").is_err());
}

#[test]
fn times_are_set() {
    let case = Case::load("78").unwrap();
    let modified = case.input(0).metadata().unwrap().modified().unwrap();
    assert_eq!(modified, time("2020-01-01T00:00:00.000Z").unwrap());
    assert!(time("10 minutes ago").unwrap() > time("2026-01-01T00:00:00.000Z").unwrap());
}

#[cfg(unix)]
#[test]
fn links_modes_and_replacements_are_made() {
    use std::os::unix::fs::PermissionsExt as _;
    let case = Case::load("56").unwrap();
    assert!(case.path("in/sessions/--work-real--").symlink_metadata().unwrap().is_symlink());
    let case = Case::load("79").unwrap();
    assert_eq!(case.input(0).metadata().unwrap().permissions().mode() & 0o777, 0o444);
    let case = Case::load("60").unwrap();
    let inner = case.path("in").to_string_lossy().into_owned();
    let texts = walk(&case.path("in")).unwrap().into_iter().filter(|path| path.is_file());
    let all: String = texts.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert!(all.contains(&inner) && !all.contains("@IN@"));
}

#[test]
fn inputs_are_generated() {
    let Some(case) = Case::generated("75").unwrap() else { return };
    let text = std::fs::read_to_string(case.input(0)).unwrap();
    assert_eq!(text.lines().count(), 20_001);
}

#[test]
fn a_snapshot_sees_bytes_times_and_new_files() {
    let case = Case::load("02").unwrap();
    let before = case.snapshot().unwrap();
    let bytes = std::fs::read(case.input(0)).unwrap();
    assert_eq!(case.snapshot().unwrap(), before);
    std::fs::write(case.path("new"), "").unwrap();
    assert_ne!(case.snapshot().unwrap(), before);
    std::fs::remove_file(case.path("new")).unwrap();
    let times = std::fs::FileTimes::new().set_modified(time("2020-01-01T00:00:00Z").unwrap());
    std::fs::File::options().write(true).open(case.input(0)).unwrap().set_times(times).unwrap();
    assert_ne!(case.snapshot().unwrap(), before);
    std::fs::write(case.input(0), [&bytes[1..], b"x"].concat()).unwrap();
    assert_ne!(case.snapshot().unwrap(), before);
}

struct Row {
    folder: String,
    tests: String,
    later: String,
}

fn rows() -> Vec<Row> {
    let path = folder().join("../doc/cases.md");
    let text = std::fs::read_to_string(path).unwrap();
    let cells = text.lines().filter_map(|line| line.strip_prefix("| ["));
    cells
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let folder = cells[0].split(']').next().unwrap().to_owned();
            Row { folder, tests: cells[2].to_owned(), later: cells[3].to_owned() }
        })
        .collect()
}

#[test]
fn every_case_has_a_row_with_tests_or_says_when_they_come() {
    let rows = rows();
    let named: Vec<String> = rows.iter().map(|row| row.folder.clone()).collect();
    assert_eq!(named, names().unwrap());
    for row in rows {
        assert!(!row.tests.is_empty() || !row.later.is_empty(), "{}: neither", row.folder);
    }
}

#[test]
fn every_named_test_exists() {
    let functions = test_functions(&folder().join("../crates"));
    for row in rows() {
        for name in row.tests.split('`').skip(1).step_by(2) {
            assert!(functions.contains(name), "{}: there is no test {name}", row.folder);
        }
    }
}

/// Every `case_NN_…` test of the tree is in the row of its case.
#[test]
fn every_test_of_a_case_is_named() {
    let rows = rows();
    for name in test_functions(&folder().join("../crates")) {
        let Some(number) = name.strip_prefix("case_").and_then(|rest| rest.get(..2)) else {
            continue;
        };
        let row = rows.iter().find(|row| row.folder.starts_with(number));
        let row = row.unwrap_or_else(|| panic!("{name}: there is no case {number}"));
        assert!(
            row.tests.contains(&format!("`{name}`")),
            "{name} is not in the row of case {number}"
        );
    }
}

fn test_functions(root: &Path) -> BTreeSet<String> {
    let files =
        walk(root).unwrap().into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let texts = files.map(|path| std::fs::read_to_string(path).unwrap());
    texts.flat_map(|text| functions(&text)).chain(browser_tests()).collect()
}

/// The tests that run in Chromium, as the table names them.
fn browser_tests() -> Vec<String> {
    let text = std::fs::read_to_string(folder().join("../browser/test.mjs")).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("test(\"")?.split('"').next());
    names.map(|name| format!("browser::{name}")).collect()
}

/// The functions that come right after a `#[test]`, other attributes between them allowed.
fn functions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut test = false;
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("#[test]") {
            test = true;
        } else if let Some(rest) = line.strip_prefix("fn ") {
            let name = rest.split('(').next().unwrap_or_default();
            found.extend(test.then(|| name.to_owned()));
            test = false;
        }
    }
    found
}
