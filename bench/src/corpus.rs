//! The inputs: written on demand by `gen_corpus.py`, always the same bytes, kept for the next run.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::{Fault, complain};

/// The generator, as it was when this program was built.
const GENERATOR: &str = include_str!("../gen_corpus.py");

/// One input; the names are those of BENCHMARKS.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Corpus {
    /// No input: an empty folder.
    Empty,
    /// 10,000 sessions in one folder.
    Bflat,
    /// One session of 10 MB.
    C10,
    /// One session of 200 MB.
    C,
    /// One session of 1 GB.
    D,
    /// A chain of 100,000 entries.
    E100k,
    /// A chain of 1,000,000 entries.
    E1M,
    /// 100,000 entries below one.
    W100k,
    /// A performance log of 100,000 records.
    P,
    /// 1,000 sessions, 1 GB.
    A,
    /// 10,000 sessions in 100 projects.
    B,
}

/// What the generator says about an input; the oracle for counts.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub(crate) struct Manifest {
    #[serde(rename = "totals")]
    pub(crate) total: Total,
    pub(crate) files: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub(crate) struct Total {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
}

#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub(crate) struct Row {
    path: PathBuf,
}

/// An input that is there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Input {
    /// What an operation gets: the file of a single session or of a log, else the folder.
    pub(crate) path: PathBuf,
    pub(crate) manifest: Manifest,
}

impl Corpus {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Empty => "-",
            Self::A => "A",
            Self::B => "B",
            Self::Bflat => "Bflat",
            Self::C10 => "C10",
            Self::C => "C",
            Self::D => "D",
            Self::E100k => "E100k",
            Self::E1M => "E1M",
            Self::W100k => "W100k",
            Self::P => "P",
        }
    }

    fn options(self) -> &'static str {
        match self {
            Self::Empty => "",
            Self::A => "--sessions 1000 --projects 25 --total-mb 1000 --max-mb 64",
            Self::B => "--sessions 10000 --projects 100 --total-mb 280 --max-mb 2 --median-kb 12",
            Self::Bflat => {
                "--sessions 10000 --projects 100 --total-mb 280 --max-mb 2 --median-kb 12 --agent-dir-layout flat"
            }
            Self::C10 => "--single-mb 10",
            Self::C => "--single-mb 200",
            Self::D => "--single-mb 1024",
            Self::E100k => "--linear 100000",
            Self::E1M => "--linear 1000000",
            Self::W100k => "--wide 100000",
            Self::P => "--sessions 1 --total-mb 1 --agent-dir-layout full --perf-rows 100000",
        }
    }

    /// How many messages dreb 2.61 lists of a store, damaged files and all.
    pub(crate) fn messages(self) -> Option<u64> {
        match self {
            Self::A => Some(249_507),
            Self::B | Self::Bflat => Some(139_460),
            _ => None,
        }
    }

    /// How many files look like sessions and are not in the manifest.
    pub(crate) fn strays(self) -> u64 {
        if matches!(self, Self::A | Self::B) { 2 } else { 0 }
    }

    /// How many records a performance log has.
    pub(crate) fn records(self) -> Option<u64> {
        (self == Self::P).then_some(100_000)
    }

    /// Whether it is one session and not a store.
    pub(crate) fn is_single(self) -> bool {
        !matches!(self, Self::A | Self::B | Self::Bflat | Self::Empty | Self::P)
    }

    /// Whether it is over 500 MB.
    pub(crate) fn is_huge(self) -> bool {
        matches!(self, Self::A | Self::D)
    }

    /// The chains are compared with each other, so they are measured in turn; every other corpus is a group of its own.
    pub(crate) fn group(self) -> Self {
        if self == Self::E1M { Self::E100k } else { self }
    }

    /// Makes the input in `folder` unless it is there.
    pub(crate) fn ready(self, folder: &Path) -> Result<Input, Fault> {
        fs::create_dir_all(folder)?;
        if self == Self::Empty {
            return Ok(Input { path: folder.to_path_buf(), manifest: Manifest::default() });
        }
        let home = folder.join(self.folder_name());
        if !home.exists() {
            let partial = home.with_extension("partial");
            if partial.exists() {
                fs::remove_dir_all(&partial)?;
            }
            complain(&format!("making corpus {}", self.name()));
            self.generate(&partial)?;
            fs::rename(&partial, &home)?;
        }
        let manifest: Manifest =
            serde_json::from_slice(&fs::read(home.join("corpus-manifest.json"))?)?;
        let single = manifest.files.first().filter(|_| self.is_single());
        let path = match (self, single) {
            (Self::P, _) => home.join("performance.jsonl"),
            (_, Some(row)) => home.join(&row.path),
            _ => home,
        };
        Ok(Input { path, manifest })
    }

    /// Another generator or other options are another folder, so that old bytes are never taken for new ones.
    fn folder_name(self) -> String {
        let text = GENERATOR.bytes().chain(self.options().bytes());
        let hash = text.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{}-{:08x}", self.name(), hash >> 32)
    }

    fn generate(self, out: &Path) -> Result<(), Fault> {
        let mut command = Command::new("python3");
        command.arg("-").arg("--out").arg(out).args(self.options().split(' '));
        let started = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut python = started.map_err(|why| format!("cannot start python3: {why}"))?;
        if let Some(mut input) = python.stdin.take() {
            input.write_all(GENERATOR.as_bytes())?;
        }
        let status = python.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the generator of corpus {} ended with {status}", self.name()).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn other_options_are_another_folder() {
        let corpora = [Corpus::A, Corpus::B, Corpus::Bflat, Corpus::C, Corpus::D, Corpus::E1M];
        let hash = |corpus: &Corpus| corpus.folder_name().split_once('-').unwrap().1.to_owned();
        let hashes: BTreeSet<_> = corpora.iter().map(hash).collect();
        assert_eq!(hashes.len(), corpora.len());
        assert!(hashes.iter().all(|hash| hash.len() == 8), "{hashes:?}");
    }

    #[test]
    fn a_manifest_is_read() {
        let text = r#"{"generator":"g","totals":{"files":1,"bytes":9,"lines":3,"images":0},
            "files":[{"path":"sessions/a.jsonl","lines":3}]}"#;
        let manifest: Manifest = serde_json::from_str(text).unwrap();
        assert_eq!((manifest.total.files, manifest.total.bytes, manifest.total.lines), (1, 9, 3));
        assert_eq!(manifest.files[0].path, Path::new("sessions/a.jsonl"));
    }
}
