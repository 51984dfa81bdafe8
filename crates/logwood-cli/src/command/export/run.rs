//! One session or many, to files or to standard output.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use logwood::env::{Clock as _, SystemClock};
use logwood::error::{Error, ErrorKind};
use logwood::session::{SessionManager, SessionOptions};
use logwood::storage::{LocalStorage, Sequential, Storage as _};
use logwood_render::export::{Export, Exported, Format, copy_file};
use logwood_render::jsonl::Chain;
use logwood_render::redact::Redactor;
use logwood_render::write_file;

use super::target::default_name;
use crate::app::App;
use crate::entry_ref;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Line, Object, style};

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    #[arg(required_unless_present = "where_")]
    session: Option<OsString>,

    /// Every session of this directory that a query means, in the language of `logwood search`; -o names the folder for them
    #[arg(long = "where", id = "where_", value_name = "QUERY", conflicts_with_all = ["session", "branch", "open"], requires = "output")]
    pub(super) where_: Option<String>,

    /// With --where: those of every project
    #[arg(long, requires = "where_")]
    pub(super) all: bool,

    /// One page of HTML with every branch (this is what is written unless another format is named)
    #[arg(long, group = "format")]
    html: bool,

    /// One branch as Markdown
    #[arg(long, group = "format")]
    markdown: bool,

    /// A session file
    #[arg(long, group = "format")]
    jsonl: bool,

    /// The branch that ends in this entry (an id or the start of one), in place of the current one
    #[arg(long, value_name = "ENTRY")]
    branch: Option<String>,

    /// With --jsonl: every line of the file, not one branch
    #[arg(long, requires = "jsonl", conflicts_with_all = ["branch", "rechain"])]
    whole: bool,

    /// With --jsonl: a header of version 3 of this moment, and every entry below the one before it, as the programs export
    #[arg(long, requires = "jsonl")]
    rechain: bool,

    /// Include messages that extensions hide from people
    #[arg(long)]
    hidden: bool,

    /// Take out keys, tokens, passwords, private keys, credentials in URLs, e-mail addresses and names of home directories
    #[arg(long)]
    redact: bool,

    /// Take out what the patterns in this file match too: `kind: regular expression` a line
    #[arg(long, value_name = "FILE")]
    redact_patterns: Option<PathBuf>,

    /// The file to write, - for standard output (default: named after the session, in this directory); with --where a folder
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Write over a file that is there
    #[arg(long)]
    force: bool,

    /// Open the file with the desktop's program for it
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: &ExportArgs, app: &mut App) -> Result<Exit> {
    let redactor = redactor(args.redact, args.redact_patterns.as_deref())?;
    let Some(session) = &args.session else {
        return super::many::run(args, redactor.as_ref(), app);
    };
    let path = app.find(session)?;
    if args.output.as_deref() == Some(Path::new("-")) {
        return to_stdout(args, &path, redactor.as_ref(), app);
    }
    let output = args.output.clone().unwrap_or_else(|| default_name(&path, extension(args)));
    let exported = one(args, &path, &output, redactor.as_ref(), app)?;
    report(&path, &output, args, &exported, app)?;
    if args.open {
        open(&output)?;
    }
    Ok(Exit::Done)
}

/// Exports one session to a file.
pub(super) fn one(
    args: &ExportArgs,
    path: &Path,
    output: &Path,
    redactor: Option<&Redactor>,
    app: &App,
) -> Result<Exported> {
    write_file((path, output), args.force, &LocalStorage, |mut out| {
        with_session(args, path, redactor, app.home(), &mut out)
    })
}

/// Byte for byte, past the stream that takes colours out; the lines of a session are not for a terminal, which would obey them.
fn to_stdout(
    args: &ExportArgs,
    path: &Path,
    redactor: Option<&Redactor>,
    app: &mut App,
) -> Result<Exit> {
    let stdout = io::stdout();
    if args.jsonl && stdout.is_terminal() {
        let message =
            "the lines of a session may hold control characters, and standard output is a terminal";
        return Err(CommandError::new(ErrorKind::InvalidArgument, message)
            .hint("name a file with -o, or pipe it"));
    }
    let mut out = io::BufWriter::new(stdout.lock());
    let exported = with_session(args, path, redactor, app.home(), &mut out)??;
    if exported.left.total() > 0 {
        return Err(left_on_stdout());
    }
    say_redacted(&exported, app)?;
    Ok(Exit::Done)
}

