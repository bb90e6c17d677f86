// SPDX-License-Identifier: Apache-2.0
// The state of the explorer, and the picture of it. Nothing is computed that Python has not.

const root = document.documentElement;
const stage = document.getElementById("canvas");
const byId = (id) => document.getElementById(id);
const nodes = new vis.DataSet(read("nodes"));
const edges = new vis.DataSet(read("edges"));
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const say = (name, values = {}) => Object.entries(values).reduce(
  (text, [key, value]) => text.replaceAll(`{${key}}`, () => value), words[name]);
const count = (n) => n.toLocaleString("en-US");

const state = {
  opened: new Set(data.opened), // keys of open folds
  lit: null, // a chain or a trace: what is not in it is dim
  labels: new Set(), types: new Set(), // filters by number
  hits: null, // numbers that hold the words looked for
  until: data.times.length, // moments that have passed
  selected: "", // key of a box
};
let boxes = new Map();
let arrows = new Map();
let strips = [];

const labelOf = (n) => data.labels[data.nodes[n].label];
const nameOf = (n) => [labelOf(n) || "node", data.nodes[n].id].filter(Boolean).join(" ");
const captionOf = (key, numbers) => {
  if (key[0] === "k") return data.nodes[numberOf(key)].caption;
  const fold = folds.get(key);
  if (fold.kind === "run") return `${fold.at[0]} … ${fold.last}`;
  return fold.label || "?";
};
const marked = (key, numbers) => {
  const fold = folds.get(key);
  const failed = key[0] === "k" && data.nodes[numberOf(key)].state === "failed";
  const sign = failed ? "✕ " : "";
  if (!fold) return sign + captionOf(key, numbers);
  if (state.opened.has(key)) return `${sign}▾ ${captionOf(key, numbers)}`;
  const hidden = numbers.length - (fold.kind === "scope" ? 1 : 0);
  return `▸ ${sign}${captionOf(key, numbers)} (${count(hidden)})`;
};

// -- colours -----------------------------------------------------------------
const lighter = (colour) => `#${[1, 3, 5].map((k) =>
  Math.round(parseInt(colour.slice(k, k + 2), 16) * 0.5 + 127).toString(16)).join("")}`;
const shade = (colour) => (dark.matches ? lighter(colour) : colour);
const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
const FACE = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif";
const other = { shape: "dot", fill: "#808890", rim: "#545a60" };

const wrapped = (text, width = 24, most = 3) => {
  const wide = (c) => (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u.test(c) ? 2 : 1);
  const size = (line) => [...line].reduce((sum, c) => sum + wide(c), 0);
  const pieces = text.match(/\s?[^\s\u2e80-\ua4cf\uff00-\uffe6]+|\s?[\u2e80-\ua4cf\uff00-\uffe6]/gu) ?? [];
  const lines = [""];
  for (let piece of pieces) {
    if (size(lines.at(-1) + piece) > width && lines.at(-1)) {
      if (lines.length === most) { lines[most - 1] = `${lines[most - 1].slice(0, width - 1)}…`; return lines.join("\n"); }
      lines.push("");
      piece = piece.trimStart();
    }
    while (size(piece) > width && lines.length < most) {
      lines[lines.length - 1] = piece.slice(0, width);
      piece = piece.slice(width);
      lines.push("");
    }
    lines[lines.length - 1] += size(piece) > width ? `${piece.slice(0, width - 1)}…` : piece;
  }
  return lines.join("\n").trim() || " ";
};

// -- what is on, and what is dim ----------------------------------------------
const touched = () => {
  const found = new Set();
  for (const [src, dst, type] of data.edges) if (state.types.has(type)) found.add(src).add(dst);
  return found;
};
let ends = new Set();
const isOn = (n) =>
  (!state.lit || state.lit.numbers.has(n))
  && (!(state.labels.size || state.types.size) || state.labels.has(data.nodes[n].label) || ends.has(n))
  && (!state.hits || state.hits.has(n));
const edgeIsOn = (arrow) => {
  if (!boxes.get(arrow.from)?.on || !boxes.get(arrow.to)?.on) return false;
  if (state.lit?.edges && !arrow.edges.some((e) => state.lit.edges.has(e))) return false;
  return !state.types.size || state.types.has(arrow.type)
    || (state.labels.size > 0 && [arrow.from, arrow.to].every((key) =>
      boxes.get(key).numbers.some((n) => state.labels.has(data.nodes[n].label))));
};

const tip = (text) => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
const textOf = (n) => {
  const node = data.nodes[n];
  return node.main ? node.fields[node.main - 1][1] : "";
};
const aboutFold = (key, numbers) => {
  const fold = folds.get(key);
  return say(`fold.${fold.kind}`, { n: count(numbers.length - (fold.kind === "scope" ? 1 : 0)), first: fold.at[0], last: fold.last });
};

