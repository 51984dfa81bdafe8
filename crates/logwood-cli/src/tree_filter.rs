//! The modes of the tree as words of the command line.

use clap::ValueEnum;
use logwood_render::tree_view::Filter;

/// What `--filter` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFilter {
    /// Everything but bookkeeping: labels, names, settings, custom entries, usage, context edits
    Default,
    /// As default, without tool results
    NoTools,
    /// Messages of the person
    UserOnly,
    /// Entries that have a label
    LabeledOnly,
    /// Everything
    All,
}

impl From<TreeFilter> for Filter {
    fn from(filter: TreeFilter) -> Self {
        match filter {
            TreeFilter::Default => Self::Default,
            TreeFilter::NoTools => Self::NoTools,
            TreeFilter::UserOnly => Self::UserOnly,
            TreeFilter::LabeledOnly => Self::LabeledOnly,
            TreeFilter::All => Self::All,
        }
    }
}
