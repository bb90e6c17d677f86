// SPDX-License-Identifier: Apache-2.0
// The cards: what a chip stands for, why a sentence has its verdict, a chain step by
// step. Everything is put in as text.
const make = (tag, text, className) => {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (className) element.className = className;
  if (text && !["BUTTON", "SUMMARY"].includes(element.tagName)) element.dir = "auto";
  return element;
};
const fill = (key, gaps) => Object.entries(gaps).reduce(
  (text, [name, value]) => text.split(`{${name}}`).join(String(value)), words[key]);
const button = (text, act, className) => {
  const element = make("button", text, className);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
};
const listOf = (items) => {
  const list = make("ul");
  for (const item of items) {
    const entry = make("li");
    entry.append(item);
    list.append(entry);
  }
  return list;
};
const labelled = (label) => words[`label.${label}`] || label || "node";
const drawn = (label) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#shape${data.labels.indexOf(label)}`);
  svg.append(use);
  return svg;
};
const field = (node, name) => node.fields.find(([key]) => key === name)?.[1] ?? "";
const facts = (pairs) => {
  const list = make("dl");
  for (const [term, value] of pairs) if (value) list.append(make("dt", term), make("dd", value));
  return list.childElementCount ? [list] : [];
};
const shut = (title, ...inside) => {
  const details = make("details");
  details.append(make("summary", title), ...inside);
  return details;
};

// -- parts of a card -----------------------------------------------------------
const named = (node) => {
  const head = make("p", "", "name");
  head.append(drawn(node.label), " ", make("b", labelled(node.label)), " ");
  head.append(make("bdi", node.id, "soft"));
  return head;
};
const sourced = (node) => {
  const box = make("div", "", "source");
  const title = make("p");
  title.append(drawn(node.label), " ", make("b", node.caption));
  box.append(title, ...facts([
    [words["report.authors"], field(node, "authors")],
    [words["report.year"], field(node, "year")],
    [words["report.link"], field(node, "link") || field(node, "url") || field(node, "path")]]));
  return box;
};
const evidence = (node, card) => [
  make("p", field(node, "content") || node.caption, "said"),
  ...(field(node, "source_excerpt")
    ? [make("h3", words["report.excerpt"]), make("blockquote", field(node, "source_excerpt"))] : []),
  ...facts([
    [words["report.locator"], field(node, "locator")],
    [words["report.confidence"], field(node, "confidence")]]),
  make("h3", words["report.source"]),
  ...(card.sources.length
    ? card.sources.map((n) => sourced(data.nodes[n]))
    : [make("p", [words["report.no_source"], field(node, "source_paper_link")].filter(Boolean).join(" "), "note")]),
];
const more = (key, n) => (n > 0 ? [make("p", fill(key, { n }), "soft")] : []);
const rows = (file) => {
  const table = make("table");
  const line = (cells, tag) => {
    const row = make("tr");
    for (const cell of cells) row.append(make(tag, cell));
    table.append(row);
  };
  line(file.head, "th");
  for (const each of file.rows) line(each, "td");
  const wide = make("div", "", "wide");
  wide.tabIndex = 0;
  wide.setAttribute("role", "region");
  wide.setAttribute("aria-label", file.name);
  wide.append(table);
  return [wide, ...more("report.more_rows", file.more), ...more("report.more_columns", file.columns)];
};
const picture = (file) => {
  const image = make("img");
  image.src = file.data;
  image.alt = file.name;
  return [image];
};
const shownText = (file) => {
  const text = make("pre", file.text);
  text.tabIndex = 0;
  return [text, ...more("report.more_text", file.more)];
};
const filed = (card) => {
  if (card.file === undefined) return [];
  if (card.file < 0) return [make("p", words[`report.${card.note}`], "note")];
  const file = data.files[card.file];
  const head = make("p", file.name, "soft");
  head.append(` · ${fill("report.bytes", { n: file.size.toLocaleString("en") })}`);
  const inside = { picture, table: rows, text: shownText }[file.kind];
  return [head, ...(inside ? inside(file) : [make("p", words[`report.${file.kind}`], "note")])];
};
const properties = (node) => shut(words["report.all_fields"], ...facts(node.fields));
const view = (number) => {
  const card = data.cards[number];
  const { label } = data.nodes[card.node];
  const key = `report.view.${label}`;
  const go = button(words[key] ?? words["report.view.other"], () => open({ chain: number }), "go");
  go.dataset.view = number;
  return go;
};
const target = (number) => {
  const card = data.cards[number];
  const node = data.nodes[card.node];
  const parts = [named(node)];
  if (card.newer) parts.push(make("p", fill("report.newer", { name: card.newer }), "note"));
  if (node.label === "Evidence") parts.push(...evidence(node, card));
  else parts.push(make("p", node.caption, "said"), ...filed(card));
  if (node.label === "DbRecord") parts.push(...facts([
    [words["report.link"], field(node, "url")], [words["report.source"], field(node, "source")]]));
  parts.push(make("h3", words["report.chain"]), make("p", card.chain.headline, `verdict ${card.chain.verdict}`));
  parts.push(view(number));
  if (card.claims.length) {
    parts.push(make("h3", words["report.claims_on"]), listOf(card.claims.map((n) => make("span", data.nodes[n].caption))));
  }
  parts.push(properties(node));
  return parts;
};

