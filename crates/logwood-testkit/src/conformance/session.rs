//! Cases of one session file.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::case::{Case, text};
use super::compare::same_data;
use super::normal::Words;
use super::step::{Difference, data, temporary};
use super::transport::{Launch, Transport};
use crate::json::{encode, to_bytes};

/// Keys of a step that are not for the command.
const OURS: [&str; 5] = ["expect", "expectError", "errorKind", "referenceDiffers", "norun"];

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
    let sessions = root.join("case/sessions");
    std::fs::create_dir_all(&sessions).map_err(|error| error.to_string())?;
    let input = sessions.join("input.jsonl");
    let before = case.body.get("input").and_then(Value::as_str).map(to_bytes);
    if let Some(before) = &before {
        std::fs::write(&input, before).map_err(|error| error.to_string())?;
    }
    let rpc = start(&Launch { agent_dir: root.join("agent") })?;
    let words = words(case, &root, &sessions, &input);
    let mut run = Run { rpc, words, sessions, input, results: Vec::new() };
    for (at, step) in case.steps().iter().enumerate() {
        found.extend(run.step(at, step)?);
    }
    drop(run.rpc);
    let refused = case.steps().iter().all(refuses);
    if refused && before.is_some() && before != std::fs::read(&run.input).ok() {
        found.push(Difference::whole("bytes", "the file unchanged", "changed".into()));
    }
    Ok(())
}

fn words(case: &Case, root: &Path, sessions: &Path, input: &Path) -> Words {
    let commands: Vec<Value> = case.steps().iter().map(without_answers).collect();
    let given = text(&case.body, "input").to_owned() + &encode(&commands.into());
    let mut words = Words::new(root, given);
    words.learn(input.to_string_lossy(), "@input");
    words.learn(sessions.to_string_lossy(), "@dir");
    if let Ok(cwd) = std::env::current_dir() {
        words.learn(cwd.to_string_lossy(), "@cwd");
    }
    words
}

fn without_answers(step: &Value) -> Value {
    let mut step = step.clone();
    if let Some(map) = step.as_object_mut() {
        map.retain(|key, _| key != "expect" && key != "errorKind");
    }
    step
}

fn refuses(step: &Value) -> bool {
    step.get("expectError").is_some_and(|error| error == &Value::Bool(true))
}

struct Run<T> {
    rpc: T,
    words: Words,
    sessions: PathBuf,
    input: PathBuf,
    results: Vec<Value>,
}

impl<T: Transport> Run<T> {
    fn step(&mut self, at: usize, step: &Value) -> Result<Option<Difference>, String> {
        let command = self.command(step)?;
        let kind = text(&command, "type").to_owned();
        let answer = match kind.as_str() {
            "read_file" => Ok(self.read_file(&command)?),
            "file_exists" => Ok(json!({"exists": self.path(&command)?.exists()})),
            _ => self.ask(at, &kind, command)?,
        };
        self.results.resize(self.results.len().max(at + 1), Value::Null);
        Ok(judge(at, &kind, step, answer))
    }

    /// The request of a step: names of files and earlier results filled in, the session directory of the case added.
    fn command(&self, step: &Value) -> Result<Value, String> {
        let mut command = step.clone();
        if let Some(map) = command.as_object_mut() {
            map.retain(|key, _| !OURS.contains(&key.as_str()));
        }
        let mut command = self.fill(&command)?;
        let kind = text(&command, "type").to_owned();
        if let Some(map) = command.as_object_mut() {
            let needs_dir = ["create", "continue_recent", "fork_from"].contains(&kind.as_str());
            if needs_dir && !map.contains_key("sessionDir") {
                map.insert("sessionDir".into(), self.sessions.to_string_lossy().into());
            }
        }
        Ok(command)
    }

    fn fill(&self, value: &Value) -> Result<Value, String> {
        Ok(match value {
            Value::String(text) => self.fill_text(text)?,
            Value::Array(items) => {
                items.iter().map(|item| self.fill(item)).collect::<Result<_, _>>()?
            }
            Value::Object(map) => {
                let mut filled = Map::new();
                for (key, value) in map {
                    filled.insert(key.clone(), self.fill(value)?);
                }
                Value::Object(filled)
            }
            other => other.clone(),
        })
    }

