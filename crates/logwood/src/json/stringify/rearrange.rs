//! Which objects of a text JavaScript would write with other members or in another order (spec 0.4).

use std::borrow::Cow;

use foldhash::quality::RandomState;
use hashbrown::HashTable;

use super::tokens::{Span, Token, Tokens, inner};
use crate::json::unescape_wtf8;

/// An object whose members are not to be written as they stand.
pub(super) struct Rearranged {
    /// From its opening to behind its closing brace.
    pub(super) span: Span,
    /// The members to write, in order.
    pub(super) members: Vec<Spans>,
}

/// A member in the text: the key with its quotes, and the value, perhaps with white space around it.
#[derive(Clone, Copy)]
pub(super) struct Spans {
    pub(super) key: Span,
    pub(super) value: Span,
}

/// The objects of `text` to rearrange, in the order in which they start.
pub(super) fn find_rearranged(text: &[u8]) -> Vec<Rearranged> {
    let mut finder = Finder {
        text,
        open: Vec::new(),
        members: Vec::new(),
        found: Vec::new(),
        state: RandomState::default(),
    };
    for (start, token) in Tokens::new(text, Span { start: 0, end: text.len() }) {
        finder.see(start, token);
    }
    finder.found.sort_unstable_by_key(|object| object.span.start);
    finder.found
}

struct Member<'a> {
    spans: Spans,
    /// The decoded key, which is what makes two keys the same.
    name: Cow<'a, [u8]>,
}

/// An object or array that has not ended yet.
struct Open {
    start: usize,
    is_object: bool,
    /// Where its members begin in the stack of members.
    first: usize,
    /// Whether the next string is a key.
    wants_key: bool,
}

struct Finder<'a> {
    text: &'a [u8],
    open: Vec<Open>,
    /// The members of all open objects, the innermost object's last.
    members: Vec<Member<'a>>,
    found: Vec<Rearranged>,
    state: RandomState,
}

impl Finder<'_> {
    fn see(&mut self, at: usize, token: Token) {
        match token {
            Token::Mark(mark @ (b'{' | b'[')) => {
                let is_object = mark == b'{';
                self.open.push(Open {
                    start: at,
                    is_object,
                    first: self.members.len(),
                    wants_key: is_object,
                });
            }
            Token::Mark(b'}' | b']') => self.close(at),
            Token::Mark(b',') => self.end_value(at),
            Token::Mark(_) => self.start_value(at + 1),
            Token::Text(span) => self.key(span),
            Token::Atom(_) => {}
        }
    }

    fn key(&mut self, key: Span) {
        let Some(open) = self.open.last_mut().filter(|open| open.wants_key) else {
            return;
        };
        open.wants_key = false;
        let value = Span { start: key.end, end: key.end };
        self.members.push(Member {
            spans: Spans { key, value },
            name: unescape_wtf8(inner(key.of(self.text))),
        });
    }

    fn start_value(&mut self, at: usize) {
        if let Some(member) = self.members.last_mut() {
            member.spans.value.start = at;
        }
    }

    fn end_value(&mut self, at: usize) {
        let Some(open) = self.open.last_mut().filter(|open| open.is_object) else {
            return;
        };
        open.wants_key = true;
        if let Some(member) = self.members.get_mut(open.first..).and_then(<[_]>::last_mut) {
            member.spans.value.end = at;
        }
    }

    fn close(&mut self, at: usize) {
        self.end_value(at);
        let Some(open) = self.open.pop() else {
            return;
        };
        let members = self.members.get(open.first..).unwrap_or_default();
        if let Some(members) = rearrange(members, &self.state) {
            self.found.push(Rearranged { span: Span { start: open.start, end: at + 1 }, members });
        }
        self.members.truncate(open.first);
    }
}

/// The members as JavaScript keeps them, or `None` when that is how they stand.
fn rearrange(members: &[Member<'_>], state: &RandomState) -> Option<Vec<Spans>> {
    let has_index = members.iter().any(|member| array_index(&member.name).is_some());
    if !has_index && !has_duplicates(members, state) {
        return None;
    }
    let mut kept = fold_duplicates(members, state);
    kept.sort_by_key(|(index, _)| (index.is_none(), *index));
    Some(kept.into_iter().map(|(_, spans)| spans).collect())
}

/// Objects of up to this many members compare all keys, which is quicker than a table.
const FEW: usize = 8;

fn has_duplicates(members: &[Member<'_>], state: &RandomState) -> bool {
    if members.len() > FEW {
        return fold_duplicates(members, state).len() < members.len();
    }
    let mut rest = members;
    while let Some((member, others)) = rest.split_first() {
        if others.iter().any(|other| other.name == member.name) {
            return true;
        }
        rest = others;
    }
    false
}

/// Each key once, at its first place, with its last value; and its array index, if it is one.
fn fold_duplicates(members: &[Member<'_>], state: &RandomState) -> Vec<(Option<u32>, Spans)> {
    let mut seen: HashTable<(&[u8], usize)> = HashTable::with_capacity(members.len());
    let mut kept: Vec<(Option<u32>, Spans)> = Vec::with_capacity(members.len());
    for member in members {
        let name = &*member.name;
        let hash = |name: &[u8]| std::hash::BuildHasher::hash_one(state, name);
        match seen.find(hash(name), |(other, _)| *other == name) {
            Some((_, place)) => {
                if let Some((_, spans)) = kept.get_mut(*place) {
                    spans.value = member.spans.value;
                }
            }
            None => {
                seen.insert_unique(hash(name), (name, kept.len()), |(name, _)| hash(name));
                kept.push((array_index(name), member.spans));
            }
        }
    }
    kept
}

/// The number, if `key` is one that JavaScript sorts: 0 to 2^32 - 2 in its shortest decimal form.
fn array_index(key: &[u8]) -> Option<u32> {
    match key {
        b"0" => Some(0),
        [b'1'..=b'9', rest @ ..] if rest.len() < 10 && rest.iter().all(u8::is_ascii_digit) => {
            std::str::from_utf8(key).ok()?.parse().ok().filter(|&index| index < u32::MAX)
        }
        _ => None,
    }
}
