//! Storages for tests: [`FaultyStorage`] fails, shortens or stops at the call of your choice, [`RecordingStorage`] keeps count,
//! [`CrashStorage`] knows what a power cut would leave. [`storage_contract`] is what every storage must do, clause by clause;
//! a [`Subject`] is a storage with a place to try it in.

mod contract;
mod contract_files;
mod contract_names;
mod contract_replace;
mod crash;
mod faulty;
mod recording;
mod subject;
#[cfg(test)]
mod tests;
mod verb;

pub use contract::{CLAUSES, Clause, storage_contract};
pub use crash::CrashStorage;
pub use faulty::{Code, Fault, FaultyStorage};
pub use recording::{Call, RecordingStorage};
pub use subject::Subject;
pub use verb::Verb;
