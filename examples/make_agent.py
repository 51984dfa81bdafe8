#!/usr/bin/env python3
"""Writes examples/agent/, a small agent directory of invented sessions. Run it again and it writes the same bytes.

Mira does not exist, nor do her projects: tidepool (tide tables, Rust), lanternfish (a photo gallery, Python), field-notes (old files).
"""
import os, shutil
from session_writer import Session, digest, dumps, image, iso, png, text, thinking

HOME = "/home/mira"
AGENT = HOME + "/.dreb/agent"
files, performance = {}, []


def keep(session, data=None, folder=None):
    path = f"{folder or 'sessions/' + session.folder}/{session.name}"
    files[path] = session.bytes() if data is None else data
    performance.extend(session.performance)
    return f"{AGENT}/{path}"


def tide_table():
    """A bug found and mended, a way tried and left with a summary, labels that are set, moved and cleared, a name."""
    s = Session(HOME + "/tidepool", "2026-11-12T18:04:31.206")
    s.model("anthropic", "claude-sonnet-4-5")
    s.think("medium")
    s.user("The table for Saint-Malo shows every high tide on 25 October one hour late after breakfast. Before that it is right. Can you find out why?")
    s.tool([thinking("25 October 2026 is the last Sunday of October, so clocks go back at 03:00. Something probably takes the offset once for the whole day."),
            text("That is the day the clocks go back. Let me see where local times are made.")],
           "grep", "src/clock.rs:14:    let offset = zone.offset_at(day.start());\nsrc/clock.rs:22:        .map(|tide| tide.at + offset)\nsrc/print.rs:41:    // offset is in the rows already", {},
           pattern="offset", path="src")
    s.tool("", "read", "pub fn local_times(day: Day, tides: &[Tide], zone: &Zone) -> Vec<Local> {\n    let offset = zone.offset_at(day.start());\n    tides\n        .iter()\n        .map(|tide| tide.at + offset)\n        .map(Local::from)\n        .collect()\n}", {},
           path="src/clock.rs", offset=12, limit=9)
    edit = ("src/clock.rs", "-    let offset = zone.offset_at(day.start());\n     tides\n         .iter()\n-        .map(|tide| tide.at + offset)\n+        .map(|tide| tide.at + zone.offset_at(tide.at))")
    s.tool("Found it: the offset is looked up once, at the start of the day, and then used for all tides of that day. On 25 October it changes at 03:00. I'll ask for the offset of each tide instead.",
           "edit", "Edited src/clock.rs", {"diff": edit[1], "firstChangedLine": 14},
           path=edit[0], oldText="    let offset = zone.offset_at(day.start());\n    tides\n        .iter()\n        .map(|tide| tide.at + offset)",
           newText="    tides\n        .iter()\n        .map(|tide| tide.at + zone.offset_at(tide.at))")
    s.tool("", "bash", "running 31 tests\n...............................\ntest result: ok. 31 passed; 0 failed", {}, command="cargo test -q")
    fixed = s.assistant("Fixed. `local_times` now asks for the offset at each tide's own time, so a day may have two. The look-up is a binary search over about 60 changes; I see no difference in the time of a whole year's table (0.8 s before and after).")
    s.label(fixed, "works")

    s.user("While we are here: could we drop the `chrono` dependency?")
    s.tool("Let me see how far it reaches.", "bash", "src/clock.rs:9\nsrc/print.rs:6\nsrc/station.rs:4\nsrc/feed/rss.rs:11\nsrc/feed/ical.rs:17\ntests/year.rs:8", {}, command="grep -rc chrono:: src tests | grep -v ':0'")
    s.tool("Fifty-five places in six files. I'll start with the smallest.", "edit", "Edited src/station.rs", {"diff": "-use chrono::{DateTime, Utc};\n+use jiff::Timestamp;", "firstChangedLine": 3}, path="src/station.rs", oldText="use chrono::{DateTime, Utc};", newText="use jiff::Timestamp;")
    s.tool("", "bash", "error[E0308]: mismatched types\n  --> src/feed/ical.rs:52:27\n   |\n52 |         .stamp(station.updated)\n   |          ----- ^^^^^^^^^^^^^^^ expected `DateTime<Utc>`, found `Timestamp`\n\nerror: could not compile `tidepool` (lib) due to 14 previous errors", {}, wrong=True, command="cargo check")
    dead_end = s.assistant("The iCalendar writer hands `chrono` types to its caller, so this would change the public interface of `tidepool::feed`. It can be done, but it is a release of its own: 14 errors now, and users of the crate would have to follow.")
    s.label(dead_end, "bigger than it looks")
    s.user("Too much for today. Put it back, and write a test for the spring change instead.")
    s.back(fixed, "## Goal\nDrop the `chrono` dependency.\n\n## Progress\n### Done\n- Counted its uses: 55 places in 6 files.\n### Blocked\n- `tidepool::feed::ical` shows `chrono` types to its callers, so removing them is a breaking change.\n\n## Key Decisions\n- Not now; `src/station.rs` was put back.\n\n## Next Steps\n1. Plan it for 0.5.",
           read=["src/feed/ical.rs"], modified=["src/station.rs"])
    s.user("Write a test for the spring change too: 29 March 2026, where 02:00 to 03:00 does not exist.")
    s.tool("", "edit", "Edited tests/year.rs", {"diff": "+#[test]\n+fn spring_has_no_two_o_clock() {\n+    let rows = table(\"saint-malo\", \"2026-03-29\");\n+    assert!(rows.iter().all(|row| row.local.hour() != 2));\n+    assert_eq!(rows[1].local.to_string(), \"03:12\");\n+}", "firstChangedLine": 88}, path="tests/year.rs", oldText="// end of year tests", newText="#[test]\nfn spring_has_no_two_o_clock() {\n    let rows = table(\"saint-malo\", \"2026-03-29\");\n    assert!(rows.iter().all(|row| row.local.hour() != 2));\n    assert_eq!(rows[1].local.to_string(), \"03:12\");\n}\n// end of year tests")
    s.tool("", "bash", "running 32 tests\n................................\ntest result: ok. 32 passed; 0 failed", {}, command="cargo test -q")
    done = s.assistant("Added `spring_has_no_two_o_clock`. With the old code it fails with `02:12`, so it would have shown this fault; now all 32 pass.")
    s.label(fixed)
    s.label(done, "release 0.4.1")
    s.label(dead_end)
    s.label(dead_end, "chrono: for 0.5")
    s.title("tides")
    s.title("Tide table: daylight saving")
    s.user("Lovely. Tag it as 0.4.1 please.")
    s.tool("", "bash", "[main 5c1d0fe] release 0.4.1\n 2 files changed, 3 insertions(+), 2 deletions(-)", {}, command="git commit -qam 'release 0.4.1' && git tag v0.4.1 && git log -1 --stat --format='[main %h] %s'")
    s.assistant("Tagged `v0.4.1`. Nothing is pushed yet.")
    return s, keep(s), fixed


