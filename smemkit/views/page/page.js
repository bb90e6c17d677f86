// SPDX-License-Identifier: Apache-2.0
// Draws the scene, and keeps the picture, the list and the panel on the same node.
"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const scene = read("scene");
  const words = read("words");
  const options = read("options");
  const nodes = new vis.DataSet(read("nodes"));
  const edges = new vis.DataSet(read("edges"));
  const boxes = new Map(scene.boxes.map((box) => [box.key, box]));
  const stage = document.getElementById("canvas");
  const detail = document.getElementById("detail");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  const ink = () => {
    const style = getComputedStyle(document.documentElement);
    const [text, ground, soft] = ["--ink", "--ground", "--soft"].map((name) =>
      style.getPropertyValue(name).trim());
    const face = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif";
    return {
      nodes: { ...options.nodes, font: { color: text, size: 14, face, strokeWidth: 4, strokeColor: ground } },
      edges: { ...options.edges, font: { color: soft, size: 11, face, strokeWidth: 4, strokeColor: ground } },
    };
  };

  // On a dark ground rims and arrows are drawn lighter.
  const lighter = (colour) => `#${[1, 3, 5].map((k) =>
    Math.round(parseInt(colour.slice(k, k + 2), 16) * 0.5 + 127).toString(16)).join("")}`;
  const drawn = { nodes: nodes.get(), edges: edges.get() };
  const shade = () => {
    const to = dark.matches ? lighter : (colour) => colour;
    nodes.update(drawn.nodes.map(({ id, fill, rim }) => {
      const pair = { background: fill, border: to(rim) };
      return { id, color: { ...pair, highlight: pair, hover: pair } };
    }));
    edges.update(drawn.edges.map(({ id, rim, context }) => {
      const color = to(rim);
      const opacity = context ? 0.45 : 1;
      return { id, width: context ? 1 : 2, color: { color, highlight: color, hover: color, opacity } };
    }));
  };

  // Tooltips are text; vis-network puts a string in as such.
  const tip = (text) => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
  const name = (box) => [box.label || "node", box.id].filter(Boolean).join(" ");
  const marks = (box) => [
    box.mark && words[box.mark], box.state && words[`state.${box.state}`]].filter(Boolean).join(", ");
  nodes.update(scene.boxes.map((box) => ({
    id: box.key, title: tip([name(box), marks(box), box.caption, box.text].filter(Boolean).join("\n")) })));
  edges.update(drawn.edges.filter((edge) => edge.label).map(({ id, label, context, inferred }) => ({
    id, title: [`${label}: ${context ? words.context : words.walked}`, inferred && words.inferred]
      .filter(Boolean).join(", ") })));

  shade();
  const network = new vis.Network(stage, { nodes, edges }, { ...options, ...ink() });
  dark.addEventListener("change", () => { shade(); network.setOptions(ink()); });
  for (const part of stage.querySelectorAll("[tabindex]")) part.tabIndex = -1;

  // -- size ------------------------------------------------------------------
  let fitted = false;
  const fit = () => network.fit({ animation: false, maxZoomLevel: 1.4 });
  const sized = () => {
    if (!stage.clientWidth || !stage.clientHeight) return;
    network.redraw();
    if (!fitted) {
      fit();
      post("ready");
    }
    fitted = true;
  };
  new ResizeObserver(sized).observe(stage);
  const zoom = (factor) => network.moveTo({ scale: Math.min(6, Math.max(0.02, network.getScale() * factor)) });
  document.getElementById("fit").addEventListener("click", fit);
  document.getElementById("in").addEventListener("click", () => zoom(1.4));
  document.getElementById("out").addEventListener("click", () => zoom(1 / 1.4));
  network.once("afterDrawing", () => { document.documentElement.dataset.ready = "1"; });

  // -- the panel: everything is put in as text -------------------------------
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const relations = (key, near, far, title) => {
    const found = edges.get().filter((edge) => edge[near] === key && boxes.has(edge[far]));
    if (!found.length) return [];
    const list = make("ul");
    for (const edge of found) {
      const other = boxes.get(edge[far]);
      const link = make("button", `${edge.label} · ${other.label || "node"}: ${other.caption}`, "relation");
      link.type = "button";
      link.dir = "auto";
      link.addEventListener("click", () => select(edge[far], { focus: true }));
      const item = make("li");
      item.append(link);
      list.append(item);
    }
    return [make("h3", title), list];
  };

  const describe = (box) => {
    const head = make("p");
    head.append(make("b", name(box)));
    const text = make("p", box.text || box.caption, "text");
    text.dir = "auto";
    const facts = make("dl");
    for (const [term, value] of box.fields) {
      const definition = make("dd", value);
      definition.dir = "auto";
      facts.append(make("dt", term), definition);
    }
    detail.replaceChildren(
      head, text,
      ...relations(box.key, "to", "from", words.comes_from),
      ...relations(box.key, "from", "to", words.leads_to),
      make("h3", words.fields), facts);
    detail.scrollTop = 0;
  };

  // -- one selection for picture, list and panel -----------------------------
  const buttons = new Map();
  for (const button of document.querySelectorAll("#list button")) {
    buttons.set(button.dataset.key, button);
    button.addEventListener("click", () => select(button.dataset.key, { focus: true }));
  }
  // Of a trace: the edges from a node to the start; else the edges at the node.
  const way = (key) => {
    if (!boxes.get(key).origin) return network.getConnectedEdges(key);
    const found = [];
    for (let at = key; boxes.get(at)?.origin; at = boxes.get(at).origin) {
      const ends = [at, boxes.get(at).origin];
      const edge = edges.get().find((e) => !e.context && ends.includes(e.from) && ends.includes(e.to));
      if (edge) found.push(edge.id);
    }
    return found;
  };
  const select = (key, { focus = false, told = false } = {}) => {
    const box = boxes.get(key);
    if (!box) return;
    network.setSelection({ nodes: [key], edges: way(key) }, { highlightEdges: false });
    if (focus) network.focus(key, { scale: Math.max(network.getScale(), 0.8), animation: false });
    for (const [other, button] of buttons) {
      if (other === key) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    buttons.get(key)?.scrollIntoView({ block: "nearest" });
    describe(box);
    document.documentElement.dataset.selected = key;
    if (!told) post("selected", key);
  };
  const post = linked({
    chosen: () => document.documentElement.dataset.selected ?? "",
    choose: (key) => select(key, { focus: true, told: true }),
  });
  document.getElementById("list").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const all = [...buttons.values()];
    const next = all[all.indexOf(document.activeElement) + step];
    if (next) next.focus();
    event.preventDefault();
  });

  // Seen from far off a node is smaller than a pixel: a click means the nearest one.
  const nearest = ({ x, y }) => {
    let best = null;
    let least = 28;
    const places = network.getPositions();
    for (const key of boxes.keys()) {
      const at = network.canvasToDOM(places[key]);
      const away = Math.hypot(at.x - x, at.y - y);
      if (away < least) [best, least] = [key, away];
    }
    return best;
  };
  network.on("click", (event) => {
    const key = event.nodes.find((id) => boxes.has(id)) ?? nearest(event.pointer.DOM);
    if (key) select(key);
  });

  const start = scene.boxes.find((box) => box.mark === "start");
  if (start) describe(start);
  window.smemkit = { network, select };
})();
