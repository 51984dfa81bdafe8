//! The models and their figures.

use std::path::Path;

use logwood::error::ErrorKind;
use logwood::json::{JsonWriter, iso_from_ms};
use logwood::performance::{ModelPerformance, Performance};
use logwood_catalog::filter::Surroundings;
use logwood_rpc::write_performance_members;

use super::logs::{StoreLog, all};
use super::table::{Row, lines};
use crate::app::App;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::now::now_ms;
use crate::output::Line;
use crate::stores::Stores;
use crate::words::counted;

/// Lines that are no records are named up to this many, without `--verbose`.
const NAMED: usize = 3;

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Only models whose `provider/model` has WORD in it, in any case (can be repeated)
    #[arg(short, long, value_name = "WORD")]
    model: Vec<String>,

    /// Only answers since DATE: 2026-01-31, today, or 2h, 7d, 3w ago
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
}

/// A log and what it says.
struct Said {
    of: StoreLog,
    performance: Performance,
}

pub(super) fn run(args: &ShowArgs, app: &mut App) -> Result<Exit> {
    let since = args.since.as_deref().map(|text| time(text, app)).transpose()?;
    let stores = Stores::new(&app.globals);
    let words: Vec<String> = args.model.iter().map(|word| word.to_lowercase()).collect();
    let mut said = Vec::new();
    for of in all(&stores)? {
        let performance = of.log.read_where(|record| {
            let wanted = since.is_none_or(|since| record.time_ms >= since);
            wanted && fits(&words, &record.provider(), &record.model_id())
        })?;
        said.push(Said { of, performance });
    }
    if app.globals.json {
        app.out.json(&json(&said))?;
        return Ok(Exit::Done);
    }
    let filtered = since.is_some() || !words.is_empty();
    print(&said, filtered, &stores, app)?;
    app.out.finish()?;
    for said in &said {
        app.warn(unusable(said, app.globals.verbose))?;
    }
    Ok(Exit::Done)
}

fn time(text: &str, app: &App) -> Result<i64> {
    let surroundings = Surroundings { now_ms: now_ms(), zone: app.clock.zone(), home: None };
    surroundings.time_of(text).ok_or_else(|| {
        let message = format!("`{text}` is no date");
        CommandError::new(ErrorKind::InvalidArgument, message)
            .hint("write 2026-01-31, today, yesterday, or how long ago: 2h, 7d, 3w")
    })
}

fn fits(words: &[String], provider: &str, model: &str) -> bool {
    let name = || format!("{provider}/{model}").to_lowercase();
    words.is_empty() || words.iter().any(|word| name().contains(word))
}

fn print(said: &[Said], filtered: bool, stores: &Stores, app: &mut App) -> Result<()> {
    let rows: Vec<_> = said.iter().flat_map(rows).collect();
    if rows.is_empty() {
        return nothing(said, filtered, stores, app);
    }
    let stores = said.iter().filter(|said| !said.performance.models().is_empty()).count();
    for line in lines(&rows, stores > 1, now_ms(), app.row_columns().0) {
        app.out.line(&line)?;
    }
    if !app.globals.quiet {
        app.out.gap()?;
        let text = "Tokens a second: median and average of the latest 100 answers of each model, and how the latest 10 compare with those before.";
        app.out.paragraph(Line::new(), text, 0)?;
    }
    Ok(())
}

fn rows(said: &Said) -> impl Iterator<Item = Row<'_>> {
    let row = |model| Row::of(&said.of.store, model);
    said.performance.models().iter().map(row)
}

/// Why there is nothing, and what would make it something.
fn nothing(said: &[Said], filtered: bool, stores: &Stores, app: &mut App) -> Result<()> {
    if app.globals.quiet {
        return Ok(());
    }
    let text = if filtered && said.iter().any(|said| said.of.exists) {
        "no record fits; `logwood perf` without filters shows every model".to_owned()
    } else {
        let places: Vec<_> = said
            .iter()
            .map(|said| stores.shorten(said.of.log.path()).to_string_lossy().into_owned())
            .collect();
        let place = match places.as_slice() {
            [] => "no store was found".to_owned(),
            places => format!("no answer was recorded yet in {}", places.join(", ")),
        };
        format!(
            "{place}; dreb records every answer there, and so can whoever sends `record_performance` to `logwood rpc`"
        )
    };
    app.out.paragraph(Line::new(), &text, 0)?;
    Ok(())
}

/// The lines that are no records, in one sentence.
fn unusable(said: &Said, every: bool) -> Option<String> {
    let lines = said.performance.unusable();
    let first = lines.iter().take(if every { usize::MAX } else { NAMED });
    let named: Vec<_> =
        first.map(|line| format!("line {}: {}", line.position.line, line.why)).collect();
    let rest = lines.len() - named.len();
    let more = if rest > 0 { format!("; and {rest} more") } else { String::new() };
    (!lines.is_empty()).then(|| {
        let count = counted(lines.len(), "line is no record", "lines are no records");
        format!("{}: {count} ({}{more})", said.of.log.path().display(), named.join("; "))
    })
}

fn json(said: &[Said]) -> String {
    let mut out = Vec::new();
    let mut json = JsonWriter::new(&mut out);
    json.begin_object().key("models").begin_array();
    for said in said {
        for model in said.performance.models() {
            write_model(&mut json, &said.of.store, model);
        }
    }
    json.end_array().key("logs").begin_array();
    for said in said {
        write_log(&mut json, said);
    }
    json.end_array().end_object();
    String::from_utf8_lossy(&out).into_owned()
}

fn write_model(json: &mut JsonWriter<'_>, store: &str, model: &ModelPerformance) {
    json.begin_object().key("store").str(store);
    write_performance_members(json, model);
    let time = |sample: Option<&logwood::performance::Sample>| {
        sample.and_then(|sample| iso_from_ms(sample.time_ms)).unwrap_or_default()
    };
    json.key("records").u64(model.samples().len() as u64);
    json.key("first").str(&time(model.samples().last()));
    json.key("last").str(&time(model.samples().first())).end_object();
}

fn write_log(json: &mut JsonWriter<'_>, said: &Said) {
    json.begin_object().key("store").str(&said.of.store);
    json.key("path").str(&path_text(said.of.log.path())).key("exists").bool(said.of.exists);
    json.key("records").u64(said.performance.usable()).key("unusable").begin_array();
    for line in said.performance.unusable() {
        json.begin_object().key("line").u64(line.position.line);
        json.key("byte").u64(line.position.byte);
        json.key("message").str(&line.why.to_string()).end_object();
    }
    json.end_array().end_object();
}

pub(super) fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
