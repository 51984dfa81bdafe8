//! All commands, put together from the files that hold them.

use super::row::CommandSpec;
use super::{
    append, context, entries, export, facts, listing, manage, navigate, open, performance,
    position, remove, said, search, statistics, subagents, subscribe, tree,
};

const GROUPS: [&[CommandSpec]; 18] = [
    open::COMMANDS,
    listing::COMMANDS,
    search::COMMANDS,
    facts::COMMANDS,
    entries::COMMANDS,
    tree::COMMANDS,
    position::COMMANDS,
    context::COMMANDS,
    said::COMMANDS,
    statistics::COMMANDS,
    subagents::COMMANDS,
    append::COMMANDS,
    manage::COMMANDS,
    navigate::COMMANDS,
    remove::COMMANDS,
    export::COMMANDS,
    performance::COMMANDS,
    subscribe::COMMANDS,
];

/// Every command that is answered, by subject.
///
/// ```
/// let open = logwood_rpc::commands().find(|command| command.name == "open").unwrap();
/// assert!(open.fields.iter().any(|field| field.name == "path" && field.required));
/// ```
pub fn commands() -> impl Iterator<Item = &'static CommandSpec> {
    GROUPS.iter().copied().flatten()
}

/// The command of this name.
pub(super) fn find(name: &str) -> Option<&'static CommandSpec> {
    commands().find(|command| command.name == name)
}
