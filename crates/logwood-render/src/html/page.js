"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const rows = [...$("tree").querySelectorAll(".row")];
  const count = rows.length;
  const rowOf = new Map(), parent = new Map(), childrenOf = new Map(), byId = new Map();
  for (const row of rows) {
    const n = Number(row.dataset.n);
    const p = row.dataset.p === "" ? -1 : Number(row.dataset.p);
    rowOf.set(n, row);
    parent.set(n, p);
    byId.set(row.dataset.id, n);
    if (!childrenOf.has(p)) childrenOf.set(p, []);
    childrenOf.get(p).push(n);
  }
  // An article holds its text in a noscript element until it is wanted; results of tools stand in the articles of their calls.
  const parts = new Map(), owner = new Map();
  const articles = [...$("messages").querySelectorAll("article")];
  const chunks = [...$("messages").children];
  for (const article of articles) {
    const n = Number(article.dataset.n);
    parts.set(n, article);
    if (article.dataset.r) for (const result of article.dataset.r.split(" ")) owner.set(Number(result), n);
  }
  const folds = new Map();

  // ---- which branch is shown -------------------------------------------------------------------------------------------
  let path = rows.filter((row) => row.classList.contains("path")).map((row) => Number(row.dataset.n));
  const first = path.reduce((a, b) => Math.max(a, b), -1);
  const firstLeaf = leafOf(path);
  let current = firstLeaf;
  let onPath = new Set(path);

  function source(article) {
    const inside = article.firstElementChild;
    return inside !== null && inside.tagName === "NOSCRIPT" ? inside.textContent : null;
  }

  function fill(article) {
    const text = source(article);
    if (text === null) return;
    article.innerHTML = text;
    for (const result of article.querySelectorAll("[data-n]")) {
      const n = Number(result.dataset.n);
      parts.set(n, result);
      result.hidden = !onPath.has(n);
    }
    for (const time of article.querySelectorAll("time")) {
      const date = new Date(time.dateTime);
      if (!Number.isNaN(date.getTime())) time.textContent = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    }
    for (const [kinds, open] of folds) for (const fold of article.querySelectorAll(kinds)) fold.open = open;
  }

  // What comes near the window is filled at once, the rest of the branch when the browser has nothing else to do.
  function fillChunk(chunk) {
    for (const article of chunk.children) if (!article.hidden) fill(article);
  }
  const near = new IntersectionObserver((seen) => {
    for (const one of seen) if (one.isIntersecting) fillChunk(one.target);
  }, { root: $("main"), rootMargin: "1500px" });
  const idle = window.requestIdleCallback || ((work) => setTimeout(() => work({ timeRemaining: () => 8 }), 16));
  let queue = [], running = false;
  function fillLater() {
    queue = articles.filter((article) => !article.hidden && source(article) !== null).reverse();
    if (!running && queue.length) { running = true; idle(fillSome); }
  }
  function fillSome(deadline) {
    do {
      const article = queue.pop();
      if (article) fill(article);
    } while (queue.length && deadline.timeRemaining() > 2);
    running = queue.length > 0;
    if (running) idle(fillSome);
  }
  window.addEventListener("beforeprint", () => { for (const article of articles) if (!article.hidden) fill(article); });

  function leafOf(nodes) {
    const above = new Set(nodes.map((n) => parent.get(n)));
    const leaves = nodes.filter((n) => !above.has(n));
    return leaves.length ? leaves[0] : first;
  }

  function ancestors(n) {
    const found = [];
    for (; n !== -1 && n !== undefined; n = parent.get(n)) found.push(n);
    return found;
  }

  // The entry that was written last at or below this one.
  function newestBelow(n) {
    let best = n;
    const stack = [n];
    while (stack.length) {
      const at = stack.pop();
      if (at > best) best = at;
      for (const child of childrenOf.get(at) || []) stack.push(child);
    }
    return best;
  }

  function show(leaf) {
    const next = ancestors(leaf);
    const wanted = new Set(next);
    for (const n of path) {
      if (wanted.has(n)) continue;
      const part = parts.get(n);
      if (part) part.hidden = true;
      rowOf.get(n).classList.remove("path");
    }
    for (const n of next) {
      const part = parts.get(n);
      if (part) part.hidden = false;
      rowOf.get(n).classList.add("path");
    }
    path = next;
    onPath = wanted;
    current = leaf;
    fillLater();
  }

  // The element of an entry: its article, or its place in the article of a call, which is filled for it.
  function partOf(n) {
    if (!parts.has(n) && owner.has(n)) fill(parts.get(owner.get(n)));
    return parts.get(n);
  }

  let at = null;
  function mark(n) {
    if (at !== null) {
      rowOf.get(at).classList.remove("at");
      rowOf.get(at).removeAttribute("aria-current");
      const part = partOf(at);
      if (part) part.classList.remove("at");
    }
    at = n;
    rowOf.get(n).classList.add("at");
    rowOf.get(n).setAttribute("aria-current", "true");
    const part = partOf(n);
    if (part) part.classList.add("at");
  }

  // An entry, or what is shown nearest above it.
  function partAt(n) {
    for (let m = n; m !== -1 && m !== undefined; m = parent.get(m)) if (partOf(m)) return partOf(m);
    return $("main");
  }

  function go(n, focus) {
    if (!rowOf.has(n)) return;
    if (!onPath.has(n)) { show(newestBelow(n)); layOut(); }
    mark(n);
    const part = partAt(n);
    if (part.tagName === "ARTICLE") fill(part);
    for (let up = part.parentElement; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    part.scrollIntoView({ block: "start" });
    if (focus) part.focus({ preventScroll: true });
    $("side").classList.remove("open");
    $("menu").setAttribute("aria-expanded", "false");
  }

  // ---- the tree --------------------------------------------------------------------------------------------------------
  let filter = "default";
  let words = [];
  const texts = new Map();

  function textOf(n) {
    if (!texts.has(n)) {
      texts.set(n, (rowOf.get(n).textContent + " " + said(n)).toLowerCase());
    }
    return texts.get(n);
  }

  const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  // The text of an entry; of an article that is not filled yet without making elements of it.
  function said(n) {
    const part = parts.get(n);
    const article = part || parts.get(owner.get(n));
    if (!article) return "";
    const text = source(article);
    if (text === null) return part ? part.textContent : "";
    return text.replace(/<[^>]*>/g, " ").replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]);
  }

  function isShown(n, row) {
    const k = row.dataset.k;
    if (n === current) return true;
    if (k.includes("s")) return false;
    if (words.length && !words.every((word) => textOf(n).includes(word))) return false;
    switch (filter) {
      case "default": return !k.includes("b");
      case "no-tools": return !k.includes("b") && !k.includes("t");
      case "user": return k.includes("u");
      case "labeled": return k.includes("l");
      default: return true;
    }
  }

  // Rows, their levels and the lines before them: the rules of the terminal's tree, without recursion.
  function layOut() {
    const near = new Map();
    const shown = [];
    const family = new Map();
    for (const row of rows) {
      const n = Number(row.dataset.n);
      const p = parent.get(n);
      const above = p === -1 ? -1 : near.get(p);
      const visible = isShown(n, row);
      row.hidden = !visible;
      near.set(n, visible ? n : above);
      if (!visible) continue;
      shown.push([n, above, row]);
      const kin = family.get(above) || { size: 0, last: -1 };
      kin.size += 1;
      kin.last = n;
      family.set(above, kin);
    }
    const several = (family.get(-1) || { size: 0 }).size > 1;
    const placed = new Map();
    for (const [n, above, row] of shown) {
      const kin = family.get(above);
      const place = { indent: several ? 1 : 0, branched: several, line: 0, gutter: null };
      if (above !== -1) {
        const up = placed.get(above);
        const branches = kin.size > 1;
        place.indent = up.indent + (branches || (up.branched && up.indent > 0) ? 1 : 0);
        place.branched = branches;
        place.line = branches ? (kin.last === n ? 2 : 1) : 0;
        place.gutter = up.line ? { level: Math.max(0, up.indent - (several ? 1 : 0) - 1), drawn: up.line === 1, left: up.gutter } : up.gutter;
      }
      placed.set(n, place);
      row.setAttribute("aria-level", String(place.indent + 1));
      row.firstElementChild.textContent = prefix(place, several);
    }
    told(shown.length);
    rove(shown.some(([n]) => n === roving) ? roving : shown.length ? shown[0][0] : null);
  }

  function told(shown) {
    $("status").textContent = shown + " / " + count + " entries";
  }

  const LEVELS = 12;
  function prefix(place, several) {
    const levels = place.indent - (several ? 1 : 0);
    if (levels <= 0) return "";
    const from = levels > LEVELS ? levels - LEVELS + 1 : 0;
    const cells = new Array(levels - from).fill("   ");
    for (let gutter = place.gutter; gutter && gutter.level >= from; gutter = gutter.left) {
      if (gutter.drawn && gutter.level - from < cells.length) cells[gutter.level - from] = "│  ";
    }
    if (place.line) cells[cells.length - 1] = place.line === 1 ? "├─ " : "└─ ";
    return (from ? "…  " : "") + cells.join("");
  }

  let roving = null;
  function rove(n) {
    if (roving !== null) rowOf.get(roving).tabIndex = -1;
    roving = n;
    if (n !== null) rowOf.get(n).tabIndex = 0;
  }

  function visibleRows() {
    return rows.filter((row) => !row.hidden);
  }

  $("tree").addEventListener("keydown", (event) => {
    const shown = visibleRows();
    let i = shown.indexOf(document.activeElement);
    if (i < 0) return;
    switch (event.key) {
      case "ArrowDown": i = (i + 1) % shown.length; break;
      case "ArrowUp": i = (i - 1 + shown.length) % shown.length; break;
      case "Home": i = 0; break;
      case "End": i = shown.length - 1; break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    rove(Number(shown[i].dataset.n));
    shown[i].focus();
  });
  $("tree").addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    rove(Number(row.dataset.n));
    go(Number(row.dataset.n), true);
  });

  $("filters").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    filter = button.dataset.f;
    for (const other of $("filters").children) other.setAttribute("aria-pressed", String(other === button));
    layOut();
  });

  let waiting = 0;
  $("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, count > 2000 ? 150 : 0);
  });
  function search() {
    words = $("search").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    layOut();
  }

  // ---- folds, theme, copying -------------------------------------------------------------------------------------------
  function toggle(kinds) {
    const all = [...$("messages").querySelectorAll(kinds)];
    const open = all.some((one) => !one.open);
    for (const one of all) one.open = open;
    folds.set(kinds, open);
  }
  const thinking = () => toggle("details.thinking");
  const outputs = () => toggle("details.more, details.summary");
  function theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }
  function help() {
    if ($("help").open) $("help").close();
    else $("help").showModal();
  }
  $("thinking").addEventListener("click", thinking);
  $("outputs").addEventListener("click", outputs);
  $("theme").addEventListener("click", theme);
  $("keys").addEventListener("click", help);
  $("menu").addEventListener("click", () => {
    const open = $("side").classList.toggle("open");
    $("menu").setAttribute("aria-expanded", String(open));
    if (open) $("search").focus();
  });

  function say(text) {
    $("said").textContent = text;
  }
  function copy(text, button) {
    const done = () => {
      const name = button.textContent;
      button.textContent = "copied";
      say("Copied");
      setTimeout(() => { button.textContent = name; }, 1200);
    };
    const byHand = () => {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const worked = document.execCommand("copy");
      area.remove();
      button.focus();
      if (worked) done();
      else say("The browser did not let the text be copied");
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
    else byHand();
  }
  $("messages").addEventListener("click", (event) => {
    const button = event.target.closest("header button");
    if (!button) return;
    const article = button.closest("article");
    const n = Number(article.dataset.n);
    if (button.className === "copy") copy(article.querySelector(".body").innerText, button);
    else copy(location.href.split("#")[0] + "#entry=" + encodeURIComponent(rowOf.get(n).dataset.id), button);
  });

  // ---- keys ------------------------------------------------------------------------------------------------------------
  function step(by) {
    const shown = articles.filter((part) => !part.hidden);
    const here = at === null ? -1 : shown.indexOf(partAt(at).closest("article"));
    const next = shown[Math.min(shown.length - 1, Math.max(0, here + by))];
    if (next) go(Number(next.dataset.n), true);
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const typing = event.target.matches("input, textarea");
    if (event.key === "Escape") {
      $("search").value = "";
      search();
      show(firstLeaf);
      layOut();
      $("side").classList.remove("open");
      $("menu").setAttribute("aria-expanded", "false");
      if (typing) event.target.blur();
      return;
    }
    if (typing) return;
    switch (event.key) {
      case "/": $("side").classList.add("open"); $("search").focus(); break;
      case "j": step(1); break;
      case "k": step(-1); break;
      case "t": thinking(); break;
      case "o": outputs(); break;
      case "d": theme(); break;
      case "?": help(); break;
      default: return;
    }
    event.preventDefault();
  });

  // ---- the width of the tree -------------------------------------------------------------------------------------------
  const grip = $("grip");
  let store = null;
  try { store = window.localStorage; } catch { store = null; }
  function width(px) {
    const most = Math.max(240, Math.min(720, window.innerWidth - 320));
    const wide = Math.round(Math.max(240, Math.min(most, px)));
    document.documentElement.style.setProperty("--side", wide + "px");
    grip.setAttribute("aria-valuenow", String(wide));
    try { if (store) store.setItem("logwood-side", String(wide)); } catch { /* a page from a file may keep nothing */ }
  }
  const kept = () => { try { return Number(store && store.getItem("logwood-side")) || 400; } catch { return 400; } };
  if (window.innerWidth > 900) width(kept());
  grip.addEventListener("pointerdown", (event) => {
    grip.setPointerCapture(event.pointerId);
    const move = (e) => width(e.clientX);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("pointerup", () => grip.removeEventListener("pointermove", move), { once: true });
  });
  grip.addEventListener("dblclick", () => width(400));
  grip.addEventListener("keydown", (event) => {
    const now = Number(grip.getAttribute("aria-valuenow"));
    if (event.key === "ArrowLeft") width(now - 20);
    else if (event.key === "ArrowRight") width(now + 20);
    else return;
    event.preventDefault();
  });

  // ---- start -----------------------------------------------------------------------------------------------------------
  function fromHash() {
    const hash = location.hash.slice(1);
    let wanted = /^n\d+$/.test(hash) ? Number(hash.slice(1)) : undefined;
    if (hash.startsWith("entry=")) {
      try { wanted = byId.get(decodeURIComponent(hash.slice(6))); } catch { wanted = undefined; }
    }
    if (wanted !== undefined && rowOf.has(wanted)) { go(wanted, true); layOut(); }
  }
  window.addEventListener("hashchange", fromHash);
  for (const article of articles.filter((one) => !one.hidden).slice(0, 12)) fill(article);
  told(visibleRows().length);
  rove(rows.find((row) => !row.hidden) ? Number(rows.find((row) => !row.hidden).dataset.n) : null);
  for (const chunk of chunks) near.observe(chunk);
  fillLater();
  fromHash();
})();
