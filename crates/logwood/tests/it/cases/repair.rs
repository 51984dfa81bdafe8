//! Files that `logwood repair` mends: the cases with a fault that stays in the file.

use std::path::PathBuf;

use logwood::error::ErrorKind;
use logwood::repair::{Repair, RepairPlan, Repaired, StepKind, salvage_pieces};
use logwood::session::SessionManager;
use logwood_testkit::cases::Case;
use serde_json::{Value, json};

use super::support::{ids, load, open, texts_of};

/// A case after its file was mended.
struct Mended {
    case: Case,
    plan: RepairPlan,
    done: Repaired,
    before: Vec<u8>,
}

/// Plans, which changes nothing, and mends; the copy is the original and nothing is left to do.
fn mend(number: &str, options: impl Fn(Repair) -> Repair) -> Mended {
    let case = Case::load(number).unwrap();
    let repair = options(Repair::of(case.input(0)));
    let (before, snapshot) = (std::fs::read(case.input(0)).unwrap(), case.snapshot().unwrap());
    let plan = repair.plan().unwrap();
    assert_eq!(case.snapshot().unwrap(), snapshot, "a dry run changed the case");
    let done = repair.apply(&plan).unwrap().unwrap();
    assert_eq!(std::fs::read(&done.backup).unwrap(), before);
    assert!(repair.plan().unwrap().is_empty());
    Mended { case, plan, done, before }
}

impl Mended {
    fn session(&self) -> SessionManager {
        open(&self.case, &self.case.input(0)).unwrap()
    }

    fn file(&self) -> Vec<u8> {
        std::fs::read(self.case.input(0)).unwrap()
    }

    /// The pieces of the side file: line and bytes. Each stood where it says.
    fn pieces(&self) -> Vec<(u64, Vec<u8>)> {
        let side = std::fs::read(&self.done.salvage).unwrap();
        let pieces = salvage_pieces(&side);
        for piece in &pieces {
            let there = self.before.get(piece.position.byte as usize..).unwrap();
            assert!(there.starts_with(piece.bytes));
        }
        pieces.iter().map(|piece| (piece.position.line, piece.bytes.to_vec())).collect()
    }
}

fn line(text: &[u8], number: usize) -> Vec<u8> {
    text.split(|byte| *byte == b'\n').nth(number - 1).unwrap().to_vec()
}

fn assert_fact(case: &Case, pointer: &str, found: &Value) {
    assert_eq!(case.fact(pointer), found, "{pointer}");
}

#[test]
fn case_03_repair_splits_the_fused_line() {
    let mended = mend("03", |repair| repair);
    assert_fact(&mended.case, "/repair/recoverable_ids", &json!(mended.plan.recovered));
    assert_fact(&mended.case, "/repair/unrecoverable_ids", &json!(mended.plan.unrecoverable));
    let session = mended.session();
    assert_fact(&mended.case, "/after_repair/entry_count", &json!(session.entries().count()));
    assert_fact(&mended.case, "/after_repair/leaf_id", &json!(session.leaf_id()));
    let end = "/after_repair/context_texts_from_leaf_end_with";
    assert_fact(&mended.case, end, &texts_of(&session));
    // The fragment is kept, and nothing was said about where the orphan hung.
    let fused = line(&mended.before, 4);
    let pieces = mended.pieces();
    assert_eq!((pieces.len(), pieces[0].0), (1, 4));
    assert_eq!([pieces[0].1.clone(), line(&mended.file(), 4)].concat(), fused);
    let orphan = session.problems().iter().find(|p| p.kind.as_str() == "orphan_parent").unwrap();
    assert_eq!(orphan.entry.as_deref(), Some("d4000004"));
}

#[test]
fn case_03_an_orphan_is_hung_on_the_entry_before_it_when_asked() {
    let mended = mend("03", |repair| repair.reattach(true));
    let step = mended.plan.steps.iter().find(|step| step.kind == StepKind::Reattached).unwrap();
    assert_eq!(step.entry.as_deref(), Some("d4000004"));
    assert_eq!(step.detail.as_deref(), Some("b2000002"));
    assert_eq!(texts_of(&mended.session()).as_array().unwrap().len(), 4);
}

#[test]
fn case_05_repair_takes_out_the_nul_tail() {
    let mended = mend("05", |repair| repair);
    let pieces = mended.pieces();
    assert_eq!(pieces.len(), 1);
    assert!(pieces[0].1.iter().all(|byte| *byte == 0));
    assert_eq!([mended.file(), pieces[0].1.clone()].concat(), mended.before);
    assert!(mended.session().problems().is_empty());
}

