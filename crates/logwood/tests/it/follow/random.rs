//! Programs that append whole lines, parts of lines and rubbish, rewrite the file beside it or in place, and fail; and a reader that
//! looks now and then, stops, and goes on from the cursor of any event.

use std::io::Write as _;
use std::sync::Arc;

use logwood::follow::{FollowCursor, FollowEvent, SessionCursor, SessionFollower, Start};
use logwood::storage::{Create, MemoryStorage, Replacement, Storage as _};
use proptest::prelude::*;

use super::{HEADER, PATH, id, line};

/// What happens.
#[derive(Debug, Clone)]
enum Step {
    /// An entry in one write.
    Whole,
    /// An entry of which the first part is written; the rest comes with the next `Rest`, or never.
    Part(prop::sample::Index),
    Rest,
    /// Lines that are no entries.
    Rubbish,
    /// A write that fails and is taken back.
    Failed(prop::sample::Index),
    /// The header gets a longer text: a new file takes the place of the old one.
    Replaced,
    /// The same, written over the old file in pieces, with looks in between.
    InPlace,
    /// The reader looks.
    Poll,
    /// The reader stops and goes on.
    Restart,
    /// The reader is killed after it took some of the events of its last look.
    Killed(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        4 => Just(Step::Whole),
        4 => index().prop_map(Step::Part),
        3 => Just(Step::Rest),
        1 => Just(Step::Rubbish),
        1 => index().prop_map(Step::Failed),
        1 => Just(Step::Replaced),
        1 => Just(Step::InPlace),
        6 => Just(Step::Poll),
        1 => Just(Step::Restart),
        1 => index().prop_map(Step::Killed),
    ]
}

/// The file, what is in it, and its reader.
struct World {
    storage: MemoryStorage,
    follower: SessionFollower,
    /// The entries that are whole, in order.
    written: Vec<String>,
    /// What is missing of the line at the end, and its id unless it counts already.
    rest: Option<(String, Option<String>)>,
    headers: usize,
    told: Vec<String>,
    /// The events of the last look, and the cursor before them.
    last: (SessionCursor, Vec<FollowEvent>),
}

impl World {
    fn new(start: Start) -> Self {
        let storage = MemoryStorage::new();
        let mut text = HEADER.to_owned();
        let old: Vec<_> = (0..3).map(|number| format!("old{number}")).collect();
        old.iter().for_each(|id| text += &line(id));
        storage.put(PATH, text).unwrap();
        let follower = SessionFollower::new(Arc::new(storage.clone()), PATH, start).unwrap();
        let written = if start == Start::Beginning { old } else { Vec::new() };
        let last = (follower.cursor(), Vec::new());
        Self { storage, follower, written, rest: None, headers: 0, told: Vec::new(), last }
    }

    fn write(&self, text: &str) {
        let mut file = self.storage.open_append(PATH.as_ref(), Create::Never).unwrap();
        file.append(text.as_bytes()).unwrap();
    }

    /// A line of its own, behind a fence where the last one has no end.
    fn write_lines(&mut self, text: &str) {
        let fence = if self.rest.take().is_some() { "\n" } else { "" };
        self.write(&format!("{fence}{text}"));
    }

    fn next_line(&self, number: usize) -> (String, String) {
        let id = format!("e{number}");
        let text = line(&id).replace("\"x\"", &format!("\"{}\"", "é".repeat(number % 60)));
        (id, text)
    }

