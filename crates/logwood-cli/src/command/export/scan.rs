//! `logwood scan`: which secrets stand in session files, and where.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use logwood::entry::Envelope;
use logwood::error::Error;
use logwood::line::LineReader;
use logwood::storage::{LocalStorage, Sequential, Storage as _};
use logwood_render::redact::{LineFinding, Redactor, Report, find_in_line, mask};

use super::run::redactor;
use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{Line, Object, style};
use crate::stores::Stores;

#[derive(Debug, clap::Args)]
pub(crate) struct ScanArgs {
    /// Paths, ids or their starts, display names, or @ (the newest of this directory), @2, ...; none for all of this directory
    #[arg(value_name = "SESSION")]
    sessions: Vec<OsString>,

    /// Every session of every project
    #[arg(long, conflicts_with = "sessions")]
    all: bool,

    /// Look for what the patterns in this file match too: `kind: regular expression` a line
    #[arg(long, value_name = "FILE")]
    patterns: Option<PathBuf>,

    /// Report e-mail addresses and names of home directories too
    #[arg(long)]
    personal: bool,

    /// Report these kinds only (may repeat)
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
}

/// A secret and where it stands.
struct Hit {
    line: u64,
    entry: Option<String>,
    finding: LineFinding,
}

pub(crate) fn scan(args: &ScanArgs, app: &mut App) -> Result<Exit> {
    let redactor = redactor(true, args.patterns.as_deref())?.unwrap_or_default();
    let files = files(args, app)?;
    let (mut count, mut with) = (0, 0);
    let mut rows = Vec::new();
    for file in &files {
        let hits = hits(file, &redactor, args)?;
        with += usize::from(!hits.is_empty());
        count += hits.len();
        for hit in &hits {
            if app.globals.json {
                rows.push(json(file, hit));
            } else {
                app.out.line(&row(file, hit))?;
            }
        }
    }
    if app.globals.json {
        app.out.json_list(rows.into_iter().map(Ok::<_, crate::error::CommandError>))?;
    } else if !app.globals.quiet {
        let found = crate::words::counted(count, "secret", "secrets");
        let among = crate::words::counted(files.len(), "session", "sessions");
        let text = format!("({found} in {with} of {among})");
        app.out.line(&Line::new().add(style::DIM, text))?;
    }
    Ok(if count > 0 { Exit::Problems } else { Exit::Done })
}

fn files(args: &ScanArgs, app: &mut App) -> Result<Vec<PathBuf>> {
    if !args.sessions.is_empty() {
        return args.sessions.iter().map(|word| app.find(word)).collect();
    }
    let stores = Stores::new(&app.globals);
    let sessions = if args.all { stores.sessions()? } else { stores.sessions_of_project()? };
    Ok(sessions.iter().map(|session| stores.shorten(&session.path)).collect())
}

/// Kinds that say who somebody is, and open nothing.
const PERSONAL: [&str; 2] = ["email", "home"];

impl ScanArgs {
    fn wants(&self, kind: &str) -> bool {
        match self.kind.as_slice() {
            [] => self.personal || !PERSONAL.contains(&kind),
            kinds => kinds.iter().any(|wanted| wanted == kind),
        }
    }
}

fn hits(path: &Path, redactor: &Redactor, args: &ScanArgs) -> Result<Vec<Hit>> {
    let what = "cannot scan session";
    let failed = |error| Error::io(what, path, error);
    let mut file = LocalStorage.open(path).map_err(failed)?;
    let mut lines = LineReader::new(Sequential::new(&mut *file));
    let mut hits = Vec::new();
    while let Some(line) = lines.next_line().map_err(failed)? {
        let found = find_in_line(redactor, line.bytes);
        if found.is_empty() {
            continue;
        }
        let envelope = Envelope::scan(line.bytes).ok();
        let entry =
            envelope.and_then(|envelope| envelope.id?.as_str().map(std::borrow::Cow::into_owned));
        // A secret may be what an entry or a member is called.
        let masked = |text: &str| redactor.redact(text, &mut Report::default()).into_owned();
        let entry = entry.map(|id| masked(&id));
        let wanted = |finding: &LineFinding| args.wants(&finding.kind);
        hits.extend(found.into_iter().filter(wanted).map(|finding| Hit {
            line: line.position.line,
            entry: entry.clone(),
            finding: LineFinding { member: masked(&finding.member), ..finding },
        }));
    }
    Ok(hits)
}

fn row(file: &Path, hit: &Hit) -> Line {
    Line::new()
        .plain(format!("{}:{}: ", file.display(), hit.line))
        .add(style::ID, hit.entry.as_deref().unwrap_or("-"))
        .plain("  ")
        .add(style::WARNING, &hit.finding.kind)
        .plain("  ")
        .plain(mask(&hit.finding.secret))
}

fn json(file: &Path, hit: &Hit) -> String {
    Object::new()
        .str("path", &file.to_string_lossy())
        .num("line", hit.line)
        .str_or_null("entryId", hit.entry.as_deref())
        .str("member", &hit.finding.member)
        .str("kind", &hit.finding.kind)
        .str("masked", &mask(&hit.finding.secret))
        .end()
}
