"""Writes session files the way dreb does: key order, number text, ids, times. Used by make_agent.py; standard library only."""
import datetime, hashlib, struct, zlib

PRICES = {  # US dollars for a million tokens: input, output, cache read, cache write
    "claude-sonnet-4-5": (3, 15, 0.3, 3.75),
    "claude-haiku-4-5": (1, 5, 0.1, 1.25),
    "claude-opus-4-5": (5, 25, 0.5, 6.25),
    "gpt-5.1-codex": (1.25, 10, 0.125, 0),
}
APIS = {"anthropic": "anthropic-messages", "openai": "openai-responses"}


def number(value):
    """A number as JavaScript writes it."""
    if isinstance(value, int): return str(value)
    if value == int(value) and abs(value) < 1e21: return str(int(value))
    text = repr(value)
    if "e-" not in text: return text
    digits, exponent = text.split("e-")
    if int(exponent) > 6: return digits + "e-" + str(int(exponent))
    return "0." + "0" * (int(exponent) - 1) + digits.replace(".", "")


def string(text):
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(short.get(c) or (f"\\u{ord(c):04x}" if c < " " or 0xD800 <= ord(c) < 0xE000 else c) for c in text) + '"'


def dumps(value):
    """One JSON text as JSON.stringify writes it."""
    if value is None: return "null"
    if isinstance(value, bool): return "true" if value else "false"
    if isinstance(value, (int, float)): return number(value)
    if isinstance(value, str): return string(value)
    if isinstance(value, (list, tuple)): return "[" + ",".join(map(dumps, value)) + "]"
    return "{" + ",".join(string(k) + ":" + dumps(v) for k, v in value.items()) + "}"


def digest(*words):
    return hashlib.sha256("/".join(map(str, words)).encode()).hexdigest()


def uuid(*words):
    h = digest("uuid", *words)
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-{'89ab'[int(h[16], 16) % 4]}{h[17:20]}-{h[20:32]}"


def iso(ms):
    time = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def ms(text):
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc).timestamp() * 1000)


def png(width, height, pixel):
    """A picture as base64, pixels stored without compression, so that every machine writes the same bytes."""
    import base64
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    packed = b"\x78\x01\x01" + struct.pack("<HH", len(rows), len(rows) ^ 0xFFFF) + rows + struct.pack(">I", zlib.adler32(rows))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


def text(words): return {"type": "text", "text": words}
def thinking(words): return {"type": "thinking", "thinking": words, "thinkingSignature": "Eo" + digest("signature", words)[:40] + "=="}
def image(data): return {"type": "image", "data": data, "mimeType": "image/png"}


