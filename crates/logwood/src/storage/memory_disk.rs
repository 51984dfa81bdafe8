//! A file system in memory: numbered nodes, and the way from a path to one of them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::metadata::{Access, FileId, FileKind, Metadata};

/// The number of the root directory.
const ROOT: u64 = 1;
/// How many links one path may lead through, as on Linux.
const LINKS: u32 = 40;
/// The device that every file in memory is on.
const DEVICE: u64 = 0x6d65_6d6f;
/// The owner of every new file.
const OWNER: (u32, u32) = (1000, 1000);

/// Every node by its number.
#[derive(Debug)]
pub(super) struct Disk {
    nodes: HashMap<u64, Node>,
    last: u64,
}

/// A file, a directory or a link, with or without a name.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) body: Body,
    pub(super) access: Access,
    pub(super) modified_ns: i64,
    /// Open handles. A file without a name lives until the last one is closed.
    pub(super) handles: usize,
    /// The handle that has the lock.
    pub(super) lock: Option<u64>,
    named: bool,
}

/// What a node holds.
#[derive(Debug)]
pub(super) enum Body {
    File(Vec<u8>),
    Dir(BTreeMap<OsString, u64>),
    Link(PathBuf),
    Other,
}

/// Where a path leads: a directory, a name in it, and what has the name.
#[derive(Debug)]
pub(super) struct Place {
    /// The way from the root to the directory: names and numbers.
    above: Vec<(OsString, u64)>,
    name: Option<OsString>,
    pub(super) node: Option<u64>,
}

impl Disk {
    pub(super) fn new(now_ns: i64) -> Self {
        let root = Node::new(Body::Dir(BTreeMap::new()), now_ns);
        Self { nodes: HashMap::from([(ROOT, root)]), last: ROOT }
    }

    /// Follows a path; the link at its end only when `follow` says so. Nothing at the end is an answer, nothing before it an error.
    pub(super) fn walk(&self, path: &Path, follow: bool) -> io::Result<Place> {
        let mut steps: VecDeque<OsString> = steps(path).collect();
        let mut above: Vec<(OsString, u64)> = Vec::new();
        let mut links = 0;
        while let Some(step) = steps.pop_front() {
            if step == ".." {
                above.pop();
                continue;
            }
            let Some(number) = self.child(directory(&above), &step)? else {
                return if steps.is_empty() {
                    Ok(Place { above, name: Some(step), node: None })
                } else {
                    Err(io::ErrorKind::NotFound.into())
                };
            };
            match &self.node(number)?.body {
                Body::Link(target) if follow || !steps.is_empty() => {
                    links += 1;
                    if links > LINKS {
                        return Err(io::Error::other("too many levels of symbolic links"));
                    }
                    if target.has_root() {
                        above.clear();
                    }
                    steps = self::steps(target).chain(steps).collect();
                }
                _ if steps.is_empty() => {
                    return Ok(Place { above, name: Some(step), node: Some(number) });
                }
                _ => above.push((step, number)),
            }
        }
        let node = Some(directory(&above));
        Ok(Place { above, name: None, node })
    }

    /// The number of what is there, links followed or not.
    pub(super) fn find(&self, path: &Path, follow: bool) -> io::Result<u64> {
        self.walk(path, follow)?.node.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn child(&self, dir: u64, name: &OsString) -> io::Result<Option<u64>> {
        self.names(dir).map(|names| names.get(name).copied())
    }

    /// The names in a directory.
    pub(super) fn names(&self, dir: u64) -> io::Result<&BTreeMap<OsString, u64>> {
        match &self.node(dir)?.body {
            Body::Dir(names) => Ok(names),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn node(&self, number: u64) -> io::Result<&Node> {
        self.nodes.get(&number).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub(super) fn node_mut(&mut self, number: u64) -> io::Result<&mut Node> {
        self.nodes.get_mut(&number).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Gives a new node a name that is free.
    pub(super) fn add(&mut self, place: &Place, body: Body, now_ns: i64) -> io::Result<u64> {
        self.last += 1;
        let number = self.last;
        self.nodes.insert(number, Node::new(body, now_ns));
        self.put(place, number, now_ns).inspect_err(|_| {
            self.nodes.remove(&number);
        })?;
        Ok(number)
    }

    /// Gives a node the name of a place; whatever had it goes.
    pub(super) fn put(&mut self, place: &Place, number: u64, now_ns: i64) -> io::Result<()> {
        let before = self.rename_in(place, Some(number), now_ns)?;
        self.node_mut(number)?.named = true;
        self.forget(before.filter(|before| *before != number));
        Ok(())
    }

    /// Takes the name of a place away; the node lives on while it is open, or when `keep` says that it gets another name.
    pub(super) fn take(&mut self, place: &Place, keep: bool, now_ns: i64) -> io::Result<()> {
        let before = self.rename_in(place, None, now_ns)?;
        self.forget(before.filter(|_| !keep));
        Ok(())
    }

    fn rename_in(
        &mut self,
        place: &Place,
        number: Option<u64>,
        now_ns: i64,
    ) -> io::Result<Option<u64>> {
        let name = place.name.clone().ok_or(io::ErrorKind::IsADirectory)?;
        let dir = self.node_mut(directory(&place.above))?;
        dir.modified_ns = now_ns;
        match (&mut dir.body, number) {
            (Body::Dir(names), Some(number)) => Ok(names.insert(name, number)),
            (Body::Dir(names), None) => Ok(names.remove(&name)),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn forget(&mut self, number: Option<u64>) {
        let Some(number) = number else { return };
        if let Some(node) = self.nodes.get_mut(&number) {
            node.named = false;
        }
        self.sweep(number);
    }

    /// Removes a node that has neither a name nor a handle.
    pub(super) fn sweep(&mut self, number: u64) {
        if self.nodes.get(&number).is_some_and(|node| !node.named && node.handles == 0) {
            self.nodes.remove(&number);
        }
    }

    pub(super) fn metadata(&self, number: u64) -> io::Result<Metadata> {
        let node = self.node(number)?;
        Ok(Metadata {
            len: node.len(),
            modified_ns: node.modified_ns,
            kind: node.kind(),
            identity: Some(FileId { device: DEVICE, inode: number }),
            access: node.access,
        })
    }
}

impl Node {
    fn new(body: Body, now_ns: i64) -> Self {
        let mode = match body {
            Body::Dir(_) => 0o700,
            Body::Link(_) => 0o777,
            Body::File(_) | Body::Other => 0o600,
        };
        let access = Access { mode, owner: Some(OWNER) };
        Self { body, access, modified_ns: now_ns, handles: 0, lock: None, named: false }
    }

    pub(super) fn kind(&self) -> FileKind {
        match self.body {
            Body::File(_) => FileKind::File,
            Body::Dir(_) => FileKind::Dir,
            Body::Link(_) => FileKind::Symlink,
            Body::Other => FileKind::Other,
        }
    }

    fn len(&self) -> u64 {
        match &self.body {
            Body::File(bytes) => bytes.len() as u64,
            Body::Link(target) => target.as_os_str().len() as u64,
            Body::Dir(_) | Body::Other => 0,
        }
    }
}

impl Place {
    /// The path without links.
    pub(super) fn path(&self) -> PathBuf {
        let mut path = PathBuf::from("/");
        path.extend(self.above.iter().map(|(name, _)| name));
        path.extend(&self.name);
        path
    }
}

fn directory(above: &[(OsString, u64)]) -> u64 {
    above.last().map_or(ROOT, |(_, number)| *number)
}

fn steps(path: &Path) -> impl Iterator<Item = OsString> + '_ {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    })
}
