//! Runs a case and says what differs.

use std::fmt;

use serde_json::Value;

use super::case::{Case, Kind};
use super::transport::{Launch, Transport};
use super::{session, store};
use crate::json;

/// Something a case expects and did not get.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The step, from 0; none where the case as a whole failed.
    pub step: Option<usize>,
    /// The command of the step, `bytes` for a file that changed, `run` where no answer came.
    pub command: String,
    /// What the case expects.
    pub want: Value,
    /// What came, with generated values as words.
    pub got: Value,
}

impl Difference {
    pub(super) fn at(step: usize, command: &str, want: &Value, got: Value) -> Self {
        Self { step: Some(step), command: command.to_owned(), want: want.clone(), got }
    }

    pub(super) fn whole(command: &str, want: &str, got: String) -> Self {
        Self { step: None, command: command.to_owned(), want: want.into(), got: got.into() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = self.step.map_or_else(|| "-".to_owned(), |step| step.to_string());
        let (want, got) = (json::encode(&self.want), json::encode(&self.got));
        write!(f, "step {step} {}\n  want {want:.1500}\n  got  {got:.1500}", self.command)
    }
}

/// Asks a case of the transport that `start` makes, on a thread with a big stack (trees nest as deep as sessions).
/// Nothing that differs means that the case passes.
pub fn run<T: Transport>(
    case: &Case,
    start: impl FnOnce(&Launch) -> Result<T, String> + Send,
) -> Vec<Difference> {
    let ran = json::on_big_stack(|| match case.kind {
        Kind::Session => session::run(case, start),
        Kind::Store => store::run(case, start),
    });
    ran.unwrap_or_else(|error| vec![Difference::whole("run", "a thread", error.to_string())])
}

/// What a response says: its data (an empty object where there is none), or the response itself as an error.
pub(super) fn data(response: Value) -> Result<Value, Value> {
    let fine = response.get("success").is_some_and(|success| success == &Value::Bool(true));
    if !fine {
        return Err(response);
    }
    let data = response.get("data").filter(|data| !data.is_null()).cloned();
    Ok(data.unwrap_or_else(|| Value::Object(serde_json::Map::new())))
}

/// A temporary folder with its real path.
pub(super) fn temporary() -> Result<(tempfile::TempDir, std::path::PathBuf), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let root = dir.path().canonicalize().map_err(|error| error.to_string())?;
    Ok((dir, root))
}
