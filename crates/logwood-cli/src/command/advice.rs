//! What a person can do about each kind of problem.

use logwood::problem::ProblemKind;

const NOTHING: &str = "nothing has to be done";
const REPAIR: &str = "nothing has to be done; `logwood repair` (with --dry-run first) takes it out and keeps it beside the file";

/// The advice; `logwood repair` comes with a later version and is named where it will help.
pub(crate) fn advice(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::MalformedLine
        | ProblemKind::TornTail
        | ProblemKind::NulBytes
        | ProblemKind::NotAnEntry
        | ProblemKind::DuplicateHeader => REPAIR,
        ProblemKind::InvalidUtf8 => {
            "nothing has to be done; the text around the bytes is whole, what they meant is not known any more"
        }
        ProblemKind::MissingId => {
            "nothing has to be done; what it says shows in no branch, see it with `logwood debug lines`"
        }
        ProblemKind::DuplicateId => {
            "nothing has to be done; both lines stay in the file, see them with `logwood debug entries`"
        }
        ProblemKind::OrphanParent => {
            "look for a copy or a backup of the file that has the missing entry"
        }
        ProblemKind::DanglingFirstKept => {
            "go on from an entry before the compaction (`logwood tree` shows the ids) if what it dropped is needed"
        }
        ProblemKind::UnpairedToolCall | ProblemKind::UnpairedToolResult => {
            "providers may refuse the context; `logwood context --pair-tools` shows it without them"
        }
        ProblemKind::FutureTimestamp => {
            "check the clock of the machine that wrote it; lists go by the time of the file instead"
        }
        ProblemKind::NewerVersion => {
            "update this program if something is missing from what it shows"
        }
        ProblemKind::HeaderCorrupt => "run `logwood repair --dry-run` to see what can be saved",
        ProblemKind::UnreadableFile => "check the permissions of the file and its folder",
        _ => NOTHING,
    }
}
