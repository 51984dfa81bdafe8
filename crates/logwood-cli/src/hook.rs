//! `--session-dir-hook`: a command of the user that names the session directory (rule L20).

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the command in the working directory, with `LOGWOOD_CWD` set to it, and gives the first line of its output; none where that is
/// empty.
///
/// # Errors
/// A sentence that says why it counts as unset.
pub(crate) fn ask(command: &OsStr, cwd: &Path) -> Result<Option<OsString>, String> {
    let shown = command.to_string_lossy();
    let failed =
        |why: String| format!("the session directory hook `{shown}` {why}; it counts as unset");
    let output = shell(command)
        .current_dir(cwd)
        .env("LOGWOOD_CWD", cwd)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(format!("cannot be run in `{}`: {error}", cwd.display())))?;
    if !output.status.success() {
        return Err(failed(format!("failed ({})", output.status)));
    }
    let line = output.stdout.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Ok((!line.is_empty()).then(|| text(line)))
}

#[cfg(unix)]
fn shell(command: &OsStr) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    shell
}

#[cfg(not(unix))]
fn shell(command: &OsStr) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C").arg(command);
    shell
}

#[cfg(unix)]
fn text(line: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(line.to_vec())
}

#[cfg(not(unix))]
fn text(line: &[u8]) -> OsString {
    String::from_utf8_lossy(line).into_owned().into()
}
