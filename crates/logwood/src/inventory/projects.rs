use std::collections::HashMap;

use crate::location::CwdKey;

use super::SessionInfo;

/// The rows of each project, as positions in `rows`; projects and their rows in the order of `rows` (rule L10, case 55).
///
/// Working directories that differ by the case of a drive path, or by a separator at the end, are one project. Rows that name no
/// directory are one project too.
pub fn by_project(rows: &[SessionInfo]) -> Vec<Vec<usize>> {
    let mut places: HashMap<CwdKey, usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let place = *places.entry(CwdKey::new(&row.cwd)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}
