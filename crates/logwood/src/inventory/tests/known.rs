//! Listings with a memory: the same answer, and only what is new is read.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Mutex;

use super::*;

/// A memory in memory, by folder and name.
#[derive(Debug, Default)]
struct Remembered {
    files: Mutex<BTreeMap<(PathBuf, OsString), News>>,
    /// What was kept since it was last asked for: the name, and whether it was said to have grown.
    kept: Mutex<Vec<(String, bool)>>,
}

impl Remembered {
    fn take_kept(&self) -> Vec<(String, bool)> {
        let mut kept = std::mem::take(&mut *self.kept.lock().unwrap());
        kept.sort();
        kept
    }

    fn names(&self) -> Vec<String> {
        let files = self.files.lock().unwrap();
        files.keys().map(|(dir, name)| dir.join(name).display().to_string()).collect()
    }
}

fn key_of(path: &Path) -> (PathBuf, OsString) {
    (path.parent().unwrap().to_path_buf(), path.file_name().unwrap().to_os_string())
}

impl KnownFiles for Remembered {
    fn recall(&self, _: &[Place]) -> Vec<KnownFolder> {
        let mut folders: BTreeMap<PathBuf, KnownFolder> = BTreeMap::new();
        for ((dir, name), news) in &*self.files.lock().unwrap() {
            let folder = folders.entry(dir.clone()).or_default();
            folder.dir.clone_from(dir);
            folder.files.push((name.clone(), news.file.clone()));
        }
        folders.into_values().collect()
    }

    fn checkpoint(&self, path: &Path) -> Option<Vec<u8>> {
        self.files.lock().unwrap().get(&key_of(path))?.checkpoint.clone()
    }

    fn keep(&self, path: &Path, news: News) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        self.kept.lock().unwrap().push((name, news.grown));
        self.files.lock().unwrap().insert(key_of(path), news);
    }

    fn forget(&self, dir: &Path, name: &OsStr) {
        self.files.lock().unwrap().remove(&(dir.to_path_buf(), name.to_os_string()));
    }

    fn forget_folder(&self, dir: &Path) {
        self.files.lock().unwrap().retain(|(folder, _), _| folder != dir);
    }

    fn complete(&self, _: &[Place]) {}

    fn now_ms(&self) -> i64 {
        NOW
    }
}

/// Long after every time of a file here.
const NOW: i64 = 1_900_000_000_000;

fn both(storage: &Arc<MemoryStorage>, known: &Remembered, places: &[Place]) -> Listing {
    let inventory = Inventory::new().storage(storage.clone()).now_ms(NOW);
    let plain = inventory.list_places(places, None, &go_on);
    let helped = inventory.list_known_places(places, None, known, &go_on);
    assert_eq!(helped.sessions, plain.sessions);
    assert_eq!(helped.problems, plain.problems);
    helped
}

/// Puts text in a file that keeps its number, as programs do that write in place.
fn write(storage: &MemoryStorage, path: &str, text: &[u8], time: i64) {
    let path = Path::new(path);
    storage.create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = storage.open_append(path, Create::IfMissing).unwrap();
    file.truncate(0).unwrap();
    file.append(text).unwrap();
    storage.set_modified_ms(path, time).unwrap();
}

