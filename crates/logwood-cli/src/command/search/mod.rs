//! `logwood search`: finds entries in many sessions by what they say.

mod run;
mod table;

pub(crate) use run::{SearchArgs, run};
