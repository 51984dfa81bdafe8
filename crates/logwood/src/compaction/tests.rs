//! Beside pi, from which dreb's code comes, on the sessions of `conformance/tables/compaction.json`; and the rules of spec 5.5 to 5.9 one by one.

use crate::context::Entries as _;
use crate::json::Raw;
use crate::session::SessionManager;
use crate::session::testing::session_of;

use super::*;

const TABLE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/tables/compaction.json"));

fn table(list: &str) -> Vec<Raw<'static>> {
    let table = Raw::parse(TABLE.as_bytes()).unwrap();
    table.get(list).unwrap().elements().collect()
}

fn session(case: Raw<'_>) -> SessionManager {
    let lines: Vec<_> =
        case.get("entries").unwrap().elements().map(|entry| entry.text().into_owned()).collect();
    session_of(&lines)
}

fn texts(list: Option<Raw<'_>>) -> Vec<String> {
    list.unwrap().elements().map(|text| text.as_str().unwrap().into_owned()).collect()
}

fn check_files(files: &FileLists, want: Raw<'_>, at: usize) {
    assert_eq!(files.read_files(), texts(want.get("readFiles")), "case {at}");
    assert_eq!(files.modified_files(), texts(want.get("modifiedFiles")), "case {at}");
    assert_eq!(files.text(), want.get_str("fileText").unwrap(), "case {at}");
}

#[test]
fn compactions_are_planned_as_pi_does() {
    let mut split = 0;
    for (at, case) in table("compactions").into_iter().enumerate() {
        let session = session(case);
        let keep_recent_tokens = case.get_f64("keep").unwrap() as u64;
        let options = CompactionOptions { keep_recent_tokens, ..CompactionOptions::default() };
        let prepared = CompactionPlan::prepare(&session, session.tree().leaf(), &options).unwrap();
        let want = case.get("expect").unwrap();
        let Preparation::Ready(plan) = prepared else {
            assert!(want.is_null(), "case {at}: {prepared:?}");
            continue;
        };
        assert!(!want.is_null(), "case {at}: {plan:?}");
        assert_eq!(
            plan.first_kept_entry_id(),
            want.get_str("firstKeptEntryId").unwrap(),
            "case {at}"
        );
        assert_eq!(plan.history(), want.get_str("history").unwrap(), "case {at}");
        let turn = want.get_str("turn").unwrap();
        assert_eq!(plan.turn_prefix().unwrap_or_default(), turn, "case {at}");
        let previous = want.get("previousSummary").and_then(Raw::as_str);
        assert_eq!(plan.previous_summary(), previous.as_deref(), "case {at}");
        if previous.is_none() {
            assert_eq!(
                plan.tokens_before() as f64,
                want.get_f64("tokensBefore").unwrap(),
                "case {at}"
            );
        }
        check_files(plan.files(), want, at);
        split += usize::from(plan.turn_prefix().is_some());
    }
    assert!(split > 5, "{split} of the cases split a turn");
}

#[test]
fn branches_are_summarised_as_pi_does() {
    for (at, case) in table("branches").into_iter().enumerate() {
        let session = session(case);
        // A budget of 0 is no limit.
        let context_window = case.get_f64("budget").unwrap() as u64;
        let options = BranchSummaryOptions { context_window, reserve_tokens: 0 };
        let leaf = session.tree().leaf();
        let plan = BranchSummaryPlan::prepare(&session, leaf, None, &options).unwrap();
        let want = case.get("expect").unwrap();
        assert_eq!(
            plan.conversation().unwrap_or_default(),
            want.get_str("conversation").unwrap(),
            "case {at}"
        );
        assert_eq!(plan.tokens() as f64, want.get_f64("tokens").unwrap(), "case {at}");
        check_files(plan.files(), want, at);
    }
}

fn entry(kind: &str, id: &str, parent: &str, rest: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"{kind}","id":"{id}","parentId":{parent},"timestamp":"2025-01-01T00:00:01.000Z",{rest}}}"#
    )
}

