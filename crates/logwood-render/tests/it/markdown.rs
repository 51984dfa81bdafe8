//! Markdown of the example sessions, one of each dialect and kind.

use std::path::PathBuf;

use logwood::session::SessionOptions;
use logwood_render::export::{Export, Format};
use logwood_render::redact::Redactor;

fn markdown(session: &str, redactor: Option<&Redactor>) -> String {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/agent/sessions");
    let session = SessionOptions::new().read_only(true).open(examples.join(session)).unwrap();
    let export = Export {
        format: Format::Markdown,
        leaf: None,
        hidden: false,
        redactor,
        home: Some("/home/mira"),
    };
    let mut text = Vec::new();
    export.write(&session, &mut text).unwrap().unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_session_with_tools_images_summaries_and_shell_runs() {
    let session = "--home-mira-lanternfish--/2026-10-03T09-12-45-880Z_e04b7ed0-622c-413a-89c9-7ec23609faf1.jsonl";
    insta::assert_snapshot!(markdown(session, None));
}

#[test]
fn a_session_of_version_1() {
    let session = "--home-mira-field-notes--/2026-03-02T10-00-00-000Z_4900714c-7919-4ca3-b539-17fabb20b424.jsonl";
    insta::assert_snapshot!(markdown(session, None));
}

#[test]
fn a_session_of_the_newest_pi() {
    let session = "--home-mira-tidepool--/2026-11-20T16-30-00-114Z_tidepool-release-notes.jsonl";
    insta::assert_snapshot!(markdown(session, None));
}

#[test]
fn a_redacted_session_names_nobody() {
    let session = "--home-mira-field-notes--/2026-05-17T07-31-20-400Z_383e0632-e916-412f-b3a7-14ddbc210991.jsonl";
    let text = markdown(session, Some(&Redactor::new()));
    assert!(!text.contains("mira"), "{text}");
    insta::assert_snapshot!(text);
}