/// The patterns to take secrets out by; none where they stay.
pub(crate) fn redactor(yes: bool, own: Option<&Path>) -> Result<Option<Redactor>> {
    let Some(file) = own else { return Ok(yes.then(Redactor::new)) };
    let what = "cannot read the patterns in";
    let text = std::fs::read_to_string(file).map_err(|error| Error::io(what, file, error))?;
    let redactor = Redactor::with_own(&text).map_err(|error| {
        let message = format!("{what} `{}`: {error}", file.display());
        CommandError::new(ErrorKind::InvalidArgument, message)
            .hint("one pattern a line: `kind: regular expression`; # begins a comment")
    })?;
    Ok(Some(redactor))
}

fn with_session(
    args: &ExportArgs,
    path: &Path,
    redactor: Option<&Redactor>,
    home: Option<String>,
    out: &mut impl Write,
) -> Result<io::Result<Exported>> {
    let session = SessionOptions::new().read_only(true).open(path)?;
    if args.whole {
        let what = "cannot read session";
        let mut file = LocalStorage.open(path).map_err(|error| Error::io(what, path, error))?;
        return Ok(copy_file(Sequential::new(&mut *file), redactor, out));
    }
    let export = Export {
        format: format(args),
        leaf: leaf(args, &session)?,
        hidden: args.hidden,
        redactor,
        home: home.as_deref(),
    };
    Ok(export.write(&session, out)?)
}

fn leaf(args: &ExportArgs, session: &SessionManager) -> Result<Option<logwood::tree::NodeId>> {
    args.branch.as_deref().map(|word| entry_ref::resolve(session, word)).transpose()
}

fn format(args: &ExportArgs) -> Format {
    let now_ms = SystemClock.now_ms();
    match () {
        () if args.markdown => Format::Markdown,
        () if args.rechain => Format::Jsonl(Chain::Renewed { now_ms }),
        () if args.jsonl => Format::Jsonl(Chain::Kept),
        () => Format::Html,
    }
}

pub(super) fn extension(args: &ExportArgs) -> &'static str {
    match () {
        () if args.markdown => "md",
        () if args.jsonl => "jsonl",
        () => "html",
    }
}

fn left_on_stdout() -> CommandError {
    let message = "secrets are left in what was written";
    CommandError::new(ErrorKind::InvalidArgument, message)
        .hint("do not hand it on; -o FILE writes nothing in this case, and `logwood scan` shows where they are")
}

fn report(
    path: &Path,
    output: &Path,
    args: &ExportArgs,
    exported: &Exported,
    app: &mut App,
) -> Result<()> {
    if app.globals.json {
        return Ok(app.out.json(&json(path, output, args, exported).end())?);
    }
    app.out.line(&Line::new().plain(output.to_string_lossy()))?;
    say_redacted(exported, app)
}

/// One export as `--json` tells it.
pub(super) fn json(path: &Path, output: &Path, args: &ExportArgs, exported: &Exported) -> Object {
    let kinds = exported.redacted.kinds();
    let kinds = kinds.fold(Object::new(), |object, (kind, count)| object.num(kind, count));
    Object::new()
        .str("sessionFile", &path.to_string_lossy())
        .str("path", &output.to_string_lossy())
        .str("format", extension(args))
        .json("redacted", &kinds.end())
}

/// What was taken out, by kind, on standard error.
pub(super) fn say_redacted(exported: &Exported, app: &mut App) -> Result<()> {
    if app.globals.quiet || exported.redacted.total() == 0 {
        return Ok(());
    }
    let kinds: Vec<_> =
        exported.redacted.kinds().map(|(kind, count)| format!("{count} {kind}")).collect();
    Ok(app.err.line(&Line::new().add(style::DIM, format!("taken out: {}", kinds.join(", "))))?)
}

/// Hands the file to the desktop.
fn open(file: &Path) -> Result<()> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let what = "cannot open";
    let started = std::process::Command::new(program)
        .arg(file)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    started.map(drop).map_err(|error| {
        CommandError::from(Error::io(what, file, error))
            .hint(format!("the export is written; `{program}` could not be started"))
    })
}
