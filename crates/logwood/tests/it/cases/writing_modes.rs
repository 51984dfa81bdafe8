//! Who may read what is written (case 76): made by a process that forbids nothing.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use logwood::performance::{PerformanceDraft, PerformanceLog, Recording};
use logwood::session::{NewSession, SessionOptions};
use logwood_testkit::cases::Case;

use super::writing::{assistant, user};

const JOB: &str = "LOGWOOD_TEST_CASE_MODES";

/// Not a test of its own: what a process with the umask of the case makes of the file that it is given.
#[test]
fn makes_sessions() {
    let Ok(job) = std::env::var(JOB) else { return };
    let (source, leaf) = job.split_once('|').unwrap();
    let source = Path::new(source);
    let root = source.parent().unwrap().parent().unwrap();
    let options = SessionOptions::new();
    let new = NewSession { cwd: Some("/work/new".into()), ..NewSession::default() };
    let mut session = options.create(root.join("--work-new--"), new).unwrap();
    session.append_message(user("mine")).unwrap();
    session.append_message(assistant("yours")).unwrap();
    options.open(source).unwrap().create_branched_session(leaf, None).unwrap();
    options.fork_from(source, "/work/two", root.join("--work-two--")).unwrap();
    options.open(source).unwrap().append_message(user("more")).unwrap();
    let log = root.parent().unwrap().join("agent/performance.jsonl");
    let answer = PerformanceDraft { output_tokens: 9.0, duration_ms: 90.0, ..Default::default() };
    let recorded = PerformanceLog::new(log).record(&answer).unwrap();
    assert!(matches!(recorded, Recording::Recorded(_)));
}

/// The permissions of all that is below a folder.
fn modes(root: &Path) -> BTreeMap<PathBuf, (bool, u32)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let (path, meta) = entry.map(|e| (e.path(), e.metadata().unwrap())).unwrap();
            folders.extend(meta.is_dir().then(|| path.clone()));
            found.insert(path, (meta.is_dir(), meta.permissions().mode() & 0o7777));
        }
    }
    found
}

#[test]
fn case_76_new_files_are_the_owners() {
    let case = Case::load("76").unwrap();
    let source = case.input(0);
    std::fs::set_permissions(&source, std::fs::Permissions::from_mode(0o644)).unwrap();
    let before = modes(case.folder());
    let umask = &case.body()["steps"][0];
    let leaf = umask["do"][1]["leaf"].as_str().unwrap();
    let output = Command::new("sh")
        .args(["-c", "umask \"$1\"; exec \"$0\" cases::writing_modes::makes_sessions --exact"])
        .arg(std::env::current_exe().unwrap())
        .arg(umask["umask"].as_str().unwrap())
        .env(JOB, format!("{}|{leaf}", source.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let mode = |name: &str| u32::from_str_radix(case.fact(name).as_str().unwrap(), 8).unwrap();
    let (files, folders) = (mode("/modes/files"), mode("/modes/dirs"));
    let mut new = (0, 0);
    for (path, (is_folder, mode)) in modes(case.folder()) {
        match (before.get(&path), is_folder) {
            (Some(old), _) => assert_eq!((is_folder, mode), *old, "{}", path.display()),
            (None, true) => {
                new.0 += 1;
                assert_eq!(mode, folders, "{}", path.display());
            }
            (None, false) => {
                new.1 += 1;
                assert_eq!(mode, files, "{}", path.display());
            }
        }
    }
    assert_eq!(new, (3, 4), "folders and files");
}
