//! What every storage must do, one clause a function.

use std::fmt::Debug;
use std::io;

use super::subject::Subject;
use super::{contract_files, contract_names, contract_replace};

/// One clause: a function that asserts it in an empty directory. An error counts as a breach, too.
pub type Clause = fn(&Subject) -> io::Result<()>;

/// Every clause with its name, which says what holds.
pub const CLAUSES: [&[(&str, Clause)]; 3] =
    [contract_files::CLAUSES, contract_names::CLAUSES, contract_replace::CLAUSES];

/// Runs every clause, each in a place of its own, and returns how many there were.
///
/// # Errors
/// The error a clause ended with, under its name.
///
/// # Panics
/// When a clause does not hold.
pub fn storage_contract(make: &dyn Fn() -> io::Result<Subject>) -> io::Result<usize> {
    let mut count = 0;
    for (name, clause) in CLAUSES.into_iter().flatten() {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
        clause(&make().map_err(named)?).map_err(named)?;
        count += 1;
    }
    Ok(count)
}

/// The outcome must be an error of this kind.
pub(super) fn refused<T: Debug>(outcome: io::Result<T>, kind: io::ErrorKind) {
    assert_eq!(outcome.err().map(|error| error.kind()), Some(kind));
}
