//! The end of a session, read without the rest.

use std::ffi::OsStr;

use logwood::context::Entries as _;
use logwood::session::{Before, SessionOptions, SessionTail};

use super::transcript::{Mode, Transcript};
use crate::app::App;
use crate::error::{CommandError, Result};
use crate::output::{Line, Object, style};
use crate::words::{counted, size};

/// Shows the last entries.
pub(super) fn run(word: &OsStr, count: usize, app: &mut App) -> Result<()> {
    let path = app.find(word)?;
    let tail = SessionOptions::new().open_tail(path, count)?;
    if app.globals.json {
        return print_json(&tail, app);
    }
    if !app.globals.quiet {
        print_header(&tail, app)?;
    }
    let created = tail.header().timestamp().map(String::from);
    Transcript::new(created.as_deref(), Mode::Branch, app).print_all(&tail, tail.nodes())
}

fn print_header(tail: &SessionTail, app: &mut App) -> Result<()> {
    let shown = counted(tail.nodes().len(), "entry", "entries");
    let shown = match tail.before() {
        Before::Nothing => format!("{shown}, the whole branch"),
        Before::More => format!("{shown}, the last of the branch"),
        Before::Elsewhere(id) => {
            format!(
                "{shown}; the branch goes on far above, at {id}: `logwood show` without --tail reads it"
            )
        }
    };
    let file = tail.session_file().map(|file| file.display().to_string()).unwrap_or_default();
    let fields = [
        ("id", tail.header().id().to_owned()),
        ("cwd", tail.header().cwd().unwrap_or_default().into_owned()),
        ("file", format!("{file}, {}", size(usize::try_from(tail.size()).unwrap_or(usize::MAX)))),
        ("shown", shown),
    ];
    for (name, value) in fields {
        app.out.line(&Line::new().add(style::DIM, format!("  {name:<10}")).plain(value))?;
    }
    Ok(())
}

fn print_json(tail: &SessionTail, app: &mut App) -> Result<()> {
    let file = tail.session_file().map(|file| file.to_string_lossy());
    let (before, parent) = match tail.before() {
        Before::Nothing => ("nothing", None),
        Before::More => ("more", None),
        Before::Elsewhere(id) => ("elsewhere", Some(&**id)),
    };
    let object = Object::new()
        .str_or_null("sessionFile", file.as_deref())
        .str("sessionId", tail.header().id())
        .str("cwd", &tail.header().cwd().unwrap_or_default())
        .num("size", tail.size())
        .str_or_null("leafId", tail.leaf_id())
        .str("before", before)
        .opt_str("beforeId", parent);
    let entries = tail.nodes().iter().map(|node| {
        let text = tail.entry_text(*node)?;
        Ok::<_, CommandError>(String::from_utf8_lossy(&text).into_owned())
    });
    app.out.json_with_list(object, "entries", entries)
}
