//! Sessions below the sessions that they came from (spec 7.3, case 60).

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;

use super::{SessionInfo, SessionKind};

/// The rows in threaded order, as positions in `rows`, each once, with its depth below the root of its thread.
///
/// The parent of a row is the row whose path its header names; where none has that path, the one of the same file name, if there is
/// exactly one, so that threads survive a store that was copied or moved. Rows without a parent among the others are roots. In
/// a loop, the row that comes first in `rows` is the root. Roots and children keep the order of `rows`.
pub fn threaded(rows: &[SessionInfo]) -> Vec<(usize, usize)> {
    nested(parents(rows))
}

/// As [`threaded`], but only the sessions of subagents stand below their parents; forks and all others keep their places.
pub fn children_below(rows: &[SessionInfo]) -> Vec<(usize, usize)> {
    let mut parents = parents(rows);
    for (row, parent) in rows.iter().zip(&mut parents) {
        *parent = parent.filter(|_| row.kind == SessionKind::Subagent);
    }
    nested(parents)
}

/// The rows in the order of a walk, given the parent of each.
fn nested(parents: Vec<Option<usize>>) -> Vec<(usize, usize)> {
    let count = parents.len();
    let mut children = vec![Vec::new(); count];
    let roots = roots(&parents);
    for (at, parent) in parents.iter().enumerate() {
        let parent = parent.filter(|_| roots.get(at) == Some(&false));
        if let Some(children) = parent.and_then(|parent| children.get_mut(parent)) {
            children.push(at);
        }
    }
    let is_root = |at: &usize| roots.get(*at) == Some(&true);
    let mut open: Vec<_> = (0..count).rev().filter(is_root).map(|at| (at, 0)).collect();
    let mut order = Vec::with_capacity(count);
    while let Some((at, depth)) = open.pop() {
        order.push((at, depth));
        let below = children.get(at).map(Vec::as_slice).unwrap_or_default();
        open.extend(below.iter().rev().map(|child| (*child, depth + 1)));
    }
    order
}

/// The row that each row came from.
fn parents(rows: &[SessionInfo]) -> Vec<Option<usize>> {
    let mut by_path = HashMap::new();
    let mut by_name: HashMap<&OsStr, Option<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        by_path.entry(row.path.as_path()).or_insert(at);
        if let Some(name) = row.path.file_name() {
            by_name.entry(name).and_modify(|twice| *twice = None).or_insert(Some(at));
        }
    }
    let parent_of = |row: &SessionInfo| {
        let path = Path::new(row.parent_session_path.as_deref()?);
        let same_name = || by_name.get(path.file_name()?).copied().flatten();
        by_path.get(path).copied().or_else(same_name)
    };
    rows.iter().map(parent_of).collect()
}

/// Which rows start a thread: those without a parent, and the first row of each loop.
fn roots(parents: &[Option<usize>]) -> Vec<bool> {
    let mut roots: Vec<bool> = parents.iter().map(Option::is_none).collect();
    // The walk in which a row was seen; rows of an earlier walk are known to end in a root.
    let mut seen = vec![usize::MAX; parents.len()];
    for start in 0..parents.len() {
        let mut at = start;
        loop {
            match seen.get_mut(at) {
                Some(walk) if *walk == usize::MAX => *walk = start,
                Some(walk) if *walk == start => {
                    open_loop(at, parents, &mut roots);
                    break;
                }
                _ => break,
            }
            match parents.get(at).copied().flatten() {
                Some(parent) => at = parent,
                None => break,
            }
        }
    }
    roots
}

/// Makes the first row of the loop that `at` is in a root.
fn open_loop(at: usize, parents: &[Option<usize>], roots: &mut [bool]) {
    let next = |at: &usize| parents.get(*at).copied().flatten();
    let others = std::iter::successors(next(&at), next).take_while(|other| *other != at);
    let first = others.fold(at, usize::min);
    if let Some(root) = roots.get_mut(first) {
        *root = true;
    }
}
