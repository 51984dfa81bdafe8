//! The page of small sessions made here.

use logwood::entry::JsonText;
use logwood::session::{SessionManager, SessionOptions};

use super::*;
use crate::about::About;

fn session() -> SessionManager {
    SessionOptions::new().in_memory("/work/demo")
}

fn say(session: &mut SessionManager, message: &str) -> String {
    session.append_message(JsonText::parse(message.as_bytes()).unwrap()).unwrap()
}

fn page(session: &SessionManager) -> String {
    let mut page = Vec::new();
    html(session, &About::of(session), &HtmlOptions::default(), &mut page).unwrap().unwrap();
    String::from_utf8(page).unwrap()
}

fn articles(page: &str) -> Vec<&str> {
    page.split("<article ")
        .skip(1)
        .map(|article| article.split("</article>").next().unwrap())
        .collect()
}

#[test]
fn only_the_branch_of_the_leaf_is_shown_and_every_branch_is_there() {
    let mut session = session();
    let root = say(&mut session, r#"{"role":"user","content":"root"}"#);
    say(&mut session, r#"{"role":"user","content":"left"}"#);
    session.move_leaf(&root).unwrap();
    say(&mut session, r#"{"role":"user","content":"right"}"#);
    let page = page(&session);
    let hidden = |text: &str| {
        let article = articles(&page).into_iter().find(|article| article.contains(text)).unwrap();
        article.split('>').next().unwrap().ends_with(" hidden")
    };
    assert!(!hidden("root"));
    assert!(hidden("left"));
    assert!(!hidden("right"));
}

/// A call that has another result on another branch shows the one of the branch.
#[test]
fn results_stand_below_their_calls() {
    let mut session = session();
    let call = r#"{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}]}"#;
    let result = |text: &str| {
        format!(
            r#"{{"role":"toolResult","toolCallId":"c","toolName":"ls","content":[{{"type":"text","text":"{text}"}}],"isError":false}}"#
        )
    };
    let answer = say(&mut session, call);
    say(&mut session, &result("one"));
    session.move_leaf(&answer).unwrap();
    say(&mut session, &result("two"));
    say(&mut session, call);
    say(&mut session, &result("three"));
    say(
        &mut session,
        r#"{"role":"toolResult","toolCallId":"lost","toolName":"ls","content":[{"type":"text","text":"alone"}]}"#,
    );
    let page = page(&session);
    let articles = articles(&page);
    assert_eq!(articles.len(), 3);
    assert!(articles[0].contains("one") && articles[0].contains("two"), "{}", articles[0]);
    assert!(articles[0].contains("data-n=\"1\" tabindex=\"-1\" hidden>"), "{}", articles[0]);
    assert!(articles[0].contains("data-n=\"2\" tabindex=\"-1\">"), "{}", articles[0]);
    assert!(articles[1].contains("three") && !articles[1].contains("two"));
    assert!(articles[2].contains("alone"));
}

/// Spec 8.10; case 74: data that would end the attribute, and a kind that can hold scripts.
#[test]
fn pictures_are_shown_when_they_are_what_they_say() {
    let shown = |mime: &str, data: &str| {
        let mut session = session();
        say(
            &mut session,
            &format!(
                r#"{{"role":"user","content":[{{"type":"image","mimeType":"{mime}","data":"{data}"}}]}}"#
            ),
        );
        page(&session).contains("<img")
    };
    let png = "iVBORw0KGgo=";
    assert!(shown("image/png", png));
    assert!(!shown("image/jpeg", png));
    assert!(!shown("image/svg+xml", "PHN2Zz4="));
    assert!(!shown("image/png", &format!("{png}\\\" onerror=\\\"x")));
    assert!(!shown("image/png", "iVBORw0KGgo"));
}

#[test]
fn messages_hidden_from_people_are_left_out_and_counted() {
    let mut session = session();
    let content = JsonText::parse(b"\"secret plan\"").unwrap();
    session.append_custom_message_entry("x", content, false, None).unwrap();
    let page = page(&session);
    assert_eq!(articles(&page).len(), 0);
    assert!(page.contains("1 messages that extensions hide"), "{page}");
}

/// The policy names the hash of the one script and of each style, so nothing else runs.
#[test]
fn the_policy_lets_only_the_pages_own_script_run() {
    use base64::Engine as _;
    use sha2::Digest as _;
    let page = page(&session());
    let script = page.split("<script>").nth(1).unwrap().split("</script>").next().unwrap();
    let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(script));
    assert!(page.contains(&format!("script-src 'sha256-{hash}';")), "{hash}");
    assert!(page.contains("default-src 'none'"));
    assert_eq!(page.matches("<script").count(), 1);
}
