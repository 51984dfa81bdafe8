//! A whole session copied while it is read: each line is looked at once, and goes into the new file at once.

use std::path::Path;

use crate::entry::{HeaderSearch, HeaderStep, ParsedLine, RecordKind, SessionHeader, parse_line};
use crate::error::{Error, Result};
use crate::line::{LineReader, LineRef};
use crate::migration::Steps;
use crate::problem::{Problem, ProblemKind};
use crate::storage::Sequential;

use super::fork::{header_of_copy, named_from_root};
use super::manager::{SessionManager, trim_line};
use super::new_file::NewFile;
use super::options::SessionOptions;
use super::read::{WHAT, expected_after};
use super::world::World;

impl SessionOptions {
    /// Copies a file of at least `from` bytes into the session that `make` makes for a parent. None for a smaller one, for one of an older version,
    /// whose entries are to be changed, and for what is no session: then nothing was made.
    pub(super) fn copy_in_passing(
        &self,
        source: &Path,
        from: u64,
        make: impl Fn(Option<String>) -> Result<SessionManager>,
    ) -> Result<Option<SessionManager>> {
        let storage = self.world.storage.clone();
        let io = |error| Error::io(WHAT, source, error);
        // What is wrong with the file is told by opening it.
        let Ok(mut file) = storage.open(source) else { return Ok(None) };
        let length = file.metadata().map_err(io)?.len;
        if length < from {
            return Ok(None);
        }
        let mut reader = LineReader::new(Sequential::new(&mut *file));
        let mut start = Start::default();
        let header = loop {
            let Some(line) = reader.next_line().map_err(io)? else { return Ok(None) };
            match start.line(line) {
                Step::NotYet => {}
                Step::Found(header) => break header,
                Step::Refused => return Ok(None),
            }
        };
        if !header.has_version() || Steps::of(&header) != Steps::None {
            return Ok(None);
        }
        let mut copy = make(Some(named_from_root(&*storage, source)))?;
        copy.require_writable()?;
        let mut new = Copying::begin(&header, &copy, &self.world, start.left_out)?;
        while let Some(line) = reader.next_line().map_err(io)? {
            new.line(line)?;
            if let Some(entries) = expected_after(line, length) {
                new.file.reserve(entries);
            }
        }
        copy.take_over(new.file)?;
        copy.loaded.problems.extend(new.left_out);
        Ok(Some(copy))
    }
}

/// What stands before the header and in it.
#[derive(Default)]
struct Start {
    search: HeaderSearch,
    left_out: Vec<Problem>,
}

enum Step {
    NotYet,
    Found(SessionHeader),
    Refused,
}

impl Start {
    fn line(&mut self, line: LineRef<'_>) -> Step {
        match parse_line(line.bytes) {
            None => Step::NotYet,
            Some(Err(_)) => {
                self.search.bad_line(line);
                self.left_out.push(Problem::at(ProblemKind::of_bad_line(line), line.position));
                Step::NotYet
            }
            Some(Ok(parsed)) => match self.search.line(line, &parsed) {
                HeaderStep::NotYet => Step::NotYet,
                HeaderStep::Refused(_) => Step::Refused,
                HeaderStep::Found { header, .. } => {
                    self.left_out.extend(bom(line, &parsed));
                    Step::Found(header)
                }
            },
        }
    }
}

/// A copy that is being written.
struct Copying<'a> {
    file: NewFile<'a>,
    left_out: Vec<Problem>,
}

impl<'a> Copying<'a> {
    fn begin(
        header: &SessionHeader,
        copy: &SessionManager,
        world: &'a World,
        left_out: Vec<Problem>,
    ) -> Result<Self> {
        let mut file = NewFile::on_disk(world, &copy.file())?;
        file.line(&header_of_copy(header, copy))?;
        Ok(Self { file, left_out })
    }

