//! Rows out of the file.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use logwood::inventory::{KnownFile, KnownFolder, Place};
use logwood::location::Layout;
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::open::Fault;
use super::os_bytes::{bytes, name};

/// The columns of a known file, in the order in which [`named_file`] reads them.
pub(super) const COLUMNS: &str = "name, folder, id, record";

/// What is known of the files in the folders of some places.
pub(super) fn folders(
    connection: &Connection,
    places: &[Place],
) -> Result<Vec<KnownFolder>, Fault> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for place in places {
        for (id, dir) in folders_of(connection, place)? {
            if seen.insert(id) {
                found.push(KnownFolder { files: files(connection, id)?, dir });
            }
        }
    }
    Ok(found)
}

/// The folders of a place, with their numbers.
pub(super) fn folders_of(
    connection: &Connection,
    place: &Place,
) -> Result<Vec<(i64, PathBuf)>, Fault> {
    let mut select = connection.prepare_cached("SELECT id, path FROM folder")?;
    let mut rows = select.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let path = name(row.get_ref(1)?.as_blob().map_err(odd)?).map(PathBuf::from);
        if let Some(dir) = path.filter(|dir| is_of(dir, place)) {
            found.push((row.get(0)?, dir));
        }
    }
    Ok(found)
}

/// Whether a listing of the place looks into the folder.
fn is_of(dir: &Path, place: &Place) -> bool {
    match place.layout {
        Layout::Flat => dir == place.root,
        Layout::Nested => dir.parent() == Some(place.root.as_path()),
    }
}

fn files(connection: &Connection, folder: i64) -> Result<Vec<(OsString, KnownFile)>, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM file WHERE folder = ? ORDER BY name");
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([folder])?;
    let mut files = Vec::new();
    while let Some(row) = rows.next()? {
        files.extend(named_file(row)?);
    }
    Ok(files)
}

/// One row of [`COLUMNS`] with its name; none where the system has no such name.
pub(super) fn named_file(row: &Row<'_>) -> Result<Option<(OsString, KnownFile)>, Fault> {
    let name_bytes = row.get_ref(0)?.as_blob().map_err(odd)?;
    let sum = Sum::default().number(row.get(1)?).number(row.get(2)?).bytes(name_bytes);
    let record = sum.checked(row.get_ref(3)?.as_blob().map_err(odd)?)?;
    let file = KnownFile::from_bytes(record).ok_or(Fault::Damaged("a row cannot be read"))?;
    Ok(name(name_bytes).map(|name| (name, file)))
}

fn odd(error: rusqlite::types::FromSqlError) -> Fault {
    Fault::Sql(rusqlite::Error::FromSqlConversionFailure(
        0,
        rusqlite::types::Type::Null,
        Box::new(error),
    ))
}

/// A sum over values, by which changed bytes show. It is no secret and guards against no one.
#[derive(Debug)]
pub(super) struct Sum(u64);

impl Default for Sum {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Sum {
    pub(super) fn number(self, number: i64) -> Self {
        self.word(number.cast_unsigned())
    }

    /// The bytes with their sum before them.
    pub(super) fn sealed(self, bytes: &[u8]) -> Vec<u8> {
        let sum = self.bytes(bytes).0.to_le_bytes();
        [&sum, bytes].concat()
    }

    /// The bytes behind their sum, if it is theirs.
    fn checked(self, sealed: &[u8]) -> Result<&[u8], Fault> {
        let (sum, bytes) = sealed.split_first_chunk().ok_or(Fault::Damaged("a row is empty"))?;
        let is_same = self.bytes(bytes).0 == u64::from_le_bytes(*sum);
        is_same.then_some(bytes).ok_or(Fault::Damaged("a row is not what was written"))
    }

    pub(super) fn bytes(self, bytes: &[u8]) -> Self {
        let (words, rest) = bytes.as_chunks::<8>();
        let sum = words.iter().fold(self, |sum, word| sum.word(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last.iter_mut().zip(rest).for_each(|(last, byte)| *last = *byte);
        sum.word(u64::from_le_bytes(last)).word(bytes.len() as u64)
    }

    /// An odd factor and a turn: a changed word changes the sum, whatever comes after it.
    fn word(self, word: u64) -> Self {
        Self((self.0 ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29))
    }
}

/// Where reading of a file stopped.
pub(super) fn checkpoint(connection: &Connection, path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    let (Some(dir), Some(file)) = (path.parent(), path.file_name()) else { return Ok(None) };
    let sql = "SELECT state, file.id FROM folder
        JOIN file ON file.folder = folder.id AND file.name = ?2
        JOIN checkpoint ON checkpoint.file = file.id
        WHERE folder.path = ?1";
    let found = connection
        .prepare_cached(sql)?
        .query_row((bytes(dir.as_os_str()), bytes(file)), |row| {
            Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, i64>(1)?))
        })
        .optional()?;
    let Some((state, id)) = found else { return Ok(None) };
    Ok(Some(Sum::default().number(id).checked(&state)?.to_vec()))
}

/// Whether every file of a place was looked at since the catalog was made.
pub(super) fn is_complete(connection: &Connection, place: &Place) -> rusqlite::Result<bool> {
    let mut select =
        connection.prepare_cached("SELECT 1 FROM complete WHERE root = ? AND layout = ?")?;
    select.exists((bytes(place.root.as_os_str()), place.layout.as_str()))
}

/// The number of a folder, if it has one.
pub(super) fn folder_id(connection: &Connection, dir: &OsStr) -> rusqlite::Result<Option<i64>> {
    let mut select = connection.prepare_cached("SELECT id FROM folder WHERE path = ?")?;
    select.query_row([bytes(dir)], |row| row.get(0)).optional()
}
