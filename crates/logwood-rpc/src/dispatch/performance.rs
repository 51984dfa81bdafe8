//! The performance log of the agent directory: what it says, and one more answer in it (spec 8.13, 9).

use logwood::error::{Error, ErrorKind, Result};
use logwood::json::JsonWriter;
use logwood::performance::{Performance, PerformanceDraft, PerformanceLog, Recording};

use super::Dispatcher;
use super::row::{CommandSpec, FieldKind, example, gives, optional, required};
use crate::performance_row::write_performance_members;
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get_performance_stats",
        about: "How fast each model answered, from the performance log of the agent directory, models in the order of their first record; none where there is no log.",
        fields: &[],
        data: &[gives(
            "models",
            "rows: provider, modelId, rolling (median, mean, count of the latest 100, in tokens a second), delta (baselineMedian, recentMedian, percentDelta, direction `above`, `below` or `stable`, baselineCount, recentCount)",
        )],
        example: example(
            r#"{"type":"get_performance_stats"}"#,
            r#"{"models":[{"provider":"anthropic","modelId":"claude-sonnet-4-5","rolling":{"median":50,"mean":50,"count":1},"delta":{"baselineMedian":50,"recentMedian":50,"percentDelta":0,"direction":"stable","baselineCount":1,"recentCount":1}}]}"#,
        ),
        run: get_performance_stats,
    },
    CommandSpec {
        name: "record_performance",
        about: "Records in the performance log how fast a model answered, under the lock that dreb takes. Once a day, records older than 30 days go.",
        fields: &[
            required("provider", FieldKind::Text, "the provider"),
            required("modelId", FieldKind::Text, "the model"),
            required("outputTokens", FieldKind::Number, "tokens of the answer"),
            optional("durationMs", FieldKind::Number, "how long it took; default 0"),
            optional(
                "stopReason",
                FieldKind::Text,
                "why it ended; one that ended in `error` or `aborted` is not recorded",
            ),
            optional("sessionId", FieldKind::Text, "its session; default: the current one"),
            optional("timestamp", FieldKind::Text, "when it ended, ISO; default: now"),
            optional("tps", FieldKind::Number, "tokens a second; default: computed"),
        ],
        data: &[
            gives("recorded", "whether it is in the log now"),
            gives(
                "reason",
                "where it is not: `stopped`, `no_output`, `too_short` (under 10 ms), or `locked` where another process held the lock for a second",
            ),
        ],
        example: example(
            r#"{"type":"record_performance","provider":"anthropic","modelId":"claude-sonnet-4-5","outputTokens":120,"durationMs":2400,"stopReason":"stop"}"#,
            r#"{"recorded":true}"#,
        ),
        run: record_performance,
    },
];

fn get_performance_stats(
    state: &mut Dispatcher,
    _request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let said = match log(state) {
        Some(log) => log.read()?,
        None => Performance::default(),
    };
    data.key("models").begin_array();
    for model in said.models() {
        data.begin_object();
        write_performance_members(data, model);
        data.end_object();
    }
    data.end_array();
    Ok(())
}

fn record_performance(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let answer = answer(request, state.session.session_id())?;
    if state.options.read_only {
        return Err(refused(ErrorKind::ReadOnly, "this process was started to read only"));
    }
    let Some(log) = log(state) else {
        return Err(refused(ErrorKind::NotFound, "this process has no agent directory")
            .with_hint("start it with --agent-dir"));
    };
    match log.record(&answer)? {
        Recording::Recorded(_) => data.key("recorded").bool(true),
        Recording::Left(why) => data.key("recorded").bool(false).key("reason").str(why.as_str()),
    };
    Ok(())
}

/// The log of the agent directory; it stays open from record to record.
fn log(state: &mut Dispatcher) -> Option<&mut PerformanceLog> {
    if state.performance.is_none() {
        let path = state.options.agent_dir.as_ref()?.performance_log();
        let sessions = &state.options.sessions;
        let log = PerformanceLog::new(path).storage(sessions.shared_storage());
        state.performance = Some(log.clock(sessions.shared_clock()));
    }
    state.performance.as_mut()
}

fn refused(kind: ErrorKind, why: &str) -> Error {
    Error::new(kind, "cannot record performance").with_why(why)
}

fn answer(request: &Request<'_>, session: &str) -> Result<PerformanceDraft> {
    let text = |key| request.text(key).map(|text| text.into_owned());
    Ok(PerformanceDraft {
        timestamp: text("timestamp"),
        session_id: text("sessionId").unwrap_or_else(|| session.to_owned()),
        provider: request.required("provider")?.into_owned(),
        model_id: request.required("modelId")?.into_owned(),
        output_tokens: request.number("outputTokens").unwrap_or_default(),
        duration_ms: request.number("durationMs").unwrap_or_default(),
        stop_reason: text("stopReason"),
        tps: request.number("tps"),
    })
}
