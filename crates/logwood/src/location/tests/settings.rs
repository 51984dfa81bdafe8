//! Settings (rules L14 to L17; spec 8.16).

use super::super::*;

fn file(scope: SettingsScope, text: &str) -> SettingsFile {
    SettingsFile::parse(scope, format!("/{scope}/settings.json"), text.as_bytes())
}

fn merged(global: &str, project: &str) -> Settings {
    Settings::new(file(SettingsScope::Global, global), file(SettingsScope::Project, project))
}

fn told(settings: &Settings) -> Vec<String> {
    settings.problems().iter().map(ToString::to_string).collect()
}

#[test]
fn nothing_set_gives_the_defaults_of_the_table() {
    for settings in [Settings::none(), merged("{}", "{}")] {
        assert_eq!(settings.session_dir(), None);
        assert_eq!(settings.subagent_session_dir(), None);
        assert_eq!(settings.tree_filter_mode(), TreeFilterMode::Default);
        assert_eq!(settings.branch_summary().reserve_tokens, 16384);
        assert!(!settings.branch_summary().skip_prompt);
        assert!(settings.compaction().enabled);
        assert_eq!(settings.compaction().reserve_tokens, 16384);
        assert_eq!(settings.compaction().keep_recent_tokens, 20000);
        assert!(!settings.block_images());
        assert_eq!(told(&settings), [""; 0]);
    }
}

#[test]
fn every_key_is_read() {
    let settings = merged(
        r#"{"sessionDir": " s ", "subagentSessionDir": "sub", "treeFilterMode": "user-only",
            "branchSummary": {"reserveTokens": 1, "skipPrompt": true},
            "compaction": {"enabled": false, "reserveTokens": 1e4, "keepRecentTokens": 3.0},
            "images": {"blockImages": true}, "other": [1, {}]}"#,
        "{}",
    );
    assert_eq!(settings.session_dir(), Some(" s "));
    assert_eq!(settings.global_session_dir(), Some(" s "));
    assert_eq!(settings.subagent_session_dir(), Some("sub"));
    assert_eq!(settings.tree_filter_mode(), TreeFilterMode::UserOnly);
    let summary = BranchSummarySettings { reserve_tokens: 1, skip_prompt: true };
    assert_eq!(settings.branch_summary(), summary);
    let compaction =
        CompactionSettings { enabled: false, reserve_tokens: 10_000, keep_recent_tokens: 3 };
    assert_eq!(settings.compaction(), compaction);
    assert!(settings.block_images());
    assert_eq!(told(&settings), [""; 0]);
}

#[test]
fn every_filter_mode_has_its_word() {
    for (word, mode) in [
        ("default", TreeFilterMode::Default),
        ("no-tools", TreeFilterMode::NoTools),
        ("user-only", TreeFilterMode::UserOnly),
        ("labeled-only", TreeFilterMode::LabeledOnly),
        ("all", TreeFilterMode::All),
    ] {
        let settings = merged(&format!("{{\"treeFilterMode\": \"{word}\"}}"), "{}");
        assert_eq!(settings.tree_filter_mode(), mode);
        assert_eq!(settings.problems(), []);
    }
}

