//! Roots and folders of transcripts (rules L26 to L28; spec 6.10, 6.11, 6.8).

use std::path::{Path, PathBuf};

use super::super::*;

fn roots(global: &str, project: &str, cwd: &str) -> Vec<PathBuf> {
    styled(PathStyle::Unix, "/home/ana", "/home/ana/.dreb/agent", global, project, cwd)
}

fn styled(
    style: PathStyle,
    home: &str,
    agent: &str,
    global: &str,
    project: &str,
    cwd: &str,
) -> Vec<PathBuf> {
    let environment = Environment::new(Some(home.into()), []).with_style(style);
    let store = Store::new(AgentDir::new(agent, StoreKind::Dreb), StoreOrigin::Home);
    let settings = Settings::new(
        SettingsFile::parse(SettingsScope::Global, "/g", global.as_bytes()),
        SettingsFile::parse(SettingsScope::Project, "/p", project.as_bytes()),
    );
    let roots = TranscriptSetting::new(&environment, &store, &settings).at(Path::new(cwd));
    assert_eq!(roots.all().next(), Some(roots.for_new()));
    roots.all().map(Path::to_path_buf).collect()
}

const DEFAULT: &str = "/home/ana/.dreb/agent/subagent-sessions";

/// Spec 6.10: without the setting there is one root.
#[test]
fn the_default_root_is_below_the_agent_directory() {
    for global in ["{}", r#"{"subagentSessionDir":" "}"#, r#"{"subagentSessionDir":7}"#] {
        assert_eq!(roots(global, "{}", "/p"), [Path::new(DEFAULT)], "{global}");
    }
}

/// Spec 6.11: the configured root first, the default one second.
#[test]
fn a_configured_root_goes_first() {
    let global = r#"{"subagentSessionDir":"~/agents"}"#;
    assert_eq!(roots(global, "{}", "/p"), [Path::new("/home/ana/agents"), Path::new(DEFAULT)]);
}

/// Spec 6.10: project settings cannot set it.
#[test]
fn a_project_cannot_name_a_root() {
    let project = r#"{"subagentSessionDir":"/elsewhere"}"#;
    assert_eq!(roots("{}", project, "/p"), [Path::new(DEFAULT)]);
    let global = r#"{"subagentSessionDir":"/a"}"#;
    assert_eq!(roots(global, project, "/p"), [Path::new("/a"), Path::new(DEFAULT)]);
}

/// Spec 6.8: a relative one starts at the working directory of the session.
#[test]
fn a_relative_root_starts_at_the_session() {
    let global = r#"{"subagentSessionDir":"../agents"}"#;
    for (cwd, want) in [("/a/b", "/a/agents"), ("/c/d", "/c/agents")] {
        assert_eq!(roots(global, "{}", cwd), [Path::new(want), Path::new(DEFAULT)]);
    }
}

/// Spec 6.11, 14.20: two spellings of one root are one root; the first spelling stays.
#[test]
fn roots_are_compared_lexically() {
    let spelled = "/home/ana/x/../.dreb/agent//subagent-sessions/";
    let global = format!(r#"{{"subagentSessionDir":"{spelled}"}}"#);
    assert_eq!(roots(&global, "{}", "/p"), [Path::new(spelled)]);
    let upper = DEFAULT.to_uppercase();
    let global = format!(r#"{{"subagentSessionDir":"{upper}"}}"#);
    assert_eq!(roots(&global, "{}", "/p").len(), 2, "case counts on Unix");
    // On a Windows path the host joins with its own separator, so the agent directory is written with one that both take.
    let global = r#"{"subagentSessionDir":"c:\\AGENT\\Subagent-Sessions"}"#;
    let one = styled(PathStyle::Windows, r"C:\me", "C:/agent", global, "{}", r"C:\p");
    assert_eq!(one.len(), 1, "case does not count on Windows");
}

/// Spec 6.10: 12 lower-case hex digits.
#[test]
fn a_tag_is_twelve_lower_case_hex_digits() {
    let dir = |uuid: &str| TranscriptTag::of_uuid(uuid).map(|tag| tag.single_dir(Path::new("/r")));
    assert_eq!(dir("x-0123456789AB").as_deref(), Some(Path::new("/r/0123456789ab")));
    for bad in ["", "0123456789a", "x-0123456789ag", "aé0123456789a"] {
        assert_eq!(dir(bad), None, "{bad}");
    }
}

/// Spec 6.11: `^step-(\d+)$`.
#[test]
fn only_digits_number_a_step() {
    let number = |name: &str| step_number(name.as_ref());
    assert_eq!(number("step-1"), Some(1));
    assert_eq!(number("step-007"), Some(7));
    assert_eq!(number("step-99999999999999999999999"), Some(u64::MAX));
    for bad in ["step-", "step-+1", "step--1", "Step-1", "step-1 ", "xstep-1", "step-٣"] {
        assert_eq!(number(bad), None, "{bad}");
    }
}
