//! What a model would see, and why (spec 5).

use std::collections::HashMap;

use logwood::context::{ExplainRow, ModelRef, SessionContext, llm_message};
use logwood::error::Result;
use logwood::json::{JsonWriter, ObjectWriter};
use logwood::tree::NodeId;

use super::Dispatcher;
use super::open::path_member;
use super::position::asked_leaf;
use super::row::{CommandSpec, DataSpec, FieldKind, FieldSpec, example, gives, optional};
use crate::request::Request;

const LEAF: FieldSpec = optional(
    "leafId",
    FieldKind::Position,
    "the position; null is the one before every entry; default: the current one",
);
const ENTRY_IDS: DataSpec =
    gives("entryIds", "for each message the id of the entry that it came from");

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "build_session_context",
        about: "The messages, the thinking level and the model at a position.",
        fields: &[LEAF],
        data: &[
            gives("messages", "the messages"),
            gives("thinkingLevel", "the thinking level; `off` unless the path changes it"),
            gives("model", "provider and modelId; null where the path names none"),
            ENTRY_IDS,
        ],
        example: example(
            r#"{"type":"build_session_context","leafId":"aa000001"}"#,
            r#"{"messages":[{"role":"user","content":"plan the checkout page","timestamp":1741064771000}],"thinkingLevel":"off","model":null,"entryIds":["aa000001"]}"#,
        ),
        run: build_session_context,
    },
    CommandSpec {
        name: "get_messages",
        about: "The messages at the current position.",
        fields: &[],
        data: &[gives("messages", "the messages"), ENTRY_IDS],
        example: example(
            r#"{"type":"get_messages"}"#,
            r#"{"messages":[{"role":"user","content":"plan the checkout page","timestamp":1741064771000},{"role":"assistant","content":[{"type":"text","text":"Three steps."}],"provider":"anthropic","model":"claude-sonnet-4-5","stopReason":"stop","timestamp":1741064772000}],"entryIds":["aa000001","aa000002"]}"#,
        ),
        run: get_messages,
    },
    CommandSpec {
        name: "get_llm_messages",
        about: "The messages at a position as the model is sent them.",
        fields: &[LEAF],
        data: &[gives("messages", "the messages"), ENTRY_IDS],
        example: example(
            r#"{"type":"get_llm_messages","leafId":"aa000001"}"#,
            r#"{"messages":[{"role":"user","content":"plan the checkout page","timestamp":1741064771000}],"entryIds":["aa000001"]}"#,
        ),
        run: get_llm_messages,
    },
    CommandSpec {
        name: "explain",
        about: "For each entry of the path what it gave to the context, or why nothing.",
        fields: &[LEAF],
        data: &[
            gives(
                "rows",
                "root first: entryId, type, role?, outcome (`message`, or why none: `bookkeeping`, `compacted`, `edited`, `excluded`, `empty`, `broken`), edited? (a context edit changed it), messages (where the messages it gave stand in the context, from 0), tokens (the estimate)",
            ),
            gives("tokens", "the sum of the estimates"),
        ],
        example: example(
            r#"{"type":"explain"}"#,
            r#"{"rows":[{"entryId":"aa000001","type":"message","role":"user","outcome":"message","messages":[0],"tokens":6},{"entryId":"aa000002","type":"message","role":"assistant","outcome":"message","messages":[1],"tokens":3},{"entryId":"aa000004","type":"session_info","outcome":"bookkeeping","messages":[],"tokens":0}],"tokens":9}"#,
        ),
        run: explain,
    },
    CommandSpec {
        name: "get_state",
        about: "The state of the session, as dreb gives it.",
        fields: &[],
        data: &[
            gives("sessionFile", "the path of the file; missing for a session in memory"),
            gives("sessionId", "the session id"),
            gives("sessionName", "the display name; missing where there is none"),
            gives("messageCount", "how many messages the context has"),
            gives("thinkingLevel", "the thinking level"),
            gives(
                "model",
                "provider, modelId and, as dreb's clients read it, id; null where there is none",
            ),
            gives("isStreaming", "false"),
            gives("isCompacting", "false"),
        ],
        example: example(
            r#"{"type":"get_state"}"#,
            r#"{"sessionFile":"/home/ana/session.jsonl","sessionId":"6f1d2c3b-0001-4a00-8000-00000000aaaa","sessionName":"Checkout","messageCount":2,"thinkingLevel":"off","model":{"provider":"anthropic","modelId":"claude-sonnet-4-5","id":"claude-sonnet-4-5"},"isStreaming":false,"isCompacting":false}"#,
        ),
        run: get_state,
    },
];

