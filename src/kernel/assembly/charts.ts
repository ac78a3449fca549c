// Charts of a surface (geometry/hlod/charts.ts says what they are): triangles grow together across edges, and what covers
// another's samples is split off.

import { faces } from './faces.ts';
import { alongU, alongV, beginCorners, nextSpan, spanCount, spanFirst } from './grid.ts';
import { Charting, NONE, Plane } from './layout.ts';
import { setWord, word } from './words.ts';

/** The cosine of the most that a triangle's normal may differ from that of the chart's largest: the chart stretches by 1.3. */
const MIN_COSINE: f64 = 0.77;

/** Samples along a texel that find overlaps. */
const OVERLAP_SAMPLES: f64 = 2;

/** Marks the edge of more than two triangles in `firstCorners`. */
const MANY = NONE;

/** Coordinates of a chart, least and greatest, in `extentOf`. */
let lowU: f64 = 0;
let lowV: f64 = 0;
let highU: f64 = 0;
let highV: f64 = 0;

/** Fills in the results, and gives the number of charts. `texel`: in metres. */
export function chartsOf(charting: Charting, texel: f64): u32 {
  const count = charting.triangleCount;
  const assigned = charting.assigned;
  const order = charting.order;
  const triangles = charting.triangles;
  faces(charting.positions, charting.indices, count, charting.normals, charting.areas);
  findNeighbours(charting);
  sortByArea(charting);
  memory.fill(assigned, 0, count);
  let charts: u32 = 0;
  let end: u32 = 0;
  // What was split off from one chart is left for later ones, so that there are several rounds.
  while (end < count) {
    for (let i: u32 = 0; i < count; i++) {
      const seed = word(order, i);
      if (load<u8>(assigned + seed) === 1) continue;
      const grown = grow(charting, seed);
      const plane = changetype<Plane>(charting.planes + <usize>charts * offsetof<Plane>());
      chooseAxes(charting, plane, grown);
      end = partOff(charting, plane, grown, end, texel);
      const begin = charts === 0 ? 0 : word(charting.ends, charts - 1);
      extentOf(charting, plane, triangles + ((<usize>begin) << 2), end - begin);
      plane.lowU = lowU;
      plane.lowV = lowV;
      plane.step = highU;
      plane.reach = highV;
      setWord(charting.ends, charts, end);
      charts++;
    }
  }
  return charts;
}

/** Writes `neighbours`: none where an edge has another number of triangles than two. */
function findNeighbours(charting: Charting): void {
  const neighbours = charting.neighbours;
  const first = charting.firstCorners;
  const edges = charting.edges;
  const corners = charting.triangleCount * 3;
  memory.fill(neighbours, 0xff, (<usize>corners) << 2);
  memory.fill(edges, 0xff, (<usize>charting.edgeCount) << 2);
  for (let i: u32 = 0; i < corners; i++) {
    const slot = slotOf(charting, i);
    const edge = word(edges, slot);
    if (edge === NONE) {
      setWord(edges, slot, i);
      setWord(first, i, i);
      continue;
    }
    const other = word(first, edge);
    if (other === MANY) continue;
    const second = word(neighbours, other);
    if (second === NONE) {
      setWord(neighbours, other, i / 3);
      setWord(neighbours, i, other / 3);
      continue;
    }
    // A third triangle: none of them goes over this edge.
    for (let k = second * 3; k < second * 3 + 3; k++) {
      if (word(neighbours, k) === other / 3) setWord(neighbours, k, NONE);
    }
    setWord(neighbours, other, NONE);
    setWord(first, edge, MANY);
  }
}

