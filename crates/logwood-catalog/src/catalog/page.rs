//! The first rows of a listing without a look at every file.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use logwood::inventory::{FileKey, KnownFile, Place, SessionInfo};
use rusqlite::Connection;

use super::open::{Catalog, Fault};
use super::rows::{COLUMNS, folders_of, is_complete, named_file};
use super::several::Catalogs;

/// The first rows of a listing, as the catalogs know them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// The rows, the last active first.
    pub sessions: Vec<SessionInfo>,
    /// How many sessions there are, those of subagents left out.
    pub total: u64,
    /// How many sessions of subagents there are.
    pub hidden: u64,
}

/// One row and the time that it is placed by.
type Placed = (i64, SessionInfo);

impl Catalogs {
    /// The first `limit` sessions of nested and flat places, subagents' left out, as the catalogs know them.
    ///
    /// Only the files of these rows are looked at. None where one of them is not what is known, or not all of a place was ever
    /// looked at: then a listing is needed. What happened to other files since the last listing does not show.
    pub fn page(&self, places: &[Place], limit: usize, now_ms: i64) -> Option<Page> {
        let mut found: Vec<Placed> = Vec::new();
        let mut page = Page::default();
        for place in places {
            let catalog = self.of(&place.root)?;
            found.extend(catalog.first(place, limit, now_ms, &mut page)?);
        }
        found.sort_by(|(a, a_row), (b, b_row)| b.cmp(a).then_with(|| a_row.path.cmp(&b_row.path)));
        found.truncate(limit);
        page.sessions = found.into_iter().map(|(_, row)| row).collect();
        Some(page)
    }
}

impl Catalog {
    fn first(
        &self,
        place: &Place,
        limit: usize,
        now_ms: i64,
        page: &mut Page,
    ) -> Option<Vec<Placed>> {
        let complete =
            !self.is_broken() && is_complete(&self.connection(), place).is_ok_and(|yes| yes);
        if !complete {
            return None;
        }
        let known = first(&self.connection(), place, limit, now_ms, page);
        let rows = known.map_err(|fault| self.failed(&fault)).ok()?;
        let mut seen = HashSet::new();
        let mut holds = |(known, row): &(KnownFile, SessionInfo)| {
            let file = self.storage.metadata(&row.path).ok();
            file.is_some_and(|file| {
                let is_known = known.settled && FileKey::of(&file) == known.key;
                // A file with two names has one row, and a listing knows which.
                is_known && file.identity.is_none_or(|identity| seen.insert(identity))
            })
        };
        if !rows.iter().all(&mut holds) {
            return None;
        }
        Some(rows.into_iter().map(|(_, row)| (row.sort_ms(Some(now_ms)), row)).collect())
    }
}

/// The rows that may be among the first of a place, those ahead of the clock included.
fn first(
    connection: &Connection,
    place: &Place,
    limit: usize,
    now_ms: i64,
    page: &mut Page,
) -> Result<Vec<(KnownFile, SessionInfo)>, Fault> {
    let folders: HashMap<i64, PathBuf> = folders_of(connection, place)?.into_iter().collect();
    count(connection, &folders, page)?;
    let sql = format!(
        "SELECT {COLUMNS} FROM file WHERE hidden = 0 AND active IS NOT NULL ORDER BY active DESC"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([])?;
    let (mut found, mut placed, mut last) = (Vec::new(), 0, i64::MIN);
    while let Some(row) = rows.next()? {
        let Some(dir) = folders.get(&row.get(1)?) else { continue };
        let Some((name, mut known)) = named_file(row)? else { continue };
        let Ok(facts) = known.verdict.as_mut().map(|facts| std::mem::take(&mut **facts)) else {
            continue;
        };
        let active = facts.modified_ms(&known.key);
        // Rows with the time of the last one that is wanted come too: their paths decide.
        if placed >= limit && active < last {
            break;
        }
        let path = dir.join(name);
        let row = facts.into_row(path, place.store.clone(), &known.key, Some(now_ms));
        // Those ahead of the clock come first here, and somewhere else in the listing.
        if !row.is_future {
            placed += 1;
            last = active;
        }
        found.push((known, row));
    }
    Ok(found)
}

/// Counts the sessions of the folders, by the index alone.
fn count(
    connection: &Connection,
    folders: &HashMap<i64, PathBuf>,
    page: &mut Page,
) -> Result<(), Fault> {
    let sql = "SELECT hidden, folder, count(*) FROM file INDEXED BY file_active
        WHERE active IS NOT NULL GROUP BY hidden, folder";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        if folders.contains_key(&row.get(1)?) {
            let counted = if row.get(0)? { &mut page.hidden } else { &mut page.total };
            *counted += row.get::<_, i64>(2)?.cast_unsigned();
        }
    }
    Ok(())
}
