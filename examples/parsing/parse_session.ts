/** Prints what a session file holds, line by line: `node parse_session.js FILE…`. The same as parse_session.py and parse_session.rs. */
import { readFileSync } from "node:fs";

for (const path of process.argv.slice(2)) {
  const lines = readFileSync(path, "utf8").trim().split("\n");

  for (const line of lines) {
    const entry = parse(line);
    const json = (value: unknown) => JSON.stringify(value ?? null);
    const id = entry.id ?? "-";

    switch (entry.type) {
      case "session":
        console.log(`Session v${entry.version ?? 1}: ${id}`);
        break;
      case "message":
        console.log(`[${id}] ${entry.message?.role ?? "-"}: ${json(entry.message?.content)}`);
        break;
      case "compaction":
        console.log(`[${id}] Compaction: ${entry.tokensBefore ?? "-"} tokens summarized`);
        break;
      case "branch_summary":
        console.log(`[${id}] Branch from ${entry.fromId ?? "-"}`);
        break;
      case "custom":
        console.log(`[${id}] Custom (${entry.customType ?? "-"}): ${json(entry.data)}`);
        break;
      case "custom_message":
        console.log(`[${id}] Extension message (${entry.customType ?? "-"}): ${json(entry.content)}`);
        break;
      case "label":
        console.log(`[${id}] Label ${json(entry.label)} on ${entry.targetId ?? "-"}`);
        break;
      case "model_change":
        console.log(`[${id}] Model: ${entry.provider ?? "-"}/${entry.modelId ?? "-"}`);
        break;
      case "thinking_level_change":
        console.log(`[${id}] Thinking: ${entry.thinkingLevel ?? "-"}`);
        break;
    }
  }
}

/** A line that is not JSON, or no object, is nothing to tell: a program may have died while it wrote it. */
function parse(line: string): any {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}
