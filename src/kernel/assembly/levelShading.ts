// New normals for a level (geometry/lod/levelNormals.ts says which, and why): corners whose normal leans too far from their
// triangle take that of another vertex at the same position, or the mean of the triangles around it.

import { cosine } from './levelNormals.ts';
import { hypot3, roundNumber } from './numbers.ts';
import { rootOf, separate } from './sets.ts';
import { sortNumbers } from './sort.ts';
import { crossSquared } from './triangle.ts';
import { setWord, word } from './words.ts';

/** A surface, what is known of its shading, a level of it, and the limits of angles. */
@unmanaged
export class Shading {
  /** Radians: how far a normal may lean from a triangle of a level. */
  slack: f64;
  tolerated: f64;
  highest: f64;
  curved: f64;
  /** Cosines. */
  cosFlat: f64;
  cosTolerated: f64;
  crease: f64;
  hardCrease: f64;
  cosLeaning: f64;
  sinLeaning: f64;
  /** New normals are multiples of this, a power of two. */
  step: f64;
  positions: usize;
  normals: usize;
  /** The position id of each vertex. */
  ids: usize;
  meshOf: usize;
  /** A byte for each mesh: 1 where its UVs reach a texture. */
  textured: usize;
  /** Two float32 a vertex; address 0 for none. */
  uv0: usize;
  /** A word a vertex, equal for vertices that look alike apart from texture coordinates and shading; address 0: all do. */
  appearances: usize;
  /** The vertices at each position id. */
  starts: usize;
  rows: usize;
  /** What greatestLeans() and hardPositions() wrote. */
  leans: usize;
  hard: usize;
  /** The level: its corners, and the normals of its triangles. */
  indices: usize;
  indexCount: u32;
  faces: usize;
  /** A byte for each corner: 1 where its normal still leans too far. */
  isBad: usize;
}

function normalOf(s: Shading, v: u32): usize {
  return s.normals + <usize>v * 12;
}

function faceOf(s: Shading, corner: u32): usize {
  return s.faces + <usize>(corner / 3) * 12;
}

/** Whether a vertex is one of a curved surface without a hard edge there. */
function isCurved(s: Shading, v: u32): bool {
  const lean = <f64>load<f32>(s.leans + ((<usize>v) << 2));
  return lean <= s.cosFlat && load<u8>(s.hard + <usize>word(s.ids, v)) === 0;
}

/** Whether a vertex's normal may have this cosine to a triangle. Most are near enough for any vertex. */
function isAllowed(s: Shading, v: u32, cos: f64): bool {
  if (cos >= s.cosTolerated) return true;
  const lean = Math.acos(max<f64>(-1, <f64>load<f32>(s.leans + ((<usize>v) << 2))));
  const highest = isCurved(s, v) ? s.curved : min<f64>(s.highest, s.tolerated + 2 * lean);
  return cos >= Math.cos(min<f64>(Math.PI, max<f64>(lean + s.slack, highest)));
}

/** Whether two vertices of one mesh differ in nothing but normals and tangents that is seen. */
function isAlike(s: Shading, v: u32, w: u32): bool {
  const mesh = word(s.meshOf, v);
  if (word(s.meshOf, w) !== mesh) return false;
  if (s.uv0 !== 0 && load<u8>(s.textured + <usize>mesh) === 1) {
    const a = s.uv0 + ((<usize>v) << 3);
    const b = s.uv0 + ((<usize>w) << 3);
    if (load<f32>(a) !== load<f32>(b) || load<f32>(a, 4) !== load<f32>(b, 4)) return false;
  }
  return s.appearances === 0 || word(s.appearances, v) === word(s.appearances, w);
}

/** The vertex in place of `v` whose normal leans least from the triangle, -1 where none may. */
function fittingVertex(s: Shading, v: u32, face: usize): i32 {
  const id = word(s.ids, v);
  const end = word(s.starts, id + 1);
  let best: i32 = -1;
  let highest: f64 = -1;
  for (let r = word(s.starts, id); r < end; r++) {
    const w = word(s.rows, r);
    const cos = cosine(normalOf(s, w), face);
    if (cos <= highest || !isAllowed(s, w, cos) || !isAlike(s, v, w)) continue;
    highest = cos;
    best = <i32>w;
  }
  return best;
}

/**
 * Replaces the vertices of leaning corners by others at their positions whose normals fit the triangle; where the rest of
 * the vertex has to stay, nothing is replaced. Marks the corners whose normal still leans too far, and gives how many there are.
 */
export function replaceLeaning(s: Shading): u32 {
  memory.fill(s.isBad, 0, s.indexCount);
  let count: u32 = 0;
  for (let i: u32 = 0; i < s.indexCount; i++) {
    const v = word(s.indices, i);
    const face = faceOf(s, i);
    if (isAllowed(s, v, cosine(normalOf(s, v), face))) continue;
    const fitting = fittingVertex(s, v, face);
    if (fitting >= 0) {
      setWord(s.indices, i, <u32>fitting);
      continue;
    }
    store<u8>(s.isBad + <usize>i, 1);
    count++;
  }
  return count;
}

