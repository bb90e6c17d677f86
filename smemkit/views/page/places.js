// SPDX-License-Identifier: Apache-2.0
// What shows while these folds are open, and where: the rules of session.py and places.py.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const data = read("session");
const words = read("words");
const options = read("options");
const folds = new Map(data.folds.map((fold) => [fold.key, fold]));
const numberOf = (key) => (key[0] === "k" ? Number(key.slice(1)) : -1);
const unrun = (runs) => {
  const found = [];
  for (let k = 0; k < runs.length; k += 2) {
    const step = Math.sign(runs[k + 1]);
    for (let n = 0; n < Math.abs(runs[k + 1]); n += 1) found.push(runs[k] + n * step);
  }
  return found;
};

// The folds around a node, from the inside out.
const around = (n) => {
  const found = [];
  for (let key = data.nodes[n].fold; key; key = folds.get(key).within) found.push(folds.get(key));
  return found;
};

// The box that shows a node: its own, or that of the outermost closed fold.
const standsIn = (n, opened) => {
  let key = `k${n}`;
  for (const fold of around(n)) if (!opened.has(fold.key)) key = fold.key;
  return key;
};

const boxesOf = (numbers, opened) => {
  const boxes = new Map();
  for (const n of numbers) {
    const key = standsIn(n, opened);
    if (!boxes.has(key)) boxes.set(key, []);
    boxes.get(key).push(n);
  }
  return boxes;
};

const arrowsOf = (boxes) => {
  const at = new Map();
  for (const [key, numbers] of boxes) for (const n of numbers) at.set(n, key);
  const found = new Map();
  data.edges.forEach(([src, dst, type, inferred], e) => {
    const [from, to] = [at.get(src), at.get(dst)];
    if (from === undefined || to === undefined || from === to) return;
    const id = `${from} ${to} ${type}`;
    const own = from === `k${src}` && to === `k${dst}`;
    const old = found.get(id);
    if (old) {
      old.edges.push(e);
      old.own ||= own;
      old.inferred &&= inferred === 1;
    } else found.set(id, { id, from, to, type, own, inferred: inferred === 1, edges: [e] });
  });
  return found;
};

const atOf = (key) => (key[0] === "k" ? data.nodes[numberOf(key)].at : folds.get(key).at);

// Python rounds a half to the even number; so does this.
const round = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

const placesOf = (keys) => {
  const { x: stepX, y: stepY, rows: most, least, slender, lane: laneGap, band: bandGap } = data.grid;
  const cells = new Map();
  for (const key of keys) {
    const [column, lane] = atOf(key);
    if (!cells.has(column)) cells.set(column, data.lanes.map(() => []));
    cells.get(column)[lane].push(key);
  }
  const columns = [...cells.keys()].sort((a, b) => a - b);
  const widths = new Map(columns.map((c) =>
    [c, Math.max(...cells.get(c).map((cell) => Math.ceil(cell.length / most)))]));
  const total = columns.reduce((sum, c) => sum + widths.get(c), 0);
  const length = Math.max(least, round(slender * Math.sqrt(total)));
  const bands = [[]];
  let used = 0;
  for (const c of columns) {
    if (bands.at(-1).length && used + widths.get(c) > length) {
      bands.push([]);
      used = 0;
    }
    bands.at(-1).push([c, used]);
    used += widths.get(c);
  }
  const at = new Map();
  const strips = [];
  let top = 0;
  for (const band of bands) {
    data.lanes.forEach((name, lane) => {
      let rows = 0;
      for (const [c, x] of band) {
        const cell = cells.get(c)[lane];
        const high = Math.ceil(cell.length / widths.get(c));
        rows = Math.max(rows, high);
        cell.forEach((key, k) => at.set(key, {
          x: (x + Math.floor(k / high)) * stepX, y: top + ((k % high) + 0.5) * stepY }));
      }
      if (!rows) return;
      const [last, from] = band.at(-1) ?? [0, 0];
      strips.push({ name, top, bottom: top + rows * stepY, right: (from + (widths.get(last) ?? 1)) * stepX });
      top += rows * stepY + laneGap;
    });
    top += bandGap;
  }
  return { at, strips };
};
