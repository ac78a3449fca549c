// The loops of tangents (geometry/shading/tangents.ts has their source and what they are for): equal vertices, groups of
// corners, and the sum of each group. Arithmetic is float64; positions are numbers of `size` bytes.

import { edgeTableBytes, Fan, groupFan } from './fans.ts';
import { setWord, word } from './words.ts';

const NONE: u32 = 0xffffffff;
const PI: f64 = Math.PI;

/** A normal counts as parallel to X beyond these (acrossNormal in geometry/mesh/attributes.ts). */
const PARALLEL: f64 = 0.999999;
const PARALLEL_SINE: f64 = 3e-6;

// Equal vertices ---------------------------------------------------------------------------------------------------

function scatter(v: u32): u32 {
  const h = (v + 1) * 0x9e3779b1;
  return (h ^ (h >>> 15)) * 0x85ebca6b;
}

/**
 * Writes the vertices whose triangles do not close around them, ascending, and gives how many there are. Around a closed
 * one every neighbour follows it in one triangle and precedes it in another, so that sums over both are equal; numbers are
 * scattered before they are summed. `open`: zeros, a word a vertex.
 */
export function openVertices(indices: usize, indexCount: u32, vertexCount: u32, open: usize): u32 {
  const end = indices + ((<usize>indexCount) << 2);
  for (let at = indices; at < end; at += 12) {
    const a = load<u32>(at);
    const b = load<u32>(at, 4);
    const c = load<u32>(at, 8);
    const ha = scatter(a);
    const hb = scatter(b);
    const hc = scatter(c);
    setWord(open, a, word(open, a) + hb - hc);
    setWord(open, b, word(open, b) + hc - ha);
    setWord(open, c, word(open, c) + ha - hb);
  }
  // A vertex is listed at or before its own sum.
  let count: u32 = 0;
  for (let v: u32 = 0; v < vertexCount; v++) if (word(open, v) !== 0) setWord(open, count++, v);
  return count;
}

/** Position, normal and UV of the listed vertices by their bits, -0 as +0: eight words each, or eleven. */
export function tangentRows(
  positions: usize,
  size: usize,
  normals: usize,
  uvs: usize,
  list: usize,
  count: u32,
  rows: usize,
): void {
  // Adding +0 turns -0 into +0 and changes nothing else.
  for (let i: u32 = 0, to = rows; i < count; i++) {
    const v = <usize>word(list, i);
    const p = positions + v * size * 3;
    if (size === 8) {
      for (let k: usize = 0; k < 24; k += 8, to += 8) store<f64>(to, load<f64>(p + k) + 0);
    } else {
      for (let k: usize = 0; k < 12; k += 4, to += 4) store<f32>(to, load<f32>(p + k) + 0);
    }
    for (let k: usize = 0; k < 12; k += 4, to += 4) store<f32>(to, load<f32>(normals + v * 12 + k) + 0);
    for (let k: usize = 0; k < 8; k += 4, to += 4) store<f32>(to, load<f32>(uvs + v * 8 + k) + 0);
  }
}

/** Whether some row equals one before it; `first` is what firstRows() wrote. */
export function hasSame(first: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (word(first, i) !== i) return true;
  return false;
}

/** Replaces in `ring` each listed vertex by the first that equals it. `numberOf`: room for a word a vertex. */
export function joinSame(
  ring: usize,
  indexCount: u32,
  vertexCount: u32,
  list: usize,
  count: u32,
  first: usize,
  numberOf: usize,
): void {
  for (let v: u32 = 0; v < vertexCount; v++) setWord(numberOf, v, v);
  for (let i: u32 = 0; i < count; i++) setWord(numberOf, word(list, i), word(list, word(first, i)));
  for (let i: u32 = 0; i < indexCount; i++) setWord(ring, i, word(numberOf, word(ring, i)));
}

// Groups -----------------------------------------------------------------------------------------------------------

