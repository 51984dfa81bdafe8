//! The order of the rows.

use std::cmp::Reverse;

use clap::ValueEnum;
use logwood::inventory::{SessionInfo, children_below, threaded};

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// The last active first
    #[default]
    Recent,
    /// The last made first
    Created,
    /// By name, sessions without one last
    Name,
    /// The largest file first
    Size,
    /// Each session below the one it came from
    Threaded,
}

/// The rows in order, each with its depth below the root of its thread; `rows` come as [`Sort::Recent`]. Sessions of subagents stand
/// below the sessions that started them, whatever the order.
pub(super) fn sorted(mut rows: Vec<SessionInfo>, sort: Sort) -> Vec<(SessionInfo, usize)> {
    match sort {
        Sort::Recent | Sort::Threaded => {}
        Sort::Created => rows.sort_by_key(|row| Reverse(row.created_ms)),
        Sort::Size => rows.sort_by_key(|row| Reverse(row.size)),
        Sort::Name => rows.sort_by_cached_key(|row| {
            let name = row.name.as_ref().or(row.title.as_ref());
            (name.is_none(), name.map(|name| name.to_lowercase()))
        }),
    }
    let order = if sort == Sort::Threaded { threaded(&rows) } else { children_below(&rows) };
    let mut rows: Vec<_> = rows.into_iter().map(Some).collect();
    let mut take = |at: usize| rows.get_mut(at).and_then(Option::take);
    order.into_iter().filter_map(|(at, depth)| Some((take(at)?, depth))).collect()
}
