//! What the session and the day cost (spec 8.7, 6.14).

use logwood::error::Result;
use logwood::inventory::Place;
use logwood::json::JsonWriter;
use logwood::location::Layout;
use logwood::statistics::{Calendar, SessionStatistics, UsageScan};

use super::Dispatcher;
use super::listing::{MOST_THREADS, default_root, with_progress};
use super::open::path_member;
use super::row::{CommandSpec, example, gives};
use crate::request::Request;
use crate::statistics_row::write_session_statistics;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get_session_stats",
        about: "How many messages the session has and what they cost, in US dollars: over its context as dreb counts it, and apart over the current branch and the whole file.",
        fields: &[],
        data: &[
            gives("sessionFile", "the path of the file; missing for a session in memory"),
            gives("sessionId", "the session id"),
            gives("userMessages", "user messages of the context"),
            gives("assistantMessages", "assistant messages of the context"),
            gives("toolCalls", "tool calls in them"),
            gives("toolResults", "tool results of the context"),
            gives("totalMessages", "all messages of the context, summaries too"),
            gives("tokens", "input, output, cacheRead, cacheWrite, total of them"),
            gives("cost", "what they cost, as far as they say it"),
            gives(
                "branch",
                "the same of every entry of the current branch, and: messagesWithoutCost (how many say no cost), costIsLowerBound, abandonedCost, otherCost (the part of summaries, tools and usage entries)",
            ),
            gives(
                "file",
                "the same of every entry of the file; abandonedCost is what branches cost that were left",
            ),
        ],
        example: example(
            r#"{"type":"get_session_stats"}"#,
            r#"{"sessionFile":"/home/ana/session.jsonl","sessionId":"6f1d2c3b-0001-4a00-8000-00000000aaaa","userMessages":1,"assistantMessages":1,"toolCalls":0,"toolResults":0,"totalMessages":2,"tokens":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0},"cost":0,"branch":{"userMessages":1,"assistantMessages":1,"toolCalls":0,"toolResults":0,"totalMessages":2,"tokens":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0},"cost":0,"messagesWithoutCost":1,"costIsLowerBound":true,"abandonedCost":0,"otherCost":0},"file":{"userMessages":1,"assistantMessages":1,"toolCalls":0,"toolResults":0,"totalMessages":2,"tokens":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0},"cost":0,"messagesWithoutCost":1,"costIsLowerBound":true,"abandonedCost":0,"otherCost":0}}"#,
        ),
        run: get_session_stats,
    },
    CommandSpec {
        name: "get_daily_cost",
        about: "What was spent today, in US dollars: by the time of each message, in all sessions of the store, each answer once however many forks repeat it.",
        fields: &[],
        data: &[
            gives("cost", "all of it, as far as it is said"),
            gives("main", "the part of the sessions of people"),
            gives("subagent", "the part of subagents"),
            gives("day", "the local day that was counted"),
        ],
        example: example(
            r#"{"type":"get_daily_cost"}"#,
            r#"{"cost":0,"main":0,"subagent":0,"day":"2025-03-04"}"#,
        ),
        run: get_daily_cost,
    },
];

fn get_session_stats(
    state: &mut Dispatcher,
    _request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let found = SessionStatistics::of(&state.session)?;
    if let Some(file) = state.session.session_file() {
        path_member(data, "sessionFile", Some(file));
    }
    data.key("sessionId").str(state.session.session_id());
    write_session_statistics(data, &found);
    Ok(())
}

fn get_daily_cost(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let calendar = Calendar::new(state.options.zone.clone());
    let today = calendar.day(state.options.sessions.now_ms());
    let period = today.and_then(|day| calendar.period_of(day)).unwrap_or_default();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let scan = UsageScan::new(state.options.sessions.shared_storage())
        .threads(threads.min(MOST_THREADS))
        .period(period)
        .skip_untouched(true);
    let (places, transcripts) = (places(state), transcripts(state));
    let found = with_progress(request, state.options.progress_every, |progress| {
        scan.places(&places, &transcripts, None, progress)
    });
    let totals = found.statistics.totals();
    data.key("cost").f64(totals.cost.dollars());
    data.key("main").f64(totals.own().dollars());
    data.key("subagent").f64(totals.subagents.dollars());
    data.key("day").str(&today.map(|day| day.to_string()).unwrap_or_default());
    Ok(())
}

/// The default store, and the flat folders that somebody chose.
fn places(state: &Dispatcher) -> Vec<Place> {
    let nested = default_root(state).map(|root| Place::new("", root.root, root.layout));
    let custom = state.session.custom_session_inventory_root();
    let flat = state.options.session_dir.as_deref().into_iter().chain(custom);
    let flat = flat.map(|root| Place::new("", root, Layout::Flat));
    nested.into_iter().chain(flat).collect()
}

/// The roots of transcripts, the configured one and the default one.
fn transcripts(state: &Dispatcher) -> Vec<Place> {
    let options = &state.options;
    let default = options.agent_dir.as_ref().map(|dir| dir.subagent_sessions());
    let roots = match &options.transcripts {
        Some(setting) => {
            setting.at(&options.cwd).all().map(|root| root.to_path_buf()).collect::<Vec<_>>()
        }
        None => default.into_iter().collect(),
    };
    roots.into_iter().map(|root| Place::new("", root, Layout::Nested)).collect()
}
