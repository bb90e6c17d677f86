// SPDX-License-Identifier: Apache-2.0
// The panel beside the picture, the list, search, filters and keys: everything is put in as text.

const LISTED = 400;
const make = (tag, text, className) => {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
};
const button = (text, act, className) => {
  const made = make("button", text, className);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
};
const drawing = (shape) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#shape${shape}`);
  svg.append(use);
  return svg;
};
const tell = (text) => { byId("told").textContent = text; };

// -- one node, or one fold --------------------------------------------------------
const outOf = new Map();
const into = new Map();
data.edges.forEach(([src, dst, type, inferred]) => {
  for (const [map, near, far] of [[outOf, src, dst], [into, dst, src]]) {
    if (!map.has(near)) map.set(near, []);
    map.get(near).push([type, far, inferred]);
  }
});
const relations = (found, title) => {
  if (!found?.length) return [];
  const list = make("ul");
  for (const [type, far, inferred] of [...found].sort((a, b) => a[0] - b[0])) {
    const text = `${data.types[type]}${inferred ? ` (${words.inferred})` : ""} · ${labelOf(far) || "node"}: ${data.nodes[far].caption}`;
    const link = button(text, () => select(`k${far}`, { focus: true }), "relation");
    link.dir = "auto";
    const item = make("li");
    item.append(link);
    list.append(item);
  }
  return [make("h3", `${title} (${count(found.length)})`), list];
};
const actions = (n, key) => {
  const bar = make("div", "", "actions");
  kindsOf(n).forEach((kind, k) => {
    const made = button(words[kind] ?? kind, () => runChain(n, kind), "chain");
    made.dataset.kind = kind;
    made.disabled = !data.chains[n]?.[k]?.length;
    if (made.disabled) made.title = data.whole ? words["chain.empty"] : words["walks.missing"];
    made.setAttribute("aria-pressed", String(state.lit?.kind === kind && state.lit.start === n));
    bar.append(made);
  });
  const trace = button(words.trace, () => runTrace(n), "trace");
  trace.title = words["trace.help"];
  trace.disabled = !data.traces[n];
  trace.setAttribute("aria-pressed", String(state.lit?.kind === "trace" && state.lit.start === n));
  bar.append(trace);
  const fold = folds.has(key) ? key : data.nodes[n].fold;
  if (fold) bar.append(foldButton(fold));
  return bar;
};
const foldButton = (key) =>
  button(state.opened.has(key) ? `▾ ${words.close}` : `▸ ${words.open}`, () => toggle(key), "fold");

const describe = (key) => {
  const detail = byId("detail");
  detail.scrollTop = 0;
  if (!key) {
    detail.replaceChildren(make("p", words.choose), make("p", words.keys, "soft"));
    return;
  }
  const n = numberOf(key);
  const fold = folds.get(key);
  if (n < 0) {
    const box = boxes.get(key);
    const members = box?.numbers.length ? box.numbers : [...data.nodes.keys()].filter((k) => around(k).includes(fold));
    const bar = make("div", "", "actions");
    bar.append(foldButton(key));
    const list = make("ul");
    for (const each of members.slice(0, LISTED)) {
      const item = make("li");
      const link = button(data.nodes[each].caption, () => select(`k${each}`, { focus: true }), "relation");
      link.dir = "auto";
      item.append(link);
      list.append(item);
    }
    detail.replaceChildren(make("h3", aboutFold(key, members), "name"), bar, list);
    return;
  }
  const node = data.nodes[n];
  const head = make("p", "", "name");
  head.append(drawing(node.label), make("b", labelOf(n) || "node"), " ");
  const id = make("bdi", node.id ?? "");
  head.append(id);
  const marks = [node.state && words[`state.${node.state}`], node.foreign && words.foreign].filter(Boolean);
  for (const mark of marks) head.append(" ", make("em", mark, node.state ?? ""));
  const text = make("p", textOf(n) || node.caption, "text");
  text.dir = "auto";
  const facts = make("dl");
  for (const [name, value] of node.fields) {
    const definition = make("dd", value);
    definition.dir = "auto";
    facts.append(make("dt", data.names[name]), definition);
  }
  detail.replaceChildren(
    head, text, actions(n, key),
    ...relations(into.get(n), words.comes_from), ...relations(outOf.get(n), words.leads_to),
    make("h3", words.fields), facts);
};

// -- one selection for picture, list and panel ------------------------------------
const select = (key, { focus = false, told = false } = {}) => {
  const n = numberOf(key);
  if (key && !folds.has(key) && !data.nodes[n]) return;
  if (n >= 0 && standsIn(n, state.opened) !== key) {
    reveal([n]);
    draw();
  }
  if (n >= 0 && (data.nodes[n].time ?? 0) > state.until) setTime(data.times.length);
  state.selected = key;
  root.dataset.selected = key;
  if (boxes.has(key)) {
    network.setSelection({ nodes: [key] }, { highlightEdges: false });
    if (focus) network.focus(key, { scale: Math.max(network.getScale(), 0.75), animation: false });
  } else network.unselectAll();
  for (const item of byId("list").querySelectorAll("button[data-key]")) {
    if (item.dataset.key === key) {
      item.setAttribute("aria-current", "true");
      item.scrollIntoView({ block: "nearest" });
    } else item.removeAttribute("aria-current");
  }
  describe(key);
  if (!told) post("selected", n >= 0 ? key : "");
};

