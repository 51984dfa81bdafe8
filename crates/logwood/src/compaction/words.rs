//! The words of summaries: headings and fixed sentences that dreb's files have (spec 5.6, 5.7), and prompts that ask for them.

/// The headings of a summary that a compaction writes, in order.
pub const SUMMARY_HEADINGS: [&str; 9] = [
    "## Goal",
    "## Constraints & Preferences",
    "## Progress",
    "### Done",
    "### In Progress",
    "### Blocked",
    "## Key Decisions",
    "## Next Steps",
    "## Critical Context",
];

/// The headings of the summary of the beginning of a turn that was split.
pub const TURN_HEADINGS: [&str; 3] =
    ["## Original Request", "## Early Progress", "## Context for Suffix"];

/// The headings of a branch summary.
pub const BRANCH_HEADINGS: [&str; 8] = [
    "## Goal",
    "## Constraints & Preferences",
    "## Progress",
    "### Done",
    "### In Progress",
    "### Blocked",
    "## Key Decisions",
    "## Next Steps",
];

/// In place of a summary of what came before a turn, when nothing did.
pub(super) const NO_HISTORY: &str = "No prior history.";
/// Between the summary of the history and that of the beginning of a turn.
pub(super) const TURN_BREAK: &str = "\n\n---\n\n**Turn Context (split turn):**\n\n";
/// Before the text of a branch summary.
pub(super) const BRANCH_PREAMBLE: &str = "The user explored a different conversation branch before returning here.\nSummary of that exploration:\n\n";
/// In place of a branch summary, when nothing was said there.
pub(super) const NO_CONTENT: &str = "No content to summarize";

/// What a person adds to the task of summarising.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Instructions<'a> {
    /// Nothing.
    #[default]
    Default,
    /// What to look at in particular.
    Focus(&'a str),
    /// The whole task, in place of the usual one.
    Replace(&'a str),
}

/// The conversation, an earlier summary, and the task.
pub(super) fn prompt(
    conversation: &str,
    previous: Option<&str>,
    task: &str,
    instructions: Instructions<'_>,
) -> String {
    let previous =
        previous.map(|summary| format!("<previous-summary>\n{summary}\n</previous-summary>\n\n"));
    let task = match instructions {
        Instructions::Default => task.to_owned(),
        Instructions::Focus(focus) => format!("{task}\n\nAdditional focus: {focus}"),
        Instructions::Replace(task) => task.to_owned(),
    };
    let previous = previous.unwrap_or_default();
    format!("<conversation>\n{conversation}\n</conversation>\n\n{previous}{task}")
}

/// The task of summarising, with the headings to use.
pub(super) fn task(of: &str, headings: &[&str]) -> String {
    format!(
        "{of} Do not answer or continue it. Whoever reads your text sees nothing else of it, so keep names of files and functions, commands and error messages as they stand. Use exactly these headings, with `- none` below one that has nothing:\n\n{}",
        headings.join("\n")
    )
}
