//! `--session-dir-hook`: a command of the user that names the session directory (rule L20).

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// The longest first line that is taken, in bytes: more than any system allows for a path.
const LONGEST: u64 = 64 * 1024;

/// Runs the command in the working directory, with `LOGWOOD_CWD` set to it, and gives the first line of its output; none where that is
/// empty.
///
/// # Errors
/// A sentence that says why it counts as unset.
pub(crate) fn ask(command: &OsStr, cwd: &Path) -> Result<Option<OsString>, String> {
    let shown = command.to_string_lossy();
    let failed =
        |why: String| format!("the session directory hook `{shown}` {why}; it counts as unset");
    let mut command = shell(command);
    command.current_dir(cwd).env("LOGWOOD_CWD", cwd).stdin(Stdio::null()).stdout(Stdio::piped());
    let (line, status) = first_line(&mut command)
        .map_err(|error| failed(format!("cannot be run in `{}`: {error}", cwd.display())))?;
    if !status.success() {
        return Err(failed(format!("failed ({status})")));
    }
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Ok((!line.is_empty()).then(|| text(line)))
}

/// Keeps the first line; what follows is read to its end and dropped, since a command that cannot write on would fail.
fn first_line(command: &mut Command) -> io::Result<(Vec<u8>, ExitStatus)> {
    let mut child = command.spawn()?;
    let mut line = Vec::new();
    if let Some(output) = child.stdout.take() {
        let mut output = BufReader::new(output);
        output.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        io::copy(&mut output, &mut io::sink())?;
    }
    Ok((line, child.wait()?))
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
