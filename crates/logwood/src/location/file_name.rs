//! The name of a session file.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};

const EXTENSION: &str = ".jsonl";
/// The longest file name, in bytes, that the common file systems take.
const LONGEST_NAME: usize = 255;

/// The name of a session file: `<timestamp>_<session id>.jsonl` (rule L9; spec 3.4).
///
/// The timestamp is the header's, with `-` for every `:` and `.`. The name is only a convention: any `*.jsonl` file
/// with a valid header is a session, so [`parse`](Self::parse) answers none for the names of others.
///
/// ```
/// use logwood::location::SessionFileName;
///
/// let name = SessionFileName::new("2024-12-03T14:00:00.000Z", "11111111-1111-4111-8111-111111111111")?;
/// assert_eq!(name.to_string(), "2024-12-03T14-00-00-000Z_11111111-1111-4111-8111-111111111111.jsonl");
/// assert_eq!(SessionFileName::parse(&name.to_string()), Some(name));
/// # Ok::<(), logwood::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SessionFileName {
    timestamp: String,
    id: String,
}

impl SessionFileName {
    /// The name for the session with this header `timestamp` (ISO text) and `id`.
    ///
    /// # Errors
    ///
    /// `invalid_argument` where they make no safe file name: one of them is empty or holds a path separator or a
    /// control character, or the name would be longer than 255 bytes. An id may come from a caller or a foreign
    /// header, and must not lead out of the folder.
    pub fn new(timestamp: &str, id: &str) -> Result<Self> {
        check_part("timestamp", timestamp)?;
        check_part("id", id)?;
        let name = Self { timestamp: timestamp.to_owned(), id: id.to_owned() };
        if name.to_string().len() > LONGEST_NAME {
            return Err(refuse("id", "it makes the name longer than 255 bytes"));
        }
        Ok(name)
    }

    /// Reads a file name (not a path) back; none where it is not of this form.
    pub fn parse(name: &str) -> Option<Self> {
        let (stamp, id) = name.strip_suffix(EXTENSION)?.split_once('_')?;
        Self::new(&iso_of_stamp(stamp)?, id).ok()
    }

    /// The header timestamp, as ISO text with `:` and `.` again.
    pub fn timestamp(&self) -> &str {
        &self.timestamp
    }

    /// The session id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name without `.jsonl`.
    pub fn stem(&self) -> String {
        format!("{}_{}", self.timestamp.replace([':', '.'], "-"), self.id)
    }
}

impl fmt::Display for SessionFileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{EXTENSION}", self.stem())
    }
}

fn check_part(what: &str, part: &str) -> Result<()> {
    if part.is_empty() {
        return Err(refuse(what, "it is empty"));
    }
    if part.contains(|c: char| c == '/' || c == '\\' || c.is_control()) {
        return Err(refuse(what, "it holds a path separator or a control character"));
    }
    Ok(())
}

fn refuse(what: &str, why: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, format!("cannot name a session file by this {what}"))
        .with_why(why)
        .with_hint("use letters, digits, `-`, `_` and `.`")
}

/// `2024-12-03T14-00-00-000Z` as `2024-12-03T14:00:00.000Z`; none for any other form.
fn iso_of_stamp(stamp: &str) -> Option<String> {
    let (date, time) = stamp.strip_suffix('Z')?.split_once('T')?;
    let mut parts = time.split('-');
    let clock = [parts.next()?, parts.next()?, parts.next()?];
    let fraction = parts.next()?;
    let well_formed = parts.next().is_none()
        && is_date(date)
        && clock.iter().all(|part| is_digits(part, 2))
        && is_digits(fraction, 3);
    well_formed.then(|| format!("{date}T{}.{fraction}Z", clock.join(":")))
}

/// `YYYY-MM-DD`, or with the sign and six digits that JavaScript writes for far years.
fn is_date(date: &str) -> bool {
    let far = date.strip_prefix(['+', '-']);
    let (year_digits, date) = far.map_or((4, date), |date| (6, date));
    let mut parts = date.split('-');
    let sizes = [year_digits, 2, 2];
    sizes.iter().all(|size| parts.next().is_some_and(|part| is_digits(part, *size)))
        && parts.next().is_none()
}

fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::SessionFileName;
    use crate::error::ErrorKind;

    const UUID: &str = "11111111-1111-4111-8111-111111111111";

    /// The example of spec 3.4, which also says how long it is.
    #[test]
    fn the_example_of_the_specification() {
        let name = SessionFileName::new("2024-12-03T14:00:00.000Z", UUID).unwrap();
        assert_eq!(
            name.to_string(),
            "2024-12-03T14-00-00-000Z_11111111-1111-4111-8111-111111111111.jsonl"
        );
        assert_eq!(name.to_string().len(), 67);
        assert_eq!(name.stem(), "2024-12-03T14-00-00-000Z_11111111-1111-4111-8111-111111111111");
    }

    #[test]
    fn what_was_named_reads_back() {
        for (timestamp, id) in [
            ("2024-12-03T14:00:00.000Z", UUID),
            ("2025-03-04T09:10:11.123Z", "with_under_scores"),
            ("2025-03-04T09:10:11.123Z", "a.b-c"),
            ("+012024-12-03T14:00:00.000Z", UUID),
            ("-000001-12-03T14:00:00.000Z", UUID),
        ] {
            let name = SessionFileName::new(timestamp, id).unwrap();
            let read = SessionFileName::parse(&name.to_string()).unwrap();
            assert_eq!((read.timestamp(), read.id()), (timestamp, id));
        }
    }

    #[test]
    fn other_names_are_not_of_this_form() {
        for name in [
            "",
            "notes.jsonl",
            "2024-12-03T14-00-00-000Z.jsonl",
            "2024-12-03T14-00-00-000Z_.jsonl",
            "2024-12-03T14-00-00-000Z_x.jsonl.bak",
            "2024-12-03T14:00:00.000Z_x.jsonl",
            "2024-12-03T14-00-00Z_x.jsonl",
            "2024-12-03T14-00-00-00Z_x.jsonl",
            "2024-12-03T14-00-00-aaaZ_x.jsonl",
            "2024-12-03T14-00-00-000-0Z_x.jsonl",
            "24-12-03T14-00-00-000Z_x.jsonl",
            "2024-12-03-01T14-00-00-000Z_x.jsonl",
            "２024-12-03T14-00-00-000Z_x.jsonl",
            "2024-12-03T14-00-00-000Z_a/b.jsonl",
        ] {
            assert_eq!(SessionFileName::parse(name), None, "{name:?}");
        }
    }

    #[test]
    fn an_id_cannot_lead_out_of_the_folder() {
        for id in ["", "../../etc/passwd", r"..\x", "a\0b", "a\nb", &"x".repeat(300)] {
            let error = SessionFileName::new("2024-12-03T14:00:00.000Z", id).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{id:?}");
        }
        assert!(SessionFileName::new("2024/12/03", UUID).is_err());
    }
}
