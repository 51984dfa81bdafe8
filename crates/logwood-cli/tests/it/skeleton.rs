//! The program starts and says who it is.

use std::process::Command;

fn logwood(words: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_logwood")).args(words).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn version_and_help_are_results() {
    let version = format!("logwood {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(logwood(&["--version"]), (0, version, String::new()));
    let (code, out, err) = logwood(&[]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("Usage: logwood"));
}