class Session:
    """One session file; every method appends an entry at the leaf and returns its id."""

    def __init__(self, cwd, start, version=3, id=None, parent=None, agent=None):
        self.cwd, self.version, self.time, self.leaf = cwd, version, ms(start), None
        self.id = id or uuid(cwd, start)
        self.start, self.count, self.calls, self.cached = iso(self.time), 0, 0, 9400
        self.provider, self.modelId = "anthropic", "claude-sonnet-4-5"
        self.performance, self.by_id = [], {}
        head = {"type": "session"}
        if version > 1: head["version"] = version
        head |= {"id": self.id, "timestamp": self.start, "cwd": cwd}
        if version == 1: head |= {"provider": self.provider, "modelId": self.modelId, "thinkingLevel": "off"}
        if parent: head["parentSession"] = parent
        if agent: head["agentType"] = agent
        self.lines = [dumps(head)]

    @property
    def folder(self): return "--" + self.cwd.lstrip("/").replace("/", "-") + "--"
    @property
    def name(self): return self.start.replace(":", "-").replace(".", "-") + "_" + self.id + ".jsonl"

    def pause(self, seconds):
        self.time += int(seconds * 1000)
        return self

    def entry(self, kind, /, last=False, **fields):
        """`last`: custom entries have their id after their own fields."""
        self.count += 1
        self.time += 400 + int(digest(self.id, self.count)[:3], 16)
        id = digest(self.id, "entry", self.count)[:8]
        base = {} if self.version == 1 else {"id": id, "parentId": self.leaf}
        base["timestamp"] = iso(self.time)
        line = {"type": kind, **fields, **base} if last else {"type": kind, **base, **fields}
        self.by_id[id] = line
        self.lines.append(dumps(line))
        self.leaf = id
        return id

    def message(self, role, **fields): return self.entry("message", message={"role": role, **fields})

    def user(self, words, *images):
        self.pause(20 + len(words) / 6)
        return self.message("user", content=[text(words), *map(image, images)], timestamp=self.time)

    def model(self, provider, id):
        self.provider, self.modelId = provider, id
        return self.entry("model_change", provider=provider, modelId=id)

    def think(self, level): return self.entry("thinking_level_change", thinkingLevel=level)

    def call(self, name, **arguments):
        self.calls += 1
        prefix = {"anthropic": "toolu_01", "openai": "call_"}[self.provider]
        return {"type": "toolCall", "id": prefix + digest(self.id, "call", self.calls)[:20], "name": name, "arguments": arguments}

    def assistant(self, *blocks, stop=None, error=None, extra={}):
        blocks = [text(b) if isinstance(b, str) else b for b in blocks]
        said = len(dumps(blocks)) // 4 + 12
        seconds = 1.4 + said / 61 + int(digest(self.id, self.count, "pace")[:2], 16) / 100
        self.pause(seconds)
        stop = stop or ("toolUse" if any(b["type"] == "toolCall" for b in blocks) else "stop")
        lost = stop in ("error", "aborted")
        fresh = 0 if lost else 180 + int(digest(self.id, self.count, "fresh")[:3], 16) // 4
        counts = [0] * 4 if lost else [4 + self.count % 7, said, self.cached, fresh]
        if self.provider == "openai" and not lost: counts = [fresh, said, self.cached, 0]
        cost = [n * p / 1e6 for n, p in zip(counts, PRICES[self.modelId])]
        keys = ("input", "output", "cacheRead", "cacheWrite")
        usage = {**dict(zip(keys, counts)), "totalTokens": sum(counts), "cost": {**dict(zip(keys, cost)), "total": sum(cost)}}
        if not lost: self.cached += fresh + said
        message = {"content": blocks, "api": APIS[self.provider], "provider": self.provider, "model": self.modelId, "usage": usage,
                   "stopReason": stop, "timestamp": self.time - int(seconds * 1000)}
        if error: message["errorMessage"] = error
        duration = round(seconds * 1000 + 0.25, 2)
        if self.version == 3: message["durationMs"] = duration
        id = self.message("assistant", **message, **extra)
        if not lost and self.version == 3:
            self.performance.append({"timestamp": iso(self.time), "sessionId": self.id, "provider": self.provider, "modelId": self.modelId,
                                     "outputTokens": said, "durationMs": duration, "tps": said * 1000 / duration})
        return id

    def result(self, call, words, details=None, wrong=False, picture=None):
        self.pause(0.3)
        content = [text(words)] + ([image(picture)] if picture else [])
        extra = {"details": details} if details is not None else {}
        return self.message("toolResult", toolCallId=call["id"], toolName=call["name"], content=content, **extra, isError=wrong, timestamp=self.time)

    def tool(self, say, name, output, details=None, wrong=False, picture=None, **arguments):
        """One round: the assistant says something and calls a tool, and the tool answers."""
        call = self.call(name, **arguments)
        self.assistant(*([say] if isinstance(say, str) and say else say), call)
        return self.result(call, output, details, wrong, picture)

    def bash(self, command, output, code=0, excluded=False):
        self.pause(9)
        extra = {"excludeFromContext": True} if excluded else {}
        return self.message("bashExecution", command=command, output=output, exitCode=code, cancelled=False, truncated=False, timestamp=self.time, **extra)

    def label(self, target, words=None): return self.entry("label", targetId=target, **({"label": words} if words else {}))
    def title(self, words): return self.entry("session_info", name=words)
    def custom(self, kind, data): return self.entry("custom", last=True, customType=kind, data=data)

    def note(self, kind, words, display, details=None):
        extra = {"details": details} if details is not None else {}
        return self.entry("custom_message", last=True, customType=kind, content=words, display=display, **extra)

    def compact(self, summary, first, read=(), modified=(), extra={}):
        self.pause(14)
        before, self.cached = self.cached, 11800
        files = {"readFiles": sorted(read), "modifiedFiles": sorted(modified)}
        return self.entry("compaction", summary=summary, firstKeptEntryId=first, tokensBefore=before, details=files, fromHook=False, **extra)

    def back(self, to, summary=None, read=(), modified=(), extra={}):
        """Goes back to an entry, with a summary of what is left behind where one is given."""
        left, self.leaf = self.leaf, to
        if summary is None: return to
        self.pause(11)
        preamble = "The user explored a different conversation branch before returning here.\nSummary of that exploration:\n\n"
        files = {"readFiles": sorted(read), "modifiedFiles": sorted(modified)}
        return self.entry("branch_summary", fromId=left, summary=preamble + summary, details=files, fromHook=False, **extra)

    def bytes(self): return ("\n".join(self.lines) + "\n").encode()
