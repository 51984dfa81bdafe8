//! The golden renderings of spec 7.11, cell by cell, on sessions built here.

use std::borrow::Cow;
use std::fmt::Write as _;

use logwood::context::Entries;
use logwood::entry::Envelope;
use logwood::error::Result;
use logwood::json::{Raw, parse_iso_ms};
use logwood::tree::{NewNode, NodeId, SessionTree};

use super::*;

/// A session as a list of lines, appended one after the other.
#[derive(Default)]
struct Built {
    tree: SessionTree,
    lines: Vec<String>,
}

impl Entries for Built {
    fn tree(&self) -> &SessionTree {
        &self.tree
    }

    fn entry_text(&self, node: NodeId) -> Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(self.lines[node.index()].as_bytes()))
    }
}

impl Built {
    /// Appends an entry below the current position, a second after the one before it; its id is its number.
    fn append(&mut self, kind: &str, rest: &str) -> NodeId {
        let number = self.lines.len();
        let (id, parent) =
            (number.to_string(), self.tree.leaf().map(|leaf| self.tree.id(leaf).to_owned()));
        let parent_json =
            parent.as_ref().map_or("null".to_owned(), |parent| format!("\"{parent}\""));
        let timestamp = format!("2025-01-01T00:{:02}:{:02}.000Z", number / 60, number % 60);
        let line = format!(
            r#"{{"type":"{kind}","id":"{id}","parentId":{parent_json},"timestamp":"{timestamp}",{rest}}}"#
        );
        let envelope = Envelope::scan(line.as_bytes()).unwrap();
        let inserted = self.tree.insert(&NewNode {
            id: &id,
            parent: parent.as_deref(),
            timestamp_ms: parse_iso_ms(timestamp.as_bytes()),
            kind: envelope.entry_kind(),
            role: envelope.role(),
        });
        let label = envelope.target_id.and_then(Raw::as_str);
        if let Some(target) = label {
            let text = envelope.label.and_then(Raw::as_str);
            self.tree.labels_mut().apply(&target, text.as_deref());
        }
        self.tree.link();
        self.lines.push(line);
        inserted.node()
    }

