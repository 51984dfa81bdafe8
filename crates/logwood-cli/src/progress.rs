//! A bar on standard error while a listing takes long.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use logwood::inventory::{Progress, ProgressFn};

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs `work` and shows how far it is, once it has taken half a second, unless `quiet` or standard error is no terminal.
pub(crate) fn with_bar<T: Send>(quiet: bool, work: impl FnOnce(ProgressFn<'_>) -> T + Send) -> T {
    if quiet || !std::io::stderr().is_terminal() {
        return work(&|_| ControlFlow::Continue(()));
    }
    let (sender, receiver) = mpsc::channel();
    let note = move |progress: Progress<'_>| {
        // Nobody listens only when this run is over anyway.
        let _ = sender.send((progress.loaded as u64, progress.total as u64));
        ControlFlow::Continue(())
    };
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || work(&note));
        draw(receiver.iter());
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Only the thread that holds standard error may draw.
fn draw(steps: impl Iterator<Item = (u64, u64)>) {
    let started = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    for (loaded, total) in steps {
        if bar.is_none() && started.elapsed() >= PATIENCE {
            bar = Some(new_bar(total));
        }
        if let Some(bar) = &bar {
            bar.set_position(loaded.max(bar.position()));
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn new_bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("reading sessions {bar:30} {pos}/{len}");
    style.map(|style| bar.clone().with_style(style)).unwrap_or(bar)
}
