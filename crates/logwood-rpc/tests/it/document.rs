//! `doc/protocol.md` lists the commands as the table has them.

use std::path::PathBuf;

use logwood_rpc::{CommandSpec, commands};

use crate::support::EXAMPLE;

const START: &str =
    "<!-- commands: from the table, by `BLESS=1 cargo test -p logwood-rpc document` -->\n";
const END: &str = "<!-- end of commands -->\n";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../doc/protocol.md")
}

fn described(command: &CommandSpec) -> String {
    let mut text = format!("### {}\n\n{}\n", command.name, command.about);
    if !command.fields.is_empty() {
        text += "\n| field | value | |\n|---|---|---|\n";
        for field in command.fields {
            let required = if field.required { "required; " } else { "" };
            let value = field.kind.expected();
            text += &format!("| `{}` | {value} | {required}{} |\n", field.name, field.about);
        }
    }
    if command.data.is_empty() {
        text += "\nThe response has no `data`.\n";
    } else {
        text += "\n| data | |\n|---|---|\n";
        for row in command.data {
            text += &format!("| `{}` | {} |\n", row.name, row.about);
        }
    }
    text + &format!("\n```json\n{}\n{}\n```\n", command.example.request, answer(command))
}

fn answer(command: &CommandSpec) -> String {
    let data = match command.example.data {
        "" => String::new(),
        data => format!(r#","data":{data}"#),
    };
    format!(r#"{{"type":"response","command":"{}","success":true{data}}}"#, command.name)
}

#[test]
fn the_document_describes_every_command_as_the_table_does() {
    let text = std::fs::read_to_string(path()).unwrap();
    let (before, rest) =
        text.split_once(START).expect("the document marks where the commands start");
    let (listed, after) = rest.split_once(END).expect("the document marks where the commands end");
    let all: Vec<_> = commands().map(described).collect();
    let want = format!("\n{}\n", all.join("\n"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path(), [before, START, &want, END, after].concat()).unwrap();
    } else {
        assert!(
            listed == want,
            "doc/protocol.md is not what the table says: run BLESS=1 cargo test -p logwood-rpc document"
        );
    }
}

#[test]
fn the_document_shows_the_session_of_its_examples() {
    let text = std::fs::read_to_string(path()).unwrap();
    assert!(text.contains(&format!("```json\n{EXAMPLE}```\n")));
}

/// The words that a client may switch on are all there.
#[test]
fn the_document_names_every_error_and_problem_kind() {
    let text = std::fs::read_to_string(path()).unwrap();
    let errors = logwood::error::ErrorKind::ALL.map(|kind| kind.as_str());
    let problems = logwood::problem::ProblemKind::ALL.map(|kind| kind.as_str());
    for word in errors.iter().chain(&problems) {
        assert!(text.contains(&format!("`{word}`")), "{word}");
    }
}
