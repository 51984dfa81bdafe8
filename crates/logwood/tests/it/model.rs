//! Random sequences of operations against a plain model: a list of records and the current position. After every step the session
//! says what the model says, and so does a fresh look at its file.
#![expect(clippy::indexing_slicing, reason = "members of JSON values are looked up by name")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use logwood::entry::{BlockDraft, CompactionDraft, EntryDraft, JsonText, RawEntry, user_message};
use logwood::problem::ProblemKind;
use logwood::session::{Navigation, NewSession, SessionManager, SessionOptions};
use logwood::storage::{Create, MemoryStorage, Storage};
use logwood_testkit::oracle::Oracle;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

const DIR: &str = "/d";
const TIME: &str = "2025-01-01T00:00:00.000Z";

/// One of the entries there are, by a number that is taken modulo their count.
type Pick = u16;

#[derive(Clone, Copy, Debug)]
enum Start {
    New,
    Version3,
    Version2,
    Version1,
    Torn,
    Empty,
}

#[derive(Clone, Debug)]
enum Op {
    User(u8),
    Assistant,
    Thinking,
    Model,
    Compaction(Pick),
    Custom,
    CustomMessage,
    Name(String),
    Raw,
    Usage,
    Edit(Pick),
    Label(Pick, Option<String>),
    Move(Pick),
    Reset,
    Summary(Option<Pick>),
    Navigate(Pick, bool, bool),
    TakeOut(Pick),
    Fork,
    Reopen,
    Reload,
    Foreign(Pick, bool),
    ForeignRewrite,
    Tear(Pick),
    Agent(u8),
    Flush,
}

fn op() -> impl Strategy<Value = Op> {
    let name = prop_oneof![Just(String::new()), Just(" ".to_owned()), "[a-c]{1,2}"];
    let label = prop_oneof![Just(None), Just(Some(String::new())), "[xy]".prop_map(Some)];
    prop_oneof![
        4 => any::<u8>().prop_map(Op::User),
        4 => Just(Op::Assistant),
        1 => Just(Op::Thinking),
        1 => Just(Op::Model),
        2 => any::<Pick>().prop_map(Op::Compaction),
        1 => Just(Op::Custom),
        1 => Just(Op::CustomMessage),
        1 => name.prop_map(Op::Name),
        1 => Just(Op::Raw),
        1 => Just(Op::Usage),
        1 => any::<Pick>().prop_map(Op::Edit),
        4 => (any::<Pick>(), label).prop_map(|(pick, label)| Op::Label(pick, label)),
        2 => any::<Pick>().prop_map(Op::Move),
        1 => Just(Op::Reset),
        2 => proptest::option::of(any::<Pick>()).prop_map(Op::Summary),
        2 => any::<(Pick, bool, bool)>().prop_map(|(pick, sum, label)| Op::Navigate(pick, sum, label)),
        2 => any::<Pick>().prop_map(Op::TakeOut),
        1 => Just(Op::Fork),
        2 => Just(Op::Reopen),
        1 => Just(Op::Reload),
        2 => any::<(Pick, bool)>().prop_map(|(pick, knows)| Op::Foreign(pick, knows)),
        1 => Just(Op::ForeignRewrite),
        1 => any::<Pick>().prop_map(Op::Tear),
        1 => any::<u8>().prop_map(Op::Agent),
        1 => Just(Op::Flush),
    ]
}

fn start() -> impl Strategy<Value = Start> {
    use Start::*;
    prop_oneof![Just(New), Just(Version3), Just(Version2), Just(Version1), Just(Torn), Just(Empty)]
}

/// The session under test and what it should be.
struct World {
    memory: MemoryStorage,
    session: SessionManager,
    /// The header, then the entries, as version 3.
    records: Vec<Value>,
    leaf: Option<String>,
    foreign: u32,
    /// Whether the file has lines of others that the session did not look at yet.
    unseen: bool,
}

fn options(memory: &MemoryStorage) -> SessionOptions {
    SessionOptions::new().storage(Arc::new(memory.clone())).fallback_cwd("/p")
}

