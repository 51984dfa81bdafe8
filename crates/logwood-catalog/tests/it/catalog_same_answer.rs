//! With the catalog and without it a listing says the same, whatever happens to the files.

use std::fs;

use proptest::prelude::*;
use proptest::sample::Index;

use crate::stores::{Shop, message, session};

const NAMES: [&str; 6] = [
    "--p--/a.jsonl",
    "--p--/b.jsonl",
    "--p--/c.jsonl",
    "--q--/a.jsonl",
    "--q--/ä.jsonl",
    "--r--/z.jsonl",
];

#[derive(Debug, Clone)]
enum Op {
    /// In place, with other text.
    Write(Index, Vec<u8>),
    Append(Index, Vec<u8>),
    /// In place, one byte another, nothing longer.
    Flip(Index, Index),
    /// Another file under the same name.
    Replace(Index, Vec<u8>),
    Cut(Index, Index),
    Remove(Index),
    Rename(Index, Index),
    RenameFolder(bool),
    Touch(Index),
    /// The catalog is closed and opened again.
    Reopen,
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => (0..9_usize).prop_map(|n| message(n).into_bytes()),
        1 => "[a-z ]{0,3}".prop_map(|name| format!("{{\"type\":\"session_info\",\"id\":\"n\",\"parentId\":null,\"name\":\"{name}\"}}\n").into_bytes()),
        1 => Just(b"{\"type\":\"session\",\"id\":\"other\"}\n".to_vec()),
        1 => Just(b"{\"type\":\"message\",\"id\":\"x\",\"message\":{\"role\":\"user\",\"content\":\"no end\"}}".to_vec()),
        1 => prop_oneof![
            Just(b"\n \n".to_vec()),
            Just(b"{\"torn\":".to_vec()),
            Just(b"\0\0\0\n".to_vec()),
            Just(b"\xff\xfe\n".to_vec()),
            Just(b"{\"type\":\"title\",\"title\":\"T\"}\n".to_vec()),
            Just("\u{2028}\u{feff}\r\n".as_bytes().to_vec()),
        ],
    ]
}

fn lines() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(line(), 0..6).prop_map(|lines| lines.concat())
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![
        6 => "[a-c]{1,2}".prop_map(|id| session(&id, 0)),
        1 => Just("{\"type\":\"session\",\"id\":\"v1\"}\n".to_owned()),
        1 => Just(String::new()),
        1 => Just("{\"type\":\"sess".to_owned()),
    ];
    (head, lines()).prop_map(|(head, lines)| [head.into_bytes(), lines].concat())
}

fn op() -> impl Strategy<Value = Op> {
    let which = any::<Index>;
    prop_oneof![
        4 => (which(), text()).prop_map(|(at, text)| Op::Write(at, text)),
        6 => (which(), lines()).prop_map(|(at, text)| Op::Append(at, text)),
        2 => (which(), which()).prop_map(|(at, byte)| Op::Flip(at, byte)),
        2 => (which(), text()).prop_map(|(at, text)| Op::Replace(at, text)),
        1 => (which(), which()).prop_map(|(at, byte)| Op::Cut(at, byte)),
        1 => which().prop_map(Op::Remove),
        2 => (which(), which()).prop_map(|(from, to)| Op::Rename(from, to)),
        1 => any::<bool>().prop_map(Op::RenameFolder),
        1 => which().prop_map(Op::Touch),
        1 => Just(Op::Reopen),
    ]
}

/// Does it, where there is anything to do it to.
fn apply(op: &Op, shop: &mut Shop) {
    let name = |at: &Index| NAMES[at.index(NAMES.len())];
    match op {
        Op::Write(at, text) => shop.write(name(at), text),
        Op::Append(at, text) if shop.path(name(at)).exists() => shop.append(name(at), text),
        Op::Flip(at, byte) => {
            let mut bytes = fs::read(shop.path(name(at))).unwrap_or_default();
            if !bytes.is_empty() {
                let place = byte.index(bytes.len());
                bytes[place] ^= 1;
                shop.write(name(at), &bytes);
            }
        }
        Op::Replace(at, text) => {
            shop.write("--p--/new", text);
            let path = shop.path(name(at));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::rename(shop.path("--p--/new"), path).unwrap();
        }
        Op::Cut(at, byte) => {
            let bytes = fs::read(shop.path(name(at))).unwrap_or_default();
            if !bytes.is_empty() {
                shop.write(name(at), &bytes[..byte.index(bytes.len())]);
            }
        }
        Op::Remove(at) => drop(fs::remove_file(shop.path(name(at)))),
        Op::Rename(from, to) => drop(fs::rename(shop.path(name(from)), shop.path(name(to)))),
        Op::RenameFolder(back) => {
            let (from, to) = if *back { ("--s--", "--p--") } else { ("--p--", "--s--") };
            drop(fs::rename(shop.path(from), shop.path(to)));
        }
        Op::Touch(at) if shop.path(name(at)).exists() => shop.touch(&shop.path(name(at))),
        Op::Append(..) | Op::Touch(_) | Op::Reopen => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_ways_say_the_same(ops in proptest::collection::vec(op(), 1..40), threads in 1..4_usize) {
        let mut shop = Shop::new();
        for (n, name) in NAMES.into_iter().enumerate() {
            shop.write(name, session(&format!("s{n}"), n).as_bytes());
        }
        let mut catalog = shop.catalog();
        shop.both(&catalog, threads);
        for (n, op) in ops.iter().enumerate() {
            if matches!(op, Op::Reopen) {
                drop(catalog);
                catalog = shop.catalog();
            }
            apply(op, &mut shop);
            if n % 3 != 1 {
                shop.both(&catalog, threads);
                catalog.finish();
            }
        }
        shop.both(&catalog, threads);
        catalog.finish();
        prop_assert_eq!(catalog.trouble(), None);
        catalog.check().unwrap();
        // What is known is what is there, and nothing else.
        let known = catalog.status().unwrap();
        let listing = shop.both(&catalog, threads);
        prop_assert_eq!(known.sessions as usize, listing.sessions.len());
        prop_assert_eq!(known.others as usize, listing.problems.len());
    }
}
