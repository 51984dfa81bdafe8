//! Byte-exact edits of one JSON object: only the member that changes is touched, white space and all else stay as they are.

use std::ops::Range;

use super::cursor::Cursor;
use super::raw::{Raw, RawKey};

/// The object with `key` set to `value`, as a JavaScript assignment does it: the member that counts keeps its place, a new one goes last.
///
/// Anything that is not an object comes back as it is.
///
/// ```
/// use logwood::json::{Raw, set_member};
///
/// let header = Raw::parse(br#"{ "version":2, "id":"x"}"#)?;
/// assert_eq!(set_member(header, "version", b"3"), br#"{ "version":3, "id":"x"}"#);
/// assert_eq!(set_member(header, "a", b"1"), br#"{ "version":2, "id":"x","a":1}"#);
/// # Ok::<(), logwood::json::SyntaxError>(())
/// ```
pub fn set_member(object: Raw<'_>, key: &str, value: &[u8]) -> Vec<u8> {
    let items = items(object);
    match items.iter().rev().find(|item| item.key.is(key)) {
        Some(item) => splice(object.bytes(), item.value.clone(), value),
        None => append_member(object, items.is_empty(), key, value),
    }
}

/// The object without any member called `key`.
pub fn remove_member(object: Raw<'_>, key: &str) -> Vec<u8> {
    let items = items(object);
    let kept: Vec<bool> = items.iter().map(|item| !item.key.is(key)).collect();
    let mut text = object.bytes().to_vec();
    let Some(first_kept) = kept.iter().position(|kept| *kept) else {
        return empty_object(&items, text);
    };
    for (at, item) in items.iter().enumerate().rev() {
        if item.key.is(key) {
            text.drain(item.with_comma(at > first_kept));
        }
    }
    text
}

/// The object when no member stays.
fn empty_object(items: &[Item<'_>], mut text: Vec<u8>) -> Vec<u8> {
    if let (Some(first), Some(last)) = (items.first(), items.last()) {
        text.drain(first.whole.start..last.whole.end);
    }
    text
}

/// One member and where it stands: `whole` runs from behind the brace or comma before it up to the comma or brace after it.
struct Item<'a> {
    key: RawKey<'a>,
    value: Range<usize>,
    whole: Range<usize>,
}

impl Item<'_> {
    /// The range to cut, with one comma: the one before it behind the first member that stays, else the one after it.
    fn with_comma(&self, behind_kept: bool) -> Range<usize> {
        if behind_kept {
            self.whole.start - 1..self.whole.end
        } else {
            self.whole.start..self.whole.end + 1
        }
    }
}

fn items(object: Raw<'_>) -> Vec<Item<'_>> {
    let mut cursor = Cursor::new(object.bytes());
    let mut items = Vec::new();
    if !cursor.eat(b'{') || cursor.peek() == Some(b'}') {
        return items;
    }
    loop {
        let start = cursor.offset();
        let Ok(key) = cursor.key() else { return items };
        let _ = cursor.peek();
        let from = cursor.offset();
        if cursor.value().is_err() {
            return items;
        }
        let value = from..cursor.offset();
        let _ = cursor.peek();
        items.push(Item { key, value, whole: start..cursor.offset() });
        if !cursor.eat(b',') {
            return items;
        }
    }
}

fn splice(text: &[u8], range: Range<usize>, value: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    text.splice(range, value.iter().copied());
    text
}

fn append_member(object: Raw<'_>, empty: bool, key: &str, value: &[u8]) -> Vec<u8> {
    let Some(body) = object.bytes().strip_suffix(b"}") else { return object.bytes().to_vec() };
    let mut text = body.to_vec();
    if !empty {
        text.push(b',');
    }
    text.push(b'"');
    super::string::escape_into(&mut text, key);
    text.extend_from_slice(b"\":");
    text.extend_from_slice(value);
    text.push(b'}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(object: &str, key: &str, value: &str) -> String {
        let raw = Raw::parse(object.as_bytes()).unwrap();
        String::from_utf8(set_member(raw, key, value.as_bytes())).unwrap()
    }

    fn remove(object: &str, key: &str) -> String {
        String::from_utf8(remove_member(Raw::parse(object.as_bytes()).unwrap(), key)).unwrap()
    }

    #[test]
    fn a_member_is_set_where_it_stands_and_nothing_else_moves() {
        assert_eq!(
            set(r#"{ "a" : 1.0 , "b":[1, 2] }"#, "a", "null"),
            r#"{ "a" : null , "b":[1, 2] }"#
        );
        assert_eq!(set(r#"{"a":1,"a":2}"#, "a", "3"), r#"{"a":1,"a":3}"#);
        assert_eq!(set(r#"{"\u0061":1}"#, "a", "3"), r#"{"\u0061":3}"#);
    }

    #[test]
    fn a_new_member_goes_last() {
        assert_eq!(set("{}", "a", "1"), r#"{"a":1}"#);
        assert_eq!(set("{ }", "a", "1"), r#"{ "a":1}"#);
        assert_eq!(set(r#"{"b":1 }"#, "a", "1"), r#"{"b":1 ,"a":1}"#);
    }

    #[test]
    fn members_are_removed_with_one_comma_each() {
        assert_eq!(remove(r#"{"a":1,"b":2,"c":3}"#, "a"), r#"{"b":2,"c":3}"#);
        assert_eq!(remove(r#"{"a":1,"b":2,"c":3}"#, "b"), r#"{"a":1,"c":3}"#);
        assert_eq!(remove(r#"{"a":1,"b":2,"c":3}"#, "c"), r#"{"a":1,"b":2}"#);
        assert_eq!(remove(r#"{"a":1}"#, "a"), "{}");
        assert_eq!(remove(r#"{"a":1,"a":2}"#, "a"), "{}");
        assert_eq!(remove(r#"{"a":1,"a":2,"b":3,"a":4}"#, "a"), r#"{"b":3}"#);
        assert_eq!(remove(r#"{ "x" : {"a":1} }"#, "a"), r#"{ "x" : {"a":1} }"#);
    }
}
