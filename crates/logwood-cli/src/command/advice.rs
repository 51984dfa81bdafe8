//! What a person can do about each kind of problem.

use logwood::problem::ProblemKind;

const NOTHING: &str = "nothing has to be done";
const REPAIR: &str = "nothing has to be done; `logwood repair` takes it out (a whole record on the line gets one of its own) and keeps it beside the file";
const ANOTHER: &str = "nothing has to be done; `logwood repair` takes the header out, and gives another session after it a file of its own";

/// The advice; it names `logwood repair` where that helps.
pub(crate) fn advice(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::MalformedLine | ProblemKind::TornTail | ProblemKind::NulBytes => REPAIR,
        ProblemKind::NotAnEntry => {
            "nothing has to be done; `logwood repair` takes it out and keeps it beside the file"
        }
        ProblemKind::DuplicateHeader => ANOTHER,
        ProblemKind::InvalidUtf8 => {
            "nothing has to be done; the text around the bytes is whole, what they meant is not known any more"
        }
        ProblemKind::MissingId => {
            "what it says shows in no branch; `logwood repair` gives an id to an entry of a known type"
        }
        ProblemKind::DuplicateId => {
            "nothing has to be done; both lines stay in the file, see them with `logwood debug entries`"
        }
        ProblemKind::OrphanParent => {
            "look for a copy or a backup of the file that has the missing entry; `logwood repair --reattach` hangs the branch on the entry before it"
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
        ProblemKind::HeaderCorrupt => {
            "`logwood repair` makes a new header and keeps the entries; --dry-run shows how"
        }
        ProblemKind::UnreadableFile => "check the permissions of the file and its folder",
        _ => NOTHING,
    }
}
