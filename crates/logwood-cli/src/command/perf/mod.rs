//! `logwood perf`: how fast models answered, from the performance logs of the stores; and what is old taken out of them.

mod args;
mod logs;
mod prune;
mod show;
mod table;

pub(crate) use args::{PerfArgs, run};
pub(crate) use logs::log_at;
