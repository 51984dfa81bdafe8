//! Whether one entry has what is asked, and which of its texts shows it best.

use logwood::entry::{EntryKind, Envelope, ParsedLine, Role, SessionHeader};
use logwood::json::{Raw, parse_iso_ms};

use super::Branch;
use super::needle::{Haystack, Needle};
use super::rank::{ALL_IN_ONE, id_points, points};
use super::snippet::Snippet;
use crate::filter::{Ask, Filter, Grain, Speaker, State, Term};
use crate::text::{Extent, Field, Piece, fold_into, header_pieces, pieces};

/// The terms that ask about entries, prepared once for a search.
#[derive(Debug)]
pub(super) struct Judge {
    asked: Vec<Asked>,
    /// Whether ids are looked at: only where one word is all the text that is asked for (case 63).
    with_ids: bool,
    extent: Extent,
}

/// One term.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) term: Term,
    pub(super) needle: Option<Needle>,
}

/// What was seen of one entry.
#[derive(Debug)]
pub(super) struct Verdict<'a> {
    /// For each term whether it holds, its sign left out.
    holds: Vec<bool>,
    /// Points for what was found, those of the branch left out.
    pub(super) score: i64,
    /// The text that shows it best.
    pub(super) best: Option<Piece<'a>>,
    /// Whether some of its output was not looked at.
    pub(super) cut: bool,
    pub(super) time_ms: Option<i64>,
}

/// What the tree of the session knows of an entry.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InTree<'a> {
    pub(super) branch: Option<Branch>,
    pub(super) label: Option<&'a str>,
}

/// What is gathered while the texts of an entry go by.
struct Gathering<'j, 'a> {
    judge: &'j Judge,
    holds: Vec<bool>,
    best_points: Vec<i64>,
    best: Option<(usize, i64, Piece<'a>)>,
    folded: Vec<u8>,
}

impl Judge {
    /// For the terms of a filter that ask about entries.
    pub(super) fn new(filter: &Filter, grain: Grain, extent: Extent) -> Self {
        let terms = filter.terms().iter().filter(|term| !term.is_about_session(grain));
        let asked: Vec<_> =
            terms.map(|term| Asked { needle: Needle::of(term), term: term.clone() }).collect();
        let wanted = asked.iter().filter_map(|asked| asked.needle.as_ref());
        let with_ids = wanted.filter(|needle| !needle.negated).count() == 1;
        Self { asked, with_ids, extent }
    }

    /// The terms.
    pub(super) fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// The texts that must be there.
    pub(super) fn wanted(&self) -> impl Iterator<Item = &Needle> {
        self.asked.iter().filter_map(|asked| asked.needle.as_ref()).filter(|needle| !needle.negated)
    }

    /// Whether a term asks what only the tree of the session knows.
    pub(super) fn asks_the_tree(&self) -> bool {
        self.asked.iter().any(|asked| is_of_tree(&asked.term.ask))
    }

    /// Looks at an entry; what only the tree knows is taken for granted.
    pub(super) fn entry<'a>(&self, parsed: &ParsedLine<'a>) -> Verdict<'a> {
        let envelope = &parsed.envelope;
        let time_ms = time_of(envelope);
        let mut gathering = Gathering::new(self);
        gathering.look_at_facts(parsed, time_ms);
        let cut = pieces(parsed, self.extent, &mut |piece| gathering.piece(piece));
        gathering.verdict(time_ms, cut)
    }

    /// Looks at a header, which has texts and a time.
    pub(super) fn header<'a>(&self, header: &'a SessionHeader) -> Verdict<'a> {
        let time_ms = header.timestamp().and_then(|time| parse_iso_ms(time.as_bytes()));
        let mut gathering = Gathering::new(self);
        gathering.look_at_time(time_ms);
        header_pieces(header, &mut |piece| gathering.piece(piece));
        gathering.verdict(time_ms, false)
    }

    /// A short part of the text that shows best what was found.
    pub(super) fn snippet(&self, piece: &Piece<'_>) -> Snippet {
        let mut folded = Vec::new();
        fold_into(&piece.text, &mut folded);
        let needles: Vec<_> = self.wanted().collect();
        Snippet::around(&Haystack { text: &piece.text, folded: &folded }, &needles)
    }
}