const drawnNode = (key, box, at) => {
  const n = numberOf(key);
  const node = data.nodes[n];
  const fold = folds.get(key);
  const closed = fold && !state.opened.has(key);
  const look = node ? data.looks[node.label] : data.looks[data.labels.indexOf(fold.label)] ?? other;
  const [ink, ground] = [css("--ink"), css("--ground")];
  const went = node?.state ?? "";
  const rim = went === "failed" ? "#c1121f" : look.rim;
  const solid = !["failed", "open", "cancelled"].includes(went) && (node || closed);
  const pair = { background: solid ? look.fill : ground, border: shade(rim) };
  const text = node
    ? [nameOf(n), went && words[`state.${went}`], node.foreign && words.foreign, node.caption, textOf(n)]
    : [];
  if (closed) text.unshift(aboutFold(key, box.numbers));
  const start = state.lit && state.lit.start === n;
  return {
    id: key, ...at, shape: look.shape, label: wrapped(marked(key, box.numbers)),
    title: tip(text.filter(Boolean).join("\n")),
    color: { ...pair, highlight: pair, hover: pair },
    opacity: box.on ? 1 : 0.13,
    font: { color: box.on ? ink : `${ink}30`, size: 14, face: FACE, strokeWidth: box.on ? 4 : 0, strokeColor: ground },
    borderWidth: closed || start ? 5 : 2,
    size: closed || start ? 21 : node ? 17 : 10,
    shapeProperties: { borderDashes: node?.foreign || ["open", "cancelled"].includes(went) || (fold && !closed && !node) ? [4, 3] : false },
  };
};

const drawnEdge = (arrow, at) => {
  const line = data.lines[arrow.type];
  const colour = shade(line.colour);
  const on = edgeIsOn(arrow);
  const strong = on && (state.lit || state.types.size);
  const dashes = !arrow.own ? [2, 4] : arrow.inferred ? [9, 5] : line.dashes.length ? line.dashes : false;
  const near = at.get(arrow.from).x === at.get(arrow.to).x;
  const opacity = on ? (arrow.own ? (strong ? 1 : 0.75) : 0.5) : 0.07;
  const many = arrow.edges.length > 1 ? ` × ${count(arrow.edges.length)}` : "";
  return {
    id: arrow.id, from: arrow.from, to: arrow.to, dashes, width: strong ? 3 : arrow.own ? 1.6 : 1,
    label: strong ? data.types[arrow.type] : "",
    font: { color: css("--soft"), size: 12, face: FACE, strokeWidth: 4, strokeColor: css("--ground") },
    title: [data.types[arrow.type] + many, arrow.inferred && words.inferred].filter(Boolean).join(", "),
    color: { color: colour, highlight: colour, hover: colour, opacity },
    smooth: near ? { enabled: true, type: "curvedCW", roundness: 0.2 } : false,
  };
};

const inTime = () => [...data.nodes.keys()].filter((n) => (data.nodes[n].time ?? 0) <= state.until);

// An open fold keeps a handle, so that it can be closed again.
const handles = () => data.folds.filter((fold) => {
  if (fold.key[0] === "k" || !state.opened.has(fold.key)) return false;
  for (let key = fold.within; key; key = folds.get(key).within) if (!state.opened.has(key)) return false;
  return true;
}).map((fold) => fold.key);

const draw = () => {
  ends = touched();
  boxes = boxesOf(inTime(), state.opened);
  const shown = [...boxes].filter(([key, numbers]) => key[0] === "k" && (numbers.length === 1 || !folds.has(key))).length;
  for (const [key, numbers] of boxes) boxes.set(key, { numbers, on: numbers.some(isOn) });
  const present = new Set([...boxes.values()].flatMap((box) => box.numbers.map((n) => data.nodes[n].fold)));
  arrows = arrowsOf([...boxes].map(([key, box]) => [key, box.numbers]));
  const open = handles().filter((key) => present.has(key));
  for (const key of open) boxes.set(key, { numbers: [], on: !state.lit && !state.hits, handle: true });
  const placed = placesOf(inOrder());
  strips = placed.strips;
  const made = [...boxes].map(([key, box]) => drawnNode(key, box, placed.at.get(key)));
  const joined = [...arrows.values()].map((arrow) => drawnEdge(arrow, placed.at));
  const stop = stopOf(placed.at);
  made.push(...stop.nodes);
  joined.push(...stop.edges);
  replace(nodes, made);
  replace(edges, joined);
  root.dataset.shown = shown;
  byId("counted").textContent = say("counted", { shown: count(shown), total: count(data.total) });
  if (state.selected && boxes.has(state.selected)) network?.setSelection({ nodes: [state.selected] }, { highlightEdges: false });
  root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1;
  listen?.();
};
const replace = (set, made) => {
  const kept = new Set(made.map((each) => each.id));
  set.remove(set.getIds().filter((id) => !kept.has(id)));
  set.update(made);
};
// Boxes in the order of their nodes, a handle first in its cell.
const inOrder = () => {
  const first = (key) => (key[0] === "k" ? numberOf(key) : boxes.get(key).handle ? -1 : Math.min(...boxes.get(key).numbers));
  return [...boxes.keys()].sort((a, b) => first(a) - first(b));
};

