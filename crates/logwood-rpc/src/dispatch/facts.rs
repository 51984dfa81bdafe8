//! What the current session says of itself.

use logwood::error::Result;
use logwood::json::JsonWriter;

use super::open::path_member;
use super::row::{CommandSpec, example, gives};

macro_rules! facts {
    ($( $name:literal, $key:literal, $about:literal, $holds:literal, $data:expr, $run:expr; )*) => {
        pub(super) const COMMANDS: &[CommandSpec] = &[ $( CommandSpec {
            name: $name,
            about: $about,
            fields: &[],
            data: &[gives($key, $holds)],
            example: example(concat!(r#"{"type":""#, $name, r#""}"#), $data),
            run: $run,
        }, )* ];
    };
}

facts! {
    "get_header", "header",
    "The header of the session, as version 3 has it.", "the header",
    r#"{"header":{"type":"session","version":3,"id":"6f1d2c3b-0001-4a00-8000-00000000aaaa","timestamp":"2025-03-04T05:06:07.089Z","cwd":"/home/ana/shop"}}"#,
    |state, _, data| {
        data.key("header").raw_lossy(&state.session.header_text());
        Ok(())
    };

    "get_session_id", "sessionId",
    "The session id.", "the id",
    r#"{"sessionId":"6f1d2c3b-0001-4a00-8000-00000000aaaa"}"#,
    |state, _, data| text(data, "sessionId", Some(state.session.session_id()));

    "get_session_file", "sessionFile",
    "The path of the session's file.", "the path; null for a session in memory",
    r#"{"sessionFile":"/home/ana/session.jsonl"}"#,
    |state, _, data| {
        path_member(data, "sessionFile", state.session.session_file());
        Ok(())
    };

    "get_session_dir", "sessionDir",
    "The folder that sessions made from this one go to.", "the folder; empty for a session in memory",
    r#"{"sessionDir":"/home/ana"}"#,
    |state, _, data| {
        path_member(data, "sessionDir", Some(state.session.session_dir()));
        Ok(())
    };

    "get_session_name", "name",
    "The display name: that of the last `session_info` of the file.", "the name; null where there is none",
    r#"{"name":"Checkout"}"#,
    |state, _, data| text(data, "name", state.session.session_name());

    "get_cwd", "cwd",
    "The working directory of the session.", "the directory",
    r#"{"cwd":"/home/ana/shop"}"#,
    |state, _, data| text(data, "cwd", Some(state.session.cwd()));

    "is_persisted", "persisted",
    "Whether the session has a file.", "true or false",
    r#"{"persisted":true}"#,
    |state, _, data| {
        data.key("persisted").bool(state.session.is_persisted());
        Ok(())
    };

    "get_custom_session_inventory_root", "root",
    "The flat inventory root that the session carries.", "the folder; null where there is none",
    r#"{"root":null}"#,
    |state, _, data| {
        path_member(data, "root", state.session.custom_session_inventory_root());
        Ok(())
    };

    "get_version", "version",
    "The version of logwood.", "the version",
    concat!(r#"{"version":""#, env!("CARGO_PKG_VERSION"), r#""}"#),
    |_, _, data| text(data, "version", Some(env!("CARGO_PKG_VERSION")));
}

/// Writes a text, null where there is none.
fn text(data: &mut JsonWriter<'_>, key: &str, value: Option<&str>) -> Result<()> {
    data.key(key);
    match value {
        Some(value) => data.str(value),
        None => data.null(),
    };
    Ok(())
}
