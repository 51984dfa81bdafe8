//! What must be done to the copy of a case first: copying, generated inputs, links, times, permissions.
//!
//! `run_as` and `ulimit_open_files` are about the process that is tested, so they stay with the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::case::Case;

/// Whether the setup was done.
#[derive(Debug, PartialEq)]
pub(super) enum Ready {
    Yes,
    NoPython,
}

pub(super) fn prepare(source: &Path, case: &Case) -> Result<Ready, String> {
    copy(source, case.folder()).map_err(|error| format!("{}: {error}", case.name()))?;
    for step in case.setup() {
        let ready =
            perform(step, case.folder()).map_err(|why| format!("{}: {why}", case.name()))?;
        if ready == Ready::NoPython {
            return Ok(ready);
        }
    }
    Ok(Ready::Yes)
}

fn perform(step: &Value, root: &Path) -> Result<Ready, String> {
    let text = |key: &str| step.get(key).and_then(Value::as_str);
    if text("run").is_some() {
        return generate(root);
    }
    let done = if let (Some(path), Some(to)) = (text("set_mtime"), text("to")) {
        set_mtime(&root.join(path), to)
    } else if let (Some(path), Some(to)) = (text("symlink"), text("to")) {
        link(&root.join(path), to)
    } else if let (Some(path), Some(mode)) = (text("chmod"), text("mode")) {
        permit(&root.join(path), mode)
    } else if let Some(word) = text("replace_in_files") {
        replace(root, word)
    } else {
        Ok(())
    };
    done.map(|()| Ready::Yes).map_err(|error| format!("{step}: {error}"))
}

/// Runs `make_input.py` of the copy; what it writes stays in the copy.
fn generate(root: &Path) -> Result<Ready, String> {
    let mut python = Command::new("python3");
    python.arg("make_input.py").current_dir(root).stdin(Stdio::null());
    match python.output() {
        Ok(output) if output.status.success() => Ok(Ready::Yes),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Ready::NoPython),
        Err(error) => Err(error.to_string()),
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for path in walk(from)? {
        let target = to.join(path.strip_prefix(from).unwrap_or(&path));
        if path.is_dir() {
            std::fs::create_dir_all(target)?;
        } else {
            std::fs::copy(&path, target)?;
        }
    }
    Ok(())
}

/// Every folder and file below `root`, folders before what they hold; links are not followed.
pub(super) fn walk(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.symlink_metadata()?.is_dir() {
                open.push(path.clone());
            }
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn set_mtime(path: &Path, to: &str) -> std::io::Result<()> {
    let times = std::fs::FileTimes::new().set_modified(time(to)?);
    std::fs::File::options().write(true).open(path)?.set_times(times)
}

/// A time as the cases write it: ISO, or `10 minutes ago`.
pub(super) fn time(text: &str) -> std::io::Result<SystemTime> {
    let ago = text.strip_suffix(" minutes ago").and_then(|minutes| minutes.parse::<u64>().ok());
    if let Some(minutes) = ago {
        return Ok(SystemTime::now() - Duration::from_secs(60 * minutes));
    }
    let time: jiff::Timestamp = text.parse().map_err(std::io::Error::other)?;
    SystemTime::try_from(time).map_err(std::io::Error::other)
}

#[cfg(unix)]
fn link(path: &Path, to: &str) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, path)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &str) -> std::io::Result<()> {
    Err(std::io::Error::other("links are made on Unix only"))
}

#[cfg(unix)]
fn permit(path: &Path, mode: &str) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = u32::from_str_radix(mode, 8).map_err(std::io::Error::other)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn permit(_: &Path, _: &str) -> std::io::Result<()> {
    Err(std::io::Error::other("modes are set on Unix only"))
}

/// Puts the absolute path of the `in` folder in place of `word`.
fn replace(root: &Path, word: &str) -> std::io::Result<()> {
    let inner = root.join("in");
    for path in walk(&inner)?.into_iter().filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(&path)?;
        if text.contains(word) {
            std::fs::write(&path, text.replace(word, &inner.to_string_lossy()))?;
        }
    }
    Ok(())
}
