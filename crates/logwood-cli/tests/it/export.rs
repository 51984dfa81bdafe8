//! `logwood export` and `logwood scan`.

use std::path::Path;

use logwood_testkit::cases::Case;
use logwood_testkit::json::decode;
use serde_json::Value;

use crate::support::{Ran, Store, run, session};

const TIME: &str = "2026-11-01T00:00:00.000Z";

/// A secret that no scanner of this repository trips over.
fn secret() -> String {
    format!("gh{}{}", "p_", "Z".repeat(36))
}

fn export(session: &str, words: &[&str]) -> Ran {
    run(&[&["export", session], words].concat())
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_format_goes_to_the_file_that_is_named() {
    let store = Store::new();
    let file = store.file("a.jsonl", session("aaaa1111", "/p", "hello", TIME));
    for (words, name, begins) in [
        (&["--html"][..], "a.html", "<!DOCTYPE html>"),
        (&[][..], "b.html", "<!DOCTYPE html>"),
        (&["--markdown"][..], "a.md", "# hello\n"),
        (&["--jsonl"][..], "b.jsonl", "{\"type\":\"session\""),
    ] {
        let out = format!("{}/new/{name}", store.path());
        let ran = export(&file, &[words, &["-o", &out]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert_eq!(ran.out, format!("{out}\n"));
        let text = read(&out);
        assert!(text.starts_with(begins) && text.contains("hello"), "{text}");
    }
    assert_eq!(read(&file), session("aaaa1111", "/p", "hello", TIME));
}

/// Design section 2, "Privacy".
#[cfg(unix)]
#[test]
fn exports_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let store = Store::new();
    let file = store.file("a.jsonl", session("aaaa1111", "/p", "hello", TIME));
    let out = format!("{}/new/a.html", store.path());
    assert_eq!(export(&file, &["-o", &out]).code, 0);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(out.as_ref()), 0o600);
    assert_eq!(mode(Path::new(&out).parent().unwrap()), 0o700);
}

#[test]
fn nothing_is_written_over_without_force() {
    let store = Store::new();
    let file = store.file("a.jsonl", session("aaaa1111", "/p", "hello", TIME));
    let out = store.file("b.html", "precious");
    let ran = export(&file, &["-o", &out]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("there is a file already") && ran.err.contains("--force"),
        "{}",
        ran.err
    );
    assert_eq!(read(&out), "precious");
    assert_eq!(export(&file, &["-o", &out, "--force"]).code, 0);
    assert!(read(&out).starts_with("<!DOCTYPE html>"));
    // The session itself is a file that is there too.
    assert_eq!(export(&file, &["--jsonl", "-o", &file]).code, 2);
    assert_eq!(read(&file), session("aaaa1111", "/p", "hello", TIME));
}

#[test]
fn a_whole_export_is_the_file_byte_for_byte() {
    let store = Store::new();
    let text = session("aaaa1111", "/p", "hello", TIME) + "\r\n  {\"type\":\"future\" }\ntorn {";
    let file = store.file("a.jsonl", &text);
    let ran = export(&file, &["--jsonl", "--whole", "-o", "-"]);
    assert_eq!((ran.code, ran.out), (0, text));
}

#[test]
fn secrets_are_taken_out_and_told_by_kind() {
    let store = Store::new();
    let text = session("aaaa1111", "/p", &format!("use {} please", secret()), TIME);
    let file = store.file("a.jsonl", &text);
    for format in ["--html", "--markdown", "--jsonl"] {
        let ran = export(&file, &[format, "--redact", "-o", "-"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, "taken out: 1 github-token\n"));
        assert!(!ran.out.contains(&secret()) && ran.out.contains("[redacted:github-token] please"));
    }
    let out = format!("{}/b.jsonl", store.path());
    let ran = export(&file, &["--jsonl", "--whole", "--redact", "-o", &out, "--json"]);
    let told: Value = decode(&ran.out).unwrap();
    assert_eq!(told["redacted"], serde_json::json!({"github-token": 1}));
    assert_eq!(run(&["check", &out]).code, 0);
    assert_eq!(read(&file), text);
}

/// An id cannot lose its secret, so there is no export.
#[test]
fn an_export_that_still_holds_a_secret_is_not_written() {
    let store = Store::new();
    let text = session("aaaa1111", "/p", "hello", TIME).replace("a1a1a1a1", &secret());
    let file = store.file("a.jsonl", &text);
    let out = format!("{}/b.jsonl", store.path());
    let ran = export(&file, &["--jsonl", "--redact", "-o", &out]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("1 github-token") && !ran.err.contains(&secret()), "{}", ran.err);
    assert!(!Path::new(&out).exists());
    assert_eq!(std::fs::read_dir(store.path()).unwrap().count(), 1);
}

/// Issue 8: `export --where FILTER -o DIR`. One that fails does not keep the others.
#[test]
fn many_are_exported_by_a_query() {
    let store = Store::new();
    for (id, text) in
        [("aaaa1111", "about tides"), ("bbbb1111", "about tides too"), ("cccc1111", "no")]
    {
        store.file(&format!("agent/sessions/--p--/{id}.jsonl"), session(id, "/p", text, TIME));
    }
    let (agent, out) = (format!("{}/agent", store.path()), format!("{}/out", store.path()));
    let words =
        ["--agent-dir", &agent, "export", "--all", "--where", "tides", "--markdown", "-o", &out];
    let ran = run(&words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let mut names: Vec<_> = ran.out.lines().collect();
    names.sort_unstable();
    assert_eq!(names, [format!("{out}/aaaa1111.md"), format!("{out}/bbbb1111.md")]);
    std::fs::remove_file(format!("{out}/aaaa1111.md")).unwrap();
    let ran = run(&words);
    assert_eq!((ran.code, ran.out), (1, format!("{out}/aaaa1111.md\n")));
    assert!(ran.err.contains("bbbb1111.md`: there is a file already"), "{}", ran.err);
    let none = run(&["--agent-dir", &agent, "export", "--all", "--where", "nothing", "-o", &out]);
    assert_eq!(none.code, 3);
    assert_eq!(run(&["--agent-dir", &agent, "export", "--where", "", "-o", &out]).code, 2);
    assert_eq!(run(&["export", "--where", "tides"]).code, 2);
}

#[test]
fn own_patterns_are_taken_out_too() {
    let store = Store::new();
    let file = store.file("a.jsonl", session("aaaa1111", "/p", "badge BADGE-1234", TIME));
    let patterns = store.file("own.txt", "# of the house\nbadge: BADGE-[0-9]+\n");
    let ran = export(&file, &["--markdown", "--redact-patterns", &patterns, "-o", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("badge [redacted:badge]"));
    let wrong = store.file("wrong.txt", "badge: (\n");
    let ran = export(&file, &["--redact-patterns", &wrong, "-o", "-"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("line 1"), "{}", ran.err);
}

#[test]
fn scan_shows_where_secrets_are_and_never_what() {
    let store = Store::new();
    let text = session("aaaa1111", "/home/mira/p", &format!("use {}", secret()), TIME);
    let file = store.file("a.jsonl", text);
    let ran = run(&["scan", &file]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.out,
        format!("{file}:2: a1a1a1a1  github-token  ghp_…(40)\n(1 secret in 1 of 1 session)\n")
    );
    let ran = run(&["scan", "--json", "--personal", &file]);
    let hits: Value = decode(&ran.out).unwrap();
    assert_eq!(hits[0]["kind"], "home");
    assert_eq!(hits[1]["member"], "content");
    assert!(!ran.out.contains(&secret()) && !ran.out.contains("mira"));
    let clean = store.file("b.jsonl", session("bbbb1111", "/p", "hello", TIME));
    assert_eq!(run(&["scan", &clean]).code, 0);
}

/// Case 10: half a character is shown as one that stands for it.
#[test]
fn case_10_half_a_character_is_replaced_in_text() {
    let case = Case::load("10").unwrap();
    let ran = export(case.input(0).to_str().unwrap(), &["--markdown", "-o", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for text in case.fact("/export/must_contain").as_array().unwrap() {
        assert!(ran.out.contains(text.as_str().unwrap()), "{}", ran.out);
    }
}

/// Case 76: exports are the owner's, whatever the umask.
#[cfg(unix)]
#[test]
fn case_76_exports_are_private_under_an_open_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    let case = Case::load("76").unwrap();
    let out = case.path("in/out/x.html");
    let words = format!(
        "umask 000; exec '{}' export '{}' -o '{}'",
        env!("CARGO_BIN_EXE_logwood"),
        case.input(0).display(),
        out.display()
    );
    assert!(std::process::Command::new("sh").args(["-c", &words]).status().unwrap().success());
    let mode = |path: &Path| {
        let mode = std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        serde_json::json!(format!("{mode:04o}"))
    };
    assert_eq!(mode(&out), case.fact("/modes")["files"]);
    assert_eq!(mode(out.parent().unwrap()), case.fact("/modes")["dirs"]);
}

/// Case 74: text of the session that tries to be markup is text in the page.
#[test]
fn case_74_hostile_content_is_text() {
    let case = Case::load("74").unwrap();
    let before = case.snapshot().unwrap();
    let ran = export(case.input(0).to_str().unwrap(), &["-o", "-"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let page = ran.out;
    let html = case.fact("/html");
    assert_eq!(
        page.matches("<script").count() as u64,
        1 + html["script_elements_from_session"].as_u64().unwrap()
    );
    // Every tag of the page is one that the page is made of, and has no attribute that runs.
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        assert!(!tag.contains(" on") || tag.starts_with("script"), "{tag}");
        if let Some(href) = tag.split("href=\"").nth(1) {
            let allowed = html["href_schemes_allowed"].as_array().unwrap();
            assert!(
                allowed.iter().any(|scheme| href.starts_with(scheme.as_str().unwrap())),
                "{tag}"
            );
        }
    }
    for text in html["must_show_text"].as_array().unwrap() {
        let text = text.as_str().unwrap();
        let escaped = text.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        assert!(page.contains(&escaped), "{escaped}");
    }
    assert!(!page.contains(['\x1b', '\x07', '\x01']));
    assert!(page.contains("Content-Security-Policy"));
    assert_eq!(case.snapshot().unwrap(), before);
}

/// Case 75: a chain of 20,000 entries.
#[test]
fn case_75_a_deep_session_is_exported() {
    let Some(case) = Case::generated("75").unwrap() else { return };
    let file = case.input(0).to_str().unwrap().to_owned();
    let ran = export(&file, &["-o", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let count = case.fact("/tree/node_count").as_u64().unwrap() as usize;
    assert_eq!(ran.out.matches("<article ").count(), count);
    assert_eq!(ran.out.matches("role=\"treeitem\"").count(), count);
}

/// Case 77: none of the secrets is in any export.
#[test]
fn case_77_no_secret_is_in_any_export() {
    let Some(case) = Case::generated("77").unwrap() else { return };
    let before = case.snapshot().unwrap();
    let secrets = decode(&read(case.path("secrets.json").to_str().unwrap())).unwrap();
    let secrets: Vec<_> =
        secrets.as_array().unwrap().iter().map(|secret| secret.as_str().unwrap()).collect();
    let file = case.path(case.body()["steps"][0]["path"].as_str().unwrap());
    for words in [
        &["--html"][..],
        &["--markdown"],
        &["--jsonl"],
        &["--jsonl", "--whole"],
        &["--jsonl", "--rechain"],
    ] {
        let ran = export(file.to_str().unwrap(), &[words, &["--redact", "-o", "-"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        for secret in secrets.iter().copied() {
            assert!(!ran.out.contains(secret), "{words:?} has {secret}");
            let escaped = serde_json::to_string(secret).unwrap();
            assert!(!ran.out.contains(escaped.trim_matches('"')), "{words:?} has {secret}");
        }
        for text in case.fact("/must_contain").as_array().unwrap() {
            assert!(ran.out.contains(text.as_str().unwrap()), "{words:?} lost {text}");
        }
        let taken: u64 = ran.err.split(' ').filter_map(|word| word.parse::<u64>().ok()).sum();
        assert!(taken >= case.fact("/redactions_at_least").as_u64().unwrap(), "{}", ran.err);
    }
    assert_eq!(case.snapshot().unwrap(), before);
}

/// Exporting never changes its source, whatever name leads to it and `--force` or not.
#[test]
fn a_session_is_not_written_over_by_its_export() {
    let store = Store::new();
    let text = session("aaaa1111", "/p", "hello", TIME);
    let file = store.file("a.jsonl", text.clone());
    let mut names = vec![file.clone(), format!("{}/./a.jsonl", store.path())];
    #[cfg(unix)]
    for (name, hard) in [("soft", false), ("hard", true)] {
        let link = format!("{}/{name}", store.path());
        match hard {
            true => std::fs::hard_link(&file, &link).unwrap(),
            false => std::os::unix::fs::symlink(&file, &link).unwrap(),
        }
        names.push(link);
    }
    for name in names {
        for format in ["--html", "--jsonl", "--markdown"] {
            let ran = export(&file, &[format, "--redact", "--force", "-o", &name]);
            assert_eq!(ran.code, 2, "{name}: {}", ran.err);
            assert!(ran.err.contains("it is the session that is exported"), "{}", ran.err);
            assert_eq!(read(&file), text, "{name}");
        }
    }
}

/// A secret may be the name of an entry or of a member.
#[test]
fn scan_shows_no_secret_that_is_a_name() {
    let store = Store::new();
    let secret = secret();
    let line = format!(
        r#"{{"type":"custom","id":"{secret}","parentId":null,"timestamp":"{TIME}","customType":"x","data":{{"{secret}":1}}}}"#
    );
    let file = store.file("a.jsonl", session("aaaa1111", "/p", "hello", TIME) + &line + "\n");
    for words in [&["scan", file.as_str()][..], &["scan", &file, "--json"]] {
        let ran = run(words);
        assert_eq!(ran.code, 1);
        assert!(ran.out.contains("github-token"), "{}", ran.out);
        assert!(!ran.out.contains(&secret) && !ran.err.contains(&secret), "{}", ran.out);
    }
}
