//! Colours: only where they are wanted.

use crate::support::{Ran, logwood};

const WORDS: [&str; 4] = ["--agent-dir", "examples/agent", "show", "21f7"];

fn run(words: &[&str], variables: &[(&str, &str)]) -> Ran {
    logwood(&[&WORDS[..], words].concat()).envs(variables.iter().copied()).output().unwrap().into()
}

fn has_color(ran: &Ran) -> bool {
    ran.out.contains("\u{1b}[")
}

#[test]
fn a_pipe_gets_none_unless_told_so() {
    for (words, variables, wanted) in [
        (&[][..], &[][..], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&["--color", "always"], &[], true),
        (&["--color=always"], &[("NO_COLOR", "1")], true),
        (&["--color", "auto"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
    ] {
        assert_eq!(has_color(&run(words, variables)), wanted, "{words:?} {variables:?}");
    }
}

#[test]
fn errors_and_help_follow_too() {
    let err = |words: &[&str]| String::from_utf8(logwood(words).output().unwrap().stderr).unwrap();
    assert!(err(&["--color", "always", "show", "nope"]).contains("\u{1b}[1m\u{1b}[31merror: "));
    assert!(!err(&["--color", "never", "show", "nope"]).contains('\u{1b}'));
    let out = |words: &[&str]| String::from_utf8(logwood(words).output().unwrap().stdout).unwrap();
    assert!(out(&["--color", "always", "show", "--help"]).contains("\u{1b}["));
    assert!(!out(&["--color", "never", "show", "--help"]).contains('\u{1b}'));
}

/// Without its colours the output says the same.
#[test]
fn colors_carry_no_meaning_of_their_own() {
    let plain = run(&["--color", "never"], &[]).out;
    let colored = run(&["--color", "always"], &[]).out;
    let stripped = anstream_strip(&colored);
    let trim = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(trim(&stripped), trim(&plain));
}

fn anstream_strip(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    out + rest
}

#[test]
fn no_line_is_wider_than_the_columns() {
    let narrow = [
        &["show", "e04b"][..],
        &["show", "e04b", "--all"],
        &["tree", "e04b"],
        &["context", "e04b"],
    ];
    let wide = [&["context", "e04b", "--explain"][..], &["show", "tidepool-release-notes"]];
    for (columns, commands) in [("40", &narrow[..]), ("80", &narrow), ("80", &wide), ("100", &wide)]
    {
        for words in commands {
            let words = [&WORDS[..2], words].concat();
            let output = logwood(&words).env("COLUMNS", columns).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let widest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
            let limit: usize = columns.parse().unwrap();
            assert!(widest.chars().count() <= limit, "{columns} {words:?}: {widest}");
        }
    }
}
