// Opens exported pages in Chromium: `node test.mjs FOLDER CHROMIUM LOGWOOD`, where FOLDER holds node_modules (`cargo xtask test` does all).
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { accessibility, equal, exported, holds, pageOf, run, test } from "./harness.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const header = { type: "session", version: 3, id: "s1", timestamp: "2026-11-01T00:00:00.000Z", cwd: "/p" };
const time = (n) => new Date(Date.UTC(2026, 10, 1, 0, 0, n)).toISOString();

function entry(id, parentId, role, text, more = {}) {
  const content = role === "assistant" ? [{ type: "text", text }] : text;
  return { type: "message", id, parentId, timestamp: time(Number(parentId?.slice(1) ?? 0)), message: { role, content, ...more } };
}

/// Three branches, a call with a result, a thought, a label, bookkeeping.
const branched = [
  header,
  { type: "model_change", id: "e0", parentId: null, timestamp: time(0), provider: "p", modelId: "m" },
  entry("e1", "e0", "user", "the **first** question"),
  {
    type: "message", id: "e2", parentId: "e1", timestamp: time(2),
    message: {
      role: "assistant", provider: "p", model: "m", stopReason: "toolUse",
      content: [
        { type: "thinking", thinking: "a hidden thought" },
        { type: "text", text: "looking" },
        { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } },
      ],
    },
  },
  { type: "message", id: "e3", parentId: "e2", timestamp: time(3), message: { role: "toolResult", toolCallId: "c1", toolName: "bash", isError: false, content: [{ type: "text", text: Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n") }] } },
  entry("e4", "e3", "assistant", "answer on the left"),
  entry("e5", "e4", "user", "left goes on"),
  entry("e6", "e3", "assistant", "answer in the middle"),
  entry("e7", "e6", "user", "middle one"),
  entry("e8", "e6", "user", "middle two"),
  { type: "label", id: "e9", parentId: "e8", timestamp: time(9), targetId: "e4", label: "keep" },
  entry("e10", "e3", "assistant", "answer on the right"),
  entry("e11", "e10", "user", "right goes on"),
];

const open = async (page, url) => {
  await page.goto(url, { waitUntil: "load" });
  await page.waitForFunction(() => document.getElementById("status").textContent !== "");
};
/// The first lines of the messages that are shown, once all of them are filled.
const shown = async (page) => {
  await page.waitForFunction(() => document.querySelector("article:not([hidden]) > noscript") === null);
  return page.$$eval("article:not([hidden]) .body", (all) => all.map((one) => one.querySelector("p, pre")?.textContent.trim().split("\n")[0]));
};
const rows = (page) => page.$$eval(".row:not([hidden])", (all) => all.map((row) => row.querySelector(".pre").textContent + row.querySelector(".say").textContent));
const click = (page, text) =>
  page.evaluate((text) => [...document.querySelectorAll(".row")].find((row) => row.textContent.includes(text)).click(), text);
const example = () => {
  const sessions = join(root, "examples/agent/sessions/--home-mira-lanternfish--");
  return join(sessions, readdirSync(sessions).sort()[0]);
};

test("loads_and_shows_the_branch_of_the_leaf", async ({ page }) => {
  await open(page, pageOf("branched", branched));
  equal(await page.title(), "the **first** question");
  const texts = await shown(page);
  equal(texts.slice(-2), ["answer on the right", "right goes on"]);
  equal(await page.$eval("#status", (p) => p.textContent), "10 / 12 entries");
});

test("switches_branches_by_a_click", async ({ page }) => {
  await open(page, pageOf("branched", branched));
  await click(page, "answer on the left");
  equal((await shown(page)).slice(-2), ["answer on the left", "left goes on"]);
  equal(await page.evaluate(() => document.activeElement.querySelector(".body").textContent.trim()), "answer on the left");
  await page.keyboard.press("Escape");
  equal((await shown(page)).slice(-1), ["right goes on"]);
});

test("draws_the_tree_as_the_program_does", async ({ page }) => {
  const url = pageOf("branched", branched);
  // The program draws the rows of the first view, the page draws them again for every filter.
  const drawn = [...readFileSync(fileURLToPath(url), "utf8").matchAll(/<a role="treeitem"[^>]*?"(| hidden)><span[^>]*>([^<]*)<\/span>/g)];
  const expected = drawn.filter(([, hidden]) => !hidden).map(([, , prefix]) => prefix);
  await open(page, url);
  const found = await page.$$eval(".row:not([hidden])", (all) => all.map((row) => row.querySelector(".pre").textContent));
  equal(found, expected);
  equal(found.slice(3, 5), ["├─ ", "│     "]);
});

test("filters_and_searches", async ({ page }) => {
  await open(page, pageOf("branched", branched));
  const filter = async (name) => {
    await page.click(`[data-f=${name}]`);
    return (await rows(page)).length;
  };
  equal(await filter("user"), 5);
  // The current leaf is always shown.
  equal(await rows(page).then(() => filter("labeled")), 2);
  equal(await filter("no-tools"), 9);
  equal(await filter("all"), 12);
  equal(await filter("default"), 10);
  await page.type("#search", "LINE 29");
  await page.waitForFunction(() => document.querySelectorAll(".row:not([hidden])").length < 4);
  holds((await rows(page)).some((row) => row.includes("[bash: ls]")), "a result is found by its text");
  await page.keyboard.press("Escape");
  equal((await rows(page)).length, 10);
});

test("keys_work", async ({ page }) => {
  await open(page, pageOf("branched", branched));
  await page.keyboard.press("/");
  equal(await page.evaluate(() => document.activeElement.id), "search");
  await page.keyboard.press("Escape");
  const open_ = (kind) => page.$$eval(`details.${kind}`, (all) => all.map((one) => one.open));
  equal(await open_("thinking"), [false]);
  await page.keyboard.press("t");
  equal(await open_("thinking"), [true]);
  await page.keyboard.press("o");
  equal(await open_("more"), [true]);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const at = () => page.evaluate(() => document.activeElement.dataset.n);
  const second = await at();
  await page.keyboard.press("k");
  holds(Number(await at()) < Number(second), "k goes back");
  await page.keyboard.press("?");
  holds(await page.$eval("#help", (dialog) => dialog.open), "help is shown");
  await page.keyboard.press("Escape");
  await page.focus(".row:not([hidden])");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  equal((await shown(page)).slice(-1), ["middle two"]);
});

test("links_to_single_entries_open_them", async ({ page }) => {
  await open(page, pageOf("branched", branched) + "#entry=e7");
  equal((await shown(page)).slice(-1), ["middle one"]);
  equal(await page.evaluate(() => document.activeElement.dataset.n), "7");
});

test("copies_texts_and_links", async ({ page }) => {
  await open(page, pageOf("branched", branched));
  await page.evaluate(() => {
    window.copied = [];
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void window.copied.push(text) } });
  });
  await page.click("article.user .copy");
  await page.click("article.user .link");
  const [text, link] = await page.evaluate(() => window.copied);
  equal(text.trim(), "the first question");
  holds(link.endsWith("#entry=e1"), link);
});

test("nothing_of_a_hostile_session_runs", async ({ page }) => {
  const folder = join(root, "cases/74-html-export-hostile-content/in/sessions/--work-demo--");
  const file = join(folder, readdirSync(folder)[0]);
  await open(page, exported("hostile", file));
  for (const key of ["t", "o"]) await page.keyboard.press(key);
  await page.$$eval("a[href]", (all) => all.forEach((link) => { if (!/^(#|https?:|mailto:)/.test(link.getAttribute("href"))) throw new Error(link.outerHTML); }));
  equal(await page.evaluate(() => window.probed), []);
  equal(await page.$$eval("script", (all) => all.length), 1);
  const events = await page.evaluate(() => [...document.querySelectorAll("*")].flatMap((one) => [...one.attributes].filter((a) => a.name.startsWith("on")).map((a) => a.name)));
  equal(events, []);
  const text = await page.evaluate(() => document.body.innerText);
  for (const wanted of ["<script>probe(4)</script>", '<file name="x">body</file>']) holds(text.includes(wanted), wanted);
});

const nasty = [
  "</script><script>probe(1)</script>", "$& $` $' $$ $1", "<img src=x onerror=probe(2)>", "[x](javascript:probe(3))",
  "[x](JaVaScRiPt&colon;probe(4))", "<svg><script>probe(5)</script></svg>", "![x](https://tracker.invalid/a.png)",
  "<iframe srcdoc='<script>parent.probe(6)</script>'></iframe>", "<style>body{display:none}</style>", "<base href='//evil.invalid/'>",
  "<form action='https://evil.invalid'><input autofocus onfocus=probe(7)></form>", "`</code><script>probe(8)</script>`",
  "```html\n</code></pre><script>probe(9)</script>\n```", "<a href='x' onclick=probe(10)>y</a>", "<meta http-equiv=refresh content='0;url=https://evil.invalid'>",
  "--><script>probe(11)</script><!--", "]]><script>probe(12)</script>", "\u2028\u2029\u0000\u001b]8;;javascript:probe(13)\u0007x",
  "| <script>probe(14)</script> |\n|---|\n| <img src=x onerror=probe(15)> |", "<https://a.invalid/\"onmouseover=probe(16)>",
  "# <script>probe(17)</script>", "<details open ontoggle=probe(18)>x</details>", "<math><mtext></mtext><mglyph><svg><mtext><style><img src=x onerror=probe(19)>",
];

test("nothing_of_nasty_texts_runs_wherever_they_stand", async ({ page }) => {
  const records = [{ ...header, cwd: nasty[0], id: "s\"><script>probe(0)</script>" }];
  let parent = null;
  const add = (record) => {
    const id = ["__proto__", "constructor", "toString", "a b", "\"><script>probe(20)</script>"][records.length - 1] ?? `e${records.length}`;
    records.push({ id, parentId: parent, timestamp: time(records.length), ...record });
    parent = id;
    return id;
  };
  for (const text of nasty) {
    const id = add({ type: "message", message: { role: "user", content: text } });
    add({ type: "label", targetId: id, label: text });
    add({ type: "session_info", name: text });
    add({ type: "message", message: { role: "assistant", provider: text, model: text, stopReason: "error", errorMessage: text, content: [{ type: "thinking", thinking: text }, { type: "text", text }, { type: "toolCall", id: text, name: text, arguments: { [text]: text, path: text, command: text } }, { type: text, text }] } });
    add({ type: "message", message: { role: "toolResult", toolCallId: text, toolName: "edit", isError: false, details: { diff: text }, content: [{ type: "text", text }, { type: "image", data: text, mimeType: "image/png" }] } });
    add({ type: "message", message: { role: "bashExecution", command: text, output: text, exitCode: 1 } });
    add({ type: "custom_message", customType: text, content: text, display: true });
    add({ type: "compaction", summary: text, firstKeptEntryId: id, tokensBefore: 1 });
    add({ type: "branch_summary", summary: text, fromId: id });
    add({ type: "model_change", provider: text, modelId: text });
    add({ type: text });
  }
  await open(page, pageOf("nasty", records) + "#entry=__proto__");
  equal(await page.evaluate(() => document.activeElement.dataset.n), "0");
  await page.click("[data-f=all]");
  for (const key of ["t", "o", "d", "j"]) await page.keyboard.press(key);
  await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  equal(await page.evaluate(() => window.probed), []);
  equal(await page.$$eval("script, iframe, form:not([method=dialog]), svg, math, base, object, embed, link, main style", (all) => all.map((one) => one.outerHTML)).then((all) => all.length), 1);
  equal(await page.evaluate(() => location.href.startsWith("file:")), true);
});

test("the_policy_stops_what_is_put_into_the_page_later", async ({ page, faults }) => {
  await open(page, pageOf("branched", branched));
  await page.evaluate(() => {
    document.querySelector("main").insertAdjacentHTML("beforeend", "<img src='data:,' onerror='probe(1)'>");
    const script = document.createElement("script");
    script.textContent = "probe(2)";
    document.body.append(script);
  });
  await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
  equal(await page.evaluate(() => window.probed), []);
  const told = faults.splice(0).filter((fault) => !/Content Security Policy/.test(fault));
  equal(told, []);
});

for (const scheme of ["light", "dark"]) {
  test(`is_accessible_in_${scheme}`, async ({ page }) => {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await open(page, exported("example", example()));
    for (const key of ["t", "o"]) await page.keyboard.press(key);
    equal(await accessibility(page), []);
    await page.keyboard.press("d");
    equal(await accessibility(page), [], "the other scheme");
  });
}

test("works_on_a_phone", async ({ page }) => {
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await open(page, exported("example", example()));
  const visible = () => page.$eval("#side", (side) => getComputedStyle(side).visibility);
  equal(await visible(), "hidden");
  await page.tap("#menu");
  equal(await visible(), "visible");
  await page.tap(".row:not([hidden])");
  equal(await visible(), "hidden");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  holds(wide <= 390, `the page is ${wide} wide`);
  equal(await accessibility(page), []);
});

test("shows_every_branch_without_scripts", async ({ page }) => {
  await page.setJavaScriptEnabled(false);
  await page.goto(pageOf("branched", branched));
  await page.setJavaScriptEnabled(true);
  const texts = await page.$$eval("article", (all) => all.filter((one) => one.checkVisibility()).length);
  holds(texts >= 9, `${texts} articles are seen`);
});

test("ten_thousand_entries_open_in_two_seconds", async ({ page }) => {
  const records = [header];
  for (let n = 0; n < 10000; n += 1) {
    const role = n % 2 ? "assistant" : "user";
    const text = `# part ${n}\n\nSome **text** with \`code\` and more of it, as sessions have it.\n\n- one\n- two\n\n\`\`\`rust\nfn f${n}() -> usize { ${n} }\n\`\`\`\n`;
    records.push(entry(`e${n}`, n ? `e${n - 1}` : null, role, text));
  }
  const url = pageOf("long", records);
  const times = [];
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    await open(page, url);
    times.push(Math.round(performance.now() - start));
    if (process.env.LOGWOOD_TIMES) console.log(await page.evaluate(() => { const t = performance.getEntriesByType("navigation")[0]; return JSON.stringify({ response: t.responseEnd, interactive: t.domInteractive, loaded: t.loadEventEnd, nodes: document.querySelectorAll("*").length }); }));
  }
  console.log(`10,000 entries open in ${times.join(", ")} ms`);
  holds(Math.min(...times) < 2000, `the page opens in ${times.join(", ")} ms`);
  const start = performance.now();
  await page.type("#search", "f9999");
  await page.waitForFunction(() => document.querySelectorAll(".row:not([hidden])").length < 10);
  console.log(`a search takes ${Math.round(performance.now() - start)} ms`);
});

await run();
