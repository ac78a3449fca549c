// The loops around packed geometry (formats/untold/mesh/packMesh.ts) and the order of its triangles and vertices
// (geometry/mesh/optimise.ts, which explains what is ordered and why). Positions are the first three float32 of a row.

import { setWord, word } from './words.ts';

/** Squared sine below which two edges lie on one line: rounding of float64. */
const SAME_LINE: f64 = 1e-24;

/** Raises indices by `first`, in place; `turned` swaps the second and third corner of each triangle. */
export function raiseIndices(indices: usize, count: u32, first: u32, turned: bool): void {
  const end = indices + ((<usize>count) << 2);
  for (let at = indices; at < end; at += 12) {
    const second = load<u32>(at, 4);
    const third = load<u32>(at, 8);
    store<u32>(at, load<u32>(at) + first);
    store<u32>(at, (turned ? third : second) + first, 4);
    store<u32>(at, (turned ? second : third) + first, 8);
  }
}

/** Replaces each index by what `remap` has for it. */
export function remapIndices(indices: usize, count: u32, remap: usize): void {
  const end = indices + ((<usize>count) << 2);
  for (let at = indices; at < end; at += 4) store<u32>(at, word(remap, load<u32>(at)));
}

/** Writes the box of `count` positions, six float64: least and greatest corner. Gives whether all positions are finite. */
export function boxOfRows(rows: usize, rowBytes: usize, count: u32, box: usize): bool {
  let allFinite = true;
  for (let k: usize = 0; k < 3; k++) {
    let low: f64 = Infinity;
    let high: f64 = -Infinity;
    let sum: f64 = 0;
    let at = rows + (k << 2);
    for (let v: u32 = 0; v < count; v++, at += rowBytes) {
      const x = <f64>load<f32>(at);
      // 0 for finite values; becomes and stays NaN with the first that is not.
      sum += x * 0;
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (sum !== 0) allFinite = false;
    store<f64>(box + (k << 3), low);
    store<f64>(box + (k << 3), high, 24);
  }
  return allFinite;
}

function hasArea(a: usize, b: usize, c: usize): bool {
  const px = <f64>load<f32>(a);
  const py = <f64>load<f32>(a, 4);
  const pz = <f64>load<f32>(a, 8);
  const ux = <f64>load<f32>(b) - px;
  const uy = <f64>load<f32>(b, 4) - py;
  const uz = <f64>load<f32>(b, 8) - pz;
  const vx = <f64>load<f32>(c) - px;
  const vy = <f64>load<f32>(c, 4) - py;
  const vz = <f64>load<f32>(c, 8) - pz;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return x * x + y * y + z * z > SAME_LINE * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
}

/** Moves the triangles with an area to the front of `indices`, in their order; gives how many indices that are. */
export function dropWithoutArea(indices: usize, count: u32, rows: usize, rowBytes: usize): u32 {
  const end = indices + ((<usize>count) << 2);
  let to = indices;
  for (let at = indices; at < end; at += 12) {
    const a = load<u32>(at);
    const b = load<u32>(at, 4);
    const c = load<u32>(at, 8);
    if (!hasArea(rows + <usize>a * rowBytes, rows + <usize>b * rowBytes, rows + <usize>c * rowBytes)) continue;
    store<u32>(to, a);
    store<u32>(to, b, 4);
    store<u32>(to, c, 8);
    to += 12;
  }
  return <u32>((to - indices) >> 2);
}

/**
 * How many different vertices runs of `run` indices have, added up. `seenIn`: a word a vertex, filled with a number that no
 * run has.
 */
export function verticesOfRuns(indices: usize, count: u32, run: u32, seenIn: usize): u32 {
  let total: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(indices, i);
    const number = i / run;
    if (word(seenIn, v) === number) continue;
    setWord(seenIn, v, number);
    total++;
  }
  return total;
}

/**
 * Numbers the vertices of a run from 0 as they occur. Writes the run's indices in these numbers to `local`, the vertex of
 * each number to `vertices`, how often it occurs to `valence` (zeros). `localOf`: a word a vertex, all EMPTY before and
 * after. Gives how many vertices there are.
 */
export function numberLocally(
  indices: usize,
  count: u32,
  localOf: usize,
  local: usize,
  vertices: usize,
  valence: usize,
): u32 {
  let made: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(indices, i);
    let own = word(localOf, v);
    if (own === 0xffffffff) {
      own = made++;
      setWord(localOf, v, own);
      setWord(vertices, own, v);
    }
    setWord(local, i, own);
    setWord(valence, own, word(valence, own) + 1);
  }
  for (let k: u32 = 0; k < made; k++) setWord(localOf, word(vertices, k), 0xffffffff);
  return made;
}

/** The sum of the squares of `count` numbers. */
export function sumOfSquares(numbers: usize, count: u32): f64 {
  let sum: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const n = <f64>word(numbers, k);
    sum += n * n;
  }
  return sum;
}

/**
 * Renumbers vertices in the order that `indices` first use them, in place. Writes the old number of each new vertex, gives
 * how many there are. `numberOf`: zeros, a word a vertex.
 */
export function numberByUse(indices: usize, count: u32, numberOf: usize, order: usize): u32 {
  let made: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(indices, i);
    let number = word(numberOf, v);
    if (number === 0) {
      setWord(order, made, v);
      // Numbers start at 1; 0 means not seen.
      number = ++made;
      setWord(numberOf, v, number);
    }
    setWord(indices, i, number - 1);
  }
  return made;
}

/** Copies the listed rows, one after the other. */
export function copyRows(rows: usize, rowBytes: usize, list: usize, count: u32, to: usize): void {
  for (let i: u32 = 0; i < count; i++, to += rowBytes) {
    memory.copy(to, rows + <usize>word(list, i) * rowBytes, rowBytes);
  }
}
