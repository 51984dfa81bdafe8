// Drives one pi for the tests of logwood: a JSON object a line on stdin, an answer a line on stdout, in order.
//
//     node driver.mjs FOLDER PACKAGE
//
// FOLDER holds node_modules (`npm ci` with the lock file beside this program). A request is {"op": …, fields}; the answer
// {"ok": …} or {"error": "…"}. With "now" (ms) and "ids" (a number) a request fixes the clock and the next random ids.
import crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, name] = process.argv.slice(2);
const home = join(folder, "node_modules", name);
const about = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const pi = await import(pathToFileURL(join(home, about.exports["."].import)));

const RealDate = Date;
const realUuid = crypto.randomUUID;
let fixedNow;
let nextId;

class FixedDate extends RealDate {
  constructor(...args) {
    super(...(args.length || fixedNow === undefined ? args : [fixedNow]));
  }
  static now() {
    return fixedNow ?? RealDate.now();
  }
}

function fix({ now, ids }) {
  fixedNow = now;
  nextId = ids;
  globalThis.Date = now === undefined ? RealDate : FixedDate;
  crypto.randomUUID = ids === undefined ? realUuid : () => `${(nextId++).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
  syncBuiltinESMExports();
}

let session;

/** The tree as [id, depth, label] in drawing order. */
function tree() {
  const rows = [];
  const stack = session.getTree().reverse().map((node) => [node, 0]);
  while (stack.length > 0) {
    const [node, depth] = stack.pop();
    rows.push([node.entry.id, depth, node.label ?? null]);
    for (const child of node.children.reverse()) stack.push([child, depth + 1]);
  }
  return rows;
}

/** The id of what an append made, and its entry. */
function appended(made) {
  const id = typeof made === "string" ? made : made.id;
  return { id, entry: session.getEntry(id) };
}

const operations = {
  version: () => about.version,
  create: (r) => {
    session = pi.SessionManager.create(r.cwd, r.dir);
    session.newSession({ id: r.id });
    return { file: session.getSessionFile() };
  },
  open: (r) => {
    session = pi.SessionManager.open(r.path);
    return { leaf: session.getLeafId() };
  },
  message: (r) => appended(session.appendMessage(r.message)),
  thinking: (r) => appended(session.appendThinkingLevelChange(r.level)),
  model: (r) => appended(session.appendModelChange(r.provider, r.modelId)),
  compaction: (r) => appended(session.appendCompaction(r.summary, r.firstKept, r.tokens, r.details, r.fromHook, r.usage)),
  custom: (r) => appended(session.appendCustomEntry(r.customType, r.data)),
  custom_message: (r) => appended(session.appendCustomMessageEntry(r.customType, r.content, r.display, r.details)),
  name: (r) => appended(session.appendSessionInfo(r.name)),
  label: (r) => appended(session.appendLabelChange(r.target, r.label)),
  usage: (r) => appended(session.appendUsage(r.kind, r.provider, r.model, r.usage, r.note)),
  context_edit: (r) => appended(session.appendContextEdit(r.target, r.replacement)),
  branch_summary: (r) => appended(session.branchWithSummary(r.from, r.summary, r.details, r.fromHook, r.usage)),
  branch: (r) => session.branch(r.id),
  reset: () => session.resetLeaf(),
  branched: (r) => ({ file: session.createBranchedSession(r.leaf) ?? null }),
  /** Appends until the time is over, a little apart, and says what it appended. */
  append_for: async (r) => {
    const ids = [];
    const end = RealDate.now() + r.ms;
    while (RealDate.now() < end) {
      const text = "p".repeat((ids.length % 83) * 57);
      ids.push(session.appendMessage({ role: "user", content: text, timestamp: 1 }));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return { ids };
  },
  leaf: () => ({ leaf: session.getLeafId() }),
  view: () => {
    const entries = session.getEntries();
    return {
      header: session.getHeader(),
      entries,
      leaf: session.getLeafId(),
      name: session.getSessionName() ?? null,
      tree: tree(),
      context: session.buildSessionContext(),
      contexts: entries.map((entry) => [entry.id, pi.buildSessionContext(entries, entry.id)]),
    };
  },
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    const request = JSON.parse(line);
    fix(request);
    answer = { ok: (await operations[request.op](request)) ?? null };
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
