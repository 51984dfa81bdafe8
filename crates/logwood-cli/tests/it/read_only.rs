//! A store that may be read and not written (case 79), seen by somebody who is not root, whom modes do not bind.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use logwood_testkit::cases::{Case, Snapshot};

use crate::support::Ran;

/// Nobody, by the custom of most systems.
const NOBODY: u32 = 65534;

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn give_away(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            give_away(&entry.unwrap().path());
        }
    }
}

/// The program as it runs for a person without privileges.
struct Person {
    home: tempfile::TempDir,
    program: PathBuf,
    root: bool,
}

impl Person {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("logwood");
        std::fs::copy(env!("CARGO_BIN_EXE_logwood"), &program).unwrap();
        set_mode(home.path(), 0o755);
        set_mode(&program, 0o755);
        let root = std::fs::metadata(home.path()).unwrap();
        let root = std::os::unix::fs::MetadataExt::uid(&root) == 0;
        if root {
            give_away(home.path());
        }
        Self { home, program, root }
    }

    fn run(&self, words: &[&str]) -> Ran {
        let mut command = Command::new(&self.program);
        command.args(words).env_clear().env("HOME", self.home.path()).env("TZ", "UTC");
        command.env("XDG_RUNTIME_DIR", self.home.path()).current_dir(self.home.path());
        if self.root {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap().into()
    }
}

/// Every command that reads works, every one that writes fails with the path and the reason, and nothing changes.
#[test]
fn case_79_a_read_only_store_is_read_and_not_written() {
    let case = Case::load("79").unwrap();
    let person = Person::new();
    if person.root {
        give_away(case.folder());
    }
    set_mode(case.folder(), 0o755);
    let file = case.input(0);
    let dir = file.parent().unwrap();
    set_mode(&file, 0o444);
    set_mode(dir, 0o555);
    let before = Snapshot::of(case.folder()).unwrap();
    let (path, folder) = (file.to_str().unwrap(), dir.to_str().unwrap());
    for words in [
        &["--session-dir", folder, "list", "--all"][..],
        &["show", path],
        &["tree", path],
        &["export", path, "--markdown", "-o", "-"],
    ] {
        let ran = person.run(words);
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.err);
        assert!(ran.out.contains("museum"), "{words:?}: {}", ran.out);
    }
    for words in [
        &["append", path, "--message", "x"][..],
        &["delete", path, "--yes", "--permanent"],
        &["--session-dir", folder, "--cwd", "/work/demo", "new"],
        &["export", path, "-o", &format!("{folder}/x.html")],
    ] {
        let ran = person.run(words);
        assert_eq!(ran.code, 6, "{words:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(folder), "{words:?}: {}", ran.err);
        assert!(ran.err.to_lowercase().contains("permission denied"), "{words:?}: {}", ran.err);
    }
    assert_eq!(Snapshot::of(case.folder()).unwrap(), before);
    set_mode(dir, 0o755);
}