/// A user message of `id` in 8 characters, 2 tokens.
fn user(id: &str, parent: &str) -> String {
    entry("message", id, parent, &format!(r#""message":{{"role":"user","content":"{id:_<8}"}}"#))
}

fn answer(id: &str, parent: &str, rest: &str) -> String {
    let content = format!(r#"[{{"type":"text","text":"{id:_<8}"}}]"#);
    let message = format!(r#""message":{{"role":"assistant","content":{content}{rest}}}"#);
    entry("message", id, parent, &message)
}

fn prepared(session: &SessionManager, keep_recent_tokens: u64, scope: Scope) -> Preparation {
    let options = CompactionOptions { keep_recent_tokens, scope, ..CompactionOptions::default() };
    CompactionPlan::prepare(session, session.tree().leaf(), &options).unwrap()
}

fn ready(session: &SessionManager, keep: u64, scope: Scope) -> CompactionPlan {
    match prepared(session, keep, scope) {
        Preparation::Ready(plan) => plan,
        Preparation::Nothing(why) => panic!("{why:?}"),
    }
}

fn compaction(id: &str, parent: &str, kept: &str) -> String {
    let details = r#""details":{"readFiles":["/r"],"modifiedFiles":["/m"]}"#;
    let rest =
        format!(r#""summary":"S{id}","firstKeptEntryId":"{kept}","tokensBefore":9,{details}"#);
    entry("compaction", id, parent, &rest)
}

/// Spec 5.6: not possible on an empty path and right after a compaction; nothing to do where everything stays.
#[test]
fn there_may_be_nothing_to_compact() {
    let of = |lines: &[String]| match prepared(&session_of(lines), 20_000, Scope::Kept) {
        Preparation::Nothing(why) => why,
        Preparation::Ready(plan) => panic!("{plan:?}"),
    };
    assert_eq!(of(&[]), Nothing::Empty);
    assert_eq!(of(&[user("1", ""), compaction("c", "1", "1")]), Nothing::AlreadyCompacted);
    assert_eq!(of(&[user("1", ""), answer("2", "1", "")]), Nothing::TooSmall);
}

/// F-25: what the compaction before kept is summarised by the next one; dreb loses it.
#[test]
fn what_the_compaction_before_kept_is_not_lost() {
    let session = session_of(&[
        user("1", ""),
        user("2", "1"),
        compaction("c", "2", "2"),
        user("3", "c"),
        user("4", "3"),
    ]);
    let plan = ready(&session, 2, Scope::Kept);
    assert_eq!(plan.history(), "[User]: 2_______\n\n[User]: 3_______");
    let dreb = ready(&session, 2, Scope::AfterCompaction);
    assert_eq!(dreb.history(), "[User]: 3_______");
    for plan in [plan, dreb] {
        assert_eq!((plan.first_kept_entry_id(), plan.previous_summary()), ("4", Some("Sc")));
        // From the compaction on: its summary (1), 3 and 4.
        assert_eq!(plan.tokens_before(), 5);
        assert_eq!(
            (plan.files().read_files(), plan.files().modified_files()),
            (vec!["/r"], vec!["/m"])
        );
    }
    let lost =
        session_of(&[user("1", ""), compaction("c", "1", "gone"), user("3", "c"), user("4", "3")]);
    assert_eq!(ready(&lost, 2, Scope::Kept).history(), "[User]: 3_______");
}

/// Spec 5.5: the last answer that ended well is counted by its provider, what came after it is estimated.
#[test]
fn a_context_is_as_full_as_the_last_count_says() {
    let tokens = |lines: &[String]| context_tokens(session_of(lines).context().unwrap().messages());
    let counted = |usage: &str, stop: &str| {
        answer("2", "1", &format!(r#","usage":{usage},"stopReason":"{stop}""#))
    };
    let with = |usage, stop| tokens(&[user("1", ""), counted(usage, stop), user("3", "2")]);
    assert_eq!(with(r#"{"totalTokens":100,"input":1}"#, "stop"), 102);
    assert_eq!(
        with(r#"{"totalTokens":0,"input":1,"output":2,"cacheRead":3,"cacheWrite":4}"#, "toolUse"),
        12
    );
    assert_eq!(with(r#"{"input":7}"#, "length"), 9);
    assert_eq!(with(r#"{"totalTokens":100}"#, "aborted"), 6);
    assert_eq!(with(r#"{"totalTokens":100}"#, "error"), 6);
    assert_eq!(with("null", "stop"), 6);
    assert_eq!(tokens(&[]), 0);
    let earlier = [counted(r#"{"totalTokens":50}"#, "stop"), answer("3", "2", "")];
    assert_eq!(tokens(&[&[user("1", "")], &earlier[..]].concat()), 52);
}

#[test]
fn a_compaction_is_due_when_the_reserve_is_touched() {
    let options = CompactionOptions::default();
    assert!(!is_due(100_000 - 16_384, 100_000, &options));
    assert!(is_due(100_000 - 16_384 + 1, 100_000, &options));
    assert!(is_due(1, 1000, &options));
}

/// Spec 5.6: how the text is put together, and what the entry holds.
#[test]
fn the_entry_has_the_summary_of_both_parts_and_the_files() {
    let call = r#"[{"type":"toolCall","id":"c","name":"edit","arguments":{"path":"/m"}}]"#;
    let edit = entry(
        "message",
        "2",
        "1",
        &format!(r#""message":{{"role":"assistant","content":{call}}}"#),
    );
    let mut session = session_of(&[user("0", ""), user("1", "0"), edit, answer("3", "2", "")]);
    let plan = ready(&session, 1, Scope::Kept);
    assert_eq!((plan.history(), plan.first_kept_entry_id()), ("[User]: 0_______", "3"));
    assert_eq!(
        plan.turn_prefix(),
        Some("[User]: 1_______\n\n[Assistant tool calls]: edit(path=\"/m\")")
    );
    let draft = plan.finish(Some("H"), Some("T"));
    let summary = "H\n\n---\n\n**Turn Context (split turn):**\n\nT\n\n<modified-files>\n/m\n</modified-files>";
    assert_eq!(draft.summary, summary);
    // Two user messages of 8 characters, a call of 4 and 13, an answer of 8.
    let id = session.append_compaction(draft).unwrap();
    let text = session.entry_text(session.require(&id).unwrap()).unwrap().into_owned();
    let text = String::from_utf8(text).unwrap();
    let end = r#","firstKeptEntryId":"3","tokensBefore":11,"details":{"readFiles":[],"modifiedFiles":["/m"]},"fromHook":false}"#;
    assert!(text.ends_with(end), "{text}");
    let roles: Vec<_> =
        session.context().unwrap().messages().map(|message| message.role.as_str()).collect();
    assert_eq!(roles, ["compactionSummary", "assistant"]);
}

#[test]
fn without_a_history_there_is_a_sentence_or_the_summary_before() {
    let turn = [user("1", ""), answer("2", "1", ""), answer("3", "2", "")];
    let plan = ready(&session_of(&turn), 1, Scope::Kept);
    assert_eq!((plan.history(), plan.history_prompt(Instructions::Default)), ("", None));
    let summary = plan.finish(None, Some("T")).summary;
    assert_eq!(summary, "No prior history.\n\n---\n\n**Turn Context (split turn):**\n\nT");
    let after =
        [&[user("0", ""), compaction("c", "0", "c")][..], &[user("1", "c")], &turn[1..]].concat();
    let plan = ready(&session_of(&after), 1, Scope::Kept);
    let summary = plan.finish(None, Some("T")).summary;
    assert!(summary.starts_with("Sc\n\n---\n\n**Turn"), "{summary}");
    // What no turn is split for is not asked.
    let plan = ready(&session_of(&[user("1", ""), user("2", "1")]), 1, Scope::Kept);
    assert_eq!(
        (plan.turn_prompt(), plan.finish(Some("H"), Some("T")).summary),
        (None, "H".to_owned())
    );
}

#[test]
fn prompts_hold_the_conversation_the_summary_before_and_the_headings_in_order() {
    let session =
        session_of(&[user("1", ""), compaction("c", "1", "1"), user("2", "c"), user("3", "2")]);
    let plan = ready(&session, 1, Scope::Kept);
    let prompt = plan.history_prompt(Instructions::Focus("the tests")).unwrap();
    assert!(prompt.starts_with("<conversation>\n[User]: 1_______\n\n[User]: 2_______\n</conversation>\n\n<previous-summary>\nSc\n"));
    assert!(prompt.ends_with("\n\nAdditional focus: the tests"), "{prompt}");
    let mut places =
        SUMMARY_HEADINGS.map(|heading| prompt.find(&format!("\n{heading}\n")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
    places.sort_unstable();
    let own = plan.history_prompt(Instructions::Replace("Count the words.")).unwrap();
    assert!(own.ends_with("</previous-summary>\n\nCount the words."), "{own}");
    let turn = session_of(&[user("1", ""), answer("2", "1", ""), answer("3", "2", "")]);
    let prompt = ready(&turn, 1, Scope::Kept).turn_prompt().unwrap();
    assert!(TURN_HEADINGS.iter().all(|heading| prompt.contains(heading)), "{prompt}");
}

/// What an edit takes out of the context is not told to the model that summarises either.
#[test]
fn what_was_taken_out_stays_out() {
    let session = session_of(&[
        user("1", ""),
        entry("context_edit", "x", "1", r#""targetId":"1","replacement":null"#),
        user("2", "x"),
        user("3", "2"),
    ]);
    assert_eq!(ready(&session, 1, Scope::Kept).history(), "[User]: 2_______");
}

fn branch(session: &SessionManager, from: Option<&str>, to: Option<&str>) -> BranchSummaryPlan {
    let find = |id: Option<&str>| id.map(|id| session.tree().find(id).unwrap());
    let options = BranchSummaryOptions::default();
    BranchSummaryPlan::prepare(session, find(from), find(to), &options).unwrap()
}

/// Spec 5.7: from the old leaf up to the deepest common ancestor, that one left out; nothing where the target lies below.
#[test]
fn what_is_left_is_summarised_up_to_where_the_ways_part() {
    let session = session_of(&[
        user("1", ""),
        answer("2", "1", ""),
        user("3", "2"),
        compaction("c", "3", "3"),
        user("4", "c"),
        user("5", "2"),
    ]);
    let ids = |from, to| {
        let plan = branch(&session, from, to);
        let ids: Vec<_> =
            plan.entries().iter().map(|node| session.tree().id(*node).to_owned()).collect();
        ids.join(" ")
    };
    assert_eq!(ids(Some("4"), Some("5")), "3 c 4");
    assert_eq!(ids(Some("4"), Some("2")), "3 c 4");
    assert_eq!(ids(Some("4"), None), "1 2 3 c 4");
    assert_eq!(ids(Some("2"), Some("4")), "");
    assert_eq!(ids(Some("4"), Some("4")), "");
    assert_eq!(ids(None, Some("4")), "");
    let plan = branch(&session, Some("4"), Some("5"));
    let compacted = "[User]: The conversation history before this point was compacted into the following summary:\n\n<summary>\nSc\n</summary>";
    assert_eq!(
        plan.conversation().unwrap(),
        format!("[User]: 3_______\n\n{compacted}\n\n[User]: 4_______")
    );
}

#[test]
fn a_branch_summary_has_its_preamble_and_the_files() {
    let session = session_of(&[user("1", ""), user("2", "1"), compaction("c", "2", "2")]);
    let plan = branch(&session, Some("c"), Some("1"));
    let made = plan.finish(Some("W"));
    assert_eq!(
        made.summary,
        "The user explored a different conversation branch before returning here.\nSummary of that exploration:\n\nW\n\n<read-files>\n/r\n</read-files>\n\n<modified-files>\n/m\n</modified-files>"
    );
    assert_eq!(made.details.as_str(), r#"{"readFiles":["/r"],"modifiedFiles":["/m"]}"#);
    let prompt = plan.prompt(Instructions::Default).unwrap();
    assert!(BRANCH_HEADINGS.iter().all(|heading| prompt.contains(heading)), "{prompt}");
    let label =
        session_of(&[user("1", ""), entry("label", "2", "1", r#""targetId":"1","label":"x""#)]);
    let plan = branch(&label, Some("2"), Some("1"));
    assert_eq!((plan.conversation(), plan.prompt(Instructions::Default)), (None, None));
    assert_eq!(plan.finish(Some("W")).summary, "No content to summarize");
}

/// Spec 5.7: a summary that does not fit is still taken below 90 % of the budget; then it ends.
#[test]
fn a_summary_may_go_over_the_budget() {
    let session =
        session_of(&[user("1", ""), compaction("c", "1", "1"), user("2", "c"), user("3", "2")]);
    let taken = |context_window| {
        let options = BranchSummaryOptions { context_window, reserve_tokens: 10 };
        let plan =
            BranchSummaryPlan::prepare(&session, session.tree().leaf(), None, &options).unwrap();
        (plan.tokens(), plan.conversation().unwrap_or_default().matches("[User]").count())
    };
    // The messages have 2 tokens each, the summary 1.
    assert_eq!(taken(10 + 7), (7, 4));
    assert_eq!(taken(10 + 6), (5, 3));
    assert_eq!(taken(10 + 4), (4, 2));
    assert_eq!(taken(10 + 3), (2, 1));
    // 76 characters are 19 tokens, which is more than 90 % of 20.
    let long = format!(r#""message":{{"role":"user","content":"{}"}}"#, "l".repeat(76));
    let summary = r#""summary":"12345678","firstKeptEntryId":"c""#;
    let session =
        session_of(&[entry("compaction", "c", "", summary), entry("message", "2", "c", &long)]);
    let taken = |context_window| {
        let options = BranchSummaryOptions { context_window, reserve_tokens: 0 };
        BranchSummaryPlan::prepare(&session, session.tree().leaf(), None, &options)
            .unwrap()
            .tokens()
    };
    assert_eq!((taken(21), taken(20)), (21, 19));
}

/// Spec 5.9, and 0.3 for the pair that a cut would halve.
#[test]
fn long_results_are_cut_and_arguments_are_in_the_order_of_javascript() {
    let result = |text: &str| {
        let message = format!(
            r#""message":{{"role":"toolResult","toolCallId":"c","toolName":"read","content":[{{"type":"text","text":"{text}"}}]}}"#
        );
        serialise(session_of(&[entry("message", "1", "", &message)]).context().unwrap().messages())
    };
    let long = "y".repeat(2000);
    assert_eq!(result(&long), format!("[Tool result]: {long}"));
    assert_eq!(
        result(&format!("{long}zz")),
        format!("[Tool result]: {long}\n\n[... 2 more characters truncated]")
    );
    let pair = format!("{}🦀", &long[1..]);
    let cut = format!("[Tool result]: {}\n\n[... 2 more characters truncated]", &long[1..]);
    assert_eq!(result(&pair), cut);
    let call = r#""message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"toolCall","id":"c","name":"t","arguments":{"b":{"y":1,"x":[1.0]},"2":null,"1":"a"}}]}"#;
    let said =
        serialise(session_of(&[entry("message", "1", "", call)]).context().unwrap().messages());
    assert_eq!(
        said,
        "[Assistant thinking]: hm\n\n[Assistant tool calls]: t(1=\"a\", 2=null, b={\"y\":1,\"x\":[1]})"
    );
}
