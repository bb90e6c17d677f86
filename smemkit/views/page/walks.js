// SPDX-License-Identifier: Apache-2.0
// Folding, chains and traces: what the buttons and keys do.

const shownCount = (opened) => boxesOf(inTime(), opened).size;
const toggle = (key) => {
  if (!folds.has(key)) key = data.nodes[numberOf(key)]?.fold;
  const fold = folds.get(key);
  if (!fold) return;
  const open = !state.opened.has(key);
  stayAt(key, () => {
    if (open) state.opened.add(key);
    else state.opened.delete(key);
    draw();
  });
  if (!boxes.has(state.selected)) select(boxes.has(key) ? key : "");
  else describe(state.selected);
};
// Open as much as a screen can show, inner folds of open ones too.
const expand = (wanted) => {
  let left = 0;
  for (const fold of wanted) {
    if (state.opened.has(fold.key)) continue;
    state.opened.add(fold.key);
    if (shownCount(state.opened) > data.grid.most) {
      state.opened.delete(fold.key);
      left += 1;
      if (left > 3) break; // what follows is no smaller
    }
  }
  return left === 0;
};
const expandAll = () => {
  const outer = data.folds.filter((fold) => !fold.within);
  const whole = expand([...outer, ...data.folds.filter((fold) => fold.within)]);
  draw();
  if (!whole) tell(say("expanded.some", { shown: count(Number(root.dataset.shown)), total: count(data.total) }));
  fit();
};
const collapseAll = () => {
  state.opened.clear();
  draw();
  if (!boxes.has(state.selected)) select("");
  home();
};
const reveal = (numbers) => expand([...new Set(numbers.flatMap(around))].reverse());

// -- chains ----------------------------------------------------------------------
const chainOf = (n, k) => unrun(data.chains[n]?.[k] ?? []);
const kindsOf = (n) => data.kinds[data.nodes[n].label];
const light = (lit) => {
  state.labels.clear();
  state.types.clear();
  state.hits = null;
  state.lit = lit;
  paintFilters();
  tell("");
  byId("banner").hidden = !lit;
  byId("lit").textContent = lit ? lit.title : "";
  if (lit) reveal([...lit.numbers]);
  draw();
  const keys = lit ? [...new Set([...lit.numbers].map((n) => standsIn(n, state.opened)))].filter((key) => boxes.has(key)) : [];
  if (nodes.get("stop")) keys.push("stop");
  network.redraw(); // the banner has made the stage smaller
  if (keys.length) fit(keys);
  if (state.selected) describe(state.selected);
  root.dataset.lit = lit ? lit.kind : "";
  fillList();
};
const runChain = (n, kind) => {
  const numbers = chainOf(n, kindsOf(n).indexOf(kind));
  if (!numbers.length) {
    tell(words[data.whole || data.chains[n] ? "chain.empty" : "walks.missing"]);
    return false;
  }
  light({
    kind, start: n, numbers: new Set([n, ...numbers]), hops: null,
    title: `${say("chain.lit", { kind: words[kind] ?? kind, n: count(numbers.length) })} — ${nameOf(n)}` });
  return true;
};

// -- traces ----------------------------------------------------------------------
const nextInto = new Map();
data.edges.forEach(([src, dst, type], e) => {
  if (data.types[type] !== "next") return;
  if (!nextInto.has(dst)) nextInto.set(dst, []);
  nextInto.get(dst).push([src, e]);
});
const stored = new Map(data.edges.map(([src, dst, type], e) => [`${src} ${dst} ${type}`, e]));
// The steps of a session's line from a node back to those that were met.
const alongLine = (from, met) => {
  const cameBy = new Map([[from, null]]);
  const queue = [from];
  for (const here of queue)
    for (const [src, e] of nextInto.get(here) ?? [])
      if (!cameBy.has(src)) {
        cameBy.set(src, [here, e]);
        queue.push(src);
      }
  const passed = { numbers: new Set(), edges: new Set() };
  for (const n of met)
    for (let at = n; cameBy.get(at); at = cameBy.get(at)[0]) {
      passed.numbers.add(at);
      passed.edges.add(cameBy.get(at)[1]);
    }
  return passed;
};
const runTrace = (n) => {
  const trace = data.traces[n];
  if (!trace) return tell(words["walks.missing"]);
  const [verdict, reason, layers] = trace;
  const numbers = new Set([n]);
  const used = new Set();
  const hops = [];
  let last = [n];
  layers.forEach((layer, k) => {
    last = [];
    for (const [type, from, runs] of layer) {
      const met = unrun(runs);
      for (const each of met) {
        hops.push({ n: each, hop: k + 1, via: type, from });
        numbers.add(each);
        last.push(each);
        for (const ends of [[each, from], [from, each]]) {
          const e = stored.get(`${ends[0]} ${ends[1]} ${type}`);
          if (e !== undefined) used.add(e);
        }
      }
      if (data.types[type] === "next") {
        const passed = alongLine(from, met);
        for (const each of passed.numbers) numbers.add(each);
        for (const e of passed.edges) used.add(e);
      }
    }
  });
  const names = ["complete", "broken", "truncated"];
  const told = `${words[names[verdict]]}: ${say(`${names[verdict]}.words`, { reason })}`;
  light({
    kind: "trace", start: n, numbers, edges: used, hops, verdict, reason, last: verdict ? last : [],
    title: `${say("trace.start", { name: nameOf(n) })} — ${told}`, told });
  return true;
};