fn value(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

fn entries(session: &SessionManager) -> Vec<Value> {
    session.entries().map(|line| value(&session.line_text(&line).unwrap())).collect()
}

fn text_of(kind: Start) -> String {
    let header = |version: &str| {
        format!(r#"{{"type":"session"{version},"id":"s","timestamp":"{TIME}","cwd":"/p"}}"#)
    };
    let message = |ids: &str, role: &str| {
        format!(
            r#"{{"type":"message",{ids}"timestamp":"{TIME}","message":{{"role":"{role}","content":"hi"}}}}"#
        )
    };
    let linked = [
        message(r#""id":"a","parentId":null,"#, "user"),
        message(r#""id":"b","parentId":"a","#, "assistant"),
        message(r#""id":"c","parentId":"a","#, "user"),
    ];
    let loose = [message("", "user"), message("", "assistant"), message("", "hookMessage")];
    match kind {
        Start::New | Start::Empty => String::new(),
        Start::Version3 => format!("{}\n{}\n", header(r#","version":3"#), linked.join("\n")),
        Start::Version2 => {
            format!("{}\n{{broken\n{}\n", header(r#","version":2"#), linked.join("\n"))
        }
        Start::Version1 => format!("{}\n{}", header(""), loose.join("\n\n")),
        Start::Torn => format!("{}\n{}\n{{\"type\":\"mess", header(r#","version":3"#), linked[0]),
    }
}

impl World {
    fn new(kind: Start) -> Self {
        let memory = MemoryStorage::new();
        memory.create_dir_all(Path::new(DIR)).unwrap();
        let new = NewSession { cwd: Some("/p".into()), ..NewSession::default() };
        let session = match kind {
            Start::New => options(&memory).create(DIR, new).unwrap(),
            _ => {
                memory.put("/d/s.jsonl", text_of(kind)).unwrap();
                options(&memory).open("/d/s.jsonl").unwrap()
            }
        };
        let mut records = vec![value(&session.header_text())];
        records.extend(Self::records_of(kind, &session));
        let leaf = Oracle::new(&records).leaf().map(str::to_owned);
        Self { memory, session, records, leaf, foreign: 0, unseen: false }
    }

    /// What the lines of a start are in version 3; only the ids of version 1 are taken from the session.
    fn records_of(kind: Start, session: &SessionManager) -> Vec<Value> {
        let text = text_of(kind);
        let lines =
            text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut lines: Vec<Value> = lines.collect();
        if let Start::Version1 = kind {
            let mut parent = Value::Null;
            for (line, node) in lines.iter_mut().zip(session.tree().nodes()) {
                let id = json!(session.tree().id(node));
                (line["id"], line["parentId"]) = (id.clone(), parent);
                parent = id;
            }
            lines[2]["message"]["role"] = json!("custom");
        }
        lines
    }

    fn oracle(&self) -> Oracle<'_> {
        Oracle::new(&self.records)
    }

    fn file(&self) -> PathBuf {
        self.session.session_file().unwrap().to_path_buf()
    }

    /// The bytes of the file; none while there is none, or nothing in it.
    fn bytes(&self) -> Option<Vec<u8>> {
        self.memory.contents(self.file()).ok().filter(|bytes| !bytes.is_empty())
    }

    fn pick(&self, pick: Pick) -> Option<String> {
        let oracle = self.oracle();
        let ids = oracle.ids();
        ids.get(usize::from(pick) % ids.len().max(1)).map(|id| (*id).to_owned())
    }

    /// The model's side of an append: the members besides id, parent and time.
    fn appended(&mut self, id: &str, members: Value) {
        let actual = entries(&self.session);
        let actual = actual.iter().rfind(|entry| entry["id"] == id).expect("it is there");
        assert!(actual["timestamp"].as_str().is_some_and(|time| time.len() == 24), "{actual}");
        let mut entry = members;
        entry["id"] = json!(id);
        entry["parentId"] = json!(self.leaf);
        entry["timestamp"] = actual["timestamp"].clone();
        self.records.push(entry);
        self.leaf = Some(id.to_owned());
        self.unseen = false;
    }

    fn append(&mut self, draft: EntryDraft, members: Value) {
        let id = self.session.append(draft).unwrap();
        assert!(self.oracle().entry(&id).is_none(), "{id} twice");
        self.appended(&id, members);
    }

    fn run(&mut self, op: &Op) {
        match op {
            Op::User(n) => {
                let text = format!("say {n} é\u{1f600}");
                let message = user_message(&[BlockDraft::Text(text)], 1);
                let members =
                    json!({"type":"message","message":value(message.as_str().as_bytes())});
                self.append(EntryDraft::Message(message), members);
            }
            Op::Assistant => {
                let text = br#"{"role":"assistant","content":[{"type":"text","text":"ok"}],"provider":"p","model":"m"}"#;
                let message = JsonText::parse(text).unwrap();
                let members = json!({"type":"message","message":value(text)});
                self.append(EntryDraft::Message(message), members);
            }
            Op::Thinking => {
                let id = self.session.append_thinking_level_change("high").unwrap();
                self.appended(&id, json!({"type":"thinking_level_change","thinkingLevel":"high"}));
            }
            Op::Model => {
                let id = self.session.append_model_change("p", "m2").unwrap();
                self.appended(&id, json!({"type":"model_change","provider":"p","modelId":"m2"}));
            }
            Op::Compaction(pick) => self.compact(*pick),
            Op::Custom => {
                let data = JsonText::parse(b"{\"n\":1}").unwrap();
                let id = self.session.append_custom_entry("x", Some(data)).unwrap();
                self.appended(&id, json!({"type":"custom","customType":"x","data":{"n":1}}));
            }
            Op::CustomMessage => {
                let content = JsonText::string("note");
                let id =
                    self.session.append_custom_message_entry("x", content, false, None).unwrap();
                let members = json!({"type":"custom_message","customType":"x","content":"note","display":false});
                self.appended(&id, members);
            }
            Op::Name(name) => {
                let id = self.session.append_session_info(name).unwrap();
                self.appended(&id, json!({"type":"session_info","name":name.trim()}));
            }
            Op::Raw => {
                let raw = RawEntry::parse(b"{\"type\":\"later\",\"n\":1}").unwrap();
                self.append(EntryDraft::Raw(raw), json!({"type":"later","n":1}));
            }
            Op::Usage => {
                let usage = JsonText::parse(b"{\"input\":1}").unwrap();
                let (kind, provider, model) = ("title".into(), "p".into(), "m".into());
                let draft = EntryDraft::Usage { kind, provider, model, usage, note: None };
                let members = json!({"type":"usage","kind":"title","provider":"p","model":"m","usage":{"input":1}});
                self.append(draft, members);
            }
            Op::Edit(pick) => {
                let Some(target) = self.pick(*pick) else { return };
                let draft = EntryDraft::ContextEdit { target_id: target.clone(), content: None };
                self.append(
                    draft,
                    json!({"type":"context_edit","targetId":target,"replacement":null}),
                );
            }
            Op::Label(pick, label) => self.label(*pick, label.as_deref()),
            _ => self.run_other(op),
        }
    }

    fn run_other(&mut self, op: &Op) {
        match op {
            Op::Move(pick) => {
                let Some(id) = self.pick(*pick).filter(|_| !self.unseen) else { return };
                self.session.move_leaf(&id).unwrap();
                self.leaf = Some(id);
            }
            Op::Reset => {
                self.session.reset_leaf();
                self.leaf = None;
            }
            Op::Summary(pick) => self.summarise(*pick),
            Op::Navigate(pick, summary, label) => self.navigate(*pick, *summary, *label),
            Op::TakeOut(pick) => self.take_out(*pick),
            Op::Fork => self.fork(),
            Op::Reopen => self.reopen(),
            Op::Reload => {
                self.session.reload().unwrap();
                self.unseen = false;
            }
            Op::Foreign(pick, knows) => self.append_foreign(*pick, *knows),
            Op::ForeignRewrite => self.rewrite_in_place(),
            Op::Tear(pick) => self.tear(*pick),
            Op::Agent(n) => {
                let agent = format!("agent{n}");
                self.session.set_agent_type(&agent).unwrap();
                self.records[0]["agentType"] = json!(agent);
                self.unseen = false;
            }
            Op::Flush => {
                self.session.flush().unwrap();
                assert!(self.bytes().is_some());
            }
            _ => unreachable!("an append: {op:?}"),
        }
    }

    fn compact(&mut self, pick: Pick) {
        let Some(first) = self.pick(pick) else { return };
        let draft = CompactionDraft {
            summary: "S".into(),
            first_kept_entry_id: Some(first.clone()),
            tokens_before: 7.0,
            ..CompactionDraft::default()
        };
        let id = self.session.append_compaction(draft).unwrap();
        let members =
            json!({"type":"compaction","summary":"S","firstKeptEntryId":first,"tokensBefore":7});
        self.appended(&id, members);
    }

    fn label(&mut self, pick: Pick, label: Option<&str>) {
        let Some(target) = self.pick(pick) else { return };
        let id = self.session.append_label_change(&target, label).unwrap();
        self.appended(&id, label_members(&target, label));
    }

    fn summarise(&mut self, pick: Option<Pick>) {
        if self.unseen {
            return;
        }
        let from = pick.and_then(|pick| self.pick(pick));
        let left = self.leaf.clone().unwrap_or_else(|| "root".into());
        let id = self.session.branch_with_summary(from.as_deref(), "B", None, Some(false)).unwrap();
        self.leaf = from;
        let members = json!({"type":"branch_summary","fromId":left,"summary":"B","fromHook":false});
        self.appended(&id, members);
    }

    fn navigate(&mut self, pick: Pick, summary: bool, label: bool) {
        let Some(target) = self.pick(pick).filter(|_| !self.unseen) else { return };
        let leaving = Navigation {
            summary: summary.then(|| "N".into()),
            label: label.then(|| "go".into()),
            ..Navigation::default()
        };
        let went = self.session.navigate(&target, leaving).unwrap();
        if self.leaf.as_ref() == Some(&target) {
            return assert!(went.text.is_none() && went.summary_id.is_none());
        }
        let oracle = self.oracle();
        let entry = oracle.entry(&target).unwrap();
        let taken_back = entry["type"] == "custom_message" || entry["message"]["role"] == "user";
        let position = if taken_back {
            oracle.parent(&target).map(str::to_owned)
        } else {
            Some(target.clone())
        };
        assert_eq!(went.text.is_some(), taken_back);
        let left = self.leaf.clone().unwrap_or_else(|| "root".into());
        self.leaf = position;
        let labelled = match went.summary_id {
            Some(id) => {
                let members =
                    json!({"type":"branch_summary","fromId":left,"summary":"N","fromHook":false});
                self.appended(&id, members);
                id
            }
            None => target,
        };
        assert_eq!(went.label_id.is_some(), label);
        if let Some(id) = went.label_id {
            self.appended(&id, label_members(&labelled, Some("go")));
        }
    }

    fn take_out(&mut self, pick: Pick) {
        let Some(leaf) = self.pick(pick).filter(|_| !self.unseen) else { return };
        // A file that was never written is no parent (F-24).
        let parent = self.file();
        let parent = self.memory.contents(&parent).is_ok().then_some(parent);
        self.session.create_branched_session(&leaf, None).unwrap();
        let oracle = self.oracle();
        let path = oracle.branch(&leaf);
        let is_label = |id: &str| oracle.entry(id).is_some_and(|entry| entry["type"] == "label");
        let kept: Vec<&str> = path.iter().copied().filter(|id| !is_label(id)).collect();
        let mut records = vec![value(&self.session.header_text())];
        assert_eq!(records[0].get("parentSession"), parent.map(|file| json!(file)).as_ref());
        for (at, id) in kept.iter().enumerate() {
            let mut entry = oracle.entry(id).unwrap().clone();
            if oracle.parent(id).is_some_and(is_label) {
                entry["parentId"] = json!(at.checked_sub(1).map(|before| kept[before]));
            }
            let first = entry["firstKeptEntryId"].as_str().map(str::to_owned);
            let place = first.as_deref().and_then(|first| path.iter().position(|id| *id == first));
            if let Some(place) = place.filter(|place| is_label(path[*place])) {
                let next = path[place..].iter().find(|id| !is_label(id));
                if let Some(next) = next {
                    entry["firstKeptEntryId"] = json!(next);
                }
            }
            records.push(entry);
        }
        let appendix = self.appendix(&kept);
        let new = entries(&self.session);
        let mut parent = kept.last().map(|id| json!(id)).unwrap_or_default();
        for (mut members, actual) in appendix.into_iter().zip(new.iter().skip(kept.len())) {
            (members["id"], members["parentId"]) = (actual["id"].clone(), parent);
            members["timestamp"] = actual["timestamp"].clone();
            parent = actual["id"].clone();
            records.push(members);
        }
        assert_eq!(new.len() + 1, records.len(), "{new:?}");
        let answered = records.iter().any(|record| record["message"]["role"] == "assistant");
        self.leaf = Oracle::new(&records).leaf().map(str::to_owned);
        self.records = records;
        assert_eq!(self.bytes().is_some(), answered, "written with its first answer");
    }

    /// The labels of what is kept, in the order they were first set, then the name.
    fn appendix(&self, kept: &[&str]) -> Vec<Value> {
        let mut order: Vec<String> = Vec::new();
        for entry in self.records.iter().filter(|entry| entry["type"] == "label") {
            let target = entry["targetId"].as_str().unwrap().to_owned();
            let is_set = entry["label"].as_str().is_some_and(|label| !label.is_empty());
            match is_set {
                true if !order.contains(&target) => order.push(target),
                true => {}
                false => order.retain(|other| *other != target),
            }
        }
        let oracle = self.oracle();
        let labels = order.iter().filter(|target| kept.contains(&target.as_str()));
        let mut appendix: Vec<Value> =
            labels.map(|target| label_members(target, oracle.label(target))).collect();
        let name = self.records.iter().rfind(|entry| entry["type"] == "session_info");
        if let Some(name) = name.filter(|name| !kept.contains(&name["id"].as_str().unwrap())) {
            appendix.push(json!({"type":"session_info","name":name["name"]}));
        }
        appendix
    }

    fn fork(&mut self) {
        if self.bytes().is_none() {
            return;
        }
        self.session = options(&self.memory).fork_from(self.file(), "/q", "/f").unwrap();
        self.records[0] = value(&self.session.header_text());
        self.leaf = self.oracle().leaf().map(str::to_owned);
        self.unseen = false;
    }

    fn reopen(&mut self) {
        if self.bytes().is_none() {
            return;
        }
        self.session = options(&self.memory).open(self.file()).unwrap();
        self.leaf = self.oracle().leaf().map(str::to_owned);
        self.unseen = false;
    }

    /// Another program, which takes no lock, appends; also below an entry of another branch.
    fn append_foreign(&mut self, pick: Pick, knows: bool) {
        // It does as this library does and does not append behind a torn line.
        if !self.bytes().is_some_and(|bytes| bytes.ends_with(b"\n"))
            || self.session.needs_migration()
        {
            return;
        }
        self.foreign += 1;
        let id = format!("f{:07}", self.foreign);
        let parent = if knows { self.pick(pick) } else { None };
        let entry =
            json!({"type":"custom","customType":"f","id":id,"parentId":parent,"timestamp":TIME});
        self.put_behind(&format!("{entry}\n"));
        self.records.push(entry);
        self.unseen = true;
    }

    fn put_behind(&self, text: &str) {
        let mut file = self.memory.open_append(&self.file(), Create::Never).unwrap();
        file.append(text.as_bytes()).unwrap();
    }

    /// As dreb changes a header: the same file, cut to nothing and written again, a little longer.
    fn rewrite_in_place(&mut self) {
        let Some(bytes) = self.bytes().filter(|bytes| bytes.ends_with(b"\n")) else { return };
        if self.session.needs_migration() || self.records[0].get("note").is_some() {
            return;
        }
        let text = String::from_utf8(bytes).unwrap();
        let header = text.lines().next().unwrap();
        let longer = format!("{},\"note\":\"in place\"}}", &header[..header.len() - 1]);
        let mut file = self.memory.open_append(&self.file(), Create::Never).unwrap();
        file.truncate(0).unwrap();
        file.append(text.replacen(header, &longer, 1).as_bytes()).unwrap();
        self.records[0]["note"] = json!("in place");
        self.unseen = true;
    }

    /// A power cut takes the end of the file; then it is opened again.
    fn tear(&mut self, pick: Pick) {
        let Some(bytes) = self.bytes().filter(|_| !self.session.needs_migration()) else { return };
        let Some(line) = bytes.trim_ascii_end().rsplit(|byte| *byte == b'\n').next() else {
            return;
        };
        let Ok(last) = serde_json::from_slice::<Value>(line) else { return };
        if !bytes.ends_with(b"\n") || last["type"] == "session" {
            return;
        }
        let cut = usize::from(pick) % line.len() + 1;
        let mut file = self.memory.open_append(&self.file(), Create::Never).unwrap();
        file.truncate((bytes.len() - cut) as u64).unwrap();
        if cut > 1 {
            let gone = self.records.pop().unwrap();
            assert_eq!(gone["id"], last["id"]);
        }
        self.reopen();
    }

    fn check(&self) {
        if !self.unseen {
            let records = self.oracle();
            assert_eq!(
                entries(&self.session),
                records.lines().iter().map(|v| (*v).clone()).collect::<Vec<_>>()
            );
            assert_eq!(value(&self.session.header_text()), self.records[0]);
            same_views(&self.session, &records, self.leaf.as_deref());
        }
        let foreign =
            self.session.problems().iter().filter(|p| p.kind == ProblemKind::ForeignAppend);
        assert!(foreign.count() <= 60);
        if self.bytes().is_some() {
            let fresh = options(&self.memory).read_only(true).open(self.file()).unwrap();
            let records = self.oracle();
            assert_eq!(value(&fresh.header_text()), self.records[0]);
            assert_eq!(
                entries(&fresh),
                records.lines().iter().map(|v| (*v).clone()).collect::<Vec<_>>()
            );
            same_views(&fresh, &records, records.leaf());
        }
    }
}

fn label_members(target: &str, label: Option<&str>) -> Value {
    match label {
        Some(label) => json!({"type":"label","targetId":target,"label":label}),
        None => json!({"type":"label","targetId":target}),
    }
}

/// Leaf, name, labels, tree and context of a session are the oracle's.
fn same_views(session: &SessionManager, oracle: &Oracle<'_>, leaf: Option<&str>) {
    let tree = session.tree();
    assert_eq!(session.leaf_id(), leaf);
    assert_eq!(session.session_name(), oracle.name());
    let ids: Vec<_> = tree.nodes().map(|node| tree.id(node)).collect();
    assert_eq!(ids, oracle.ids());
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
    for node in tree.nodes() {
        let id = tree.id(node);
        assert_eq!(tree.label(node), oracle.label(id), "label of {id}");
        assert_eq!(
            tree.parent(node).map(|node| tree.id(node)),
            oracle.parent(id),
            "parent of {id}"
        );
        let children: Vec<_> = tree.children(node).map(|node| tree.id(node)).collect();
        assert_eq!(children, oracle.children(id), "children of {id}");
    }
    let context = session.context().unwrap();
    let expected = oracle.context(leaf);
    let messages: Vec<_> =
        context.messages().map(|m| (m.entry_id.to_owned(), value(m.raw.bytes()))).collect();
    let wanted: Vec<_> = expected.messages.into_iter().map(|m| (m.entry, m.message)).collect();
    assert_eq!(messages, wanted);
    assert_eq!(context.thinking_level(), expected.thinking_level);
}

/// A quick run, unless `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let given = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { given.cases } else { 48 };
    ProptestConfig { cases, max_shrink_iters: 500, ..given }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_step_is_the_models(kind in start(), ops in vec(op(), 1..40)) {
        let mut world = World::new(kind);
        world.check();
        for op in &ops {
            world.run(op);
            world.check();
        }
    }
}