// -- the three cards -------------------------------------------------------------
const meaning = (ref) => {
  if (ref.card >= 0) return target(ref.card);
  const name = `${ref.kind} ${ref.id}`.trim();
  return [make("p", fill(ref.card === -1 ? "report.uncarried" : "report.absent", { name }), "note")];
};
const chipCard = ({ chip, row }) => {
  const { alias, refs } = data.chips[chip];
  const title = data.cards[refs[0]?.card] && !refs[0].kind ? alias : `[${alias}]`;
  if (!refs.length) return [title, [make("p", fill("report.unknown", { alias }), "note")]];
  if (refs.length === 1) return [title, meaning(refs[0])];
  // An alias that was used for several things: those of this sentence's claims first.
  const claims = new Set((data.rows[row]?.claims ?? []).map(([id]) => id));
  const here = refs.filter((ref) => claims.has(ref.claim));
  const rest = refs.filter((ref) => !claims.has(ref.claim));
  const parts = [make("p", fill("report.meanings", { alias, n: refs.length }), "note")];
  if (here.length) parts.push(make("h3", words["report.here"]), ...here.flatMap(meaning));
  for (const ref of rest) parts.push(make("h3", words["report.elsewhere"]), ...meaning(ref));
  return [title, parts];
};
const rowCard = ({ row }) => {
  const found = data.rows[row];
  const sign = document.querySelector(`[data-m="${row}"]`).textContent;
  const parts = [make("p", `${sign} ${words[`verdict.${found.verdict}`]}`, "verdict")];
  if (found.reasons.length) {
    parts.push(make("h3", words["report.reasons"]), listOf(found.reasons.map((text) => make("span", text))));
    parts.push(...more("report.more_reasons", found.more));
  }
  if (found.claims.length) {
    parts.push(make("h3", words["report.claims"]), listOf(found.claims.map(([, said]) => make("span", said))));
  }
  if (found.cards.length) {
    parts.push(make("h3", words["report.rests_on"]));
    parts.push(listOf(found.cards.filter((n) => n >= 0).map((n) => {
      const { chain, node } = data.cards[n];
      const each = make("div");
      each.append(drawn(data.nodes[node].label), " ", make("bdi", data.nodes[node].caption));
      each.append(make("p", chain.headline, `verdict ${chain.verdict}`), view(n));
      return each;
    })));
  }
  return [fill("report.sentence", { n: row, line: found.line || "–" }), parts];
};
const step = ([n, layer, via, origin, mark], at, steps) => {
  const node = data.nodes[n];
  const item = make("li");
  item.style.setProperty("--in", Math.min(layer, 8));
  const text = make("span");
  if (layer) text.append(make("small", `${fill("hop", { n: layer })}${via ? ` · ${via}` : ""}`), " ");
  text.append(make("b", labelled(node.label)));
  if (mark) text.append(" ", make("em", words[mark]));
  if (node.state) text.append(" ", make("em", words[`state.${node.state}`]));
  text.append(" ", make("bdi", node.caption));
  if (origin >= 0 && origin !== at - 1) text.append(" ", make("small", `← ${data.nodes[steps[origin][0]].caption.slice(0, 40)}`));
  const inside = make("div");
  inside.hidden = true;
  const head = button("", () => {
    inside.hidden = !inside.hidden;
    head.setAttribute("aria-expanded", String(!inside.hidden));
    if (!inside.childElementCount) inside.append(...facts(node.fields));
  });
  head.setAttribute("aria-expanded", "false");
  head.append(drawn(node.label), text);
  item.append(head, inside);
  return item;
};
const chainCard = ({ chain: number }) => {
  const { chain, node } = data.cards[number];
  const parts = [named(data.nodes[node]), make("p", chain.headline, `verdict ${chain.verdict}`)];
  if (chain.picture) {
    const image = make("img");
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(chain.picture)}`;
    image.alt = chain.headline;
    parts.push(image);
  }
  const list = make("ol", "", "steps");
  chain.steps.forEach((each, at) => list.append(step(each, at, chain.steps)));
  if (chain.stop) {
    const [kind, reason] = chain.stop;
    list.append(make("li", `${kind === "broken" ? "✕" : "…"} ${words[kind === "broken" ? "break" : "stopped"]}: ${reason}`, "stop"));
  }
  parts.push(make("h3", words["report.steps"]), list);
  return [data.nodes[node].caption, parts];
};
