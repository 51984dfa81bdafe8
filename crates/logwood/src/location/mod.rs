//! Computes where sessions live: agent directory, roots, folder and file names; never looks at the disk.
//!
//! Everything here is a function of its arguments: paths, the home directory and the variables come in as an
//! [`Environment`], settings files come in as text. Whether a folder exists is for the front end to find out.
//! The rules are numbered L1, L2, … in `doc/format/locations.md`.
//!
//! | question | answer |
//! |---|---|
//! | which folder holds the sessions of a cwd? | [`encode_cwd`] |
//! | what is a session file called? | [`SessionFileName`] |
//! | are two working directories the same project? | [`CwdKey`], [`same_cwd`] |
//! | what does a configured path mean? | [`resolve_root`], [`PathStyle`] |
//! | which stores are there? | [`Environment::stores`], [`Store`], [`AgentDir`] |
//! | what do the settings say? | [`Settings`] |
//! | where does this session go, and who decided? | [`RootChoice`] |
//! | what counts as all sessions? | [`Inventory`], [`HostInventory`], [`inventory_root`] |
//! | where do transcripts of subagents go? | [`TranscriptSetting`], [`TranscriptRoots`], [`TranscriptTag`] |

mod agent_dir;
mod choice;
mod cwd;
mod encode;
mod environment;
mod file_name;
mod inventory;
mod path_hex;
mod path_style;
mod root;
mod settings;
mod settings_file;
mod store;
mod transcripts;

#[cfg(test)]
mod tests;

pub use agent_dir::{AgentDir, StoreKind};
pub use choice::{Considered, RootChoice, RootRequest, RootSource, Verdict};
pub use cwd::{CwdKey, same_cwd};
pub use encode::encode_cwd;
pub use environment::Environment;
pub use file_name::SessionFileName;
pub use inventory::{HostInventory, Inventory, Layout, inventory_root};
pub(crate) use path_hex::{path_from_hex, path_to_hex};
pub use path_style::PathStyle;
pub use root::resolve_root;
pub use settings::{BranchSummarySettings, CompactionSettings, Settings, TreeFilterMode};
pub use settings_file::{SettingsFile, SettingsPlace, SettingsProblem, SettingsScope};
pub use store::{Store, StoreOrigin};
pub use transcripts::{TranscriptRoots, TranscriptSetting, TranscriptTag, step_dir, step_number};
