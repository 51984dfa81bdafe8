//! What adds an entry below the current position; each is one line in the file when it is answered (spec 4.7).

use logwood::entry::{CompactionDraft, JsonText};
use logwood::error::{Error, ErrorKind, Result};
use logwood::json::{JsonWriter, trim_js};

use super::Dispatcher;
use super::row::{CommandSpec, DataSpec, FieldKind, FieldSpec, example, gives, optional, required};
use crate::request::Request;

const ENTRY_ID: DataSpec = gives("entryId", "the id of the new entry");
const CUSTOM_TYPE: FieldSpec = required("customType", FieldKind::Text, "whose entry it is");

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "append_message",
        about: "Appends a message: of a person, a model, a tool, a command, an extension, or of any other role but the summaries.",
        fields: &[required("message", FieldKind::Object, "the message")],
        data: &[ENTRY_ID],
        example: example(
            r#"{"type":"append_message","message":{"role":"user","content":"go on","timestamp":1741064771111}}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: |state, request, data| {
            let message = request.json("message")?.unwrap_or_else(JsonText::null);
            done(data, state.session.append_message(message))
        },
    },
    CommandSpec {
        name: "append_thinking_level_change",
        about: "Records that the thinking level changes.",
        fields: &[required(
            "thinkingLevel",
            FieldKind::Text,
            "off, minimal, low, medium, high, xhigh or max",
        )],
        data: &[ENTRY_ID],
        example: example(
            r#"{"type":"append_thinking_level_change","thinkingLevel":"high"}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: |state, request, data| {
            let level = request.required("thinkingLevel")?;
            done(data, state.session.append_thinking_level_change(level))
        },
    },
    CommandSpec {
        name: "append_model_change",
        about: "Records that the model changes.",
        fields: &[
            required("provider", FieldKind::Text, "the provider"),
            required("modelId", FieldKind::Text, "the model's id at the provider"),
        ],
        data: &[ENTRY_ID],
        example: example(
            r#"{"type":"append_model_change","provider":"openai","modelId":"gpt-5"}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: |state, request, data| {
            let (provider, model) = (request.required("provider")?, request.required("modelId")?);
            done(data, state.session.append_model_change(provider, model))
        },
    },
    CommandSpec {
        name: "append_compaction",
        about: "Records that earlier messages are replaced by a summary; nothing is removed from the file.",
        fields: &[
            required("summary", FieldKind::Text, "the summary"),
            optional(
                "firstKeptEntryId",
                FieldKind::EntryId,
                "the first entry that stays in the context; without it none before the summary does",
            ),
            optional(
                "tokensBefore",
                FieldKind::Number,
                "how many tokens the context had; default 0",
            ),
            optional("details", FieldKind::Json, "what its maker stores with it"),
            optional("fromHook", FieldKind::Flag, "whether an extension made it"),
        ],
        data: &[ENTRY_ID],
        example: example(
            r#"{"type":"append_compaction","summary":"A page was planned.","firstKeptEntryId":"aa000002","tokensBefore":1234}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: append_compaction,
    },
    CommandSpec {
        name: "append_custom_entry",
        about: "Stores state of an extension; never in the context.",
        fields: &[CUSTOM_TYPE, optional("data", FieldKind::Json, "the state")],
        data: &[ENTRY_ID],
        example: example(
            r#"{"type":"append_custom_entry","customType":"todo","data":{"open":3}}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: |state, request, data| {
            let custom_type = request.required("customType")?;
            let state_of_it = request.json("data")?;
            done(data, state.session.append_custom_entry(custom_type, state_of_it))
        },
    },
    CommandSpec {
        name: "append_session_info",
        about: "Sets the display name, trimmed; an empty one clears it.",
        fields: &[required("name", FieldKind::Text, "the name")],
        data: &[ENTRY_ID],
        example: example(
            r#"{"type":"append_session_info","name":"Checkout page"}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: |state, request, data| {
            done(data, state.session.append_session_info(&request.required("name")?))
        },
    },
    CommandSpec {
        name: "append_custom_message_entry",
        about: "Appends a message of an extension, which the model gets.",
        fields: &[
            CUSTOM_TYPE,
            required("content", FieldKind::Json, "text, or a list of text and image blocks"),
            required("display", FieldKind::Flag, "whether people are shown it"),
            optional("details", FieldKind::Json, "what the model is not sent"),
        ],
        data: &[ENTRY_ID],
        example: example(
            r#"{"type":"append_custom_message_entry","customType":"memo","content":"remember the tests","display":true}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: append_custom_message,
    },
    CommandSpec {
        name: "append_label_change",
        about: "Labels an entry; without a label, or with an empty one, its label is cleared.",
        fields: &[
            required("targetId", FieldKind::EntryId, "the entry"),
            optional("label", FieldKind::Text, "the label"),
        ],
        data: &[ENTRY_ID],
        example: example(
            r#"{"type":"append_label_change","targetId":"aa000002","label":"plan"}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: |state, request, data| {
            let (target, label) = (request.required("targetId")?, request.text("label"));
            done(data, state.session.append_label_change(&target, label.as_deref()))
        },
    },
    CommandSpec {
        name: "set_session_name",
        about: "Sets the display name, trimmed, as dreb's command of this name does.",
        fields: &[required("name", FieldKind::Text, "the name; it must not be blank")],
        data: &[],
        example: example(r#"{"type":"set_session_name","name":"Checkout page"}"#, ""),
        run: |state, request, _| {
            let name = request.required("name")?;
            if trim_js(&name).is_empty() {
                let what = "Session name cannot be empty";
                return Err(Error::new(ErrorKind::InvalidArgument, what));
            }
            state.session.append_session_info(&name).map(drop)
        },
    },
];

fn append_compaction(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let draft = CompactionDraft {
        summary: request.required("summary")?.into_owned(),
        first_kept_entry_id: request.text("firstKeptEntryId").map(|id| id.into_owned()),
        tokens_before: request.number("tokensBefore").unwrap_or_default(),
        details: request.json("details")?,
        from_hook: request.flag("fromHook"),
        ..CompactionDraft::default()
    };
    done(data, state.session.append_compaction(draft))
}

fn append_custom_message(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let custom_type = request.required("customType")?;
    let content = request.json("content")?.unwrap_or_else(JsonText::null);
    let display = request.flag("display").unwrap_or_default();
    let details = request.json("details")?;
    done(data, state.session.append_custom_message_entry(custom_type, content, display, details))
}

fn done(data: &mut JsonWriter<'_>, id: Result<String>) -> Result<()> {
    data.key("entryId").str(&id?);
    Ok(())
}