fn build_session_context(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let context = state.session.context_at(asked_leaf(state, request)?)?;
    messages_member(data, &context);
    data.key("thinkingLevel").str(context.thinking_level());
    model_member(data, context.model(), |_, _| {});
    entry_ids(data, context.messages().map(|message| message.entry_id));
    Ok(())
}

fn get_messages(
    state: &mut Dispatcher,
    _request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let context = state.session.context()?;
    messages_member(data, &context);
    entry_ids(data, context.messages().map(|message| message.entry_id));
    Ok(())
}

fn messages_member(data: &mut JsonWriter<'_>, context: &SessionContext) {
    data.key("messages").begin_array();
    for message in context.messages() {
        data.raw_lossy(message.raw.bytes());
    }
    data.end_array();
}

fn get_llm_messages(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let context = state.session.context_at(asked_leaf(state, request)?)?;
    let mut ids = Vec::new();
    data.key("messages").begin_array();
    for message in context.messages() {
        if let Some(text) = llm_message(&message) {
            data.raw_lossy(&text);
            ids.push(message.entry_id);
        }
    }
    data.end_array();
    entry_ids(data, ids.into_iter());
    Ok(())
}

fn entry_ids<'a>(data: &mut JsonWriter<'_>, ids: impl Iterator<Item = &'a str>) {
    data.key("entryIds").begin_array();
    for id in ids {
        data.str(id);
    }
    data.end_array();
}

fn explain(state: &mut Dispatcher, request: &Request<'_>, data: &mut JsonWriter<'_>) -> Result<()> {
    let leaf = asked_leaf(state, request)?;
    let rows = state.session.explain(leaf)?;
    let places = places(&state.session.context_at(leaf)?);
    data.key("rows").array(|array| {
        for row in &rows {
            let given = places.get(&row.node).map_or(&[][..], Vec::as_slice);
            array.object(|object| explain_row(object, row, given));
        }
    });
    data.key("tokens").u64(rows.iter().map(|row| row.tokens).sum());
    Ok(())
}

/// Where the messages of each entry stand in the context.
fn places(context: &SessionContext) -> HashMap<NodeId, Vec<u64>> {
    let mut places: HashMap<_, Vec<u64>> = HashMap::new();
    for (place, message) in (0..).zip(context.messages()) {
        places.entry(message.node).or_default().push(place);
    }
    places
}

fn explain_row(object: &mut ObjectWriter<'_>, row: &ExplainRow, given: &[u64]) {
    object.field_str("entryId", &row.entry_id).field_str("type", row.kind.as_str());
    object.field_opt_str("role", Some(row.role.as_str()).filter(|role| !role.is_empty()));
    object.field_str("outcome", row.outcome.as_str());
    if row.edited {
        object.field_bool("edited", true);
    }
    object.field_array("messages", |array| {
        for place in given {
            array.u64(*place);
        }
    });
    object.field_u64("tokens", row.tokens);
}

fn get_state(
    state: &mut Dispatcher,
    _request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let session = &state.session;
    let context = session.context()?;
    if let Some(file) = session.session_file() {
        path_member(data, "sessionFile", Some(file));
    }
    data.key("sessionId").str(session.session_id());
    if let Some(name) = session.session_name() {
        data.key("sessionName").str(name);
    }
    data.key("messageCount").u64(context.len() as u64);
    data.key("thinkingLevel").str(context.thinking_level());
    model_member(data, context.model(), |object, model| {
        object.field_opt_str("id", model.model_id.as_deref());
    });
    data.key("isStreaming").bool(false).key("isCompacting").bool(false);
    Ok(())
}

fn model_member(
    data: &mut JsonWriter<'_>,
    model: Option<&ModelRef>,
    more: impl FnOnce(&mut ObjectWriter<'_>, &ModelRef),
) {
    data.key("model");
    let Some(model) = model else {
        data.null();
        return;
    };
    data.object(|object| {
        object.field_opt_str("provider", model.provider.as_deref());
        object.field_opt_str("modelId", model.model_id.as_deref());
        more(object, model);
    });
}