    fn step(&mut self, number: usize, step: &Step) {
        match step {
            Step::Whole => {
                let (id, text) = self.next_line(number);
                self.write_lines(&text);
                self.written.push(id);
            }
            Step::Part(cut) => {
                let (id, text) = self.next_line(number);
                let cuts: Vec<_> = text.char_indices().map(|(at, _)| at).skip(1).collect();
                let (start, rest) = text.split_at(*cut.get(&cuts));
                self.write_lines(start);
                // Without its LF the record is whole already.
                let whole = rest == "\n";
                if whole {
                    self.written.push(id.clone());
                }
                self.rest = Some((rest.to_owned(), (!whole).then_some(id)));
            }
            Step::Rest => {
                if let Some((rest, id)) = self.rest.take() {
                    self.write(&rest);
                    self.written.extend(id);
                }
            }
            Step::Rubbish => {
                self.write_lines("{\"a\":\n\n[1]\n{\"type\":\"custom\",\"id\":7}\n\0\0\n")
            }
            Step::Failed(cut) => self.fail(*cut, number),
            Step::Replaced => {
                let text = self.longer();
                let mut new = Replacement::of(PATH.as_ref(), &self.storage).unwrap();
                new.write_all(&text).unwrap();
                drop(new.commit().unwrap());
            }
            Step::InPlace => self.rewrite_in_place(),
            Step::Poll => self.poll(),
            Step::Restart => {
                let json = self.follower.cursor().to_json();
                self.resume(&json);
            }
            Step::Killed(kept) => self.kill(*kept),
        }
    }

    fn fail(&mut self, cut: prop::sample::Index, number: usize) {
        let (_, text) = self.next_line(number);
        let cuts: Vec<_> = text.char_indices().map(|(at, _)| at).skip(1).collect();
        let start = &text[..*cut.get(&cuts[..cuts.len() - 1])];
        let mut file = self.storage.open_append(PATH.as_ref(), Create::Never).unwrap();
        let length = file.metadata().unwrap().len;
        let fence = if self.rest.is_some() { "\n" } else { "" };
        file.append(format!("{fence}{start}").as_bytes()).unwrap();
        let told = self.told.len();
        self.poll();
        // What was there before may be told now, nothing else.
        assert!(self.told.len() <= self.written.len(), "{:?}", &self.told[told..]);
        file.truncate(length).unwrap();
    }

    /// The bytes of the file, with a longer header.
    fn longer(&mut self) -> Vec<u8> {
        self.headers += 1;
        let bytes = self.storage.contents(PATH).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (header, rest) = text.split_once('\n').unwrap();
        let header = header.strip_suffix('}').unwrap();
        format!("{header},\"agentType{}\":\"a\"}}\n{rest}", self.headers).into_bytes()
    }

    fn rewrite_in_place(&mut self) {
        let text = self.longer();
        let mut file = self.storage.open_append(PATH.as_ref(), Create::Never).unwrap();
        file.truncate(0).unwrap();
        self.poll();
        for piece in text.chunks(text.len().div_ceil(3)) {
            file.append(piece).unwrap();
            self.poll();
        }
    }

    fn poll(&mut self) {
        let before = self.follower.cursor();
        let events = self.follower.poll();
        self.told.extend(events.iter().filter_map(id));
        self.last = (before, events);
    }

    fn resume(&mut self, json: &[u8]) {
        let cursor = FollowCursor::parse(json).unwrap().session(PATH.as_ref()).unwrap();
        self.follower = SessionFollower::resume(Arc::new(self.storage.clone()), cursor);
        self.last = (self.follower.cursor(), Vec::new());
    }

    /// Only some of the last events were taken: the others have to come again.
    fn kill(&mut self, kept: prop::sample::Index) {
        let (before, events) = self.last.clone();
        let kept = kept.index(events.len() + 1);
        let lost = events[kept..].iter().filter_map(id).count();
        self.told.truncate(self.told.len() - lost);
        let cursor = events[..kept].last().map_or(before, |event| event.cursor.clone());
        self.resume(&cursor.to_json());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn every_whole_entry_comes_once_and_in_order(
        steps in prop::collection::vec(step(), 0..40),
        from_the_beginning in any::<bool>(),
    ) {
        let start = if from_the_beginning { Start::Beginning } else { Start::Now };
        let mut world = World::new(start);
        for (number, step) in steps.iter().enumerate() {
            world.step(number, step);
            prop_assert!(world.written.starts_with(&world.told), "{step:?}: {:?}", world.told);
        }
        world.poll();
        world.poll();
        prop_assert_eq!(&world.told, &world.written);
        world.poll();
        prop_assert!(world.last.1.is_empty(), "{:?}", world.last.1);
    }
}