/** For each triangle the orientation of its UVs: 1, -1, or 0 if they have no area and so no orientation. A byte each. */
export function orientations(uvs: usize, indices: usize, triangleCount: u32, signs: usize): void {
  for (let t: usize = 0, at = indices; t < <usize>triangleCount; t++, at += 12) {
    const a = uvs + ((<usize>load<u32>(at)) << 3);
    const b = uvs + ((<usize>load<u32>(at, 4)) << 3);
    const c = uvs + ((<usize>load<u32>(at, 8)) << 3);
    const u = <f64>load<f32>(a);
    const v = <f64>load<f32>(a, 4);
    const area =
      (<f64>load<f32>(b) - u) * (<f64>load<f32>(c, 4) - v) - (<f64>load<f32>(b, 4) - v) * (<f64>load<f32>(c) - u);
    store<i8>(signs + t, area > 0 ? 1 : area < 0 ? -1 : 0);
  }
}

/**
 * Lists the corners around each vertex, ascending: triangle * 4 + 0..2. `ends` (zeros) holds the end of each vertex's
 * corners afterwards. Gives how many corners a vertex has at most.
 */
export function cornersAround(ring: usize, indexCount: u32, vertexCount: u32, ends: usize, around: usize): u32 {
  for (let i: u32 = 0; i < indexCount; i++) {
    const v = word(ring, i);
    setWord(ends, v, word(ends, v) + 1);
  }
  let highest: u32 = 0;
  let total: u32 = 0;
  for (let v: u32 = 0; v < vertexCount; v++) {
    const n = word(ends, v);
    highest = max(highest, n);
    setWord(ends, v, total);
    total += n;
  }
  for (let t: u32 = 0, i: u32 = 0; i < indexCount; t++, i += 3) {
    for (let k: u32 = 0; k < 3; k++) {
      const v = word(ring, i + k);
      const to = word(ends, v);
      setWord(ends, v, to + 1);
      setWord(around, to, t * 4 + k);
    }
  }
  return highest;
}

/** Bytes that groupCorners() needs for vertices with up to `highest` corners. */
export function fanBytes(highest: u32): usize {
  return offsetof<Fan>() + <usize>highest * 24 + edgeTableBytes(highest) * 2;
}

function fanAt(at: usize, highest: u32): Fan {
  const fan = changetype<Fan>(at);
  const bytes = (<usize>highest) << 2;
  fan.after = at + offsetof<Fan>();
  fan.before = fan.after + bytes;
  fan.sign = fan.before + bytes;
  fan.own = fan.sign + bytes;
  fan.group = fan.own + bytes;
  fan.parent = fan.group + bytes;
  fan.leaving = fan.parent + bytes;
  fan.arriving = fan.leaving + edgeTableBytes(highest);
  return fan;
}

/**
 * Gives each corner the number of its group, and how many groups there are: corners around one vertex belong together when
 * their triangles share an edge there and their orientations agree; a triangle without orientation goes with either, but
 * does not join the two. `highest` is what cornersAround() gave, `room` has fanBytes().
 */
export function groupCorners(
  ring: usize,
  vertexCount: u32,
  signs: usize,
  ends: usize,
  around: usize,
  highest: u32,
  room: usize,
  groups: usize,
): u32 {
  const fan = fanAt(room, highest);
  let count: u32 = 0;
  let start: u32 = 0;
  for (let v: u32 = 0; v < vertexCount; v++) {
    const end = word(ends, v);
    const n = end - start;
    for (let k: u32 = 0; k < n; k++) {
      const corner = word(around, start + k);
      const side = corner & 3;
      const first = (corner >>> 2) * 3;
      setWord(fan.after, k, word(ring, first + (side < 2 ? side + 1 : 0)));
      setWord(fan.before, k, word(ring, first + (side > 0 ? side - 1 : 2)));
      setWord(fan.sign, k, <u32>(<i32>load<i8>(signs + <usize>(corner >>> 2))));
    }
    const made = groupFan(fan, n);
    for (let k: u32 = 0; k < n; k++) {
      const corner = word(around, start + k);
      setWord(groups, (corner >>> 2) * 3 + (corner & 3), count + word(fan.group, k));
    }
    count += made;
    start = end;
  }
  return count;
}

// Sums -------------------------------------------------------------------------------------------------------------

