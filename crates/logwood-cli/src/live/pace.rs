use std::time::{Duration, Instant};

/// Hints come in swarms; looks are this far apart at least.
const GAP: Duration = Duration::from_millis(100);

/// How long without a look where the system tells of changes, and where it does not.
const WATCHED: Duration = Duration::from_secs(2);
const UNWATCHED: Duration = Duration::from_millis(500);

/// When the last look was.
#[derive(Debug)]
pub(crate) struct Pace {
    last: Option<Instant>,
    /// The last one at everything, not only at what hints named.
    last_whole: Option<Instant>,
}

/// Why to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urge {
    /// There was more than one look takes.
    Behind,
    /// The system told of something.
    Hint,
    /// The system would tell.
    Watched,
    /// Nobody would.
    Unwatched,
}

impl Pace {
    /// The first look is due.
    pub(crate) fn new() -> Self {
        Self { last: None, last_whole: None }
    }

    /// How long until the next look.
    pub(crate) fn wait(&self, urge: Urge) -> Duration {
        let gap = match urge {
            Urge::Behind => Duration::ZERO,
            Urge::Hint => GAP,
            Urge::Watched => WATCHED,
            Urge::Unwatched => UNWATCHED,
        };
        self.last.map_or(Duration::ZERO, |last| gap.saturating_sub(last.elapsed()))
    }

    /// Whether it is time to look at everything, whatever the hints say: they may go on about one file and know nothing of another.
    pub(crate) fn is_whole_due(&self) -> bool {
        self.last_whole.is_none_or(|last| last.elapsed() >= WATCHED)
    }

    /// Notes a look, at everything or at what hints named.
    pub(crate) fn looked(&mut self, whole: bool) {
        self.last = Some(Instant::now());
        if whole {
            self.last_whole = self.last;
        }
    }
}