    fn fill_text(&self, text: &str) -> Result<Value, String> {
        let number = text.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok());
        match (text, number) {
            ("@input", _) => Ok(self.input.to_string_lossy().into()),
            ("@dir", _) => Ok(self.sessions.to_string_lossy().into()),
            (_, Some(number)) => {
                self.results.get(number).cloned().ok_or(format!("step {number} gave no result yet"))
            }
            _ => Ok(text.into()),
        }
    }

    /// Asks; the data with generated values as words, or the whole response where it is an error.
    fn ask(
        &mut self,
        at: usize,
        kind: &str,
        command: Value,
    ) -> Result<Result<Value, Value>, String> {
        let mut request = command;
        if kind == "get_tree_ids" {
            request.as_object_mut().map(|map| map.insert("type".into(), "get_tree".into()));
        }
        let answer = data(self.rpc.call(request)?);
        let result = answer.as_ref().ok().and_then(result_of).unwrap_or(Value::Null);
        self.results.resize(at, Value::Null);
        self.results.push(result);
        Ok(match answer {
            Ok(data) => Ok(self.words.normal(&reduced(kind, data)?)),
            Err(error) => Err(error),
        })
    }

    fn path(&mut self, command: &Value) -> Result<PathBuf, String> {
        if let Some(path) = command.get("path").and_then(Value::as_str) {
            return Ok(path.into());
        }
        let response = self.rpc.call(json!({"type": "get_session_file"}))?;
        let path = response.pointer("/data/sessionFile").and_then(Value::as_str);
        path.map(PathBuf::from).ok_or(format!("get_session_file gave no file: {response}"))
    }

    fn read_file(&mut self, command: &Value) -> Result<Value, String> {
        let path = self.path(command)?;
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        let lines: Vec<String> =
            text.split('\n').map(|line| self.words.normal_line(line)).collect();
        Ok(json!({ "lines": lines }))
    }
}

/// What later steps name as `$N`: the entry or the session file that a step made.
fn result_of(data: &Value) -> Option<Value> {
    let made =
        |key| data.get(key).filter(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    made("entryId").or(made("sessionFile")).cloned()
}

/// Answers in which a case looks at ids only.
fn reduced(kind: &str, data: Value) -> Result<Value, String> {
    match kind {
        "get_tree_ids" => Ok(json!({"roots": ids_of_nodes(data.get("roots"))?})),
        "get_children" => Ok(json!({"entries": ids_of(data.get("entries"))?})),
        "get_branch" if data.get("ids").is_some() => Ok(json!({"ids": data.get("ids")})),
        "get_branch" => Ok(json!({"ids": ids_of(data.get("entries"))?})),
        _ => Ok(data),
    }
}

fn ids_of(entries: Option<&Value>) -> Result<Vec<Value>, String> {
    let entries = entries.and_then(Value::as_array).ok_or("the answer has no `entries`")?;
    entries
        .iter()
        .map(|entry| if entry.is_string() { Ok(entry.clone()) } else { id(entry) })
        .collect()
}

fn id(entry: &Value) -> Result<Value, String> {
    entry.get("id").cloned().ok_or(format!("no `id` in {entry}"))
}

fn ids_of_nodes(nodes: Option<&Value>) -> Result<Value, String> {
    let nodes = nodes.and_then(Value::as_array).ok_or("a tree without `roots` or `children`")?;
    let mut out = Vec::new();
    for node in nodes {
        let mut reduced = Map::new();
        reduced.insert("id".into(), id(node)?);
        if let Some(label) = node.get("label").filter(|label| !label.is_null()) {
            reduced.insert("label".into(), label.clone());
        }
        reduced.insert("children".into(), ids_of_nodes(node.get("children"))?);
        out.push(Value::Object(reduced));
    }
    Ok(out.into())
}

fn judge(at: usize, kind: &str, step: &Value, answer: Result<Value, Value>) -> Option<Difference> {
    if refuses(step) {
        let wanted = step.get("errorKind");
        return match answer {
            Err(error) if wanted.is_none_or(|kind| error.get("errorKind") == Some(kind)) => None,
            Err(error) => {
                let got = error.get("errorKind").cloned().unwrap_or_default();
                Some(Difference::at(at, kind, wanted.unwrap_or(&Value::Null), got))
            }
            Ok(got) => Some(Difference::at(at, kind, wanted.unwrap_or(&json!("an error")), got)),
        };
    }
    let want = step.get("expect").unwrap_or(&Value::Null);
    match answer {
        Ok(got) if same_data(want, &got) => None,
        Ok(got) => Some(Difference::at(at, kind, want, got)),
        Err(error) => {
            Some(Difference::at(at, kind, want, error.get("error").cloned().unwrap_or_default()))
        }
    }
}