fn long_session() -> Vec<u8> {
    let mut lines = vec![
        r#"{"type":"title","v":1,"title":"T"}"#.to_owned(),
        header("s", r#","cwd":"/p""#),
        user("hi", 1000),
        "{torn".to_owned(),
    ];
    for n in 0..20 {
        let model = n / 7;
        lines.push(message(&format!("a{n}"), &format!("u{}", n % 5), &format!(
            r#"{{"role":"assistant","content":[{{"type":"text","text":"ä{n}"}}],"provider":"p","model":"m{model}","stopReason":"stop","timestamp":{n}}}"#
        )));
        lines.push(format!(
            r#"{{"type":"session_info","id":"n{n}","parentId":"a{n}","name":"N{n}"}}"#
        ));
        lines.push(message(&format!("u{n}"), &format!("n{n}"), r#"{"role":"user","content":"q"}"#));
    }
    lines.push(r#"{"no":"entry"}"#.to_owned());
    lines.join("\n").into_bytes()
}

/// The checkpoint of every length, whole lines or not, goes on to the row of the whole file.
#[test]
fn a_file_that_grows_is_continued_from_any_length() {
    let (storage, text) = (Arc::new(MemoryStorage::new()), long_session());
    let places = [Place::new("", "/s", Layout::Flat)];
    for cut in (0..text.len()).step_by(7) {
        let known = Remembered::default();
        write(&storage, "/s/a.jsonl", &text[..cut], 1_000);
        both(&storage, &known, &places);
        write(&storage, "/s/a.jsonl", &text, 2_000);
        known.take_kept();
        both(&storage, &known, &places);
        let has_header = text[..cut].windows(16).any(|bytes| bytes == b"\"type\":\"session\"")
            && text[..cut].iter().filter(|byte| **byte == b'\n').count() >= 2;
        assert_eq!(known.take_kept(), [("a.jsonl".to_owned(), has_header)], "{cut}");
        both(&storage, &known, &places);
        assert_eq!(known.take_kept(), [], "nothing is new");
    }
}

#[test]
fn a_file_that_was_written_anew_is_read_from_its_start() {
    let (storage, known, text) =
        (Arc::new(MemoryStorage::new()), Remembered::default(), long_session());
    let places = [Place::new("", "/s", Layout::Flat)];
    let change = |at: usize, more: &str| {
        let mut changed = text.clone();
        changed[at] = if changed[at] == b'x' { b'y' } else { b'x' };
        [&changed[..], more.as_bytes()].concat()
    };
    let head = text.windows(4).position(|bytes| bytes == b"/p\"}").unwrap() + 1;
    let tail = text.len() - 300;
    for (time, changed) in
        [change(head, ""), change(head, "\n{}\n"), change(tail, ""), change(tail, "\n\n")]
            .iter()
            .enumerate()
    {
        write(&storage, "/s/a.jsonl", &text, 1_000);
        both(&storage, &known, &places);
        known.take_kept();
        write(&storage, "/s/a.jsonl", changed, 2_000 + time as i64);
        both(&storage, &known, &places);
        assert_eq!(known.take_kept(), [("a.jsonl".to_owned(), false)]);
    }
}

#[test]
fn what_is_gone_is_forgotten_and_what_moved_is_found() {
    let (storage, known) = (Arc::new(MemoryStorage::new()), Remembered::default());
    let text = long_session();
    let places = [Place::new("", "/s", Layout::Nested)];
    for path in ["/s/a/1.jsonl", "/s/a/2.jsonl", "/s/a/3.jsonl", "/s/b/4.jsonl"] {
        write(&storage, path, &text, 1_000);
    }
    assert_eq!(both(&storage, &known, &places).sessions.len(), 4);
    storage.remove_file(Path::new("/s/a/2.jsonl")).unwrap();
    storage.rename(Path::new("/s/a/3.jsonl"), Path::new("/s/a/0.jsonl")).unwrap();
    storage.rename(Path::new("/s/b"), Path::new("/s/c")).unwrap();
    assert_eq!(both(&storage, &known, &places).sessions.len(), 3);
    assert_eq!(known.names(), ["/s/a/0.jsonl", "/s/a/1.jsonl", "/s/c/4.jsonl"]);
}

/// A change right after a reading may leave size and time as they were: such a file is read once more.
#[test]
fn a_file_that_changed_a_moment_ago_is_read_again() {
    let (storage, known) = (Arc::new(MemoryStorage::new()), Remembered::default());
    let places = [Place::new("", "/s", Layout::Flat)];
    let text =
        |name: &str| [header("s", "").as_bytes(), b"\n", user(name, 1).as_bytes(), b"\n"].concat();
    write(&storage, "/s/a.jsonl", &text("one"), NOW - 5);
    assert_eq!(both(&storage, &known, &places).sessions[0].first_message.as_deref(), Some("one"));
    write(&storage, "/s/a.jsonl", &text("two"), NOW - 5);
    assert_eq!(both(&storage, &known, &places).sessions[0].first_message.as_deref(), Some("two"));
}

#[test]
fn what_is_known_comes_back_from_its_bytes() {
    let (storage, known) = (Arc::new(MemoryStorage::new()), Remembered::default());
    write(&storage, "/s/a.jsonl", &long_session(), 1);
    both(&storage, &known, &[Place::new("", "/s", Layout::Flat)]);
    let files = known.files.lock().unwrap();
    let file = &files.values().next().unwrap().file;
    let bytes = file.to_bytes();
    assert_eq!(KnownFile::from_bytes(&bytes).as_ref(), Some(file));
    for cut in 0..bytes.len() {
        assert_eq!(KnownFile::from_bytes(&bytes[..cut]), None, "{cut}");
    }
}
