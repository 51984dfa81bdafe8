//! Looks, prints, keeps how far it came, and waits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use logwood::follow::{FollowCursor, Follower, Hints, SessionFollower, Start, StoreFollower};
use logwood::storage::{LocalStorage, Storage};

use super::cursor;
use super::print::Printer;
use crate::app::App;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::live::{Pace, Wakes};
use crate::stores::{Scope, Stores};

#[derive(Debug, clap::Args)]
pub(crate) struct WatchArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    session: Option<OsString>,

    /// Every session of every store, those that come later too
    #[arg(long)]
    all: bool,

    /// Go on behind an event: its `cursor`, as JSON; `start` prints first what is there
    #[arg(long, value_name = "CURSOR")]
    since: Option<String>,

    /// Keep in this file how far it came, and go on where it says
    #[arg(long, value_name = "FILE")]
    cursor: Option<PathBuf>,

    /// Print what is new and end
    #[arg(long)]
    once: bool,
}

/// Where following begins.
enum Begin {
    At(Start),
    Behind(FollowCursor),
}

pub(crate) fn run(args: &WatchArgs, app: &mut App) -> Result<Exit> {
    let begin = begin(args)?;
    let session = args.session.as_ref().map(|word| app.find(word)).transpose()?;
    let (sender, woken) = mpsc::sync_channel(1);
    let mut wakes = Wakes::new(move || {
        // Where it was woken already, once is enough.
        let _ = sender.try_send(());
    });
    let mut follower = match &session {
        Some(path) => one(path, begin)?,
        None => all(begin, app)?,
    };
    wakes.watch(follower.followed());
    let kept = args.cursor.as_deref();
    if let Some(file) = kept {
        cursor::write(file, &follower.cursor())?;
    }
    let mut printer = Printer::new(session.as_deref(), app);
    let mut pace = Pace::new();
    loop {
        look(&mut follower, &wakes, &mut pace, &mut printer, kept)?;
        if follower.is_behind() {
            continue;
        }
        if args.once || !is_read() {
            return Ok(Exit::Done);
        }
        wakes.watch(follower.followed());
        wait(&woken, &wakes, &pace);
    }
}

fn begin(args: &WatchArgs) -> Result<Begin> {
    let kept = args.cursor.as_deref().map(cursor::read).transpose()?.flatten();
    Ok(match (kept, args.since.as_deref()) {
        (Some(cursor), _) => Begin::Behind(cursor),
        (None, None) => Begin::At(Start::Now),
        (None, Some("start")) => Begin::At(Start::Beginning),
        (None, Some(text)) => Begin::Behind(FollowCursor::parse(text.as_bytes())?),
    })
}

fn one(path: &Path, begin: Begin) -> Result<Follower> {
    let storage: Arc<dyn Storage> = Arc::new(LocalStorage);
    // A cursor names the file wherever it is used next.
    let path = &std::path::absolute(path).map_err(|error| cannot_follow(path, error))?;
    let follower = match begin {
        Begin::At(start) => SessionFollower::new(storage, path, start)?,
        Begin::Behind(cursor) => match cursor.session(path) {
            Some(cursor) => SessionFollower::resume(storage, cursor),
            None => SessionFollower::new(storage, path, Start::Beginning)?,
        },
    };
    Ok(Follower::Session(Box::new(follower)))
}

fn cannot_follow(path: &Path, error: std::io::Error) -> CommandError {
    logwood::error::Error::io("cannot follow", path, error).into()
}

fn all(begin: Begin, app: &mut App) -> Result<Follower> {
    let stores = Stores::new(&app.globals);
    stores.require_some()?;
    app.warn(stores.unmet_warnings())?;
    app.warn(stores.warnings(stores.sites()))?;
    app.err.finish()?;
    let (storage, places) = (Arc::clone(stores.storage()), stores.places(Scope::All));
    Ok(Follower::Store(Box::new(match begin {
        Begin::At(start) => StoreFollower::new(storage, &places, start),
        Begin::Behind(cursor) => StoreFollower::resume(storage, &places, cursor),
    })))
}

/// Prints what is new. How far it came is kept after that, so that what a crash leaves in doubt is printed again and not missed.
fn look(
    follower: &mut Follower,
    wakes: &Wakes,
    pace: &mut Pace,
    printer: &mut Printer<'_>,
    kept: Option<&Path>,
) -> Result<()> {
    let paths = wakes.take(pace);
    let events = follower.poll(paths.as_deref().map_or(Hints::All, Hints::Paths));
    pace.looked(paths.is_none());
    for event in &events {
        printer.event(event)?;
    }
    printer.finish()?;
    match kept {
        Some(file) if !events.is_empty() => cursor::write(file, &follower.cursor()),
        _ => Ok(()),
    }
}

/// Waits until it is time to look.
fn wait(woken: &Receiver<()>, wakes: &Wakes, pace: &Pace) {
    loop {
        let left = pace.wait(wakes.urge(false));
        if left.is_zero() {
            return;
        }
        // A hint makes the time shorter; without watches nobody sends one.
        if woken.recv_timeout(left) == Err(mpsc::RecvTimeoutError::Disconnected) {
            std::thread::sleep(left);
        }
    }
}

/// Whether somebody still reads the output: where that is a pipe, nothing else would tell until the next entry.
fn is_read() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = std::io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let asked = poll(&mut fds, Some(&now));
    asked.is_err() || fds.iter().all(|fd| !fd.revents().contains(PollFlags::ERR))
}
