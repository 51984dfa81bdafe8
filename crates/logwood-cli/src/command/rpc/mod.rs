//! `logwood rpc`: the line protocol on the standard streams.
//!
//! `run` says how it is started, `serve` answers, and sends events of what is followed between the answers.

mod run;
mod serve;

pub(crate) use run::{RpcArgs, run};