#[test]
fn the_project_goes_over_the_global_file_one_level_deep() {
    let global = r#"{"sessionDir": "g", "compaction": {"enabled": false, "reserveTokens": 5}}"#;
    let settings = merged(global, r#"{"compaction": {"reserveTokens": 8192}}"#);
    assert_eq!(settings.session_dir(), Some("g"));
    assert_eq!(settings.compaction().reserve_tokens, 8192);
    assert!(!settings.compaction().enabled, "the sibling key of the global file stays");

    let settings = merged(global, r#"{"sessionDir": "p", "compaction": {}}"#);
    assert_eq!((settings.session_dir(), settings.global_session_dir()), (Some("p"), Some("g")));
    assert_eq!(settings.compaction().reserve_tokens, 5);

    let settings = merged(global, r#"{"sessionDir": null, "compaction": null}"#);
    assert_eq!(settings.session_dir(), None, "null hides the global value");
    assert!(settings.compaction().enabled, "a section that is no object replaces the other");
    assert_eq!(told(&settings), [""; 0]);
}

#[test]
fn the_last_of_two_equal_keys_counts() {
    assert_eq!(merged(r#"{"sessionDir": "a", "sessionDir": "b"}"#, "{}").session_dir(), Some("b"));
}

#[test]
fn the_subagent_directory_is_global_only() {
    let settings = merged("{}", r#"{"subagentSessionDir": "p"}"#);
    assert_eq!(settings.subagent_session_dir(), None);
    let settings = merged(r#"{"subagentSessionDir": "g"}"#, r#"{"subagentSessionDir": 1}"#);
    assert_eq!(settings.subagent_session_dir(), Some("g"));
    assert_eq!(told(&settings), [""; 0]);
}

#[test]
fn values_of_the_wrong_type_are_unset_and_told_once() {
    let settings = merged(
        r#"{"sessionDir": 7, "subagentSessionDir": [], "treeFilterMode": "Everything",
            "branchSummary": 5, "compaction": {"enabled": "yes", "reserveTokens": -1},
            "images": {"blockImages": 0}}"#,
        r#"{"compaction": {"keepRecentTokens": 1.5}}"#,
    );
    assert_eq!(settings.session_dir(), None);
    assert_eq!(settings.tree_filter_mode(), TreeFilterMode::Default);
    assert_eq!(settings.branch_summary(), BranchSummarySettings::default());
    assert_eq!(settings.compaction(), CompactionSettings::default());
    let rows: Vec<_> = settings
        .problems()
        .iter()
        .map(|problem| (problem.scope, problem.key.as_deref().unwrap(), problem.what.as_str()))
        .collect();
    let global = SettingsScope::Global;
    assert_eq!(
        rows,
        [
            (global, "sessionDir", "expected a string, found 7"),
            (
                global,
                "treeFilterMode",
                "`Everything` is none of default, no-tools, user-only, labeled-only, all"
            ),
            (global, "branchSummary", "expected an object, found 5"),
            (global, "compaction.enabled", "expected true or false, found a string"),
            (global, "compaction.reserveTokens", "expected a whole number of tokens, found -1"),
            (
                SettingsScope::Project,
                "compaction.keepRecentTokens",
                "expected a whole number of tokens, found 1.5"
            ),
            (global, "images.blockImages", "expected true or false, found 0"),
            (global, "subagentSessionDir", "expected a string, found an array"),
        ]
    );
}

#[test]
fn a_wrong_value_of_the_project_is_the_projects_fault() {
    let settings =
        merged(r#"{"sessionDir": "g", "images": {}}"#, r#"{"sessionDir": false, "images": 1}"#);
    assert_eq!(settings.session_dir(), None);
    assert_eq!(settings.global_session_dir(), Some("g"));
    let scopes: Vec<_> = settings.problems().iter().map(|problem| problem.scope).collect();
    assert_eq!(scopes, [SettingsScope::Project, SettingsScope::Project]);
}

/// What `JSON.parse` refuses, and where it is.
#[test]
fn a_file_that_is_not_strict_json_is_unset_and_told_with_its_place() {
    for (text, line, column) in [
        ("", 1, 0),
        ("{\"sessionDir\": \"a\",}", 1, 20),
        ("{\n  // why\n  \"sessionDir\": \"a\"\n}", 2, 3),
        ("{\"sessionDir\": 'a'}", 1, 16),
        ("{\"sessionDir\": \"a\"} x", 1, 21),
        ("{\"sessionDir\": \"a\"", 1, 18),
        ("\u{feff}{\"sessionDir\": \"a\"}", 1, 1),
        ("{\"sessionDir\": NaN}", 1, 16),
    ] {
        let settings = merged(text, "{}");
        assert_eq!(settings.session_dir(), None, "{text:?}");
        let [problem] = settings.problems() else { panic!("{text:?}: {:?}", settings.problems()) };
        assert_eq!(problem.place, Some(SettingsPlace { line, column }), "{text:?}: {problem}");
        assert!(problem.what.starts_with("not JSON: "), "{problem}");
        assert!(!problem.what.contains(" column "), "the place stands twice: {problem}");
    }
}

#[test]
fn one_bad_file_leaves_the_other_in_force() {
    let settings = merged(r#"{"sessionDir": "g"}"#, "{");
    assert_eq!(settings.session_dir(), Some("g"));
    assert_eq!(
        told(&settings),
        [
            "project settings `/project/settings.json` at line 1, column 1: not JSON: EOF while parsing an object; \
          the whole file counts as unset, correct it in the file"
        ]
    );
}

#[test]
fn json_that_is_no_object_is_unset_and_told() {
    for (text, what) in [
        ("[]", "expected an object, found an array"),
        ("null", "expected an object, found null"),
        ("\"sessionDir\"", "expected an object, found a string"),
    ] {
        let settings = merged(text, "{}");
        assert_eq!(settings.problems()[0].what, what);
        assert_eq!(settings.problems()[0].place, None);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_unset_and_told() {
    let global = SettingsFile::unreadable(SettingsScope::Global, "/g", "permission denied");
    let settings = Settings::new(global, file(SettingsScope::Project, "{}"));
    assert_eq!(settings.problems()[0].what, "cannot be read: permission denied");
}

#[test]
fn bytes_that_are_not_utf8_are_read_as_node_reads_them() {
    let global = SettingsFile::parse(SettingsScope::Global, "/g", b"{\"sessionDir\": \"a\xff\"}");
    assert_eq!(global.problem(), None);
    let settings = Settings::new(global, file(SettingsScope::Project, "{}"));
    assert_eq!(settings.session_dir(), Some("a\u{fffd}"));
}

#[test]
fn nesting_without_end_is_an_error_and_no_crash() {
    let deep = format!("{{\"a\": {}", "[".repeat(200_000));
    let settings = merged(&deep, "{}");
    assert_eq!(settings.problems().len(), 1);
}