// Where a trace breaks: a sign left of the last that was met.
const stopOf = (at) => {
  const walk = state.lit;
  if (!walk?.verdict) return { nodes: [], edges: [] };
  const keys = [...new Set(walk.last.map((n) => standsIn(n, state.opened)))].filter((key) => at.has(key)).slice(0, 12);
  if (!keys.length) return { nodes: [], edges: [] };
  const broken = walk.verdict === 1;
  const red = dark.matches ? "#ff8a8f" : "#c1121f";
  const x = Math.min(...keys.map((key) => at.get(key).x)) - data.grid.x * 0.55;
  const y = Math.min(...keys.map((key) => at.get(key).y)) - data.grid.y * 0.36;
  const ground = css("--ground");
  const pair = { background: ground, border: red };
  return {
    nodes: [{
      id: "stop", x, y, shape: "box", label: `${broken ? "✕" : "…"} ${words[broken ? "break" : "stopped"]}`, title: tip(walk.reason),
      color: { ...pair, highlight: pair, hover: pair }, opacity: 1, borderWidth: 2, margin: 8,
      font: { color: red, size: 15, face: FACE, strokeWidth: 0 }, shapeProperties: { borderDashes: [4, 4] },
    }],
    edges: keys.map((key) => ({
      id: `stop ${key}`, from: "stop", to: key, dashes: [3, 5], width: 2, label: "", smooth: false,
      color: { color: red, highlight: red, hover: red, opacity: 1 }, arrows: { to: { enabled: false } } })),
  };
};

// -- the network ---------------------------------------------------------------
let network = null;
let listen = null;
draw();
network = new vis.Network(stage, { nodes, edges }, options);
for (const part of stage.querySelectorAll("[tabindex]")) part.tabIndex = -1;
dark.addEventListener("change", draw);
network.on("beforeDrawing", (pen) => {
  const scale = network.getScale();
  const left = network.DOMtoCanvas({ x: 8, y: 0 }).x;
  const size = Math.min(15 / scale, 44);
  pen.font = `600 ${size}px ${FACE}`;
  pen.textBaseline = "top";
  strips.forEach((strip, k) => {
    pen.fillStyle = css(k % 2 ? "--lane2" : "--lane");
    pen.fillRect(-data.grid.x * 0.75, strip.top - 8, strip.right + data.grid.x * 0.5, strip.bottom - strip.top + 16);
    pen.fillStyle = css("--soft");
    pen.fillText(words[`lane.${strip.name}`], Math.max(left, -data.grid.x * 0.72), strip.top - 4);
  });
});
let fitted = false;
const fit = (keys) => network.fit({ ...(keys ? { nodes: keys } : {}), animation: false, maxZoomLevel: 1.15 });
// A session too long for one look opens at its beginning, large enough to read.
const home = () => {
  fit();
  if (network.getScale() >= 0.36) return;
  const scale = 0.6;
  network.moveTo({
    scale, animation: false,
    position: { x: stage.clientWidth / 2 / scale - data.grid.x * 0.8, y: stage.clientHeight / 2 / scale - data.grid.y * 0.5 } });
};
const sized = () => {
  if (!stage.clientWidth || !stage.clientHeight) return;
  network.redraw();
  if (!fitted) {
    fitted = true;
    begin();
  }
};
const zoom = (factor) => network.moveTo({ scale: Math.min(6, Math.max(0.02, network.getScale() * factor)) });
const stayAt = (key, act) => {
  const before = nodes.get(key) ? network.canvasToDOM(network.getPositions([key])[key]) : null;
  act();
  const here = nodes.get(key) ? network.canvasToDOM(network.getPositions([key])[key]) : null;
  if (!before || !here) return;
  const scale = network.getScale();
  const view = network.getViewPosition();
  network.moveTo({ position: { x: view.x + (here.x - before.x) / scale, y: view.y + (here.y - before.y) / scale }, animation: false });
};
