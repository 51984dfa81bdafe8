//! Two sessions of real work, where they are at hand: they are not ours to publish, so they lie beside the repository or nowhere.

use std::collections::BTreeMap;
use std::path::PathBuf;

use logwood::context::llm_message;
use logwood::entry::{Entry, EntryData, Message};
use logwood::inventory::Inventory;
use logwood::session::{SessionManager, SessionOptions};

/// What the reference implementation says of a file.
struct Figures {
    file: &'static str,
    entries: usize,
    roles: &'static [(&'static str, usize)],
    context: &'static [(&'static str, usize)],
    model: &'static str,
    id: &'static str,
    times: (&'static str, &'static str),
    first: &'static str,
    text_units: usize,
    cost: f64,
    tokens: (f64, f64),
    migrated: usize,
}

const FIGURES: [Figures; 2] = [
    Figures {
        file: "linear-v1.jsonl",
        entries: 1018,
        roles: &[("assistant", 453), ("toolResult", 373), ("user", 88)],
        context: &[("assistant", 453), ("toolResult", 373), ("user", 88)],
        model: "anthropic/claude-sonnet-4-5",
        id: "d703a1a9-1b7b-4fb1-b512-c9738b1fe617",
        times: ("2025-11-20T23:33:50.805Z", "2025-11-21T02:13:57.236Z"),
        first: "/mode",
        text_units: 64078,
        cost: 30.330198,
        tokens: (1049.0, 83156.0),
        migrated: 1_010_966,
    },
    Figures {
        file: "long-v1.jsonl",
        entries: 1002,
        roles: &[("assistant", 484), ("bashExecution", 3), ("toolResult", 448), ("user", 55)],
        context: &[
            ("assistant", 219),
            ("bashExecution", 3),
            ("compactionSummary", 1),
            ("toolResult", 192),
            ("user", 31),
        ],
        model: "anthropic/claude-opus-4-5",
        id: "ffae836b-9420-4060-ac13-7745215f90ff",
        times: ("2025-12-09T00:53:29.825Z", "2025-12-09T00:42:39.594Z"),
        first: "alright, read @packages/coding-agent/src/main.ts",
        text_units: 83716,
        cost: 42.595908,
        tokens: (3689.0, 187895.0),
        migrated: 2_395_247,
    },
];

/// The folder of the files; none where they are not at hand.
fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real");
    let there = folder.join(FIGURES[0].file).is_file();
    if !there {
        let note = "skipped: the real sessions are not beside the repository";
        std::io::Write::write_all(&mut std::io::stderr(), note.as_bytes()).unwrap();
    }
    there.then_some(folder)
}

fn counted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut counts = BTreeMap::new();
    words.for_each(|word| *counts.entry(word).or_insert(0) += 1);
    counts.into_iter().filter(|(word, _)| !word.is_empty()).collect()
}

#[test]
fn real_sessions_give_the_figures_of_the_reference() {
    let Some(folder) = folder() else { return };
    for figures in &FIGURES {
        let session =
            SessionOptions::new().read_only(true).open(folder.join(figures.file)).unwrap();
        let tree = session.tree();
        assert_eq!((session.session_id(), tree.len()), (figures.id, figures.entries));
        assert_eq!(tree.branch(session.leaf().unwrap()).len(), figures.entries);
        let roles = counted(tree.nodes().map(|node| tree.role(node).as_str()));
        assert_eq!(roles, figures.roles, "{}", figures.file);
        let context = session.context().unwrap();
        assert_eq!(counted(context.messages().map(|m| m.role.as_str())), figures.context);
        assert_eq!(context.messages().filter_map(|m| llm_message(&m)).count(), context.len());
        assert_eq!(context.thinking_level(), "off");
        assert_eq!(context.model().unwrap().to_string(), figures.model);
        assert_eq!(migrated_size(&session), figures.migrated);
        let (cost, input, output) = usage(&session);
        assert!((cost - figures.cost).abs() < 5e-7, "{cost}");
        assert_eq!((input, output), figures.tokens);
    }
}

#[test]
fn real_sessions_are_listed_as_the_reference_lists_them() {
    let Some(folder) = folder() else { return };
    let listing = Inventory::new().with_text(true).list_all_from_dir(&folder).unwrap();
    for figures in &FIGURES {
        let row = listing.sessions.iter().find(|row| row.id == figures.id).unwrap();
        let iso = |ms| logwood::json::iso_from_ms(ms).unwrap();
        assert_eq!(
            (iso(row.created_ms), iso(row.modified_ms)),
            (figures.times.0.into(), figures.times.1.into())
        );
        let messages: usize = figures.roles.iter().map(|(_, count)| count).sum();
        assert_eq!(row.message_count, messages as u64);
        assert!(row.first_message.as_deref().unwrap().starts_with(figures.first));
        let text = row.all_messages_text.as_deref().unwrap();
        assert_eq!(logwood::json::utf16_len(text), figures.text_units);
    }
}

fn migrated_size(session: &SessionManager) -> usize {
    let entries = session.entries().map(|line| session.line_text(&line).unwrap().len() + 1);
    session.header_text().len() + 1 + entries.sum::<usize>()
}

/// Cost in US dollars, input and output tokens of all answers of the file.
fn usage(session: &SessionManager) -> (f64, f64, f64) {
    let mut sums = (0.0, 0.0, 0.0);
    for line in session.entries() {
        let text = session.line_text(&line).unwrap();
        let EntryData::Message(Message::Assistant(answer)) = Entry::parse(&text).unwrap().data()
        else {
            continue;
        };
        let Some(usage) = answer.usage() else { continue };
        sums.0 += usage.cost().and_then(|cost| cost.total()).unwrap_or(0.0);
        sums.1 += usage.input().unwrap_or(0.0);
        sums.2 += usage.output().unwrap_or(0.0);
    }
    sums
}