#[test]
fn case_14_repair_gives_ids() {
    let mended = mend("14", |repair| repair);
    let session = mended.session();
    assert!(session.problems().is_empty());
    assert_eq!(session.entries().count(), 5);
    assert_eq!(session.leaf_id(), mended.case.fact("/load/leaf_id").as_str());
    assert_eq!(texts_of(&session), *mended.case.fact("/context/texts"));
    let lines: Vec<_> = mended.pieces().iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [3, 4, 5]);
    let root = session.require("a1000001").unwrap();
    assert_eq!(session.tree().children(root).count(), 4);
}

/// The entry after the other header hangs on one before it: it is no other session, and no entry moves.
#[test]
fn case_15_repair_keeps_the_entries_together() {
    let mended = mend("15", |repair| repair);
    assert!(mended.plan.sessions.is_empty());
    let lines: Vec<_> = mended.pieces().iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [4, 6]);
    let session = mended.session();
    assert_fact(&mended.case, "/load/header_id", &json!(session.session_id()));
    assert_fact(&mended.case, "/load/entry_count", &json!(session.entries().count()));
    assert_fact(&mended.case, "/context/texts", &texts_of(&session));
    assert!(session.problems().is_empty());
}

#[test]
fn case_16_repair_writes_a_header() {
    let mended = mend("16", |repair| repair);
    let session = mended.session();
    assert_fact(&mended.case, "/after_repair/entry_count", &json!(session.entries().count()));
    assert_fact(&mended.case, "/after_repair/header_id", &json!(session.session_id()));
    assert_fact(&mended.case, "/after_repair/leaf_id", &json!(session.leaf_id()));
    assert_eq!(session.header().timestamp().as_deref(), Some("2025-03-04T09:00:00.000Z"));
    // `--work-demo--` may be `/work/demo` or `/work-demo`.
    assert_eq!(session.header().cwd().as_deref(), Some(""));
    assert_eq!(mended.pieces(), [(1, line(&mended.before, 1))]);
    let given = mend("16", |repair| repair.cwd("/work/demo"));
    assert_eq!(given.session().cwd(), "/work/demo");
}

#[test]
fn case_18_there_is_nothing_to_mend_in_an_empty_file() {
    let case = Case::load("18").unwrap();
    let snapshot = case.snapshot().unwrap();
    for at in [0, 1] {
        let error = Repair::of(case.input(at)).plan().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::EmptyFile);
    }
    assert_eq!(case.snapshot().unwrap(), snapshot);
}

#[test]
fn case_17_repair_leaves_what_is_no_session_alone() {
    let case = Case::load("17").unwrap();
    let snapshot = case.snapshot().unwrap();
    let error = Repair::of(case.input(0)).plan().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotASession);
    assert_eq!(case.snapshot().unwrap(), snapshot);
}

#[test]
fn case_22_repair_gives_the_header_the_id_of_the_file_name() {
    let mended = mend("22", |repair| repair);
    let session = mended.session();
    assert_eq!(session.session_id(), "7d3c1f60-5b0a-4c52-9a11-000000000001");
    let found = ids(&session, session.tree().nodes());
    assert_fact(&mended.case, "/file_still_contains_ids", &found);
    let text = String::from_utf8(mended.before.clone()).unwrap();
    let id = "\"7d3c1f60-5b0a-4c52-9a11-000000000001\"";
    assert_eq!(mended.file(), text.replace("12345", id).into_bytes());
}

/// Copies of lines are harmless: nothing is to do.
#[test]
fn case_26_repair_leaves_copies_alone() {
    assert_eq!(Repair::of(Case::load("26").unwrap().input(0)).plan().unwrap().steps, []);
}

/// A lost parent is no damage to the file: it stays as it is, and only `reattach` gives the orphan a parent.
#[test]
fn case_29_repair_hangs_the_orphan_only_when_asked() {
    assert_eq!(Repair::of(Case::load("29").unwrap().input(0)).plan().unwrap().steps, []);
    let mended = mend("29", |repair| repair.reattach(true));
    load(&mended.case, 0, "/tree");
    let text = String::from_utf8(mended.before.clone()).unwrap();
    let changed = text.replace("\"parentId\":\"c3000003\"", "\"parentId\":\"b2000002\"");
    assert_eq!(mended.file(), changed.into_bytes());
    assert_eq!(mended.pieces(), [(4, line(&mended.before, 4))]);
}

/// Links are followed: the file behind the link is mended, and its mode stays.
#[cfg(unix)]
#[test]
fn case_05_through_a_link_the_mode_is_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let case = Case::load("05").unwrap();
    let link: PathBuf = case.folder().join("link.jsonl");
    symlink(case.input(0), &link).unwrap();
    std::fs::set_permissions(case.input(0), std::fs::Permissions::from_mode(0o640)).unwrap();
    let repair = Repair::of(&link);
    let done = repair.apply(&repair.plan().unwrap()).unwrap().unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&case.input(0)), 0o640);
    assert_eq!((mode(&done.backup), mode(&done.salvage)), (0o600, 0o600));
}
