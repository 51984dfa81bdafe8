//! `logwood stats`: one session, a project, everything; tables, the plot, JSON and CSV; what is said where something is missing.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Ran, Store, logwood, printed, run};

/// Figures of the examples by a program of its own: 48 answers, $0.31017815, of which $0.00529 by a subagent.
#[test]
fn everything_by_model() {
    assert_snapshot!(printed(&["stats", "--all"]), @"
    MODEL                           COST  SUBAGENTS  ANSWERS  INPUT  OUTPUT
    anthropic/claude-sonnet-4-5  $0.2244         $0       30    205    1.8k
    anthropic/claude-opus-4-5    $0.0413         $0        5     22     185
    anthropic/claude-haiku-4-5   $0.0180    $0.0053        8     58     322
    (summaries, tools)           $0.0145         $0        0     10     108
    openai/gpt-5.1-codex         $0.0119         $0        5   2.2k     294
    total                        $0.3102    $0.0053       48   2.5k    2.8k
    ");
}

#[test]
fn days_are_bars() {
    assert_snapshot!(printed(&["stats", "--all", "--by", "day"]), @"
    2026-03-02  $0.0175  ████████▉
      … 75 days without
    2026-05-17  $0.0015  ▊
      … 83 days without
    2026-08-09  $0.0089  ████▌
      … 54 days without
    2026-10-03  $0.0905  ████████████████████████████████████████████▒▒▒
      … 14 days without
    2026-10-18  $0.0023  █▏
      … 24 days without
    2026-11-12  $0.1158  ███████████████████████████████████████████████████████████
    2026-11-13  $0.0179  █████████▏
      … 6 days without
    2026-11-20  $0.0558  ████████████████████████████▌

       COST  SUBAGENTS  ABANDONED  NO ANSWER  ANSWERS  INPUT  OUTPUT  CACHE R
    $0.3102    $0.0053    $0.0601    $0.0197       48   2.5k    2.8k     593k
    ");
    assert_snapshot!(printed(&["stats", "--all", "--by", "day", "--since", "2026-11-12", "--until", "2026-11-13"]), @"
    2026-11-12  $0.1158  ███████████████████████████████████████████████████████████
    2026-11-13  $0.0179  █████████▏

       COST  ABANDONED  ANSWERS  INPUT  OUTPUT  CACHE R  CACHE W
    $0.1337    $0.0350       16    111    1.1k     235k      12k
    ");
}

#[test]
fn crossed_rows_name_the_first_value_once() {
    assert_snapshot!(printed(&["stats", "--all", "--by", "month,provider"]), @"
    MONTH    PROVIDER               COST  SUBAGENTS  ANSWERS  INPUT  OUTPUT
    2026-03  anthropic           $0.0175         $0        3     22     113
    2026-05  anthropic           $0.0015         $0        1      7      27
    2026-08  anthropic           $0.0089         $0        4     29     159
    2026-10  anthropic           $0.0809    $0.0053       14     94     778
             openai              $0.0119         $0        5   2.2k     294
    2026-11  anthropic           $0.1750         $0       21    133    1.3k
             (summaries, tools)  $0.0145         $0        0     10     108
    total                        $0.3102    $0.0053       48   2.5k    2.8k
    ");
}

#[test]
fn narrow_terminals_lose_figures_before_labels() {
    let narrow = |words: &[&str]| {
        let words = [&["--agent-dir", "examples/agent", "stats", "--all", "--by"], words].concat();
        let ran: Ran = logwood(&words).env("COLUMNS", "40").output().unwrap().into();
        assert!(ran.out.lines().all(|line| line.chars().count() <= 40), "{}", ran.out);
        ran.out
    };
    assert_snapshot!(narrow(&["session"]), @"
    SESSION                             COST
    21f7f2c1 Tide table: daylight …  $0.1158
    e04b7ed0 Gallery: phone layout…  $0.0905
    tidepool Release notes 0.4.1     $0.0558
    62f4643b What does the star me…  $0.0179
    4900714c Turn these notes into…  $0.0175
    eb7e892a Which of these calls …  $0.0089
    ff31d5de What was the flag tha…  $0.0023
    383e0632 Spring count            $0.0015
    total                            $0.3102
    ");
    narrow(&["day"]);
    narrow(&["project,model"]);
}

#[test]
fn one_session_with_its_subagent() {
    assert_snapshot!(printed(&["stats", "e04b7ed0"]), @"
    Gallery: phone layout, speed, albums
    examples/agent/sessions/--home-mira-lanternfish--/2026-10-03T09-12-45-880Z_e04b7ed0-622c-413a-89c9-7ec23609faf1.jsonl

                    CONTEXT   BRANCH     FILE
    User                  1        6        6
    Assistant             2       16       16
    Tool calls            0        9        9
    Tool results          0        9        9
    Messages              4       33       33
    Input               902     2.3k     2.3k
    Output               92      936      936
    Cache read          25k     175k     175k
    Cache write           0     6.9k     6.9k
    Tokens              26k     185k     185k
    Cost            $0.0052  $0.0852  $0.0852

    SUBAGENT     COST  ID        TASK
    scout     $0.0053  0750ce36  Profile GET / with 4,000 photos and say which func…
    own $0.0852, subagents $0.0053, together $0.0905

    MODEL                           COST  SUBAGENTS  ANSWERS  INPUT  OUTPUT  CACHE R
    anthropic/claude-sonnet-4-5  $0.0732         $0       11     72     642     125k
    openai/gpt-5.1-codex         $0.0119         $0        5   2.2k     294      50k
    anthropic/claude-haiku-4-5   $0.0053    $0.0053        2     16      87      20k
    total                        $0.0905    $0.0053       18   2.3k    1.0k     195k
    ");
}

#[test]
fn csv_has_a_head_and_plain_numbers() {
    assert_snapshot!(printed(&["stats", "--all", "--by", "agent", "--csv"]), @"
    agent,assistantMessages,input,output,cacheRead,cacheWrite,totalTokens,cost,messagesWithoutCost,mainCost,subagentCost,abandonedCost
    ,46,2523,2663,572890,27371,605447,0.30488815,0,0.30488815,0,0.0600725
    scout,2,16,87,19990,2272,22365,0.00529,0,0,0.00529,0
    ");
}

fn answer(id: &str, time: &str, more: &Value) -> String {
    let mut message = json!({"role": "assistant", "content": [], "provider": "p", "model": "m"});
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let entry = json!({"type": "message", "id": id, "parentId": null, "timestamp": time, "message": message});
    format!("{entry}\n")
}

fn header(id: &str, more: &Value) -> String {
    let mut header = json!({"type": "session", "version": 3, "id": id, "timestamp": "2025-03-04T09:00:00.000Z", "cwd": "/work/demo"});
    header.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{header}\n")
}

fn cost(total: f64) -> Value {
    json!({"usage": {"input": 1, "output": 2, "cost": {"total": total}}})
}

const TIME: &str = "2025-03-04T23:30:00.000Z";

fn stats(store: &Store, words: &[&str]) -> Ran {
    run(&[&["--agent-dir", &store.path(), "stats"], words].concat())
}

/// A session with a subagent, a fork of it, and a session of another project.
fn demo() -> Store {
    let store = Store::new();
    let first = answer("a", TIME, &cost(0.1));
    let main = store.file("sessions/--work-demo--/main.jsonl", header("main", &json!({})) + &first);
    let child = header("child", &json!({"agentType": "Explore", "parentSession": main}));
    store.file("subagent-sessions/aa/child.jsonl", child + &answer("a", TIME, &cost(0.5)));
    let fork =
        header("fork", &json!({"parentSession": main, "timestamp": "2025-03-05T09:00:00.000Z"}));
    let more = answer("b", "2025-03-05T10:00:00.000Z", &cost(0.05));
    store.file("sessions/--work-demo--/fork.jsonl", fork + &first + &more);
    let other = header("other", &json!({"cwd": "/work/other"}));
    store.file("sessions/--work-other--/other.jsonl", other + &answer("z", TIME, &cost(8.0)));
    store
}

fn said(store: &Store, words: &[&str]) -> Value {
    let ran = stats(store, &[words, &["--json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn a_project_has_its_subagents_and_every_answer_once() {
    let store = demo();
    let found = said(&store, &["--cwd", "/work/demo", "--by", "session"]);
    assert_eq!(found["total"]["cost"], 0.65);
    assert_eq!(found["total"]["mainCost"], 0.15);
    assert_eq!(found["total"]["subagentCost"], 0.5);
    assert_eq!(found["copiesSkipped"], 1);
    let rows: Vec<_> = found["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["session"], &row["cost"]))
        .collect();
    assert_eq!(rows, [(&json!("main"), &json!(0.6)), (&json!("fork"), &json!(0.05))]);
    assert_eq!(said(&store, &["--all"])["total"]["cost"], 8.65);
}

#[test]
fn one_session_says_what_the_protocol_says_and_its_children() {
    let store = demo();
    let found = said(&store, &["main"]);
    assert_eq!(
        [&found["ownCost"], &found["subagentCost"], &found["totalCost"]],
        [&json!(0.1), &json!(0.5), &json!(0.6)]
    );
    assert_eq!((&found["cost"], &found["file"]["cost"]), (&json!(0.1), &json!(0.1)));
    assert_eq!(found["subagents"][0]["agentType"], "Explore");
    assert_eq!(found["subagents"][0]["cost"], 0.5);
    assert_eq!(found["models"][0]["model"], "p/m");
}

#[test]
fn a_session_folder_has_its_own_subagents_only() {
    let store = demo();
    let lone = header("lone", &json!({"agentType": "Plan"}));
    store.file("subagent-sessions/bb/lone.jsonl", lone + &answer("q", TIME, &cost(2.0)));
    let folder = format!("{}/sessions/--work-demo--", store.path());
    let found = said(&store, &["--session-dir", &folder, "--all"]);
    assert_eq!(found["total"]["cost"], 0.65);
    assert_eq!(said(&store, &["--all"])["total"]["cost"], 10.65);
}

#[test]
fn days_are_those_of_the_zone() {
    let store = demo();
    let words = ["--agent-dir", &store.path(), "stats", "--all", "--by", "day", "--json"];
    let ran: Ran = logwood(&words).env("TZ", "UTC-1").output().unwrap().into();
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let days: Vec<_> = found["rows"].as_array().unwrap().iter().map(|row| &row["day"]).collect();
    assert_eq!(
        days,
        ["2025-03-05"],
        "half past eleven at night is the next day an hour further east"
    );
    let until = said(&store, &["--all", "--until", "2025-03-04"]);
    assert_eq!(until["total"]["cost"], 8.6, "the day that --until names is in");
    assert_eq!(until["until"], "2025-03-05T00:00:00.000Z");
    assert_eq!(said(&store, &["--all", "--since", "2025-03-05"])["total"]["cost"], 0.05);
}

#[test]
fn what_is_unknown_is_marked() {
    let store = Store::new();
    let head = header("s", &json!({}));
    let unknown = answer("a", TIME, &json!({}));
    let path = store.file("s.jsonl", head.clone() + &unknown);
    let ran = run(&["stats", "-q", &path, "--by", "model"]);
    assert_snapshot!(ran.out, @"
    MODEL  COST  ANSWERS  INPUT  OUTPUT
    p/m       ?        1      0       0
    ");
    let path = store.file("t.jsonl", head + &unknown + &answer("b", TIME, &cost(0.25)));
    let ran = run(&["stats", "-q", &path]);
    assert!(ran.out.contains("≥$0.2500"), "{}", ran.out);
    assert!(ran.out.contains("of the file: 1 without a cost"), "{}", ran.out);
}

#[test]
fn names_from_a_log_are_made_harmless() {
    let store = Store::new();
    let hostile = json!({"provider": "p\u{1b}[31m", "model": "=cmd|x,\"y\"", "usage": {"cost": {"total": 1}}});
    let path = store.file("s.jsonl", header("s", &json!({})) + &answer("a", TIME, &hostile));
    for words in [&["--by", "model"][..], &["--by", "model", "--csv"], &["--by", "model", "--json"]]
    {
        let ran = run(&[&["stats", path.as_str()], words].concat());
        assert_eq!(ran.code, 0);
        assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
    }
    let ran = run(&["stats", &path, "--by", "model", "--csv"]);
    assert!(ran.out.contains("\"p␛[31m/=cmd|x,\"\"y\"\"\",1,"), "{}", ran.out);
}

#[test]
fn what_cannot_be_read_is_told() {
    let store = demo();
    store.file(
        "sessions/--work-demo--/broken.jsonl",
        "{\"type\":\"session\",\"vers\n{\"type\":\"message\",\"id\":\"a\"}\n",
    );
    let ran = stats(&store, &["--all"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("1 file or folder could not be read, so sums may be too low"),
        "{}",
        ran.err
    );
    let ran = stats(&store, &["--all", "-v"]);
    assert!(ran.err.contains("broken.jsonl: header_corrupt"), "{}", ran.err);
    let ran = stats(&store, &["--all", "--json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["problems"][0]["kind"], "header_corrupt");
}

#[test]
fn wrong_words_are_refused() {
    for (words, code, text) in [
        (&["--by", "colour"][..], 2, "invalid value 'colour'"),
        (&["--by", "day,day"], 2, "--by names the same twice"),
        (&["--by", "day,model,store"], 2, "--by takes two at most"),
        (&["--since", "soon"], 2, "`soon` is no date"),
        (&["--since", "2025-02-01", "--until", "2025-01-01"], 2, "is not after --since"),
        (&["--store", "nowhere"], 3, "there is no store called `nowhere`"),
        (&["/none.jsonl"], 3, "none.jsonl"),
        (&["x", "--all"], 2, "cannot be used with"),
        (&["--csv", "--json"], 2, "cannot be used with"),
    ] {
        let ran = stats(&demo(), words);
        assert_eq!(ran.code, code, "{words:?}: {}", ran.err);
        assert!(ran.err.contains(text), "{words:?}: {}", ran.err);
    }
}

#[test]
fn nothing_is_said_where_nothing_was_spent() {
    let ran = stats(&demo(), &["--cwd", "/work/nothing"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(ran.err.contains("no answer was given in /work/nothing"), "{}", ran.err);
    let ran = stats(&demo(), &["--all", "--since", "2026-11-01"]);
    assert!(ran.err.contains("no answer was given in that time"), "{}", ran.err);
}

#[test]
fn a_query_chooses_sessions_and_their_subagents_come_along() {
    let store = demo();
    let cost = |query: &str| said(&store, &["--all", "--where", query])["total"]["cost"].clone();
    assert_eq!(cost("cwd:/work/other"), 8.0);
    assert_eq!(cost("is:fork"), 0.15, "of the sessions that are meant, and their parents are not");
    assert_eq!(cost("is:subagent"), 0.5);
    assert_eq!(cost("-is:fork -cwd:/work/other"), 0.6);
    assert_eq!(cost("nobody"), 0);
    let ran = stats(&store, &["--all", "--where", "is:purple"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}
