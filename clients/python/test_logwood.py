"""The Python client at the real program: `python3 test_logwood.py PROGRAM`."""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile
import unittest

from logwood import Logwood, LogwoodError

PROGRAM = "logwood"
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/p"}


def entry(id: str, parent: str | None, text: str) -> str:
    message = {"role": "user", "content": text}
    stamp = "2026-01-01T00:00:01.000Z"
    return json.dumps({"type": "message", "id": id, "parentId": parent, "timestamp": stamp, "message": message}) + "\n"


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = str(pathlib.Path(self.folder.name) / "s.jsonl")
        pathlib.Path(self.path).write_text(json.dumps(HEADER) + "\n" + entry("a", None, "hello"))
        self.client = Logwood(PROGRAM, "--agent-dir", str(EXAMPLES / "agent"), "--cwd", self.folder.name)
        self.addCleanup(self.client.close)

    def append(self, text: str) -> None:
        with open(self.path, "a") as file:
            file.write(text)

    def test_a_session_is_read_and_written(self) -> None:
        opened = self.client.open(self.path)
        self.assertEqual(opened["sessionId"], "s1")
        message = {"role": "user", "content": "caf\u00e9 \u2028 \U0001f30a \ud83d", "timestamp": 1}
        first = self.client.append_message(message)
        self.assertEqual(self.client.get_branch()[-1]["message"], message)
        self.client.branch("a")
        second = self.client.append_message({"role": "user", "content": "another", "timestamp": 2})
        self.assertEqual([e["id"] for e in self.client.get_branch()], ["a", second])
        window = self.client.get_entries(since="a", bodies=False)
        self.assertEqual([e["id"] for e in window["entries"]], [first, second])
        self.assertEqual(len(self.client.build_session_context()["messages"]), 2)
        # A command that is not written out in the client.
        self.assertEqual(self.client.get_leaf_id(), {"leafId": second})

    def test_an_error_has_its_kind(self) -> None:
        for kind, call in [
            ("not_found", lambda: self.client.open("/nowhere/s.jsonl")),
            ("unknown_command", lambda: self.client.no_such_command()),
            ("invalid_argument", lambda: self.client.request("open")),
        ]:
            with self.assertRaises(LogwoodError) as raised:
                call()
            self.assertEqual(raised.exception.kind, kind)

    def test_pages_are_parts_of_a_listing(self) -> None:
        whole = self.client.list_all_sessions()
        self.assertGreater(whole["total"], 5)
        pages = [self.client.list_all_sessions(offset=n, limit=1)["sessions"] for n in range(whole["total"])]
        self.assertEqual([row["id"] for page in pages for row in page], [row["id"] for row in whole["sessions"]])

    def test_events_come_and_go_on_after_a_restart(self) -> None:
        self.client.subscribe(self.path)
        self.append(entry("b", "a", "more"))
        event = next(self.client.events(timeout=60))
        self.assertEqual((event["type"], event["entry"]["id"]), ("entry_appended", "b"))
        self.append(entry("c", "b", "meanwhile"))
        with Logwood(PROGRAM, "--cwd", self.folder.name) as again:
            again.subscribe(self.path, cursor=event["cursor"])
            event = next(again.events(timeout=60))
            self.assertEqual(event["entry"]["id"], "c")
            again.unsubscribe()

    def test_the_end_of_the_process_is_told(self) -> None:
        self.assertEqual(self.client.close(), 0)
        self.assertEqual(list(self.client.events()), [])
        with self.assertRaises(ConnectionError):
            self.client.get_version()


def main() -> None:
    global PROGRAM
    if len(sys.argv) > 1:
        PROGRAM = sys.argv.pop(1)
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    word = "FAILED" if failed else "ok"
    print(f"test result: {word}. {result.testsRun - failed} passed; {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
