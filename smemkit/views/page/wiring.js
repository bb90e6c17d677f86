// SPDX-License-Identifier: Apache-2.0
// Mouse, keys, buttons, the beginning, and the link to a notebook's Python.

// Seen from far off a node is smaller than a pixel: a click means the nearest one.
const nearest = ({ x, y }) => {
  let best = "";
  let least = 28;
  const places = network.getPositions();
  for (const key of boxes.keys()) {
    const at = network.canvasToDOM(places[key]);
    const away = Math.hypot(at.x - x, at.y - y);
    if (away < least) [best, least] = [key, away];
  }
  return best;
};
const under = (event) => event.nodes.find((id) => boxes.has(id)) ?? nearest(event.pointer.DOM);
network.on("click", (event) => {
  const key = under(event);
  if (key) select(key);
});
network.on("doubleClick", (event) => {
  const key = under(event);
  if (key) toggle(key);
});
const unlight = () => {
  light0();
  byId("search").value = "";
  search("");
  describe(state.selected);
};
for (const [id, act] of [
  ["fit", () => fit()], ["in", () => zoom(1.4)], ["out", () => zoom(1 / 1.4)],
  ["expand", expandAll], ["collapse", collapseAll], ["unlight", unlight],
]) byId(id).addEventListener("click", act);
const box = byId("search");
box.addEventListener("input", () => search(box.value));
byId("find").addEventListener("submit", (event) => {
  event.preventDefault();
  byId("list").querySelector("button")?.focus();
});
byId("list").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const all = [...byId("list").querySelectorAll("button")];
  all[all.indexOf(document.activeElement) + step]?.focus();
  event.preventDefault();
});
const keys = {
  "/": () => box.focus(),
  f: () => fit(),
  o: () => state.selected && toggle(state.selected),
  t: () => numberOf(state.selected) >= 0 && runTrace(numberOf(state.selected)),
  Escape: unlight,
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === box && event.key !== "Escape") return;
  if (!keys[event.key]) return;
  keys[event.key]();
  event.preventDefault();
});

// -- the link to Python ------------------------------------------------------------
const post = linked({
  chosen: () => state.selected,
  choose: (key) => select(key, { focus: true, told: true }),
  walk: (key, kind) => { if (data.nodes[numberOf(key)]) show(key, kind, true); },
});
const show = (key, walk, told) => {
  const n = numberOf(key);
  select(key, { told });
  if (walk === "trace") runTrace(n);
  else if (walk) runChain(n, walk);
  else select(key, { focus: true, told });
  describe(key);
};

// -- the beginning: whole, or at the node that was asked for -------------------------
const begin = () => {
  home();
  if (data.focus) show(data.focus.key, data.focus.walk, true);
  post("ready");
};
setTime(data.times.length);
describe("");
paintFilters();
new ResizeObserver(sized).observe(stage);
network.once("afterDrawing", () => { root.dataset.ready = "1"; });
window.smemkit = { network, draw, select, toggle, state, runChain, runTrace, search, nodes, edges, expandAll, collapseAll, data };
