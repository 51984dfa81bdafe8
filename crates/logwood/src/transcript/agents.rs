//! The children of the session that is open, under the names by which clients ask for them (spec 6.11, 8.13).

use std::collections::HashSet;

use super::recover::RecoveredChild;

/// A child and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundAgent {
    /// `rehydrated-<folder>`, with `-2`, `-3`, … where two folders have one name.
    pub id: String,
    /// What is known of it.
    pub child: RecoveredChild,
}

/// The children that a program knows of. A name that was given out stays with its folder.
///
/// ```
/// use logwood::transcript::BackgroundAgents;
///
/// let mut agents = BackgroundAgents::default();
/// agents.take_in(Vec::new());
/// assert_eq!(agents.iter().count(), 0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct BackgroundAgents {
    agents: Vec<BackgroundAgent>,
}

impl BackgroundAgents {
    /// Takes what was found: of a folder that is known already what is new about it, of others the name too. A child whose folder is
    /// gone keeps its place.
    pub fn take_in(&mut self, children: Vec<RecoveredChild>) {
        let mut taken: HashSet<String> = self.agents.iter().map(|agent| agent.id.clone()).collect();
        for child in children {
            let known = self.agents.iter_mut().find(|agent| agent.child.real == child.real);
            match known {
                Some(agent) => agent.child = child,
                None => {
                    let id = free_id(&child, &taken);
                    taken.insert(id.clone());
                    self.agents.push(BackgroundAgent { id, child });
                }
            }
        }
    }

    /// All of them, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &BackgroundAgent> {
        self.agents.iter()
    }

    /// The one of this name.
    pub fn find(&self, id: &str) -> Option<&BackgroundAgent> {
        self.agents.iter().find(|agent| agent.id == id)
    }
}

fn free_id(child: &RecoveredChild, taken: &HashSet<String>) -> String {
    let name = child.dir.file_name().unwrap_or_default().to_string_lossy();
    let first = format!("rehydrated-{name}");
    if !taken.contains(&first) {
        return first;
    }
    let numbered = (2_usize..).map(|number| format!("{first}-{number}"));
    numbered.into_iter().find(|id| !taken.contains(id)).unwrap_or(first)
}
