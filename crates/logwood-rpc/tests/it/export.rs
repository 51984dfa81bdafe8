//! `export_html`: the texts of dreb, and what is on the disk afterwards (spec 8.10).

use logwood_rpc::RpcOptions;
use serde_json::{Value, json};

use crate::support::{Desk, EXAMPLE, HEADER, text};

fn export(path: &str) -> Value {
    json!({"type": "export_html", "outputPath": path})
}

#[test]
fn a_page_is_written_and_nothing_is_written_over() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let page = desk.file("out/page.html");
    assert_eq!(desk.data(export("out/page.html")), json!({"path": text(&page)}));
    let read = |desk: &Desk| std::fs::read_to_string(desk.file("out/page.html")).unwrap();
    assert!(read(&desk).starts_with("<!DOCTYPE html>"));
    std::fs::write(desk.file("out/page.html"), "precious").unwrap();
    assert_eq!(desk.error(export("out/page.html")).0, "invalid_argument");
    assert_eq!(read(&desk), "precious");
    let forced = json!({"type": "export_html", "outputPath": "out/page.html", "force": true});
    desk.data(forced);
    assert!(read(&desk).starts_with("<!DOCTYPE html>"));
    assert_eq!(std::fs::read_to_string(desk.file("session.jsonl")).unwrap(), EXAMPLE);
}

#[test]
fn without_a_name_it_has_that_of_dreb() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let page = desk.file("dreb-session-session.html");
    assert_eq!(desk.data(json!({"type": "export_html"})), json!({"path": text(&page)}));
    assert!(desk.file("dreb-session-session.html").exists());
}

#[test]
fn refusals_have_the_texts_of_dreb() {
    let mut desk = Desk::holding(HEADER.as_bytes());
    let nothing = "Nothing to export yet - start a conversation first";
    assert_eq!(desk.error(export("a.html")), ("invalid_argument".to_owned(), nothing.to_owned()));
    desk.data(json!({"type": "in_memory"}));
    let memory = "Cannot export in-memory session to HTML";
    assert_eq!(desk.error(export("a.html")), ("invalid_argument".to_owned(), memory.to_owned()));
    assert!(!desk.file("a.html").exists());
}

#[test]
fn secrets_are_taken_out_when_asked() {
    let secret = format!("gh{}{}", "p_", "Z".repeat(36));
    let entry = json!({"type": "message", "id": "a1", "parentId": null, "message": {"role": "user", "content": secret}});
    let mut desk = Desk::holding(format!("{HEADER}{entry}\n").as_bytes());
    desk.data(json!({"type": "export_html", "outputPath": "a.html", "redact": true}));
    let page = std::fs::read_to_string(desk.file("a.html")).unwrap();
    assert!(!page.contains(&secret) && page.contains("[redacted:github-token]"));
}

/// Exporting changes no session, so a process that only reads may.
#[test]
fn a_process_that_only_reads_exports() {
    let mut desk = Desk::with(|options| RpcOptions { read_only: true, ..options });
    desk.write("a.jsonl", EXAMPLE.as_bytes());
    desk.data(json!({"type": "open", "path": text(&desk.file("a.jsonl"))}));
    desk.data(export("a.html"));
}