impl Verdict<'_> {
    /// Whether every term holds, signs included; what only the tree knows is left out.
    pub(super) fn may_hold(&self, judge: &Judge) -> bool {
        let mut terms = self.holds.iter().zip(&judge.asked);
        terms.all(|(holds, asked)| is_of_tree(&asked.term.ask) || *holds != asked.term.negated)
    }

    /// Whether every term holds, signs included.
    pub(super) fn holds(&self, judge: &Judge, tree: InTree<'_>) -> bool {
        self.with_tree(judge, tree).all(|(holds, negated)| holds != negated)
    }

    /// Whether every term without a minus holds.
    pub(super) fn holds_wanted(&self, judge: &Judge, tree: InTree<'_>) -> bool {
        self.with_tree(judge, tree).all(|(holds, negated)| holds || negated)
    }

    /// Whether a term with a minus holds.
    pub(super) fn holds_unwanted(&self, judge: &Judge, tree: InTree<'_>) -> bool {
        self.with_tree(judge, tree).any(|(holds, negated)| holds && negated)
    }

    fn with_tree(&self, judge: &Judge, tree: InTree<'_>) -> impl Iterator<Item = (bool, bool)> {
        self.holds.iter().zip(&judge.asked).map(move |(holds, asked)| {
            let holds = match &asked.term.ask {
                Ask::Label(value) => tree.label.is_some_and(|label| value.is_in(label)),
                Ask::Is(State::Abandoned) => tree.branch == Some(Branch::Abandoned),
                _ => *holds,
            };
            (holds, asked.term.negated)
        })
    }
}

impl<'j, 'a> Gathering<'j, 'a> {
    fn new(judge: &'j Judge) -> Self {
        let count = judge.asked.len();
        Self {
            judge,
            holds: vec![false; count],
            best_points: vec![0; count],
            best: None,
            folded: Vec::new(),
        }
    }

    fn look_at_facts(&mut self, parsed: &ParsedLine<'_>, time_ms: Option<i64>) {
        self.look_at_time(time_ms);
        let envelope = &parsed.envelope;
        for (holds, asked) in self.holds.iter_mut().zip(&self.judge.asked) {
            match &asked.term.ask {
                Ask::Role(speaker) => {
                    *holds = Speaker::of(envelope.entry_kind(), envelope.role()) == Some(*speaker);
                }
                Ask::Model(value) => {
                    *holds = model_of(parsed).is_some_and(|model| value.is_in(&model));
                }
                Ask::Tool(value) if envelope.role() == Role::ToolResult => {
                    let name = envelope.message.and_then(|message| message.get_str("toolName"));
                    *holds = name.is_some_and(|name| value.is_whole(&name));
                }
                _ => {}
            }
        }
    }

    fn look_at_time(&mut self, time_ms: Option<i64>) {
        for (holds, asked) in self.holds.iter_mut().zip(&self.judge.asked) {
            match &asked.term.ask {
                Ask::After(ms) => *holds = time_ms.is_some_and(|time| time >= *ms),
                Ask::Before(ms) => *holds = time_ms.is_some_and(|time| time < *ms),
                _ => {}
            }
        }
    }

    fn piece(&mut self, piece: Piece<'a>) {
        let (count, sum) = match piece.field {
            Field::Id => self.look_in_id(&piece),
            _ => self.look_in_text(&piece),
        };
        let rank = (count, sum, piece.field != Field::Id);
        let better = |(best_count, best_sum, best): &(usize, i64, Piece<'_>)| {
            rank > (*best_count, *best_sum, best.field != Field::Id)
        };
        if self.best.as_ref().is_none_or(better) {
            self.best = Some((count, sum, piece));
        }
    }

