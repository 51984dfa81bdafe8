use std::path::PathBuf;
use std::sync::Arc;

use logwood::inventory::{SessionInfo, SessionKind, SessionStatus};
use proptest::prelude::*;

use super::*;

fn surroundings() -> Surroundings {
    Surroundings { home: Some("/home/ana".to_owned()), ..Surroundings::default() }
}

fn parse(query: &str) -> Filter {
    Filter::parse(query, &surroundings()).unwrap()
}

fn text(text: &str) -> Ask {
    Ask::Text { text: text.to_owned(), prefix: false }
}

fn part(text: &str) -> Value {
    Value::Part(text.to_owned())
}

/// The asks of a query, none of them negated.
fn asks(query: &str) -> Vec<Ask> {
    let terms = parse(query).terms().to_vec();
    assert!(terms.iter().all(|term| !term.negated));
    terms.into_iter().map(|term| term.ask).collect()
}

#[test]
fn words_and_phrases() {
    // Spec 7.11: how dreb cuts a query.
    assert_eq!(asks(r#"foo "node  cve" bar"#), [text("foo"), text("node  cve"), text("bar")]);
    assert_eq!(asks(r#"a""b"#), [text("a"), text("b")]);
    assert_eq!(asks("  "), []);
    assert_eq!(asks(r#""  " """#), []);
    // Case 63: special characters mean themselves.
    assert_eq!(
        asks("[ a.*b std::vec http://x foo:bar"),
        ["[", "a.*b", "std::vec", "http://x", "foo:bar"].map(text)
    );
    assert_eq!(asks("--force - -- * **"), ["--force", "-", "--", "*", "**"].map(text));
    assert_eq!(asks(r#""say \"hi\" in C:\new \\ now""#), [text(r#"say "hi" in C:\new \ now"#)]);
    assert_eq!(asks(r#""cwd:x" "re:x""#), [text("cwd:x"), text("re:x")]);
}

#[test]
fn starts_of_words() {
    let start = |text: &str| Ask::Text { text: text.to_owned(), prefix: true };
    assert_eq!(asks(r#"arg* "two words"* 灯*"#), [start("arg"), start("two words"), start("灯")]);
    assert_eq!(asks(r#"src/* "arg*""#), [text("src/*"), text("arg*")]);
}

#[test]
fn minus_excludes() {
    let filter = parse(r#"-foo -"a b" -cwd:/x --flag"#);
    let negated: Vec<_> = filter.terms().iter().map(|term| term.negated).collect();
    assert_eq!(negated, [true, true, true, false]);
    assert_eq!(filter.terms()[2].ask, Ask::Cwd(part("/x")));
}

#[test]
fn every_prefix_is_read() {
    for (query, wanted) in [
        ("cwd:/work/demo", Ask::Cwd(part("/work/demo"))),
        ("cwd:~/shop", Ask::Cwd(part("/home/ana/shop"))),
        (r#"cwd:"/a b""#, Ask::Cwd(part("/a b"))),
        ("store:pi", Ask::Store(part("pi"))),
        ("model:opus", Ask::Model(part("opus"))),
        ("role:toolresult", Ask::Role(Speaker::Tool)),
        ("tool:ba*", Ask::Tool(Value::Start("ba".to_owned()))),
        ("file:main.rs", Ask::File(part("main.rs"))),
        ("label:*", Ask::Label(Value::Any)),
        (r#"name:"*""#, Ask::Name(part("*"))),
        ("after:1970-01-02", Ask::After(86_400_000)),
        ("before:1d", Ask::Before(-86_400_000)),
        ("cost:>=1.5", Ask::Cost(Comparison::AtLeast, 1.5)),
        ("cost:=0", Ask::Cost(Comparison::Equal, 0.0)),
        ("is:subagent", Ask::Is(State::Subagent)),
    ] {
        assert_eq!(asks(query), [wanted], "{query}");
    }
    let [Ask::Regex(pattern)] = &asks(r#"re:a"\d+"#)[..] else { panic!() };
    assert_eq!(pattern.source(), r#"a"\d+"#);
    let [Ask::Regex(pattern)] = &asks(r#"re:"a \d+""#)[..] else { panic!() };
    assert!(pattern.regex().is_match("xA 12"));
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_the_way_out() {
    for (query, part, what, advice) in [
        (r#"foo "bar"#, r#""bar"#, "not closed", "add the second one"),
        ("x re:(", "re:(", "no regular expression (unclosed group)", "leave `re:` out"),
        ("cwd:", "cwd:", "cwd: wants", "\"cwd:\""),
        (r#"name:"  ""#, r#"name:"  ""#, "name: wants", "\"name:\""),
        ("é after:soon x", "after:soon", "no date", "2d"),
        (
            "is:forked",
            "is:forked",
            "no state",
            "fork, subagent, error, interrupted, abandoned or live",
        ),
        ("role:me", "role:me", "no role", "user, assistant, tool, bash, custom, summary or system"),
        ("cost:1", "cost:1", "no comparison", "cost:>1"),
        ("cost:>inf", "cost:>inf", "no comparison", "cost:>1"),
        ("-cost:<x", "-cost:<x", "no comparison", "cost:>1"),
    ] {
        let error = Filter::parse(query, &surroundings()).unwrap_err();
        assert_eq!(&query[error.range()], part);
        assert!(error.what().contains(what) && error.advice().contains(advice), "{error}");
    }
    let error = Filter::parse("é after:soon x", &surroundings()).unwrap_err();
    assert!(error.to_string().contains("at character 3 (`after:soon`)"), "{error}");
    let error = logwood::error::Error::from(error);
    assert_eq!(error.kind(), logwood::error::ErrorKind::InvalidArgument);
}

fn row() -> SessionInfo {
    SessionInfo {
        path: PathBuf::from("/s/a.jsonl"),
        store: Arc::from("dreb"),
        id: "s1".to_owned(),
        cwd: "/work/demo".to_owned(),
        name: Some("Lighthouse".to_owned()),
        title: None,
        parent_session_path: None,
        created_ms: 0,
        modified_ms: 86_400_000,
        message_count: 1,
        first_message: None,
        all_messages_text: None,
        kind: SessionKind::Fork,
        agent_type: None,
        version: 3,
        size: 1,
        file_modified_ms: 0,
        entry_count: 1,
        branch_count: 1,
        models: vec!["anthropic/claude-opus".to_owned()],
        status: SessionStatus::Error,
        is_future: false,
        problems: Vec::new(),
    }
}

#[test]
fn sessions_are_chosen() {
    let row = row();
    let facts = SessionFacts { row: &row, live: true, cost: 1.25 };
    let holds = |query: &str| parse(query).matches_session(&facts, Grain::Session);
    for query in [
        "",
        "cwd:/work",
        "cwd:/work/demo/",
        "cwd:DEM",
        "cwd:*",
        "store:DREB",
        "store:dr*",
        "model:opus",
        "name:light",
        "name:*",
        "after:1970-01-02",
        "before:1970-01-03",
        "cost:>1",
        "cost:<=1.25",
        "is:fork",
        "is:error",
        "is:live",
        "-is:subagent",
        "-cwd:/work/dem",
        "-name:keeper",
        "words -words role:user",
        "-store:dre",
        "is:abandoned",
    ] {
        assert!(holds(query), "{query}");
        assert!(
            query.contains(' ')
                || query.is_empty()
                || query.contains("abandoned")
                || !holds(&flip(query)),
            "{query}"
        );
    }
    assert!(!holds("is:fork is:subagent"), "all terms must hold");
    // Of an entry, times and models are its own, and asked elsewhere.
    assert!(parse("before:1960-01-01 model:none").matches_session(&facts, Grain::Entry));
}

/// The query of one term, negated.
fn flip(query: &str) -> String {
    query.strip_prefix('-').map_or_else(|| format!("-{query}"), str::to_owned)
}

#[test]
fn what_has_to_be_read_is_known() {
    for (query, entry, session) in [
        ("cwd:x is:fork", false, false),
        ("after:1d model:x", true, false),
        ("word", true, true),
        ("-re:x", true, true),
        ("is:abandoned", true, true),
        ("label:x", true, true),
    ] {
        assert_eq!(parse(query).asks_about_entries(Grain::Entry), entry, "{query}");
        assert_eq!(parse(query).asks_about_entries(Grain::Session), session, "{query}");
    }
    assert!(parse("cost:>1").asks_about_cost() && !parse("is:live").asks_about_cost());
    assert!(parse("-is:live").asks_who_is_live() && !parse("is:fork").asks_who_is_live());
}

/// Queries put together from what queries are made of, so that most of them have terms.
fn queries() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "-",
            "--",
            "\"",
            "\\",
            "*",
            " ",
            ":",
            "re:",
            "cwd:",
            "store:",
            "model:",
            "role:",
            "tool:",
            "file:",
            "label:",
            "name:",
            "after:",
            "before:",
            "cost:",
            "is:",
            "~",
            "/",
            ">",
            "<=",
            "1",
            "2d",
            "2026-01-01",
            "fork",
            "live",
            "user",
            "a",
            "word",
            "\u{2003}",
            "é",
            "灯",
            "(",
            "[a-z]+",
            "today",
            "0.1",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,4}",
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// Terms with texts that look like something else.
fn terms() -> impl Strategy<Value = Vec<Term>> {
    let piece = prop::sample::select(vec![
        "-", "--", "\"", "\\", "*", ":", "cwd:", "re:", "is:", "/", "~", "a", "word", " ", "é",
        "灯", "_", "1",
    ]);
    let text = prop::collection::vec(piece, 1..5)
        .prop_map(|pieces| pieces.concat().trim().to_owned())
        .prop_filter("blank", |text| !text.is_empty());
    let ask = (text, 0usize..8, any::<bool>()).prop_map(|(text, kind, flag)| match kind {
        0 | 1 => {
            let prefix = flag && super::parse::ends_in_word(&text);
            Ask::Text { text, prefix }
        }
        2 => Ask::Regex(Pattern::new(regex::escape(&text)).unwrap()),
        3 => Ask::Name(Value::Part(text)),
        4 => Ask::Tool(if super::parse::ends_in_word(&text) {
            Value::Start(text)
        } else {
            Value::Any
        }),
        5 => Ask::Cost(Comparison::More, 0.25),
        6 => Ask::Before(86_400_001),
        _ => Ask::Cwd(Value::Part(format!("/{text}"))),
    });
    let term = (ask, any::<bool>()).prop_map(|(ask, negated)| Term { negated, ask });
    prop::collection::vec(term, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_terms_are_printed_as_a_query_that_says_them(terms in terms()) {
        let filter = Filter::of(terms);
        let printed = filter.to_string();
        prop_assert_eq!(Filter::parse(&printed, &Surroundings::default()), Ok(filter), "{}", printed);
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_printed_means_the_same(query in queries()) {
        match Filter::parse(&query, &surroundings()) {
            Ok(filter) => {
                let printed = filter.to_string();
                let again = Filter::parse(&printed, &Surroundings::default());
                prop_assert_eq!(again.as_ref(), Ok(&filter), "{}", printed);
                prop_assert_eq!(again.unwrap().to_string(), printed);
            }
            Err(error) => prop_assert!(query.get(error.range()).is_some_and(|part| !part.is_empty())),
        }
    }
}