/** Writes the position id of each corner, and a byte for each id (zeros before): 1 at bad corners. */
export function idsAtBad(s: Shading, idOf: usize, wanted: usize): void {
  for (let i: u32 = 0; i < s.indexCount; i++) {
    const id = word(s.ids, word(s.indices, i));
    setWord(idOf, i, id);
    if (load<u8>(s.isBad + <usize>i) === 1) store<u8>(wanted + <usize>id, 1);
  }
}

/** The most rows that one number has. */
export function maxRows(starts: usize, count: u32): u32 {
  let highest: u32 = 0;
  for (let n: u32 = 0; n < count; n++) highest = max(highest, word(starts, n + 1) - word(starts, n));
  return highest;
}

function storeRounded(s: Shading, to: usize, x: f64, y: f64, z: f64): void {
  store<f32>(to, <f32>(roundNumber(x / s.step) * s.step));
  store<f32>(to, <f32>(roundNumber(y / s.step) * s.step), 4);
  store<f32>(to, <f32>(roundNumber(z / s.step) * s.step), 8);
}

/** Writes a normal, turned towards a triangle's as far as it has to be. */
function turn(s: Shading, normal: usize, face: usize, to: usize): void {
  const along = cosine(normal, face);
  const faceX = <f64>load<f32>(face);
  const faceY = <f64>load<f32>(face, 4);
  const faceZ = <f64>load<f32>(face, 8);
  const x = <f64>load<f32>(normal) - along * faceX;
  const y = <f64>load<f32>(normal, 4) - along * faceY;
  const z = <f64>load<f32>(normal, 8) - along * faceZ;
  const length = sqrt<f64>(x * x + y * y + z * z);
  const side = length > 1e-3 ? s.sinLeaning / length : 0;
  storeRounded(
    s,
    to,
    s.cosLeaning * faceX + side * x,
    s.cosLeaning * faceY + side * y,
    s.cosLeaning * faceZ + side * z,
  );
}

/** Bytes of room for each corner of the largest fan: two ends, three sums, its group and whether that is bad. */
const FAN_BYTES: usize = 16 + 24 + 4 + 1;

/** How much room makeNormals() needs for fans of up to `highest` corners. */
export function shadingFanBytes(highest: u32): usize {
  return <usize>highest * FAN_BYTES;
}

/**
 * Writes new normals of corners, three float32 each; `made`: zeros, which stay where a corner keeps its normal. On
 * curved surfaces bad ones turn towards their triangles until they lean no further than is allowed. Elsewhere, around each
 * position with a bad corner, corners of triangles that are smooth across shared edges get the mean of the triangles'
 * normals, weighted by angle. `starts`, `rows`: the corners at each of those positions, `highest` at one; `room`:
 * shadingFanBytes().
 */
export function makeNormals(
  s: Shading,
  starts: usize,
  rows: usize,
  idCount: u32,
  highest: u32,
  room: usize,
  made: usize,
): void {
  for (let i: u32 = 0; i < s.indexCount; i++) {
    if (load<u8>(s.isBad + <usize>i) !== 1) continue;
    const v = word(s.indices, i);
    if (isCurved(s, v)) turn(s, normalOf(s, v), faceOf(s, i), made + <usize>i * 12);
  }
  const sums = room + <usize>highest * 16;
  const groups = sums + <usize>highest * 24;
  const bad = groups + <usize>highest * 4;
  for (let id: u32 = 0; id < idCount; id++) {
    const first = word(starts, id);
    const count = word(starts, id + 1) - first;
    if (count === 0) continue;
    const around = rows + ((<usize>first) << 2);
    const crease = load<u8>(s.hard + <usize>id) === 1 ? s.hardCrease : s.crease;
    groupSmooth(s, around, count, crease, room, groups);
    averageGroups(s, around, count, groups, sums, bad, made);
  }
}

