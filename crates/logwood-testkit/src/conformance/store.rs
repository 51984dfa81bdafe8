//! Cases of an agent directory.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::case::{Case, text};
use super::compare::{same, same_data};
use super::step::{Difference, data, temporary};
use super::transport::{Launch, Transport};
use crate::json::to_bytes;

/// The time of a file that the case gives none, in milliseconds.
const TIME: u64 = 1_748_001_000_000;

/// The keys of a row that count.
const ROW: [&str; 10] = [
    "path",
    "id",
    "cwd",
    "name",
    "parentSessionPath",
    "created",
    "modified",
    "messageCount",
    "firstMessage",
    "allMessagesText",
];

pub(super) fn run<T: Transport>(
    case: &Case,
    start: impl FnOnce(&Launch) -> Result<T, String>,
) -> Vec<Difference> {
    let mut found = Vec::new();
    if let Err(why) = attempt(case, start, &mut found) {
        found.push(Difference::whole("run", "answers", why));
    }
    found
}

fn attempt<T: Transport>(
    case: &Case,
    start: impl FnOnce(&Launch) -> Result<T, String>,
    found: &mut Vec<Difference>,
) -> Result<(), String> {
    let (_dir, root) = temporary()?;
    let files = case.body.get("files").and_then(Value::as_object);
    for (path, content) in files.into_iter().flatten() {
        let ms = case.body.get("mtimes").and_then(|times| times.get(path)).and_then(Value::as_u64);
        write(&root.join(path), content.as_str().unwrap_or_default(), ms.unwrap_or(TIME))
            .map_err(|error| format!("{path}: {error}"))?;
    }
    let mut rpc = start(&Launch { agent_dir: root.clone() })?;
    for (at, step) in case.steps().iter().enumerate() {
        let answer = data(rpc.call(command(step, &root))?).map(|data| relative(data, &root));
        found.extend(judge(at, step, answer));
    }
    Ok(())
}

fn write(path: &Path, content: &str, ms: u64) -> std::io::Result<()> {
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    std::fs::write(path, to_bytes(content))?;
    let time = UNIX_EPOCH + Duration::from_millis(ms);
    let times = std::fs::FileTimes::new().set_accessed(time).set_modified(time);
    File::options().write(true).open(path)?.set_times(times)
}

fn command(step: &Value, root: &Path) -> Value {
    let mut command = step.clone();
    if let Some(map) = command.as_object_mut() {
        map.remove("expect");
        if let Some(Value::String(dir)) = map.get_mut("dir") {
            *dir = root.join(&dir).to_string_lossy().into_owned();
        }
    }
    command
}

/// The rows with paths relative to the agent directory.
fn relative(mut data: Value, root: &Path) -> Value {
    let rows = data.get_mut("sessions").and_then(Value::as_array_mut);
    for row in rows.into_iter().flatten() {
        if let Some(Value::String(path)) = row.get_mut("path") {
            let inner = Path::new(path.as_str()).strip_prefix(root).ok();
            if let Some(inner) = inner.map(|inner| inner.to_string_lossy().into_owned()) {
                *path = inner;
            }
        }
    }
    data
}

fn judge(at: usize, step: &Value, answer: Result<Value, Value>) -> Option<Difference> {
    let want = step.get("expect").unwrap_or(&Value::Null);
    let kind = text(step, "type");
    let got = match answer {
        Ok(got) => got,
        Err(error) => {
            let why = error.get("error").cloned().unwrap_or_default();
            return Some(Difference::at(at, kind, want, why));
        }
    };
    let Some(wanted) = want.get("sessions") else {
        return (!same_data(want, &got)).then(|| Difference::at(at, kind, want, got));
    };
    let mut wanted = rows(Some(wanted), |_| true);
    let mut came = rows(got.get("sessions"), |key| ROW.contains(&key));
    if came.iter().any(|row| !row.contains_key("allMessagesText")) {
        for row in wanted.iter_mut().chain(&mut came) {
            row.remove("allMessagesText");
        }
    }
    let (wanted, came) = (values(wanted), values(came));
    (!same(&wanted, &came)).then(|| Difference::at(at, kind, &wanted, came))
}

/// The rows with the keys that count and have a value.
fn rows(sessions: Option<&Value>, keep: impl Fn(&str) -> bool) -> Vec<Map<String, Value>> {
    let rows = sessions.and_then(Value::as_array).into_iter().flatten();
    rows.filter_map(Value::as_object)
        .map(|row| {
            let kept = row.iter().filter(|(key, value)| keep(key) && !value.is_null());
            kept.map(|(key, value)| (key.clone(), value.clone())).collect()
        })
        .collect()
}

fn values(rows: Vec<Map<String, Value>>) -> Value {
    rows.into_iter().map(Value::Object).collect()
}
