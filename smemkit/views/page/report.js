// SPDX-License-Identifier: Apache-2.0
// A report to read: chips and marks open cards, verdicts filter the sentences.
const data = JSON.parse(document.getElementById("data").textContent);
const words = JSON.parse(document.getElementById("words").textContent);
const article = document.getElementById("text");
const panel = document.getElementById("card");

// -- the text ----------------------------------------------------------------------
for (const place of article.querySelectorAll(".pic")) {
  const image = document.createElement("img");
  image.src = data.files[place.dataset.f].data;
  image.alt = place.textContent;
  place.replaceChildren(image);
}
for (const chip of article.querySelectorAll(".c:not(.unknown)")) {
  const names = data.chips[chip.dataset.c].refs.map(({ card, id }) => {
    const node = data.nodes[data.cards[card]?.node];
    return node ? `${labelled(node.label)}: ${node.caption}` : id;
  });
  chip.title = names.join("\n").slice(0, 400);
}
const runs = new Map();
for (const run of article.querySelectorAll(".s")) {
  runs.set(run.dataset.n, [...(runs.get(run.dataset.n) ?? []), run]);
}
const verdictOf = (n) => (data.rows[n]?.verdict ?? "uncited").replaceAll(" ", "-");
const calm = new Set(["complete", "uncited"]);
for (const [n, all] of runs) if (!calm.has(verdictOf(n))) all.forEach((run) => run.classList.add("faulty"));
for (const scroller of article.querySelectorAll(".wide")) {
  if (scroller.scrollWidth > scroller.clientWidth) scroller.tabIndex = 0;
}
if (window.parent !== window) {
  // A sandboxed frame opens nothing: the address is shown to be copied.
  article.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link) return;
    event.preventDefault();
    open({ address: link.href, from: link });
  });
}

// -- the filter --------------------------------------------------------------------
const filters = [...document.querySelectorAll("#verdicts [data-v]")];
const next = document.getElementById("next");
const clear = document.getElementById("clear");
const told = document.getElementById("found");
let lit = [];
let at = -1;
const filter = () => {
  const chosen = new Set(filters.filter((f) => f.getAttribute("aria-pressed") === "true").map((f) => f.dataset.v));
  article.classList.toggle("filtered", chosen.size > 0);
  lit = [];
  at = -1;
  for (const [n, all] of runs) {
    const is = chosen.has(verdictOf(n));
    if (is) lit.push(all[0]);
    all.forEach((run) => run.classList.toggle("lit", is));
  }
  next.hidden = !lit.length;
  clear.hidden = !chosen.size;
  told.textContent = "";
  if (lit.length) forth();
};
const forth = () => {
  if (!lit.length) return;
  at = (at + 1) % lit.length;
  lit[at].scrollIntoView({ block: "center" });
  told.textContent = fill("report.found", { at: at + 1, n: lit.length });
};
for (const each of filters) {
  each.addEventListener("click", () => {
    each.setAttribute("aria-pressed", String(each.getAttribute("aria-pressed") !== "true"));
    filter();
  });
}
next.addEventListener("click", forth);
clear.addEventListener("click", () => {
  filters.forEach((each) => each.setAttribute("aria-pressed", "false"));
  filter();
  filters[0].focus();
});

// -- the panel -----------------------------------------------------------------------
// What is open, the last one on top; Back takes one away, Esc all.
let stack = [];
let opener = null;
const keyOf = (card) => {
  if (card.chain !== undefined) return `v${card.chain}`;
  const refs = card.chip === undefined ? [] : data.chips[card.chip].refs;
  const ref = refs.find((each) => each.card >= 0);
  return ref ? `k${ref.card}` : "";
};
const open = (card, { told = false } = {}) => {
  if (card.from) {
    stack = [];
    opener = card.from;
  }
  stack.push(card);
  show();
  if (!told && keyOf(card)) post("selected", keyOf(card));
};
const close = () => {
  stack = [];
  show();
  opener?.focus();
};
const back = () => {
  stack.pop();
  show();
};
const empty = [...panel.childNodes];
const show = () => {
  const card = stack.at(-1);
  const from = stack[0]?.from;
  for (const each of article.querySelectorAll("[aria-expanded]")) each.removeAttribute("aria-expanded");
  for (const each of article.querySelectorAll(".s.open")) each.classList.remove("open");
  document.documentElement.dataset.selected = card ? keyOf(card) : "";
  if (!card) return panel.replaceChildren(...empty);
  if (from?.matches(".c, .m")) from.setAttribute("aria-expanded", "true");
  for (const run of runs.get(String(stack[0].row ?? "")) ?? []) run.classList.add("open");
  const [title, parts] = card.address !== undefined
    ? [card.address, [make("p", words["report.opens_not"]), make("pre", card.address)]]
    : card.chain !== undefined ? chainCard(card)
      : card.chip !== undefined ? chipCard(card) : rowCard(card);
  const bar = make("div", "", "bar");
  if (stack.length > 1) bar.append(button(`← ${words["report.back"]}`, back));
  bar.append(button(`✕ ${words["report.close"]}`, close));
  const head = make("h2", title.length > 200 ? `${title.slice(0, 200)}…` : title);
  head.tabIndex = -1;
  panel.replaceChildren(bar, head, ...parts);
  panel.scrollTop = 0;
  head.focus({ preventScroll: true });
  // On a narrow screen the card covers the lower half of the text.
  if (from && window.matchMedia("(max-width: 640px)").matches) from.scrollIntoView({ block: "start" });
};
const rowOf = (element) => {
  // The sentence a chip stands in: the mark that follows says its number.
  let run = element;
  while (run && !run.matches(".s, .m")) run = run.previousElementSibling;
  if (run?.matches(".s")) return run.dataset.n;
  for (run = element; run && !run.matches(".s, .m"); run = run.nextElementSibling);
  return run?.dataset.n ?? run?.dataset.m;
};
article.addEventListener("click", (event) => {
  const element = event.target.closest(".c, button.m");
  if (!element) return;
  const { c, m } = element.dataset;
  open(c === undefined ? { row: m, from: element } : { chip: Number(c), row: rowOf(element), from: element });
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape" && stack.length) close();
  if (event.key === "n") forth();
});
const chosen = () => document.documentElement.dataset.selected ?? "";
const choose = (key) => {
  const number = Number(key.slice(1));
  if (!data.cards[number]) return;
  const chip = data.chips.findIndex(({ refs }) => refs.some((ref) => ref.card === number));
  const from = article.querySelector(`[data-c="${chip}"]`);
  if (!from) return open({ chain: number }, { told: true });
  from.scrollIntoView({ block: "center" });
  open({ chip, row: rowOf(from), from }, { told: true });
  if (key.startsWith("v")) open({ chain: number }, { told: true });
};
const post = linked({ chosen, choose });
document.documentElement.dataset.ready = "1";
window.smemkit = { open, close, choose };
post("ready");
