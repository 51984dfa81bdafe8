//! Runs every rule over every file and prints what it finds.

use std::process::ExitCode;

use super::source::{Finding, Source, tracked};
use super::{citation, direction, doors, layout, links, packages, sources, suite, text};
use crate::complain;
use crate::count::Totals;
use crate::step::{Outcome, root};

type Rule = fn(&[Source]) -> Vec<Finding>;

const RULES: [Rule; 14] = [
    direction::rooms,
    doors::closed,
    layout::mod_files,
    layout::module_docs,
    layout::sizes,
    text::machine_paths,
    text::registries,
    text::trailing_space,
    suite::forgotten_files,
    suite::ignored_tests,
    citation::rules,
    sources::sections,
    packages::dependencies,
    links::lead_somewhere,
];

/// The chore `cargo xtask tidy`.
pub(crate) fn run() -> ExitCode {
    if step().ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tidy as a step of `cargo xtask test`.
pub(crate) fn step() -> Outcome {
    let ok = match tracked(&root()) {
        Ok(sources) => report(&check(&sources)),
        Err(why) => {
            complain(&format!("tidy: cannot list the files of the repository: {why}"));
            false
        }
    };
    Outcome { ok, totals: Totals::default() }
}

fn check(sources: &[Source]) -> Vec<Finding> {
    RULES.iter().flat_map(|rule| rule(sources)).collect()
}

/// Prints the findings; true when none of them is a fault.
fn report(findings: &[Finding]) -> bool {
    for finding in findings {
        complain(&finding.to_string());
    }
    findings.iter().all(|finding| finding.warning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_fails_and_a_warning_does_not() {
        let fault = Finding::fault("a.rs", 1, "bad");
        let warning = Finding::warning("a.rs", 1, "long");
        assert!(report(&[]));
        assert!(report(std::slice::from_ref(&warning)));
        assert!(!report(&[warning, fault]));
    }

    #[test]
    fn every_rule_can_fail() {
        let bad = [
            Source::new("crates/logwood/src/line/mod.rs", "//! Doc.\nuse crate::storage::X; \n"),
            Source::new("crates/logwood/src/line/cut.rs", "fn f() { std::fs::read(p); }\n"),
            Source::new("crates/a/tests/it/main.rs", "//! Doc.\n"),
            Source::new(
                "crates/a/tests/it/lost.rs",
                "//! rule F9, spec 99.\n#[test]\n#[ignore]\nfn x() {}\n",
            ),
            Source::new("crates/a/src/mod.rs", "//! Doc.\nfn f() {}\n"),
            Source::new("crates/a/src/long.rs", &format!("//! Doc.\n{}", "\n".repeat(900))),
            Source::new("note.md", concat!("[see](/wo", "rk/shared)\n")),
            Source::new("crates/logwood/Cargo.toml", "[dependencies]\nclap = \"4\"\n"),
            Source::new("Cargo.lock", "source = \"registry+https://example.org/index\"\n"),
        ];
        for (at, rule) in RULES.iter().enumerate() {
            assert!(!rule(&bad).is_empty(), "rule {at} found nothing");
        }
    }
}
