//! What `stats` is told.

use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use logwood::error::ErrorKind;
use logwood::statistics::Dimension;

use crate::error::{CommandError, Result};

#[derive(Debug, clap::Args)]
pub(crate) struct StatsArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    ///
    /// Default: all sessions of this directory.
    #[arg(value_name = "SESSION", conflicts_with_all = ["all", "store"])]
    pub(super) session: Option<OsString>,

    /// A row for each of these; with two, for each pair: `--by day,model`
    #[arg(long, value_name = "A[,B]", value_delimiter = ',', value_parser = dimensions())]
    pub(super) by: Vec<Dimension>,

    /// Only what was at or after this time: 2026-01-31, today, yesterday, or how long ago: 2h, 7d, 3w
    #[arg(long, value_name = "TIME")]
    pub(super) since: Option<String>,

    /// Only what was before this time, or in this day or month
    #[arg(long, value_name = "TIME")]
    pub(super) until: Option<String>,

    /// The sessions of every project
    #[arg(long)]
    pub(super) all: bool,

    /// Only the sessions of this store, by its name
    #[arg(long, value_name = "NAME")]
    pub(super) store: Option<String>,

    /// Only the sessions that a query means, as `logwood list` reads it, with their subagents
    #[arg(
        long = "where",
        value_name = "QUERY",
        allow_hyphen_values = true,
        conflicts_with = "session"
    )]
    pub(super) query: Option<String>,

    /// Print the rows as comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub(super) csv: bool,
}

fn dimensions() -> impl TypedValueParser<Value = Dimension> {
    let words = Dimension::ALL.map(|(word, _)| word);
    PossibleValuesParser::new(words).map(|word| {
        Dimension::from_word(&word).expect("the possible values are the words of the dimensions")
    })
}

impl StatsArgs {
    /// Two dimensions at most, and not the same twice.
    pub(super) fn check(&self) -> Result<()> {
        let wrong = match self.by.as_slice() {
            [one, two] if one == two => "--by names the same twice",
            [_, _, _, ..] => "--by takes two at most",
            _ => return Ok(()),
        };
        Err(CommandError::new(ErrorKind::InvalidArgument, wrong)
            .hint("write --by day, or --by day,model"))
    }
}