def fork(source, path, at):
    """A fork: the lines up to one entry are those of the source, byte for byte."""
    s = Session(HOME + "/tidepool", "2026-11-13T08:20:02.511", parent=path)
    ids, walk = [], at
    while walk: ids, walk = [walk] + ids, source.by_id[walk]["parentId"]
    s.lines += [dumps(source.by_id[id]) for id in ids]
    s.leaf, s.cached = at, 14200
    s.user("Is there a place where we print two rows for the hour that happens twice?")
    s.tool("", "read", "    let mark = if row.repeated { \"*\" } else { \" \" };\n    writeln!(out, \"{}{mark} {:>5.2} m\", row.local, row.height)?;", {}, path="src/print.rs", offset=38, limit=8)
    s.assistant("No: a tide is one moment, so it gives one row. But between 02:00 and 03:00 on that night the local time alone is ambiguous, and `print.rs` marks the second one with `*`. The legend under the table does not say so yet.")
    s.title("What does the star mean?")
    keep(s)


def gallery():
    """Pictures, commands typed by the user, an extension's state, a subagent, a lost connection, two compactions."""
    s = Session(HOME + "/lanternfish", "2026-10-03T09:12:45.880")
    s.model("anthropic", "claude-sonnet-4-5")
    s.think("low")
    shot = png(24, 18, lambda x, y: (250, 250, 245) if x in (7, 8, 15, 16) or (y > 12 and x % 8 > 3) else (40 + 6 * x, 90 + 5 * y, 160))
    s.user("On my phone the thumbnails lie on top of each other. Screenshot below.", shot)
    s.custom("todo", {"items": [{"text": "thumbnails overlap on narrow screens", "done": False}]})
    s.tool("The third column hangs over the second. Let me see the grid.", "read", ".grid {\n  display: grid;\n  grid-template-columns: repeat(3, 180px);\n  gap: 8px;\n}", {}, path="static/gallery.css")
    edit = "-  grid-template-columns: repeat(3, 180px);\n+  grid-template-columns: repeat(auto-fill, minmax(140px, 1fr));"
    s.tool("Three columns of 180 px need 556 px and a phone has about 390. `auto-fill` makes as many columns as fit.", "edit", "Edited static/gallery.css", {"diff": edit, "firstChangedLine": 3},
           path="static/gallery.css", oldText="repeat(3, 180px)", newText="repeat(auto-fill, minmax(140px, 1fr))")
    after = png(24, 18, lambda x, y: (250, 250, 245) if x in (11, 12) or y in (8, 9) else (40 + 6 * x, 90 + 5 * y, 160))
    s.tool("", "screenshot", "390 x 844, 2 columns", {}, picture=after, url="http://localhost:8000/", width=390)
    s.assistant("Two columns, nothing overlaps. From 600 px on there are four.")
    s.custom("todo", {"items": [{"text": "thumbnails overlap on narrow screens", "done": True}]})
    s.bash("git status --short", " M static/gallery.css")
    s.bash("df -h /home | tail -1", "/dev/nvme0n1p3  468G  201G  244G  46% /home", excluded=True)
    s.note("house-rules", "This project has no build step. Do not add one.", False)
    ask = s.user("The start page takes 6 seconds with 4,000 photos. Find out where the time goes, then make it fast.")
    start = s.time
    scout = s.call("subagent", agent="scout", task="Profile GET / with 4,000 photos and say which functions take the time. Change nothing.")
    s.assistant(thinking("Measuring first; a scout can do it without filling this conversation."), "I'll have the page profiled first.", scout)
    s.custom("subagent_arbitration", {"type": "subagent_arbitration", "agentId": "4be1f7a09c3d", "status": "success",
                                      "proposed": {"agent": "scout", "model": "anthropic/claude-sonnet-4-5", "thinking": "low"},
                                      "final": {"agent": "scout", "model": "anthropic/claude-haiku-4-5", "thinking": "low"}, "changed": ["model"]})
    s.result(scout, "Started background agent 4be1f7a09c3d (scout).", {"mode": "single", "agentCount": 1})
    s.assistant("The profile is running.")
    s.pause(70)
    path = f"{AGENT}/sessions/{s.folder}/{s.name}"
    child = subagent(path, s.time - 66_000)
    s.user(f"<background-agent-complete>\nBackground agent 4be1f7a09c3d (scout) completed.\n\nExecution metadata: model: anthropic/claude-haiku-4-5, thinking: low\n\n91 % of the time is `exif.read_date`, called once per photo and request.\n\nSession log: {child}\n</background-agent-complete>")
    s.assistant(text("So every request reads the date out of 4,000 files."), stop="error", error="The connection was closed before the answer was complete.")
    s.pause(5)
    s.tool("Every request reads the date out of 4,000 files. A date does not change, so it belongs into the table of photos.", "edit", "Edited gallery/models.py",
           {"diff": " class Photo(Base):\n     path = Column(String, primary_key=True)\n+    taken = Column(DateTime, index=True)", "firstChangedLine": 18}, path="gallery/models.py", oldText="primary_key=True)", newText="primary_key=True)\n    taken = Column(DateTime, index=True)")
    s.tool("", "write", "Wrote migrations/0007_taken.py (31 lines)", {}, path="migrations/0007_taken.py", content="\"\"\"Adds Photo.taken and fills it once from the files.\"\"\"\n…")
    s.note("lint", "ruff: 1 problem\nmigrations/0007_taken.py:3:1: F401 `os` imported but unused", True, {"tool": "ruff", "count": 1})
    s.tool("", "bash", "All checks passed!", {}, command="ruff check --fix migrations/0007_taken.py && ruff check .")
    quick = s.assistant("The start page now takes 0.19 s instead of 6.1 s. The migration reads all dates once (about 5 s for 4,000 photos) and new photos get theirs on upload.")
    s.label(quick, "fast start page")
    s.compact("## Goal\nA gallery that works on a phone and opens quickly.\n\n## Progress\n### Done\n- Grid fits narrow screens (`static/gallery.css`).\n- Start page 6.1 s to 0.19 s: dates are stored in `Photo.taken`, filled by `migrations/0007_taken.py`.\n\n## Next Steps\n1. Albums.", ask,
              read=["static/gallery.css"], modified=["static/gallery.css", "gallery/models.py", "migrations/0007_taken.py"])
    s.model("openai", "gpt-5.1-codex")
    s.think("high")
    s.user("Now albums: a photo can be in several, and an album has an order.")
    s.tool("A join table with a position, then. First the model.", "edit", "Edited gallery/models.py",
           {"diff": "+class AlbumPhoto(Base):\n+    album_id = Column(ForeignKey(\"album.id\"), primary_key=True)\n+    photo_path = Column(ForeignKey(\"photo.path\"), primary_key=True)\n+    position = Column(Float, nullable=False)", "firstChangedLine": 41}, path="gallery/models.py", oldText="class Album(Base):", newText="class AlbumPhoto(Base):\n    album_id = Column(ForeignKey(\"album.id\"), primary_key=True)\n    photo_path = Column(ForeignKey(\"photo.path\"), primary_key=True)\n    position = Column(Float, nullable=False)\n\n\nclass Album(Base):")
    s.assistant(text("Positions are floating-point numbers so that a photo can be moved between two others by writing one row. When"), stop="aborted", error="Request was aborted.")
    s.user("Why not just renumber them? Albums have 50 photos at most.")
    s.tool("You are right, at that size renumbering is simpler and never runs out of digits.", "edit", "Edited gallery/models.py", {"diff": "-    position = Column(Float, nullable=False)\n+    position = Column(Integer, nullable=False)", "firstChangedLine": 44}, path="gallery/models.py", oldText="Float", newText="Integer")
    albums = s.assistant("`AlbumPhoto.position` is a whole number from 1, and moving a photo renumbers its album in one statement.")
    s.compact("## Goal\nA gallery that works on a phone and opens quickly; now albums with an order.\n\n## Progress\n### Done\n- Narrow screens, fast start page (see `migrations/0007_taken.py`).\n- `AlbumPhoto` with whole-number positions; moving renumbers the album.\n### In Progress\n- Pages for albums.\n\n## Key Decisions\n- Renumber instead of fractional positions: albums are small.", albums,
              modified=["gallery/models.py"])
    s.user("Which pages are missing?")
    s.assistant("Three: the list of albums, one album, and the form to sort it. The list can reuse the grid of the start page as it is.")
    s.title("Gallery: phone layout, speed, albums")
    s.think("medium")
    keep(s)