/** Writes for each corner around a position the first one that it is smooth with. `ends`: room for two numbers a corner. */
function groupSmooth(s: Shading, around: usize, count: u32, crease: f64, ends: usize, groups: usize): void {
  // 1. The ends of both edges of each corner, sorted, so that corners at one edge lie side by side.
  for (let g: u32 = 0, to = ends; g < count; g++, to += 16) {
    const corner = word(around, g);
    const first = corner - (corner % 3);
    const k = corner - first;
    const after = word(s.ids, word(s.indices, first + ((k + 1) % 3)));
    const before = word(s.ids, word(s.indices, first + ((k + 2) % 3)));
    store<u64>(to, ((<u64>after) << 32) | <u64>g);
    store<u64>(to, ((<u64>before) << 32) | <u64>g, 8);
  }
  sortNumbers(ends, count * 2);

  // 2. Those that meet at a small angle are joined; the root of a group is its first corner.
  separate(groups, count);
  for (let e: u32 = 1; e < count * 2; e++) {
    const end = load<u32>(ends + ((<usize>e) << 3), 4);
    const g = load<u32>(ends + ((<usize>e) << 3));
    const face = faceOf(s, word(around, g));
    for (let b = e; b-- > 0; ) {
      const other = ends + ((<usize>b) << 3);
      if (load<u32>(other, 4) !== end) break;
      const h = load<u32>(other);
      if (cosine(face, faceOf(s, word(around, h))) < crease) continue;
      const r = rootOf(groups, g);
      const root = rootOf(groups, h);
      if (r < root) setWord(groups, root, r);
      else setWord(groups, r, root);
      break;
    }
  }
  for (let g: u32 = 0; g < count; g++) setWord(groups, g, rootOf(groups, g));
}

/** Angle of the triangle at a corner. */
export function angleAt(positions: usize, indices: usize, corner: u32): f64 {
  const first = corner - (corner % 3);
  const k = corner - first;
  const a = positions + <usize>word(indices, corner) * 12;
  const b = positions + <usize>word(indices, first + ((k + 1) % 3)) * 12;
  const c = positions + <usize>word(indices, first + ((k + 2) % 3)) * 12;
  const square = crossSquared(a, b, c);
  const ax = <f64>load<f32>(a);
  const ay = <f64>load<f32>(a, 4);
  const az = <f64>load<f32>(a, 8);
  const along =
    (<f64>load<f32>(b) - ax) * (<f64>load<f32>(c) - ax) +
    (<f64>load<f32>(b, 4) - ay) * (<f64>load<f32>(c, 4) - ay) +
    (<f64>load<f32>(b, 8) - az) * (<f64>load<f32>(c, 8) - az);
  return Math.atan2(sqrt<f64>(square), along);
}

/** Writes the new normals of the groups of corners around a position that have a bad corner. `sums`, `bad`: room. */
function averageGroups(
  s: Shading,
  around: usize,
  count: u32,
  groups: usize,
  sums: usize,
  bad: usize,
  made: usize,
): void {
  memory.fill(sums, 0, <usize>count * 24);
  memory.fill(bad, 0, count);
  // 1. The groups with a bad corner.
  for (let g: u32 = 0; g < count; g++) {
    const corner = word(around, g);
    if (load<u8>(s.isBad + <usize>corner) !== 1 || isCurved(s, word(s.indices, corner))) continue;
    store<u8>(bad + <usize>word(groups, g), 1);
  }
  // 2. The mean of each.
  for (let g: u32 = 0; g < count; g++) {
    const group = <usize>word(groups, g);
    if (load<u8>(bad + group) !== 1) continue;
    const corner = word(around, g);
    const weight = angleAt(s.positions, s.indices, corner);
    const face = faceOf(s, corner);
    const sum = sums + group * 24;
    store<f64>(sum, load<f64>(sum) + <f64>load<f32>(face) * weight);
    store<f64>(sum, load<f64>(sum, 8) + <f64>load<f32>(face, 4) * weight, 8);
    store<f64>(sum, load<f64>(sum, 16) + <f64>load<f32>(face, 8) * weight, 16);
  }
  for (let g: u32 = 0, sum = sums; g < count; g++, sum += 24) {
    if (load<u8>(bad + <usize>g) !== 1) continue;
    const length = hypot3(load<f64>(sum), load<f64>(sum, 8), load<f64>(sum, 16));
    store<f64>(sum, length > 0 ? load<f64>(sum) / length : 0);
    store<f64>(sum, length > 0 ? load<f64>(sum, 8) / length : 0, 8);
    store<f64>(sum, length > 0 ? load<f64>(sum, 16) / length : 0, 16);
  }
  // 3. Their corners; one that the mean leans too far from takes its triangle's own normal.
  for (let g: u32 = 0; g < count; g++) {
    const group = <usize>word(groups, g);
    const corner = word(around, g);
    if (load<u8>(bad + group) !== 1 || isCurved(s, word(s.indices, corner))) continue;
    const sum = sums + group * 24;
    const x = load<f64>(sum);
    const y = load<f64>(sum, 8);
    const z = load<f64>(sum, 16);
    const face = faceOf(s, corner);
    const faceX = <f64>load<f32>(face);
    const faceY = <f64>load<f32>(face, 4);
    const faceZ = <f64>load<f32>(face, 8);
    const leans = x * faceX + y * faceY + z * faceZ < s.cosLeaning;
    storeRounded(s, made + <usize>corner * 12, leans ? faceX : x, leans ? faceY : y, leans ? faceZ : z);
  }
}
