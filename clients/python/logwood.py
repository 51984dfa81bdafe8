"""A client of the line protocol of logwood (`logwood rpc`): one file, Python 3.9 or newer, nothing to install.

    with Logwood() as logwood:
        for session in logwood.list_all_sessions()["sessions"]:
            print(session["id"], session["firstMessage"])

Every command of doc/protocol.md is a method of its name, with the fields as keyword arguments; the answer is its `data`.
The commands that are written out below have types. Events of subscriptions come from `events()`.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, TypedDict, Union

Json = Dict[str, Any]
EntryId = str


class LogwoodError(Exception):
    """What a command answers when it fails; `kind` is the stable word of the protocol (`not_found`, ...)."""

    def __init__(self, kind: str, message: str, command: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.command = command


class Problem(TypedDict, total=False):
    kind: str
    line: int
    byte: int
    entry: str
    detail: str
    message: str


class SessionFile(TypedDict):
    sessionFile: Optional[str]
    sessionId: str


class Opened(SessionFile):
    problems: List[Problem]


class _Row(TypedDict):
    path: str
    id: str
    cwd: str
    created: str
    modified: str
    messageCount: int
    firstMessage: str
    kind: str
    store: str
    flags: List[str]
    status: str


class SessionRow(_Row, total=False):
    name: str
    title: str
    parentSessionPath: str
    agentType: str


class Listing(TypedDict):
    sessions: List[SessionRow]
    problems: List[Json]
    total: int


class Window(TypedDict, total=False):
    entries: List[Json]
    more: bool


class Context(TypedDict, total=False):
    messages: List[Json]
    thinkingLevel: str
    model: Optional[Json]


class Subscribed(TypedDict):
    subscription: str
    cursor: Json


class Logwood:
    """A running `logwood rpc`. It is one conversation: from several threads, requests are answered one after the other."""

    def __init__(
        self,
        program: Union[str, Sequence[str]] = "logwood",
        *options: str,
        on_progress: Optional[Callable[[Json], None]] = None,
    ) -> None:
        command = [program] if isinstance(program, str) else list(program)
        self._process = subprocess.Popen(
            [*command, "rpc", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._on_progress = on_progress
        self._events: "queue.Queue[Optional[Json]]" = queue.Queue()
        self._waiting: Dict[int, "queue.Queue[Optional[Json]]"] = {}
        self._lock = threading.Lock()
        self._made = 0
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> "Logwood":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> int:
        """Ends the process by ending its input, and returns its status."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        status = self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        return status

    def request(self, command: str, **fields: Any) -> Json:
        """Sends a command and waits for its answer; fields that are None are left out, except for those that mean something as null
        (`leafId`, `branchFromId`)."""
        answered: "queue.Queue[Optional[Json]]" = queue.Queue()
        null = ("leafId", "branchFromId")
        sent = {key: value for key, value in fields.items() if value is not None or key in null}
        with self._lock:
            if self._ended:
                raise ConnectionError("logwood rpc has ended")
            self._made += 1
            number = self._made
            self._waiting[number] = answered
            line = json.dumps({"id": number, "type": command, **sent}) + "\n"
            assert self._process.stdin is not None
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()
        answer = answered.get()
        if answer is None:
            raise ConnectionError("logwood rpc ended before it answered")
        if not answer["success"]:
            raise LogwoodError(answer["errorKind"], answer["error"], command)
        data: Json = answer.get("data", {})
        return data

    def __getattr__(self, name: str) -> Callable[..., Json]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda **fields: self.request(name, **fields)

    def events(self, timeout: Optional[float] = None) -> Iterator[Json]:
        """Events of subscriptions as they come; ends with the process, or when none came for `timeout` seconds."""
        while True:
            try:
                event = self._events.get(timeout=timeout)
            except queue.Empty:
                return
            if event is None:
                self._events.put(None)
                return
            yield event

    # The commands that most programs need, with types; all others work the same way.

    def create(self, **fields: Any) -> SessionFile:
        return self.request("create", **fields)  # type: ignore[return-value]

    def open(self, path: str, readOnly: Optional[bool] = None) -> Opened:
        return self.request("open", path=path, readOnly=readOnly)  # type: ignore[return-value]

    def append_message(self, message: Json) -> EntryId:
        return str(self.request("append_message", message=message)["entryId"])

    def branch(self, entryId: EntryId) -> None:
        self.request("branch", entryId=entryId)

    def get_entries(
        self,
        since: Optional[EntryId] = None,
        before: Optional[EntryId] = None,
        limit: Optional[int] = None,
        bodies: Optional[bool] = None,
    ) -> Window:
        fields = {"since": since, "before": before, "limit": limit, "bodies": bodies}
        return self.request("get_entries", **fields)  # type: ignore[return-value]

    def get_branch(self, fromId: Optional[EntryId] = None) -> List[Json]:
        return list(self.request("get_branch", fromId=fromId)["entries"])

    def build_session_context(self) -> Context:
        return self.request("build_session_context")  # type: ignore[return-value]

    def list_sessions(
        self, cwd: Optional[str] = None, offset: Optional[int] = None, limit: Optional[int] = None
    ) -> Listing:
        fields = {"cwd": cwd, "offset": offset, "limit": limit}
        return self.request("list_sessions", **fields)  # type: ignore[return-value]

    def list_all_sessions(
        self, offset: Optional[int] = None, limit: Optional[int] = None
    ) -> Listing:
        return self.request("list_all_sessions", offset=offset, limit=limit)  # type: ignore[return-value]

    def subscribe(self, path: Optional[str] = None, cursor: Any = None) -> Subscribed:
        """Follows one session, or all; see `events`."""
        return self.request("subscribe", path=path, cursor=cursor)  # type: ignore[return-value]

    def unsubscribe(self, subscription: Optional[str] = None) -> None:
        self.request("unsubscribe", subscription=subscription)

    def _read(self) -> None:
        assert self._process.stdout is not None
        # Lines end in LF and in nothing else: text mode would cut at other characters too.
        for line in iter(self._process.stdout.readline, b""):
            message = json.loads(line)
            if message["type"] == "response":
                with self._lock:
                    waiting = self._waiting.pop(message.get("id"), None)
                if waiting is not None:
                    waiting.put(message)
            elif message["type"] == "progress":
                if self._on_progress is not None:
                    self._on_progress(message)
            else:
                self._events.put(message)
        with self._lock:
            self._ended = True
            waiting_all = list(self._waiting.values())
        for waiting in waiting_all:
            waiting.put(None)
        self._events.put(None)
