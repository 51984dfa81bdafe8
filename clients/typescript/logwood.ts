/**
 * A client of the line protocol of logwood (`logwood rpc`): one file, Node 18 or newer, nothing to install.
 *
 * ```ts
 * const logwood = new Logwood();
 * const { sessions } = await logwood.request("list_all_sessions");
 * for (const session of sessions) console.log(session.id, session.firstMessage);
 * await logwood.close();
 * ```
 *
 * `request` takes every command of doc/protocol.md; those in `Commands` have types. Events of subscriptions come from `events()`.
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export type Json = { [key: string]: unknown };

export interface Entry {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  [key: string]: unknown;
}

export interface Problem {
  kind: string;
  line?: number;
  byte?: number;
  entry?: string;
  detail?: string;
  message: string;
}

export interface SessionFile {
  sessionFile: string | null;
  sessionId: string;
}

export interface SessionRow {
  path: string;
  id: string;
  cwd: string;
  name?: string;
  title?: string;
  created: string;
  modified: string;
  messageCount: number;
  firstMessage: string;
  parentSessionPath?: string;
  agentType?: string;
  kind: "main" | "fork" | "subagent";
  store: string;
  flags: string[];
  status: string;
}

export interface Listing {
  sessions: SessionRow[];
  problems: Json[];
  total: number;
}

export interface Page {
  offset?: number;
  limit?: number;
}

/** An opaque object: keep it as it came. */
export type Cursor = Json;

export interface SessionEvent {
  type:
    | "entry_appended"
    | "session_added"
    | "session_removed"
    | "session_rewritten"
    | "line_skipped"
    | "unreadable";
  subscription: string;
  path: string;
  sessionId?: string;
  entry?: Entry;
  header?: Json;
  resumed?: boolean;
  cursor: Cursor;
  [key: string]: unknown;
}

/** The fields and the data of the commands that most programs need. */
export interface Commands {
  create: [{ cwd?: string; sessionDir?: string; path?: string }, SessionFile];
  open: [{ path: string; readOnly?: boolean }, SessionFile & { problems: Problem[] }];
  continue_recent: [{ cwd?: string }, SessionFile & { resumed: boolean }];
  append_message: [{ message: Json }, { entryId: string }];
  append_session_info: [{ name: string }, { entryId: string }];
  append_label_change: [{ targetId: string; label?: string }, { entryId: string }];
  branch: [{ entryId: string }, Json];
  get_leaf_id: [{}, { leafId: string | null }];
  get_entry: [{ entryId: string }, { entry: Entry | null }];
  get_entries: [
    { since?: string; before?: string; limit?: number; bodies?: boolean },
    { entries: Entry[]; more?: boolean },
  ];
  get_branch: [{ fromId?: string }, { entries: Entry[] }];
  build_session_context: [
    { leafId?: string | null },
    { messages: Json[]; thinkingLevel: string; model: Json | null },
  ];
  list_sessions: [Page & { cwd?: string; sessionDir?: string }, Listing];
  list_all_sessions: [Page, Listing];
  list_all_from_dir: [Page & { dir: string }, Listing];
  subscribe: [
    { path?: string; cursor?: Cursor | Cursor[] | "start" },
    { subscription: string; cursor: Cursor },
  ];
  unsubscribe: [{ subscription?: string }, Json];
  get_version: [{}, { version: string }];
}

/** What a command answers when it fails; `kind` is the stable word of the protocol (`not_found`, ...). */
export class LogwoodError extends Error {
  readonly kind: string;
  readonly command: string;

  constructor(kind: string, message: string, command: string) {
    super(message);
    this.name = "LogwoodError";
    this.kind = kind;
    this.command = command;
  }
}

interface Waiting {
  command: string;
  resolve: (data: Json) => void;
  reject: (error: Error) => void;
}

export interface LogwoodOptions {
  /** The program; default `logwood`. */
  program?: string;
  /** Options of `logwood rpc`, such as `--cwd`. */
  options?: string[];
  /** Called while a long listing runs. */
  onProgress?: (progress: { loaded: number; total: number }) => void;
}

/** A running `logwood rpc`. Requests are answered in the order in which they are sent. */
export class Logwood {
  private readonly process: ChildProcessByStdio<Writable, Readable, null>;
  private readonly waiting = new Map<number, Waiting>();
  private readonly kept: SessionEvent[] = [];
  private readonly wanted: ((event: SessionEvent | undefined) => void)[] = [];
  private readonly onProgress: LogwoodOptions["onProgress"];
  private readonly ended: Promise<number | null>;
  private made = 0;
  private over = false;

  constructor({ program = "logwood", options = [], onProgress }: LogwoodOptions = {}) {
    this.onProgress = onProgress;
    this.process = spawn(program, ["rpc", ...options], { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => {
      this.process.on("close", (code) => this.end(code, resolve));
      this.process.on("error", () => this.end(null, resolve));
    });
    // A process that is gone is told by the requests that it does not answer.
    this.process.stdin.on("error", () => {});
    let pieces: Buffer[] = [];
    this.process.stdout.on("data", (chunk: Buffer) => {
      // Lines end in LF and in nothing else, and a chunk may end inside of a character.
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
        this.take(Buffer.concat([...pieces, chunk.subarray(0, end)]).toString());
        pieces = [];
        chunk = chunk.subarray(end + 1);
      }
      if (chunk.length > 0) pieces.push(chunk);
    });
  }

  /** Sends a command and gives its `data`. */
  request<C extends keyof Commands>(
    command: C,
    ...fields: {} extends Commands[C][0] ? [Commands[C][0]?] : [Commands[C][0]]
  ): Promise<Commands[C][1]>;
  request(command: string, fields?: Json): Promise<Json>;
  request(command: string, fields: object = {}): Promise<Json> {
    if (this.over) return Promise.reject(new Error("logwood rpc has ended"));
    const id = ++this.made;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { command, resolve, reject });
      this.process.stdin.write(`${JSON.stringify({ id, type: command, ...fields })}\n`);
    });
  }

  /** Events of subscriptions as they come, until the process ends. */
  async *events(): AsyncGenerator<SessionEvent, void, void> {
    for (;;) {
      const event = await this.nextEvent();
      if (event === undefined) return;
      yield event;
    }
  }

  /** The next event; undefined when the process has ended. */
  nextEvent(): Promise<SessionEvent | undefined> {
    const kept = this.kept.shift();
    if (kept !== undefined || this.over) return Promise.resolve(kept);
    return new Promise((resolve) => this.wanted.push(resolve));
  }

  /** Ends the process by ending its input, and gives its status. */
  close(): Promise<number | null> {
    this.process.stdin.end();
    return this.ended;
  }

  private take(line: string): void {
    const message = JSON.parse(line);
    if (message.type === "response") {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.success) waiting?.resolve(message.data ?? {});
      else waiting?.reject(new LogwoodError(message.errorKind, message.error, waiting.command));
    } else if (message.type === "progress") {
      this.onProgress?.(message);
    } else {
      const wanted = this.wanted.shift();
      if (wanted) wanted(message);
      else this.kept.push(message);
    }
  }

  private end(code: number | null, resolve: (code: number | null) => void): void {
    this.over = true;
    for (const { reject } of this.waiting.values()) reject(new Error("logwood rpc ended before it answered"));
    this.waiting.clear();
    for (const wanted of this.wanted.splice(0)) wanted(undefined);
    resolve(code);
  }
}