// -- the list: what shows, what was found, or the hops of a trace -----------------
const entry = (key, small) => {
  const n = numberOf(key);
  const item = make("li");
  const made = button("", () => select(key, { focus: true }));
  made.dataset.key = key;
  if (key === state.selected) made.setAttribute("aria-current", "true");
  const text = make("span");
  if (small) text.append(make("small", small), " ");
  if (n >= 0) {
    const node = data.nodes[n];
    made.append(drawing(node.label));
    text.append(make("b", labelOf(n) || "node"), " ");
    if (node.state) text.append(make("em", words[`state.${node.state}`], node.state));
    text.append(make("bdi", node.caption));
  } else {
    made.append(make("span", "▸", "mark"));
    text.append(make("b", captionOf(key)), make("bdi", aboutFold(key, boxes.get(key)?.numbers ?? [])));
  }
  made.append(text);
  item.append(made);
  return item;
};
const fillList = () => {
  let rows = [];
  let title = words.list;
  if (state.hits) {
    rows = [...state.hits].map((n) => [`k${n}`, ""]);
    title = byId("found").textContent;
  } else if (state.lit?.hops) {
    title = words.chain;
    rows = [[`k${state.lit.start}`, words.start],
      ...state.lit.hops.map(({ n, hop, via }) => [`k${n}`, `${say("hop", { n: hop })} · ${data.types[via]}`])];
  } else {
    rows = inOrder().filter((key) => boxes.get(key).on && !boxes.get(key).handle).map((key) => [key, ""]);
  }
  byId("listed").textContent = `${title}${state.hits ? "" : ` (${count(rows.length)})`}`;
  const items = rows.slice(0, LISTED).map(([key, small]) => entry(key, small));
  if (rows.length > LISTED) items.push(make("li", say("list.more", { n: count(rows.length - LISTED) }), "soft"));
  if (state.lit?.verdict) items.push(make("li", `${state.lit.verdict === 1 ? "✕" : "…"} ${state.lit.told}`, "bad"));
  byId("list").replaceChildren(...items);
};
listen = fillList;

// -- search -------------------------------------------------------------------------
const haystack = data.nodes.map((node) => [node.caption, node.id ?? "", ...node.fields.map(([, value]) => value)].join("\n").toLowerCase());
const search = (text) => {
  const asked = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = asked.length
    ? [...data.nodes.keys()].filter((n) => asked.every((word) => haystack[n].includes(word))) : null;
  state.hits = found && new Set(found);
  const n = found?.length ?? 0;
  byId("found").textContent = !found ? "" : n ? say("hits", { n: count(n) }) : words["hits.none"];
  if (found && n && n <= 60) reveal(found);
  if (found && state.lit) light0();
  draw();
  const keys = found ? [...new Set(found.map((k) => standsIn(k, state.opened)))].filter((key) => boxes.has(key)) : [];
  if (keys.length) fit(keys);
};
const light0 = () => { state.lit = null; byId("banner").hidden = true; root.dataset.lit = ""; };

// -- filters --------------------------------------------------------------------------
const filters = [];
const chip = (holder, set, number, text, mark, n) => {
  const made = button("", () => {
    if (set.has(number)) set.delete(number);
    else set.add(number);
    paintFilters();
    draw();
    const keys = [...boxes].filter(([, box]) => box.on && !box.handle).map(([key]) => key);
    if (state.labels.size + state.types.size && keys.length > 1) fit(keys);
  }, "chip");
  made.append(mark, ` ${text} `, make("small", count(n)));
  made.title = words["filter.help"];
  made.dataset.name = text;
  filters.push([made, set, number]);
  holder.append(made);
};
const paintFilters = () => {
  for (const [made, set, number] of filters) made.setAttribute("aria-pressed", String(set.has(number)));
  byId("unfilter").hidden = !(state.labels.size + state.types.size);
};
const dash = (line) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "dash");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M0 5H20");
  path.setAttribute("stroke", line.colour);
  path.setAttribute("stroke-width", "3");
  path.setAttribute("stroke-dasharray", line.dashes.join(" ") || "none");
  svg.append(path);
  return svg;
};
const tally = (numbers) => numbers.reduce((map, n) => map.set(n, (map.get(n) ?? 0) + 1), new Map());
for (const [label, n] of [...tally(data.nodes.map((node) => node.label))].sort((a, b) => data.rank[a[0]] - data.rank[b[0]]))
  chip(byId("labels"), state.labels, label, data.labels[label] || "node", drawing(label), n);
for (const [type, n] of tally(data.edges.map((edge) => edge[2])))
  chip(byId("types"), state.types, type, data.types[type], dash(data.lines[type]), n);
byId("unfilter").addEventListener("click", () => {
  state.labels.clear();
  state.types.clear();
  paintFilters();
  draw();
});

// -- time -------------------------------------------------------------------------------
const slider = byId("time");
const setTime = (until) => {
  state.until = until;
  slider.value = until;
  const told = until >= data.times.length ? words["time.all"] : say("time.until", { time: data.times[Math.max(0, until - 1)] ?? "" });
  byId("until").textContent = told;
  slider.setAttribute("aria-valuetext", told);
  draw();
};
slider.max = data.times.length;
slider.min = Math.min(1, data.times.length);
slider.disabled = data.times.length < 2;
slider.addEventListener("input", () => setTime(Number(slider.value)));