def subagent(parent, at):
    s = Session(HOME + "/lanternfish", iso(at)[:-1], parent=parent, agent="scout")
    s.model("anthropic", "claude-haiku-4-5")
    s.think("low")
    s.user("Profile GET / with 4,000 photos and say which functions take the time. Change nothing.")
    s.tool("", "bash", "         4013 function calls in 6.102 seconds\n\n   ncalls  cumtime  function\n     4000    5.561  gallery/exif.py:12(read_date)\n        1    0.290  gallery/views.py:8(index)\n        1    0.114  jinja2/environment.py:1287(render)", {}, command="python -m cProfile -s cumtime scripts/get_index.py | head -8")
    s.assistant("91 % of the time is `exif.read_date`, called once per photo and request.")
    return keep(s, folder="subagent-sessions/" + digest("scout")[:12])


def quick_question():
    s = Session(HOME + "/lanternfish", "2026-10-18T21:47:10.032")
    s.model("anthropic", "claude-haiku-4-5")
    s.user("What was the flag that makes git show moved lines in another colour?")
    s.assistant("`git diff --color-moved`. With `--color-moved-ws=allow-indentation-change` it also follows lines that were only indented.")
    keep(s)


def release_notes():
    """A file of pi 1.x: system messages, usage lines, edits of the context, a compaction that carries the system state."""
    s = Session(HOME + "/tidepool", "2026-11-20T16:30:00.114", id="tidepool-release-notes")
    tools = [{"name": "read", "description": "Reads a file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}},
             {"name": "bash", "description": "Runs a command", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}]
    s.message("system", content="You help with the release of tidepool.", sections={"style": "Plain words, no exclamation marks."}, toolsAdded=tools, timestamp=s.time)
    s.model("anthropic", "claude-opus-4-5")
    s.user("Draft the release notes for 0.4.1.")
    s.tool("", "bash", "5c1d0fe release 0.4.1\n8d2e9a4 clock: ask for the offset of each tide\n1b77c30 tests: spring change", {}, command="git log --oneline v0.4.0..v0.4.1")
    failed = s.assistant(text("Here is"), stop="error", error="overloaded_error")
    s.entry("context_edit", targetId=failed, replacement=None)
    draft = s.assistant("**0.4.1**\n\nOn the days when clocks change, tides after the change were shown one hour off. They are right now. Nothing else changed.", extra={"thinkingLevel": "off"})
    s.entry("usage", kind="cache_warm", provider="anthropic", model="claude-opus-4-5",
            usage={"input": 0, "output": 1, "cacheRead": 10240, "cacheWrite": 0, "totalTokens": 10241, "cost": {"input": 0, "output": 0.000025, "cacheRead": 0.00512, "cacheWrite": 0, "total": 0.005145}},
            note="kept warm over lunch")
    s.message("system", content="", sections={"style": "Plain words.", "audience": "Sailors, not programmers."}, toolsRemoved=[{"name": "bash"}], timestamp=s.time)
    pasted = s.user("Mail from a user, maybe useful:\n" + "> On the 25th the ferry had left when I arrived at the quay. Your table said 11:40, the harbour said 10:40.\n" * 6)
    s.entry("context_edit", targetId=pasted, replacement={"content": "A user missed a ferry on 25 October because the table was one hour late."})
    s.compact("## Goal\nRelease notes for tidepool 0.4.1.\n\n## Progress\n### Done\n- A draft in two sentences.", draft, extra={
        "usage": {"input": 5, "output": 96, "cacheRead": 9800, "cacheWrite": 310, "totalTokens": 10211, "cost": {"input": 0.000025, "output": 0.0024, "cacheRead": 0.0049, "cacheWrite": 0.0019375, "total": 0.0092625}},
        "systemMessage": {"role": "system", "content": "You help with the release of tidepool.", "sections": {"style": "Plain words.", "audience": "Sailors, not programmers."}, "toolsAdded": tools[:1], "timestamp": s.time}})
    s.user("Say what somebody should do who printed a table.")
    wordy = s.assistant("If you printed a table that covers 25 October 2026 or a later day on which clocks change, please kindly consider printing it again at your convenience.")
    s.back(draft, "A longer wording was tried and dropped.", extra={"usage": {"input": 5, "output": 12, "cacheRead": 9900, "cacheWrite": 0, "totalTokens": 9917, "cost": {"input": 0.000025, "output": 0.0003, "cacheRead": 0.00495, "cacheWrite": 0, "total": 0.005275}}})
    s.user("One sentence for people who printed a table, please.")
    s.assistant("If you printed a table for 25 October, print it again.")
    s.title("Release notes 0.4.1")
    keep(s)


def old_version_1():
    """A file of the first version: no ids, no parents, a compaction that counts lines."""
    s = Session(HOME + "/field-notes", "2026-03-02T10:00:00.000", version=1)
    s.user("Turn these notes into a table: heron 3, egret 1, heron 2 (second pond), kingfisher 1.")
    s.assistant("| bird | pond 1 | pond 2 |\n|---|---|---|\n| heron | 3 | 2 |\n| egret | 1 | |\n| kingfisher | 1 | |")
    kept = len(s.lines)
    s.user("The kingfisher was at the second pond as well.")
    s.assistant("| bird | pond 1 | pond 2 |\n|---|---|---|\n| heron | 3 | 2 |\n| egret | 1 | |\n| kingfisher | | 1 |")
    s.entry("compaction", summary="Bird counts for two ponds were put into a table; the kingfisher belongs to pond 2.", firstKeptEntryIndex=kept, tokensBefore=10450)
    s.user("And the sum of each column?")
    s.assistant("Pond 1: 4 birds. Pond 2: 3 birds.")
    keep(s)


def old_version_2():
    """Version 2: a tree, and messages of extensions with the role they had then."""
    s = Session(HOME + "/field-notes", "2026-05-17T07:31:20.400", version=2)
    s.model("anthropic", "claude-haiku-4-5")
    s.message("hookMessage", customType="calendar", content="Today is the spring count.", display=True, timestamp=s.time)
    s.user("What did I say about kingfishers last time?")
    s.assistant("One, at the second pond, on 2 March.")
    s.title("Spring count")
    keep(s)


def damaged():
    """What a hard life does to a file: one fault of each kind, and still every whole line can be read."""
    s = Session(HOME + "/field-notes", "2026-08-09T19:15:42.007")
    s.model("anthropic", "claude-haiku-4-5")
    s.user("Which of these calls is a reed warbler? I wrote: 'trr-trr-tiri, tiri, quiet, from the reeds, after sunset'.")
    s.assistant("That fits a reed warbler: unhurried, each motif two or three times, and from the reeds. A sedge warbler sounds similar but faster and more excited.")
    s.user("And one that only clicked?")
    s.tool("", "bash", "12 recordings found, best match: stonechat \ud83d", {}, command="birdcall match click.wav")
    s.assistant("The clicks match a stonechat: like two pebbles knocked together.")
    s.user("Thanks. Note for the café list: 'Schwarzkehlchen' is the German name.")
    s.assistant("Noted: Schwarzkehlchen, the stonechat.")
    lines = [line.encode() for line in s.lines]
    lines[8] = lines[8].replace("café".encode(), b"caf\xe9")
    cut = lines[4][:150]
    data = b"\n".join(lines[:5] + [cut] + lines[5:7] + [b"\0" * 64] + lines[7:]) + b"\n"
    torn = '{"type":"message","id":"' + digest("torn")[:8] + f'","parentId":"{s.leaf}","timestamp":"{iso(s.time + 9000)}","message":{{"role":"user","content":[{{"type":"text","te'
    keep(s, data + torn.encode())


def main():
    source, path, fixed = tide_table()
    fork(source, path, fixed)
    for story in (gallery, quick_question, release_notes, old_version_1, old_version_2, damaged): story()
    performance.sort(key=lambda record: record["timestamp"])
    files["performance.jsonl"] = "".join(dumps(record) + "\n" for record in performance).encode()
    files["settings.json"] = b'{\n  "defaultProvider": "anthropic",\n  "defaultModel": "claude-sonnet-4-5",\n  "defaultThinkingLevel": "medium",\n  "treeFilterMode": "default",\n  "compaction": {\n    "keepRecentTokens": 8000\n  }\n}\n'
    agent = os.path.join(os.path.dirname(os.path.abspath(__file__)), "agent")
    shutil.rmtree(agent, ignore_errors=True)
    for name, data in files.items():
        os.makedirs(os.path.dirname(os.path.join(agent, name)), exist_ok=True)
        with open(os.path.join(agent, name), "wb") as f: f.write(data)
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes in {os.path.relpath(agent)}")


if __name__ == "__main__":
    main()
