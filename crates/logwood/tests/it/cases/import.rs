//! The same file imported twice, and imports that fail (case 73).

use std::collections::HashSet;

use logwood::import::{Import, Outcome};
use logwood::inventory::Inventory;
use logwood::location::encode_cwd;
use logwood_testkit::cases::Case;
use serde_json::Value;

#[test]
fn case_73_import_twice_and_failed_imports() {
    let case = Case::load("73").unwrap();
    let root = case.path("in/sessions");
    let kept = case.path("in").join(case.fact("/existing_unchanged").as_str().unwrap());
    let before = std::fs::read(&kept).unwrap();
    let count = || Inventory::new().list_all(&root).unwrap().sessions.len();
    let mut counts = Vec::new();
    let mut outcomes = Vec::new();
    for (step, ok) in case.fact("/ok").as_array().unwrap().iter().enumerate() {
        let field =
            |key| case.body().pointer(&format!("/steps/{step}/{key}")).and_then(Value::as_str);
        let dir = root.join(encode_cwd(field("cwd").unwrap()));
        let import = Import::new(&dir).roots(vec![root.clone()]);
        let imported = import.run(&case.path(field("path").unwrap()));
        assert!(ok.is_null() || *ok == imported.is_ok(), "step {step}: {imported:?}");
        outcomes.push(imported.ok().map(|imported| (imported.outcome, imported.id)));
        counts.push(count());
        assert!(case.input(0).exists() && std::fs::read(&kept).unwrap() == before);
    }
    let id = "7d3c1f60-5b0a-4c52-9a11-000000000001".to_owned();
    let wanted =
        [Some((Outcome::Copied, id.clone())), Some((Outcome::AlreadyThere, id)), None, None];
    assert_eq!(outcomes, wanted);
    assert_eq!(counts, [2, 2, 2, 2]);
    let sessions = Inventory::new().list_all(&root).unwrap().sessions;
    let ids: HashSet<_> = sessions.iter().map(|session| &session.id).collect();
    assert_eq!(ids.len(), sessions.len());
}
