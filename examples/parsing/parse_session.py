"""Prints what a session file holds, line by line: `python3 parse_session.py FILE…`. The same as parse_session.ts and parse_session.rs."""

import json
import re
import sys


def parse(line):
    """A line that is not JSON, or no object, is nothing to tell: a program may have died while it wrote it."""
    try:
        # JavaScript has one kind of number: 1.0 is 1.
        entry = json.loads(line, parse_float=lambda text: int(float(text)) if float(text).is_integer() else float(text))
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def to_json(value):
    """As JSON.stringify writes it: without spaces, and half a surrogate pair as an escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def describe(entry):
    def field(name, default="-"):
        value = entry.get(name)
        return default if value is None else value

    id, kind = field("id"), entry.get("type")
    if kind == "session":
        return f"Session v{field('version', 1)}: {id}"
    if kind == "message":
        message = field("message", {})
        return f"[{id}] {message.get('role', '-')}: {to_json(message.get('content'))}"
    if kind == "compaction":
        return f"[{id}] Compaction: {field('tokensBefore')} tokens summarized"
    if kind == "branch_summary":
        return f"[{id}] Branch from {field('fromId')}"
    if kind == "custom":
        return f"[{id}] Custom ({field('customType')}): {to_json(entry.get('data'))}"
    if kind == "custom_message":
        return f"[{id}] Extension message ({field('customType')}): {to_json(entry.get('content'))}"
    if kind == "label":
        return f"[{id}] Label {to_json(entry.get('label'))} on {field('targetId')}"
    if kind == "model_change":
        return f"[{id}] Model: {field('provider')}/{field('modelId')}"
    if kind == "thinking_level_change":
        return f"[{id}] Thinking: {field('thinkingLevel')}"
    return None


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
for path in sys.argv[1:]:
    # Lines end in LF alone; bytes that are not UTF-8 are shown as U+FFFD.
    with open(path, "rb") as file:
        lines = file.read().decode("utf-8", "replace").split("\n")
    for text in filter(None, (describe(parse(line.strip("\ufeff \t\r"))) for line in lines)):
        print(text)
