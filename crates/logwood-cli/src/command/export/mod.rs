//! `logwood export`: sessions as pages, Markdown or session files of their own, and `logwood scan`, which finds secrets in them.

mod many;
mod run;
mod scan;
mod target;

pub(crate) use run::{ExportArgs, run};
pub(crate) use scan::{ScanArgs, scan};
