//! A tool call in a few words (spec 7.7, "Tool call formats").

use std::borrow::Cow;

use logwood::entry::ToolCallBlock;
use logwood::json::{Raw, js_number_text, stringify, trim_js, truncate_utf16, utf16_len};

/// How much of a command stands in a row, in UTF-16 units.
const LONGEST_COMMAND: usize = 50;
/// How much of the arguments of another tool.
const LONGEST_ARGUMENTS: usize = 40;

/// `[read: src/main.rs:10-20]` and its like; `home` is shown as `~`.
pub fn format_call(call: ToolCallBlock<'_>, home: Option<&str>) -> String {
    let name = call.name().unwrap_or_default();
    let arguments = call.arguments().unwrap_or_else(Raw::null);
    let path = |default: &str| short_path(&path_of(arguments, default), home);
    let text = |key: &str| arguments.get_str(key).unwrap_or_default();
    match &*name {
        "read" => format!("[read: {}{}]", path(""), range(arguments)),
        "write" | "edit" => format!("[{name}: {}]", path("")),
        "bash" => format!("[bash: {}]", command(&text("command"))),
        "grep" => format!("[grep: /{}/ in {}]", text("pattern"), path(".")),
        "find" => format!("[find: {} in {}]", text("pattern"), path(".")),
        "ls" => format!("[ls: {}]", path(".")),
        _ => format!("[{name}: {}]", other(arguments)),
    }
}

fn path_of<'a>(arguments: Raw<'a>, default: &'a str) -> Cow<'a, str> {
    let named = |key: &str| arguments.get_str(key).filter(|path| !path.is_empty());
    named("path").or_else(|| named("file_path")).unwrap_or(Cow::Borrowed(default))
}

fn short_path(path: &str, home: Option<&str>) -> String {
    let below = home.filter(|home| !home.is_empty()).and_then(|home| path.strip_prefix(home));
    match below {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}

/// `:start-end`; nothing where the call names neither offset nor limit.
fn range(arguments: Raw<'_>) -> String {
    let number = |key: &str| arguments.get_f64(key);
    let start = number("offset").unwrap_or(1.0);
    match (number("offset"), number("limit")) {
        (None, None) => String::new(),
        (Some(_), None) => format!(":{}", js_number_text(start)),
        (_, Some(limit)) => {
            format!(":{}-{}", js_number_text(start), js_number_text(start + limit - 1.0))
        }
    }
}

fn command(command: &str) -> String {
    let line = command.replace(['\n', '\t'], " ");
    let dots = if utf16_len(command) > LONGEST_COMMAND { "..." } else { "" };
    format!("{}{dots}", truncate_utf16(trim_js(&line), LONGEST_COMMAND))
}

fn other(arguments: Raw<'_>) -> String {
    let text = stringify(arguments.bytes());
    let text = String::from_utf8_lossy(&text);
    let dots = if utf16_len(&text) > LONGEST_ARGUMENTS { "..." } else { "" };
    format!("{}{dots}", truncate_utf16(&text, LONGEST_ARGUMENTS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use logwood::entry::ContentBlock;

    fn formatted(name: &str, arguments: &str) -> String {
        let text =
            format!(r#"{{"type":"toolCall","id":"c","name":"{name}","arguments":{arguments}}}"#);
        match ContentBlock::of(Raw::parse(text.as_bytes()).unwrap()) {
            ContentBlock::ToolCall(call) => format_call(call, Some("/home/ana")),
            other => panic!("{other:?}"),
        }
    }

    /// Spec 7.7, "Tool call formats".
    #[test]
    fn every_tool_has_its_format() {
        let long = "x".repeat(60);
        for (name, arguments, wanted) in [
            ("read", r#"{"path":"/home/ana/a.rs"}"#, "[read: ~/a.rs]".to_owned()),
            ("read", r#"{"path":"a","offset":5,"limit":10}"#, "[read: a:5-14]".to_owned()),
            ("read", r#"{"path":"a","limit":10}"#, "[read: a:1-10]".to_owned()),
            (
                "read",
                r#"{"file_path":"/home/anabel/a","offset":5}"#,
                "[read: /home/anabel/a:5]".to_owned(),
            ),
            ("write", r#"{"path":"/home/ana"}"#, "[write: ~]".to_owned()),
            ("edit", r#"{"path":"b"}"#, "[edit: b]".to_owned()),
            ("bash", r#"{"command":"a\n\tb "}"#, "[bash: a  b]".to_owned()),
            ("bash", &format!(r#"{{"command":"{long}"}}"#), format!("[bash: {}...]", &long[..50])),
            ("grep", r#"{"pattern":"f.o","path":"src"}"#, "[grep: /f.o/ in src]".to_owned()),
            ("find", r#"{"pattern":"*.rs"}"#, "[find: *.rs in .]".to_owned()),
            ("ls", "{}", "[ls: .]".to_owned()),
            ("ask", r#"{ "a": 1.0 }"#, r#"[ask: {"a":1}]"#.to_owned()),
            (
                "ask",
                &format!(r#"{{"a":"{long}"}}"#),
                format!(r#"[ask: {{"a":"{}...]"#, &long[..34]),
            ),
        ] {
            assert_eq!(formatted(name, arguments), wanted);
        }
    }
}
