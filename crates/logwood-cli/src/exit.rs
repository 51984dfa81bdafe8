//! The exit codes of the program; they are documented (`logwood --help`) and never change.

use std::process::ExitCode;

use logwood::error::ErrorKind;

/// How a command ended (design section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done.
    Done,
    /// 1: problems were found, or it was done in part only.
    Problems,
    /// 2: the command line, a reference or the input is wrong.
    Usage,
    /// 3: a session or an entry is not there.
    NotFound,
    /// 4: the file is no session that can be read.
    NotASession,
    /// 5: refused, so that nothing is lost.
    Refused,
    /// 6: the system says no.
    System,
}

impl Exit {
    /// The code that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Problems => 1,
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::NotASession => 4,
            Self::Refused => 5,
            Self::System => 6,
        }
    }

    /// The code of a kind of failure.
    pub(crate) fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::InvalidArgument
            | ErrorKind::Parse
            | ErrorKind::UnknownCommand
            | ErrorKind::NotJsonl
            | ErrorKind::Ambiguous => Self::Usage,
            ErrorKind::NotFound | ErrorKind::EntryNotFound => Self::NotFound,
            ErrorKind::NotASession
            | ErrorKind::HeaderCorrupt
            | ErrorKind::EmptyFile
            | ErrorKind::NotAFile => Self::NotASession,
            ErrorKind::ActiveSession
            | ErrorKind::ChangedOnDisk
            | ErrorKind::Locked
            | ErrorKind::ReadOnly => Self::Refused,
            _ => Self::System,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of design section 4, in the order of design section 5.
    #[test]
    fn every_kind_has_its_documented_code() {
        let codes: Vec<_> =
            ErrorKind::ALL.iter().map(|kind| (kind.as_str(), Exit::of(*kind).code())).collect();
        assert_eq!(
            codes,
            [
                ("not_found", 3),
                ("not_a_session", 4),
                ("header_corrupt", 4),
                ("empty_file", 4),
                ("entry_not_found", 3),
                ("ambiguous", 2),
                ("active_session", 5),
                ("not_a_file", 4),
                ("not_jsonl", 2),
                ("changed_on_disk", 5),
                ("locked", 5),
                ("read_only", 5),
                ("permission", 6),
                ("no_space", 6),
                ("too_large", 6),
                ("invalid_argument", 2),
                ("io", 6),
                ("parse", 2),
                ("unknown_command", 2),
            ]
        );
    }
}
