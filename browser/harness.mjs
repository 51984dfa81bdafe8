// The least that tests of pages need: a browser, pages that are watched, and a count at the end.
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, chromium, logwood] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const place = mkdtempSync(join(tmpdir(), "logwood-browser-"));
const tests = [];
let failed = 0;

export function test(name, work) {
  tests.push([name, work]);
}

/// Writes a session of these records and exports it; gives the address of the page.
export function pageOf(name, records, ...words) {
  const file = join(place, `${name}.jsonl`);
  writeFileSync(file, records.map((record) => JSON.stringify(record) + "\n").join(""));
  return exported(name, file, ...words);
}

export function exported(name, file, ...words) {
  const page = join(place, `${name}.html`);
  execFileSync(logwood, ["export", file, "-o", page, "--force", ...words], { stdio: ["ignore", "ignore", "inherit"] });
  return pathToFileURL(page).href;
}

/// Runs the tests, each in a new page, and says how many passed in the words of cargo's harness.
export async function run() {
  const browser = await puppeteer.launch({
    executablePath: chromium,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  let passed = 0;
  for (const [name, work] of tests) {
    const watched = await watch(browser);
    try {
      await work(watched);
      if (watched.faults.length) throw new Error(watched.faults.join("\n"));
      passed += 1;
      console.log(`test browser::${name} ... ok`);
    } catch (error) {
      failed += 1;
      console.log(`test browser::${name} ... FAILED\n${error.stack}`);
    }
    await watched.page.close();
  }
  await browser.close();
  rmSync(place, { recursive: true });
  console.log(`test result: ${failed ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

/// A page that notes what must not be: errors, requests, dialogs, calls of `probe`.
async function watch(browser) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error}`));
  page.on("dialog", async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("file:") && !url.startsWith("data:")) faults.push(`request: ${url}`);
  });
  await page.evaluateOnNewDocument(() => {
    window.probed = [];
    window.probe = (what) => window.probed.push(what);
  });
  return { page, faults };
}

/// What axe finds against WCAG 2 A and AA.
export async function accessibility(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
  );
  return found.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).slice(0, 3).join("  ")}`);
}

export function equal(left, right, what = "") {
  const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
  if (a !== b) throw new Error(`${what}\n  left: ${a}\n right: ${b}`);
}

export function holds(value, what) {
  if (!value) throw new Error(what);
}
