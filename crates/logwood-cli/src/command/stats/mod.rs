//! `logwood stats`: what sessions cost; one session, a project, or everything, in tables by two dimensions at most.

mod args;
mod columns;
mod csv;
mod json;
mod label;
mod money;
mod plot;
mod run;
mod session;
mod table;
mod time;

pub(crate) use args::StatsArgs;
pub(crate) use run::run;