/** acos within 2e-8 (Abramowitz & Stegun 4.4.46), equal on every machine. */
function arcCosine(x: f64): f64 {
  const a = x < 0 ? -x : x;
  if (a >= 1) return x < 0 ? PI : 0;
  const p =
    1.570796305 +
    a *
      (-0.2145988016 +
        a *
          (0.0889789874 +
            a * (-0.0501743046 + a * (0.030891881 + a * (-0.0170881256 + a * (0.0066700901 + a * -0.0012624911))))));
  const angle = sqrt<f64>(1 - a) * p;
  return x < 0 ? PI - angle : angle;
}

function coordinate(positions: usize, size: usize, vertex: u32, axis: usize): f64 {
  const at = positions + (<usize>vertex * 3 + axis) * size;
  return size === 8 ? load<f64>(at) : <f64>load<f32>(at);
}

function addTo(sum: usize, x: f64): void {
  store<f32>(sum, <f32>(<f64>load<f32>(sum) + x));
}

/**
 * Adds up the tangents of each group: the face tangents of its corners in the vertex's plane, weighted by angle. `sums`:
 * zeros, four float32 a group, the fourth the sign.
 */
export function sumTangents(
  positions: usize,
  size: usize,
  normals: usize,
  uvs: usize,
  indices: usize,
  indexCount: u32,
  signs: usize,
  groups: usize,
  sums: usize,
): void {
  for (let t: usize = 0, i: u32 = 0; i < indexCount; t++, i += 3) {
    const orientation = load<i8>(signs + t);
    if (orientation === 0) continue;
    const sign = <f64>orientation;
    const a = word(indices, i);
    const b = word(indices, i + 1);
    const c = word(indices, i + 2);
    const px = coordinate(positions, size, a, 0);
    const py = coordinate(positions, size, a, 1);
    const pz = coordinate(positions, size, a, 2);
    // Edges from the corner to the next one (u) and to the one before (w).
    let ux = coordinate(positions, size, b, 0) - px;
    let uy = coordinate(positions, size, b, 1) - py;
    let uz = coordinate(positions, size, b, 2) - pz;
    let wx = coordinate(positions, size, c, 0) - px;
    let wy = coordinate(positions, size, c, 1) - py;
    let wz = coordinate(positions, size, c, 2) - pz;
    // The direction of growing u, times the doubled area of the UVs.
    const v0 = <f64>load<f32>(uvs + ((<usize>a) << 3), 4);
    const v1 = (<f64>load<f32>(uvs + ((<usize>b) << 3), 4) - v0) * sign;
    const v2 = (<f64>load<f32>(uvs + ((<usize>c) << 3), 4) - v0) * sign;
    const fx = v2 * ux - v1 * wx;
    const fy = v2 * uy - v1 * wy;
    const fz = v2 * uz - v1 * wz;
    for (let k: u32 = 0; k < 3; k++) {
      const n = normals + <usize>word(indices, i + k) * 12;
      const nx = <f64>load<f32>(n);
      const ny = <f64>load<f32>(n, 4);
      const nz = <f64>load<f32>(n, 8);
      const along = fx * nx + fy * ny + fz * nz;
      const tx = fx - nx * along;
      const ty = fy - ny * along;
      const tz = fz - nz * along;
      const length = sqrt<f64>(tx * tx + ty * ty + tz * tz);
      if (length > 0) {
        // The corner's angle, between its edges in the vertex's plane.
        const un = ux * nx + uy * ny + uz * nz;
        const wn = wx * nx + wy * ny + wz * nz;
        const uu = ux * ux + uy * uy + uz * uz - un * un;
        const ww = wx * wx + wy * wy + wz * wz - wn * wn;
        const cosine = uu > 0 && ww > 0 ? (ux * wx + uy * wy + uz * wz - un * wn) / sqrt<f64>(uu * ww) : 0;
        const weight = arcCosine(cosine) / length;
        const to = sums + ((<usize>word(groups, i + k)) << 4);
        addTo(to, tx * weight);
        addTo(to + 4, ty * weight);
        addTo(to + 8, tz * weight);
        store<f32>(to, <f32>sign, 12);
      }
      // The next corner's edges: on to the one before, and back.
      const x = wx - ux;
      const y = wy - uy;
      const z = wz - uz;
      wx = -ux;
      wy = -uy;
      wz = -uz;
      ux = x;
      uy = y;
      uz = z;
    }
  }
}