/** Where in `edges` the first corner with the same edge is, or the empty place for it. */
function slotOf(charting: Charting, corner: u32): u32 {
  const edges = charting.edges;
  const mask = charting.edgeCount - 1;
  const begin = startOf(charting, corner);
  const end = startOf(charting, nextOf(corner));
  const low = min<u32>(begin, end);
  const high = max<u32>(begin, end);
  let slot = (low * 0x9e3779b1 + high) * 0x85ebca77;
  slot = (slot ^ (slot >> 15)) & mask;
  for (let known = word(edges, slot); known !== NONE; known = word(edges, slot)) {
    const a = startOf(charting, known);
    const b = startOf(charting, nextOf(known));
    if (min<u32>(a, b) === low && max<u32>(a, b) === high) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

/** The position id of a corner. */
function startOf(charting: Charting, corner: u32): u32 {
  return word(charting.ids, word(charting.indices, corner));
}

/** The next corner of the same triangle. */
function nextOf(corner: u32): u32 {
  return corner % 3 === 2 ? corner - 2 : corner + 1;
}

/** Writes `order`: the largest triangles first, of equal ones the first first. Shell's sort. */
function sortByArea(charting: Charting): void {
  const order = charting.order;
  const areas = charting.areas;
  const count = charting.triangleCount;
  for (let t: u32 = 0; t < count; t++) setWord(order, t, t);
  for (let gap = count / 2; gap > 0; gap = gap === 2 ? 1 : <u32>((<u64>gap * 5) / 11)) {
    for (let i = gap; i < count; i++) {
      const t = word(order, i);
      let to = i;
      for (; to >= gap && isBefore(areas, t, word(order, to - gap)); to -= gap)
        setWord(order, to, word(order, to - gap));
      setWord(order, to, t);
    }
  }
}

function isBefore(areas: usize, a: u32, b: u32): bool {
  const areaA = load<f64>(areas + ((<usize>a) << 3));
  const areaB = load<f64>(areas + ((<usize>b) << 3));
  return areaA > areaB || (areaA === areaB && a < b);
}

/**
 * Writes the triangles that a seed reaches over edges and that face its way to `grown`, the seed first, and gives how many
 * they are; they are assigned now.
 */
function grow(charting: Charting, seed: u32): u32 {
  const grown = charting.grown;
  const normals = charting.normals;
  const neighbours = charting.neighbours;
  const assigned = charting.assigned;
  const normal = normals + <usize>seed * 24;
  const x = load<f64>(normal);
  const y = load<f64>(normal, 8);
  const z = load<f64>(normal, 16);
  setWord(grown, 0, seed);
  store<u8>(assigned + seed, 1);
  let count: u32 = 1;
  for (let i: u32 = 0; i < count; i++) {
    const corner = word(grown, i) * 3;
    for (let k = corner; k < corner + 3; k++) {
      const t = word(neighbours, k);
      if (t === NONE || load<u8>(assigned + t) === 1) continue;
      const other = normals + <usize>t * 24;
      if (x * load<f64>(other) + y * load<f64>(other, 8) + z * load<f64>(other, 16) < MIN_COSINE) continue;
      store<u8>(assigned + t, 1);
      setWord(grown, count, t);
      count++;
    }
  }
  return count;
}

/** The normal of the seed, and of the seed's edges the one along which the chart takes the least room. */
function chooseAxes(charting: Charting, plane: Plane, count: u32): void {
  const positions = charting.positions;
  const grown = charting.grown;
  const seed = word(grown, 0);
  const normal = charting.normals + <usize>seed * 24;
  plane.nx = load<f64>(normal);
  plane.ny = load<f64>(normal, 8);
  plane.nz = load<f64>(normal, 16);
  if (plane.nx === 0 && plane.ny === 0 && plane.nz === 0) plane.nz = 1;
  const corners = charting.indices + <usize>seed * 12;
  const a = positions + <usize>load<u32>(corners) * 12;
  const b = positions + <usize>load<u32>(corners, 4) * 12;
  const c = positions + <usize>load<u32>(corners, 8) * 12;
  let lowest: f64 = Infinity;
  let bestX: f64 = 0;
  let bestY: f64 = 0;
  let bestZ: f64 = 0;
  for (let k = 0; k < 3; k++) {
    const from = k === 0 ? a : k === 1 ? b : c;
    const to = k === 0 ? b : k === 1 ? c : a;
    const x = <f64>load<f32>(to) - <f64>load<f32>(from);
    const y = <f64>load<f32>(to, 4) - <f64>load<f32>(from, 4);
    const z = <f64>load<f32>(to, 8) - <f64>load<f32>(from, 8);
    if (!turn(plane, x, y, z)) continue;
    extentOf(charting, plane, grown, count);
    const room = (highU - lowU) * (highV - lowV);
    if (room >= lowest) continue;
    lowest = room;
    bestX = x;
    bestY = y;
    bestZ = z;
  }
  if (lowest === Infinity) {
    // A triangle without an edge: the axis that the normal has least of.
    const nx = abs<f64>(plane.nx);
    const ny = abs<f64>(plane.ny);
    const nz = abs<f64>(plane.nz);
    if (nx <= ny && nx <= nz) bestX = 1;
    else if (ny <= nz) bestY = 1;
    else bestZ = 1;
  }
  turn(plane, bestX, bestY, bestZ);
}

/** Turns the plane's axes around its normal so that u points along a vector; false where that is the normal's own line. */
function turn(plane: Plane, x: f64, y: f64, z: f64): bool {
  const along = x * plane.nx + y * plane.ny + z * plane.nz;
  x -= along * plane.nx;
  y -= along * plane.ny;
  z -= along * plane.nz;
  const length = sqrt<f64>(x * x + y * y + z * z);
  if (length === 0) return false;
  plane.ux = x / length;
  plane.uy = y / length;
  plane.uz = z / length;
  plane.vx = plane.ny * plane.uz - plane.nz * plane.uy;
  plane.vy = plane.nz * plane.ux - plane.nx * plane.uz;
  plane.vz = plane.nx * plane.uy - plane.ny * plane.ux;
  return true;
}

/** The least and greatest coordinates of some triangles along the axes. */
function extentOf(charting: Charting, plane: Plane, triangles: usize, count: u32): void {
  const positions = charting.positions;
  lowU = Infinity;
  lowV = Infinity;
  highU = -Infinity;
  highV = -Infinity;
  for (let i: u32 = 0; i < count; i++) {
    const corners = charting.indices + <usize>word(triangles, i) * 12;
    for (let at = corners; at < corners + 12; at += 4) {
      const p = positions + <usize>load<u32>(at) * 12;
      const u = alongU(plane, p);
      const v = alongV(plane, p);
      if (u < lowU) lowU = u;
      if (u > highU) highU = u;
      if (v < lowV) lowV = v;
      if (v > highV) highV = v;
    }
  }
}

/**
 * Writes the triangles of `grown` that cover no samples of those before them to `triangles`, from number `end` on, and
 * gives the new end. The others are no longer assigned.
 */
function partOff(charting: Charting, plane: Plane, count: u32, end: u32, texel: f64): u32 {
  const grown = charting.grown;
  const triangles = charting.triangles;
  // Two triangles with a common edge that face one way lie on either side of it.
  if (count <= 2) {
    for (let i: u32 = 0; i < count; i++) setWord(triangles, end + i, word(grown, i));
    return end + count;
  }
  extentOf(charting, plane, grown, count);
  const highest = charting.maxSamples;
  const width = highU - lowU;
  const height = highV - lowV;
  plane.lowU = lowU;
  plane.lowV = lowV;
  plane.step = max<f64>(texel / OVERLAP_SAMPLES, max<f64>(width, height) / <f64>highest);
  // The least of the two only matters where rounding makes a grid larger than it may be.
  const columns = <u32>min<f64>(<f64>highest, max<f64>(1, ceil<f64>(width / plane.step)));
  const rows = <u32>min<f64>(<f64>highest, max<f64>(1, ceil<f64>(height / plane.step)));
  memory.fill(charting.covered, 0, <usize>columns * <usize>rows);
  for (let i: u32 = 0; i < count; i++) {
    const t = word(grown, i);
    if (coversNew(charting, plane, t, columns, rows)) setWord(triangles, end++, t);
    else store<u8>(charting.assigned + t, 0);
  }
  return end;
}

/** Whether nothing covers the samples of a triangle; then it does now. */
function coversNew(charting: Charting, plane: Plane, t: u32, columns: u32, rows: u32): bool {
  const covered = charting.covered;
  beginAt(charting, plane, t, columns, rows);
  while (nextSpan()) {
    for (let at = covered + spanFirst, end = at + spanCount; at < end; at++) if (load<u8>(at) === 1) return false;
  }
  beginAt(charting, plane, t, columns, rows);
  while (nextSpan()) memory.fill(covered + spanFirst, 1, spanCount);
  return true;
}

/** Begins a triangle in the plane's grid. */
function beginAt(charting: Charting, plane: Plane, t: u32, columns: u32, rows: u32): void {
  const corners = charting.indices + <usize>t * 12;
  const a = charting.positions + <usize>load<u32>(corners) * 12;
  const b = charting.positions + <usize>load<u32>(corners, 4) * 12;
  const c = charting.positions + <usize>load<u32>(corners, 8) * 12;
  beginCorners(plane, a, b, c, columns, rows);
}