    /// Takes the next line of the source, or leaves it out with a problem.
    fn line(&mut self, line: LineRef<'_>) -> Result<()> {
        let parsed = match parse_line(line.bytes) {
            None => return Ok(()),
            Some(Err(_)) => {
                self.leave_out(ProblemKind::of_bad_line(line), line);
                return Ok(());
            }
            Some(Ok(parsed)) => parsed,
        };
        self.left_out.extend(bom(line, &parsed));
        match parsed.envelope.record_kind() {
            RecordKind::Header => self.leave_out(ProblemKind::DuplicateHeader, line),
            RecordKind::NotAnEntry => self.leave_out(ProblemKind::NotAnEntry, line),
            RecordKind::Entry | RecordKind::MissingId => {
                self.file.parsed(trim_line(line.bytes), &parsed)?;
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, kind: ProblemKind, line: LineRef<'_>) {
        self.left_out.push(Problem::at(kind, line.position));
    }
}

fn bom(line: LineRef<'_>, parsed: &ParsedLine<'_>) -> Option<Problem> {
    parsed.had_bom.then(|| Problem::at(ProblemKind::Bom, line.position))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::session::NewSession;
    use crate::storage::MemoryStorage;

    const SOURCE: &str = "/source.jsonl";

    /// What both ways must give alike: the lines behind the header, the version, problems, position, name and label.
    type Seen = (Vec<String>, String, Vec<String>, Option<String>, Option<String>, usize);

    fn seen(storage: &MemoryStorage, copy: &SessionManager) -> Seen {
        let bytes = storage.contents(copy.session_file().unwrap()).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut lines = text.split_inclusive('\n').map(str::to_owned);
        let _ = lines.next().unwrap();
        let version = copy.header().raw().get("version").unwrap().text().into_owned();
        let problems = copy.problems().iter().map(|problem| format!("{problem:?}")).collect();
        let leaf = copy.leaf_id().map(str::to_owned);
        let name = copy.session_name().map(str::to_owned);
        (lines.collect(), version, problems, leaf, name, copy.tree().labels().in_order().len())
    }

    fn both(text: &str) -> (Option<Seen>, Seen) {
        let storage = MemoryStorage::new();
        storage.put(SOURCE, text).unwrap();
        let options = SessionOptions::new().storage(Arc::new(storage.clone()));
        let make = |dir: &'static str| {
            let options = &options;
            move |parent_session| {
                let cwd = Some("/p".to_owned());
                options.create(dir, NewSession { cwd, parent_session, ..NewSession::default() })
            }
        };
        let passing = options.copy_in_passing(SOURCE.as_ref(), 0, make("/a")).unwrap();
        let opened = options.copy_opened(SOURCE.as_ref(), make("/b")).unwrap();
        let parents = passing.iter().map(SessionManager::header).chain([opened.header()]);
        assert!(
            parents
                .map(SessionHeader::parent_session)
                .all(|parent| parent.as_deref() == Some(SOURCE))
        );
        (passing.map(|copy| seen(&storage, &copy)), seen(&storage, &opened))
    }

    const HEADER: &str = r#"{"type":"session","version":3,"id":"s","cwd":"/q"}"#;

    fn entry(id: &str, parent: &str) -> String {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":"{parent}","timestamp":"2025-01-01T00:00:00.000Z","message":{{"role":"user","content":"{id}"}}}}"#
        )
    }

    #[test]
    fn it_is_the_copy_of_an_opened_session() {
        let (a, b, again) = (entry("a", ""), entry("b", "a"), entry("a", "b"));
        let label = r#"{"type":"label","id":"l","parentId":"b","targetId":"a","label":"here"}"#;
        let name = r#"{"type":"session_info","id":"n","parentId":"l","name":"Shop"}"#;
        let kept = r#"{"type":"compaction","id":"c","parentId":"n","firstKeptEntryId":"zz"}"#;
        let newer = HEADER.replace('3', "4.5");
        for text in [
            format!("{HEADER}\n{a}\n{b}\n{label}\n{name}\n{kept}\n"),
            format!("{HEADER}\r\n{a}\r\n  {b} \r\n\n \n{again}\n{b}"),
            format!("\u{feff}{HEADER}\n\u{feff}{a}\n7\nnull\n[1]\n{HEADER}\n{{\"a\":1}}\n{b}\n"),
            format!(
                "{{\"type\":\"title\",\"title\":\"t\"}}\n{HEADER}\n{a}\n{{\"type\":\"x\"}}\n{b}\n{{\"ty"
            ),
            format!("{newer}\n{a}\n\0\0\0{b}\n{{\"type\":\n{b}\n"),
            format!("{HEADER}\n"),
        ] {
            let (passing, opened) = both(&text);
            assert_eq!(passing.unwrap(), opened, "{text}");
        }
    }

    /// Entries of older versions are changed, which the other way does.
    #[test]
    fn an_older_version_is_left_to_the_other_way() {
        for header in
            [r#"{"type":"session","version":2,"id":"s"}"#, r#"{"type":"session","id":"s"}"#]
        {
            assert_eq!(both(&format!("{header}\n{}\n", entry("a", ""))).0, None);
        }
    }
}
