//! Completions and manual pages.

use crate::support::{Store, run};

#[test]
fn every_shell_knows_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = run(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shell}");
        for word in ["show", "filter", "agent-dir"] {
            assert!(ran.out.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_manual_page_is_roff() {
    let ran = run(&["man"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains(".TH logwood 1") && ran.out.contains("Exit codes"));
}

#[test]
fn every_command_has_a_page() {
    let store = Store::new();
    let dir = format!("{}/man1", store.path());
    let ran = run(&["man", &dir]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    for page in ["logwood.1", "logwood-show.1", "logwood-debug-lines.1"] {
        assert!(std::path::Path::new(&dir).join(page).is_file(), "{page}");
    }
}
