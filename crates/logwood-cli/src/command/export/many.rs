//! Every session that a query means, into a folder.

use std::path::Path;

use logwood_render::export::Exported;
use logwood_render::redact::Redactor;

use super::run::{ExportArgs, extension, json, one, say_redacted};
use super::target::default_name;
use crate::app::App;
use crate::error::{CommandError, Failure, Result};
use crate::exit::Exit;
use crate::meant;
use crate::output::{Line, Object};

/// Exports them one after the other; one that fails does not keep the others.
pub(super) fn run(args: &ExportArgs, redactor: Option<&Redactor>, app: &mut App) -> Result<Exit> {
    let query = args.where_.as_deref().unwrap_or_default();
    let folder = args.output.as_deref().unwrap_or(Path::new("."));
    let rows = meant::sessions(query, args.all, "after:30d", app)?;
    let mut told = Vec::new();
    let mut failed: Vec<Box<Failure>> = Vec::new();
    for row in &rows {
        let output = folder.join(default_name(&row.path, extension(args)));
        match one(args, &row.path, &output, redactor, app) {
            Ok(exported) if app.globals.json => {
                told.push(json(&row.path, &output, args, &exported).end());
            }
            Ok(exported) => print(&output, &exported, app)?,
            Err(CommandError::Failed(failure)) => {
                if app.globals.json {
                    let object = Object::new().str("sessionFile", &row.path.to_string_lossy());
                    told.push(failure.members(object));
                } else {
                    failure.as_text(&mut app.err)?;
                }
                failed.push(failure);
            }
            Err(other) => return Err(other),
        }
    }
    if app.globals.json {
        app.out.json_list(told.into_iter().map(Ok::<_, CommandError>))?;
    }
    Ok(match failed.first() {
        None => Exit::Done,
        Some(first) if failed.len() == rows.len() => Exit::of(first.kind),
        Some(_) => Exit::Problems,
    })
}

fn print(output: &Path, exported: &Exported, app: &mut App) -> Result<()> {
    app.out.line(&Line::new().plain(output.to_string_lossy()))?;
    say_redacted(exported, app)
}