    fn user(&mut self, text: &str) -> NodeId {
        self.append("message", &format!(r#""message":{{"role":"user","content":"{text}"}}"#))
    }

    fn assistant(&mut self, text: &str) -> NodeId {
        let block = format!(r#"{{"type":"text","text":"{text}"}}"#);
        self.append(
            "message",
            &format!(r#""message":{{"role":"assistant","content":[{block}],"stopReason":"stop"}}"#),
        )
    }

    fn tool_round(&mut self, command: &str) {
        let call = format!(
            r#"{{"type":"toolCall","id":"c1","name":"bash","arguments":{{"command":"{command}"}}}}"#
        );
        self.append(
            "message",
            &format!(
                r#""message":{{"role":"assistant","content":[{call}],"stopReason":"toolUse"}}"#
            ),
        );
        self.append(
            "message",
            r#""message":{"role":"toolResult","toolCallId":"c1","toolName":"bash","content":[]}"#,
        );
    }

    fn go(&mut self, to: NodeId) {
        self.tree.move_leaf(Some(to));
    }
}

/// Session S1 of spec 7.11.
fn s1() -> Built {
    let mut s = Built::default();
    s.append("model_change", r#""provider":"p","modelId":"m""#);
    s.append("thinking_level_change", r#""thinkingLevel":"high""#);
    s.user("first question");
    let answer = s.assistant("answer one");
    s.user("try A");
    s.tool_round("npm test");
    s.assistant("A done");
    s.go(answer);
    let try_b = s.user("try B");
    let b_done = s.assistant("B done");
    s.user("B1");
    s.assistant("B1 done");
    s.go(b_done);
    s.user("B2");
    let b2_done = s.assistant("B2 done");
    let target = s.tree.id(try_b).to_owned();
    s.append("label", &format!(r#""targetId":"{target}","label":"mark""#));
    s.go(b2_done);
    s
}

/// The rows and the footer as the browser draws them, with the cursor on `selected`.
fn draw(
    built: &Built,
    outline: &Outline<'_>,
    layout: &Layout,
    selected: NodeId,
    mark: &str,
) -> String {
    let mut out = String::new();
    for row in &layout.rows {
        let cursor = if row.node == selected { "› " } else { "  " };
        let bullet = if row.on_path { "• " } else { "" };
        let label = built.tree.label(row.node).map_or(String::new(), |label| format!("[{label}] "));
        let prefix = layout.prefix(row, 70);
        let _ = writeln!(out, "{cursor}{prefix}{bullet}{label}{}", outline.text(row.node));
    }
    let at = layout.rows.iter().position(|row| row.node == selected).map_or(0, |at| at + 1);
    let _ = writeln!(out, "  ({at}/{}){mark}", layout.rows.len());
    out
}

fn rendered(built: &Built, filter: Filter) -> String {
    rendered_at(built, filter, built.tree.leaf().unwrap())
}

fn rendered_at(built: &Built, filter: Filter, selected: NodeId) -> String {
    let outline = Outline::read(built, None).unwrap();
    draw(built, &outline, &outline.layout(filter), selected, filter.mark())
}

fn lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn default() {
    assert_eq!(
        rendered(&s1(), Filter::Default),
        lines(&[
            "  • user: first question",
            "  • assistant: answer one",
            "  ├⊟ • [mark] user: try B",
            "  │     • assistant: B done",
            "  │     ├⊟ • user: B2",
            "› │     │     • assistant: B2 done",
            "  │     └⊟ user: B1",
            "  │           assistant: B1 done",
            "  └⊟ user: try A",
            "        [bash: npm test]",
            "        assistant: A done",
            "  (6/11)",
        ])
    );
}

#[test]
fn no_tools() {
    assert_eq!(
        rendered(&s1(), Filter::NoTools),
        lines(&[
            "  • user: first question",
            "  • assistant: answer one",
            "  ├⊟ • [mark] user: try B",
            "  │     • assistant: B done",
            "  │     ├⊟ • user: B2",
            "› │     │     • assistant: B2 done",
            "  │     └⊟ user: B1",
            "  │           assistant: B1 done",
            "  └⊟ user: try A",
            "        assistant: A done",
            "  (6/10) [no-tools]",
        ])
    );
}

#[test]
fn all() {
    assert_eq!(
        rendered(&s1(), Filter::All),
        lines(&[
            "  • [model: m]",
            "  • [thinking: high]",
            "  • user: first question",
            "  • assistant: answer one",
            "  ├⊟ • [mark] user: try B",
            "  │     • assistant: B done",
            "  │     ├⊟ • user: B2",
            "› │     │     • assistant: B2 done",
            "  │     │     [label: mark]",
            "  │     └⊟ user: B1",
            "  │           assistant: B1 done",
            "  └⊟ user: try A",
            "        [bash: npm test]",
            "        assistant: A done",
            "  (8/14) [all]",
        ])
    );
}

/// The selection follows the nearest visible ancestor.
#[test]
fn user_only() {
    let s = s1();
    let selected = s.tree.parent(s.tree.leaf().unwrap()).unwrap();
    assert_eq!(
        rendered_at(&s, Filter::UserOnly, selected),
        lines(&[
            "  • user: first question",
            "  ├⊟ • [mark] user: try B",
            "› │  ├─ • user: B2",
            "  │  └─ user: B1",
            "  └─ user: try A",
            "  (3/5) [user]",
        ])
    );
}

#[test]
fn labeled_only() {
    let s = s1();
    let labelled = s.tree.nodes().find(|node| s.tree.label(*node).is_some()).unwrap();
    assert_eq!(
        rendered_at(&s, Filter::LabeledOnly, labelled),
        lines(&["› • [mark] user: try B", "  (1/1) [labeled]"])
    );
}

#[test]
fn folded() {
    let s = s1();
    let outline = Outline::read(&s, None).unwrap();
    let by_text = |text: &str| s.tree.nodes().find(|node| outline.text(*node) == text).unwrap();
    let (b2, try_b) = (by_text("user: B2"), by_text("user: try B"));
    let layout =
        Layout::new(&s.tree, |node| outline.is_visible(node, Filter::Default), |node| node == b2);
    assert_eq!(
        draw(&s, &outline, &layout, try_b, ""),
        lines(&[
            "  • user: first question",
            "  • assistant: answer one",
            "› ├⊟ • [mark] user: try B",
            "  │     • assistant: B done",
            "  │     ├⊞ • user: B2",
            "  │     └⊟ user: B1",
            "  │           assistant: B1 done",
            "  └⊟ user: try A",
            "        [bash: npm test]",
            "        assistant: A done",
            "  (3/10)",
        ])
    );
}

/// What typing `done` shows: hidden nodes are replaced by their nearest visible ancestor.
#[test]
fn searched() {
    let s = s1();
    let outline = Outline::read(&s, None).unwrap();
    let hit = |node: NodeId| {
        outline.is_visible(node, Filter::Default) && outline.text(node).contains("done")
    };
    let layout = Layout::new(&s.tree, hit, |_| false);
    assert_eq!(
        draw(&s, &outline, &layout, s.tree.leaf().unwrap(), ""),
        lines(&[
            "  • assistant: B done",
            "› ├─ • assistant: B2 done",
            "  └─ assistant: B1 done",
            "  assistant: A done",
            "  (2/4)",
        ])
    );
}

/// The session of the last rendering, before the second root: the leaf is on none of the first root's branches.
#[test]
fn two_roots() {
    let mut s = s1();
    s.tree.move_leaf(None);
    s.user("second root");
    s.assistant("root two");
    assert_eq!(
        rendered(&s, Filter::Default),
        lines(&[
            "  • user: second root",
            "›    • assistant: root two",
            "  user: first question",
            "     assistant: answer one",
            "     ├⊟ user: try A",
            "     │     [bash: npm test]",
            "     │     assistant: A done",
            "     └⊟ [mark] user: try B",
            "           assistant: B done",
            "           ├⊟ user: B1",
            "           │     assistant: B1 done",
            "           └⊟ user: B2",
            "                 assistant: B2 done",
            "  (2/13)",
        ])
    );
}

/// A row that is deeper than the columns keeps the levels nearest to its text, and its cost follows the columns.
#[test]
fn a_deep_row_is_cut_on_the_left() {
    let mut s = Built::default();
    let mut at = s.user("root");
    for _ in 0..30 {
        s.go(at);
        s.user("aside");
        s.go(at);
        at = s.user("on");
    }
    s.go(at);
    let outline = Outline::read(&s, None).unwrap();
    let layout = outline.layout(Filter::Default);
    let deepest = layout.rows.iter().find(|row| row.node == at).unwrap();
    assert_eq!(layout.prefix(deepest, 12), "…  │  │  ├─ ");
    assert_eq!(layout.prefix(deepest, 1000).chars().count(), 90);
}

#[test]
fn a_silent_answer_is_shown_only_as_the_leaf_or_when_it_ended_badly() {
    let mut s = Built::default();
    s.user("q");
    let bad = s
        .append("message", r#""message":{"role":"assistant","content":[],"stopReason":"aborted"}"#);
    let silent = s.append(
        "message",
        r#""message":{"role":"assistant","content":[{"type":"text","text":" "}]}"#,
    );
    let outline = Outline::read(&s, None).unwrap();
    assert!(outline.is_visible(bad, Filter::All) && outline.is_visible(silent, Filter::All));
    assert_eq!(outline.text(bad), "assistant: (aborted)");
    s.user("later");
    let outline = Outline::read(&s, None).unwrap();
    assert!(outline.is_visible(bad, Filter::All) && !outline.is_visible(silent, Filter::All));
}