    /// How many of the wanted texts are in it, and the points for them.
    fn look_in_text(&mut self, piece: &Piece<'_>) -> (usize, i64) {
        let mut folded = std::mem::take(&mut self.folded);
        folded.clear();
        fold_into(&piece.text, &mut folded);
        let haystack = Haystack { text: &piece.text, folded: &folded };
        let (mut count, mut sum) = (0, 0);
        for (at, asked) in self.judge.asked.iter().enumerate() {
            let points = match (&asked.term.ask, &asked.needle) {
                (Ask::Tool(value), _) if piece.field == Field::Tool => {
                    value.is_whole(&piece.text).then_some(0)
                }
                (Ask::File(value), _) if piece.field == Field::File => {
                    value.is_in(&piece.text).then_some(0)
                }
                (_, Some(needle)) => needle
                    .find(&haystack)
                    .map(|place| points(needle, piece.field, &haystack, &place)),
                _ => None,
            };
            let Some(points) = points else { continue };
            self.found(at, points);
            if !asked.term.negated {
                count += 1;
                sum += points;
            }
        }
        self.folded = folded;
        (count, sum)
    }

    fn look_in_id(&mut self, piece: &Piece<'_>) -> (usize, i64) {
        if !self.judge.with_ids {
            return (0, 0);
        }
        for (at, asked) in self.judge.asked.iter().enumerate() {
            let needle = asked.needle.as_ref().filter(|needle| !needle.negated);
            if let Some(part) = needle.and_then(|needle| needle.find_in_id(piece)) {
                self.found(at, id_points(part));
                return (1, id_points(part));
            }
        }
        (0, 0)
    }

    fn found(&mut self, at: usize, points: i64) {
        if let (Some(holds), Some(best)) = (self.holds.get_mut(at), self.best_points.get_mut(at)) {
            *holds = true;
            *best = points.max(*best);
        }
    }

    fn verdict(self, time_ms: Option<i64>, cut: bool) -> Verdict<'a> {
        let wanted = self.judge.asked.iter().zip(&self.best_points);
        let wanted =
            wanted.filter(|(asked, _)| asked.needle.as_ref().is_some_and(|needle| !needle.negated));
        let (count, sum) =
            wanted.fold((0, 0), |(count, sum), (_, points)| (count + 1, sum + points));
        let together = self.best.as_ref().is_some_and(|(found, _, _)| count > 1 && *found >= count);
        let score =
            if count == 0 { 0 } else { sum / count as i64 + if together { ALL_IN_ONE } else { 0 } };
        Verdict {
            holds: self.holds,
            score,
            best: self.best.map(|(_, _, piece)| piece),
            cut,
            time_ms,
        }
    }
}

fn is_of_tree(ask: &Ask) -> bool {
    matches!(ask, Ask::Label(_) | Ask::Is(State::Abandoned))
}

/// When an entry was written, else when its message was.
fn time_of(envelope: &Envelope<'_>) -> Option<i64> {
    let entry = envelope.timestamp.and_then(Raw::as_string_bytes).and_then(parse_iso_ms);
    entry.or_else(|| envelope.head.timestamp.and_then(Raw::as_f64).map(|time| time as i64))
}

/// The model that answered, or that was chosen, as `provider/model`.
fn model_of(parsed: &ParsedLine<'_>) -> Option<String> {
    let envelope = &parsed.envelope;
    let text = |part: Option<Raw<'_>>| part.and_then(Raw::as_str).map(std::borrow::Cow::into_owned);
    let (provider, model) = if envelope.entry_kind() == EntryKind::ModelChange {
        let raw = Raw::parse(parsed.text).ok()?;
        (text(raw.get("provider")), text(raw.get("modelId")))
    } else {
        (text(envelope.head.provider), text(envelope.head.model))
    };
    Some(format!("{}/{}", provider.unwrap_or_default(), model?))
}