/** The default tangent for a normal. */
function writeAcross(normal: usize, to: usize): void {
  const y = <f64>load<f32>(normal, 4);
  const z = <f64>load<f32>(normal, 8);
  const isParallel = abs<f64>(<f64>load<f32>(normal)) > PARALLEL && y * y + z * z < PARALLEL_SINE;
  store<f32>(to, isParallel ? 0 : 1);
  store<f32>(to, isParallel ? 1 : 0, 4);
  store<f32>(to, 0, 8);
  store<f32>(to, 1, 12);
}

/** Makes the sums unit length; those without a length become the default tangent. */
export function unitSums(indices: usize, indexCount: u32, groups: usize, normals: usize, sums: usize): void {
  for (let i: u32 = 0; i < indexCount; i++) {
    const at = sums + ((<usize>word(groups, i)) << 4);
    const x = <f64>load<f32>(at);
    const y = <f64>load<f32>(at, 4);
    const z = <f64>load<f32>(at, 8);
    const square = x * x + y * y + z * z;
    // Once for each group: all of its corners have the same normal.
    if (abs<f64>(square - 1) < 1e-6 && load<f32>(at, 12) !== 0) continue;
    const length = sqrt<f64>(square);
    if (!(length > 1e-12)) {
      writeAcross(normals + <usize>word(indices, i) * 12, at);
      continue;
    }
    store<f32>(at, <f32>(x / length));
    store<f32>(at, <f32>(y / length), 4);
    store<f32>(at, <f32>(z / length), 8);
  }
}

// Vertices ---------------------------------------------------------------------------------------------------------

/** Gives each vertex the group of its first corner (`groupOf`: all NONE before) and how many corners have another one. */
export function firstGroups(indices: usize, indexCount: u32, groups: usize, groupOf: usize): u32 {
  let others: u32 = 0;
  for (let i: u32 = 0; i < indexCount; i++) {
    const v = word(indices, i);
    const group = word(groups, i);
    const known = word(groupOf, v);
    if (known === NONE) setWord(groupOf, v, group);
    else if (known !== group) others++;
  }
  return others;
}

/**
 * Makes a copy of a vertex for each group that its corners have besides its own: corners get the copy's number, from
 * `vertexCount` up in the order that they occur, and `copies` the vertex and the group, two words each. Gives how many there
 * are. `slots`: `slotCount` words, a power of two more than the corners that firstGroups() counted, all NONE.
 */
export function splitByGroup(
  indices: usize,
  indexCount: u32,
  vertexCount: u32,
  groups: usize,
  groupOf: usize,
  slots: usize,
  slotCount: u32,
  copies: usize,
): u32 {
  const mask = slotCount - 1;
  let made: u32 = 0;
  for (let i: u32 = 0; i < indexCount; i++) {
    const v = word(indices, i);
    const group = word(groups, i);
    if (word(groupOf, v) === group) continue;
    let slot = (v * 0x9e3779b1) ^ (group * 0x85ebca6b);
    slot = (slot ^ (slot >>> 15)) & mask;
    let copy = word(slots, slot);
    while (copy !== NONE && (word(copies, copy * 2) !== v || word(copies, copy * 2 + 1) !== group)) {
      slot = (slot + 1) & mask;
      copy = word(slots, slot);
    }
    if (copy === NONE) {
      copy = made++;
      setWord(slots, slot, copy);
      setWord(copies, copy * 2, v);
      setWord(copies, copy * 2 + 1, group);
    }
    setWord(indices, i, vertexCount + copy);
  }
  return made;
}

/** Copies the value of each vertex's group, four float32; zeros where it has none. Groups lie `stride` words apart. */
export function spreadTangents(groupOf: usize, stride: u32, count: u32, sums: usize, to: usize): void {
  for (let v: u32 = 0; v < count; v++, to += 16) {
    const group = word(groupOf, v * stride);
    v128.store(to, group === NONE ? i32x4.splat(0) : v128.load(sums + ((<usize>group) << 4)));
  }
}
