/** The TypeScript client at the real program: `node test.js PROGRAM EXAMPLES`. */
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Logwood, LogwoodError } from "./logwood.js";

const [program = "logwood", examples = "examples"] = process.argv.slice(2);
const HEADER = { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" };

function entry(id: string, parentId: string | null, content: string): string {
  const message = { role: "user", content };
  const timestamp = "2026-01-01T00:00:01.000Z";
  return `${JSON.stringify({ type: "message", id, parentId, timestamp, message })}\n`;
}

interface Desk {
  client: Logwood;
  folder: string;
  path: string;
}

const tests: [string, (desk: Desk) => Promise<void>][] = [];
function test(name: string, work: (desk: Desk) => Promise<void>): void {
  tests.push([name, work]);
}

test("a session is read and written", async ({ client, path }) => {
  const opened = await client.request("open", { path });
  assert.equal(opened.sessionId, "s1");
  const message = { role: "user", content: "caf\u00e9 \u2028 \u{1f30a} \ud83d", timestamp: 1 };
  const first = (await client.request("append_message", { message })).entryId;
  const branch = (await client.request("get_branch")).entries;
  assert.deepEqual(branch.at(-1)?.message, message);
  await client.request("branch", { entryId: "a" });
  const other = { role: "user", content: "another", timestamp: 2 };
  const second = (await client.request("append_message", { message: other })).entryId;
  const ids = (entries: { id: string }[]) => entries.map((one) => one.id);
  assert.deepEqual(ids((await client.request("get_branch")).entries), ["a", second]);
  const window = await client.request("get_entries", { since: "a", bodies: false });
  assert.deepEqual(ids(window.entries), [first, second]);
  assert.equal((await client.request("build_session_context")).messages.length, 2);
  // A command without types of its own.
  assert.deepEqual(await client.request("is_persisted"), { persisted: true });
});

test("requests may be sent before others are answered", async ({ client, path }) => {
  await client.request("open", { path });
  const answers = await Promise.all(Array.from({ length: 200 }, () => client.request("get_leaf_id")));
  assert.ok(answers.every((answer) => answer.leafId === "a"));
});

test("an error has its kind", async ({ client }) => {
  const kind = (wanted: string) => (error: unknown) =>
    error instanceof LogwoodError && error.kind === wanted;
  await assert.rejects(client.request("open", { path: "/nowhere/s.jsonl" }), kind("not_found"));
  await assert.rejects(client.request("no_such_command"), kind("unknown_command"));
  await assert.rejects(client.request("open" as string, {}), kind("invalid_argument"));
});

test("pages are parts of a listing", async ({ client }) => {
  const whole = await client.request("list_all_sessions");
  assert.ok(whole.total > 5);
  const pages = [];
  for (let offset = 0; offset < whole.total; offset += 1) {
    pages.push(...(await client.request("list_all_sessions", { offset, limit: 1 })).sessions);
  }
  assert.deepEqual(pages.map((row) => row.id), whole.sessions.map((row) => row.id));
});

test("events come, and go on after a restart", async ({ client, folder, path }) => {
  await client.request("subscribe", { path });
  appendFileSync(path, entry("b", "a", "more"));
  const event = await client.nextEvent();
  assert.equal(event?.entry?.id, "b");
  appendFileSync(path, entry("c", "b", "meanwhile"));
  const again = new Logwood({ program, options: ["--cwd", folder] });
  await again.request("subscribe", { path, cursor: event.cursor });
  for await (const next of again.events()) {
    assert.equal(next.entry?.id, "c");
    break;
  }
  assert.equal(await again.close(), 0);
});

test("the end of the process is told", async ({ client }) => {
  assert.equal(await client.close(), 0);
  assert.equal(await client.nextEvent(), undefined);
  await assert.rejects(client.request("get_version"), /has ended/);
  const nowhere = new Logwood({ program: "/nowhere/logwood" });
  await assert.rejects(nowhere.request("get_version"), /ended/);
});

let failed = 0;
for (const [name, work] of tests) {
  const folder = mkdtempSync(join(tmpdir(), "logwood-client-"));
  const path = join(folder, "s.jsonl");
  writeFileSync(path, `${JSON.stringify(HEADER)}\n${entry("a", null, "hello")}`);
  const options = ["--agent-dir", join(examples, "agent"), "--cwd", folder];
  const client = new Logwood({ program, options });
  try {
    await work({ client, folder, path });
  } catch (error) {
    failed += 1;
    console.error(`${name}: FAILED`, error);
  } finally {
    await client.close();
    rmSync(folder, { recursive: true });
  }
}
console.log(`test result: ${failed ? "FAILED" : "ok"}. ${tests.length - failed} passed; ${failed} failed`);
process.exit(failed ? 1 : 0);
