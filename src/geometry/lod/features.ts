// Colour features of a surface: connected parts of one mesh, or of one chart of a textured mesh: windows, doors, stripes of
// a crossing. They often lie so close to another surface that losing them hardly deviates, and are seen all the same. Here
// it is found out which ones a level has lost, and which vertices keep them.

import { rootOf } from '../mesh/components.ts';
import { triangleCross } from '../mesh/triangleCross.ts';
import type { UnitedMeshes } from '../mesh/united.ts';
import { triangleArea } from './deviation.ts';
import { type Rows, rowsById } from './rows.ts';

/** Levels are made from levels: with this share of its silhouettes three times over, a feature has 70 % left. */
export const KEPT = 0.89;
/** A level in which a feature has less than this share of what the level before shows is wrong. */
export const LEAST_KEPT = 0.75;

/** So many points, spread over the area of a feature, show how much of its surface lies where it lay. */
export const MOST_POINTS = 48;
/** Numbers a point: position, unit normal of its triangle, the triangle. */
export const POINT = 7;

/** Directions in which the silhouette of a feature is measured and its outermost vertices are found: with their opposites, */
const DIRECTIONS = [
  1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, -1, 0, 1, 0, 1, 1, 0, -1, 0, 1, 1, 0, 1, -1, 1, 1, 1, 1, 1, -1, 1, -1, 1, -1,
  1, 1,
].map((x, i, all) => x / Math.hypot(...all.slice(i - (i % 3), i - (i % 3) + 3)));
const VIEWS = (DIRECTIONS.length / 3) * 2;

/** A feature of up to so many positions is kept by all of them. */
const FEW = 12;

export class ColorFeatures {
  readonly #surface: UnitedMeshes;
  readonly #ids: Uint32Array;
  readonly #idCount: number;
  readonly #count: number;
  /** Of each vertex. */
  readonly #featureOf: Uint32Array;
  /** What is seen of each feature from all directions, square metres each; triangles behind others count. */
  readonly #silhouettes: Float64Array;
  /** Greatest silhouette over the diagonal of the box, in metres. */
  readonly #widths: Float64Array;
  readonly #vertices: Rows;
  /** The triangles of each feature. */
  #triangles: Rows | null = null;
  /** Of each feature that was asked for. */
  readonly #points: (Float64Array | undefined)[] = [];

  /** `ids`: the position id of each vertex, below `idCount`. `textured`: 1 for each mesh whose UVs reach a texture. */
  constructor(surface: UnitedMeshes, ids: Uint32Array, idCount: number, textured: Uint8Array) {
    this.#surface = surface;
    this.#ids = ids;
    this.#idCount = idCount;
    const { featureOf, count } = connected(surface, rowsById(ids, null, idCount), textured);
    this.#count = count;
    this.#featureOf = featureOf;
    this.#vertices = rowsById(featureOf, null, count);
    this.#silhouettes = this.#silhouettesOf(surface.indices);
    this.#widths = this.#measureWidths();
  }

  /** The features wider than `seen` metres. */
  wider(seen: number): number[] {
    const wide: number[] = [];
    for (let f = 0; f < this.#count; f++) if (this.#widths[f] > seen) wide.push(f);
    return wide;
  }

  /** The features wider than `seen` metres of which the triangles of a level show less than `kept`. */
  lost(indices: Uint32Array, seen: number, kept: number): number[] {
    const before = this.#silhouettes;
    const after = this.#silhouettesOf(indices);
    const lost: number[] = [];
    for (let f = 0; f < this.#count; f++) {
      if (this.#widths[f] <= seen) continue;
      // Directions from which more is seen weigh more.
      let had = 0;
      let has = 0;
      for (let d = f * VIEWS; d < (f + 1) * VIEWS; d++) {
        had += before[d] * before[d];
        has += before[d] * Math.min(before[d], after[d]);
      }
      if (has < kept * had) lost.push(f);
    }
    return lost;
  }

  /** Marks the outermost vertices of a feature, with others at their positions, in `held`; false where all were marked. */
  hold(held: Uint8Array, features: readonly number[]): boolean {
    const { positions } = this.#surface;
    const { starts, rows } = this.#vertices;
    const isOuter = new Uint8Array(this.#idCount);
    for (const f of features) {
      const own = rows.subarray(starts[f], starts[f + 1]);
      if (own.length <= FEW || own.every((v) => held[v] === 1)) {
        for (let i = 0; i < own.length; i++) isOuter[this.#ids[own[i]]] = 1;
        continue;
      }
      for (let d = 0; d < DIRECTIONS.length; d += 3) {
        let low = own[0];
        let high = own[0];
        let least = Infinity;
        let most = -Infinity;
        for (let i = 0; i < own.length; i++) {
          const at = own[i] * 3;
          const x =
            positions[at] * DIRECTIONS[d] +
            positions[at + 1] * DIRECTIONS[d + 1] +
            positions[at + 2] * DIRECTIONS[d + 2];
          if (x < least) [least, low] = [x, own[i]];
          if (x > most) [most, high] = [x, own[i]];
        }
        isOuter[this.#ids[low]] = 1;
        isOuter[this.#ids[high]] = 1;
      }
    }
    return this.#mark(held, isOuter);
  }

  /** Marks the vertices at chosen positions in `held`; false where all were marked. */
  #mark(held: Uint8Array, chosen: Uint8Array): boolean {
    let more = false;
    for (let v = 0; v < held.length; v++) {
      if (chosen[this.#ids[v]] === 0 || held[v] === 1) continue;
      held[v] = 1;
      more = true;
    }
    return more;
  }

  /** The triangles of each feature, by the feature of their first corner. */
  trianglesOf(indices: Uint32Array): Rows {
    const featureOf = new Uint32Array(indices.length / 3);
    for (let t = 0; t < featureOf.length; t++) featureOf[t] = this.#featureOf[indices[t * 3]];
    return rowsById(featureOf, null, this.#count);
  }

  /** POINT numbers for each of the points spread evenly over the area of a feature, the same each time. */
  pointsOf(f: number): Float64Array {
    const known = this.#points[f];
    if (known) return known;
    this.#triangles ??= this.trianglesOf(this.#surface.indices);
    const { positions: p, indices } = this.#surface;
    const { starts, rows } = this.#triangles;
    let total = 0;
    for (let r = starts[f]; r < starts[f + 1]; r++) total += triangleArea(p, indices, rows[r] * 3);
    const points = new Float64Array(total > 0 ? MOST_POINTS * POINT : 0);
    let count = 0;
    let passed = 0;
    for (let r = starts[f]; r < starts[f + 1] && count * POINT < points.length; r++) {
      const t = rows[r];
      const a = indices[t * 3] * 3;
      const b = indices[t * 3 + 1] * 3;
      const c = indices[t * 3 + 2] * 3;
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a];
      const vy = p[c + 1] - p[a + 1];
      const vz = p[c + 2] - p[a + 2];
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
      passed += length / 2;
      while (count < MOST_POINTS && ((count + 0.5) / MOST_POINTS) * total <= passed) {
        // Steps of the plastic number's powers (Roberts, R2 sequence), folded into the triangle.
        let u = (count * 0.7548776662466927 + 0.5) % 1;
        let v = (count * 0.5698402909980532 + 0.5) % 1;
        if (u + v > 1) {
          u = 1 - u;
          v = 1 - v;
        }
        const at = count++ * POINT;
        points[at] = p[a] + ux * u + vx * v;
        points[at + 1] = p[a + 1] + uy * u + vy * v;
        points[at + 2] = p[a + 2] + uz * u + vz * v;
        points[at + 3] = nx / length;
        points[at + 4] = ny / length;
        points[at + 5] = nz / length;
        points[at + 6] = t;
      }
    }
    this.#points[f] = points.subarray(0, count * POINT);
    return this.#points[f];
  }

  /** Projected area of the triangles of each feature that face each way. A triangle belongs to that of its first corner. */
  #silhouettesOf(indices: Uint32Array): Float64Array {
    const { positions: p } = this.#surface;
    const silhouettes = new Float64Array(this.#count * VIEWS);
    const cross = new Float64Array(3);
    for (let i = 0; i < indices.length; i += 3) {
      triangleCross(p, indices, i, cross);
      const x = cross[0];
      const y = cross[1];
      const z = cross[2];
      let at = this.#featureOf[indices[i]] * VIEWS;
      for (let d = 0; d < DIRECTIONS.length; d += 3, at += 2) {
        const along = x * DIRECTIONS[d] + y * DIRECTIONS[d + 1] + z * DIRECTIONS[d + 2];
        if (along > 0) silhouettes[at] += along / 2;
        else silhouettes[at + 1] -= along / 2;
      }
    }
    return silhouettes;
  }

  #measureWidths(): Float64Array {
    const { positions: p } = this.#surface;
    const count = this.#count;
    const boxes = new Float64Array(count * 6);
    for (let f = 0; f < boxes.length; f += 6) {
      boxes.fill(Infinity, f, f + 3);
      boxes.fill(-Infinity, f + 3, f + 6);
    }
    for (let v = 0; v < this.#featureOf.length; v++) {
      const at = this.#featureOf[v] * 6;
      for (let k = 0; k < 3; k++) {
        if (p[v * 3 + k] < boxes[at + k]) boxes[at + k] = p[v * 3 + k];
        if (p[v * 3 + k] > boxes[at + 3 + k]) boxes[at + 3 + k] = p[v * 3 + k];
      }
    }
    const widths = new Float64Array(count);
    for (let f = 0; f < count; f++) {
      const at = f * 6;
      const diagonal = Math.hypot(
        boxes[at + 3] - boxes[at],
        boxes[at + 4] - boxes[at + 1],
        boxes[at + 5] - boxes[at + 2],
      );
      let most = 0;
      for (let d = f * VIEWS; d < (f + 1) * VIEWS; d++) most = Math.max(most, this.#silhouettes[d]);
      widths[f] = diagonal > 0 ? most / diagonal : 0;
    }
    return widths;
  }
}

/** Numbers the vertices that triangles join, or that lie at one position of one mesh, with one UV where that has a texture. */
function connected(
  { vertexCount, indices, meshOf, attributes: { uv0 } }: UnitedMeshes,
  { starts, rows }: Rows,
  textured: Uint8Array,
): { readonly featureOf: Uint32Array; readonly count: number } {
  const parent = new Uint32Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) parent[v] = v;
  for (let i = 0; i < indices.length; i += 3) {
    const a = rootOf(parent, indices[i]);
    parent[rootOf(parent, indices[i + 1])] = a;
    parent[rootOf(parent, indices[i + 2])] = a;
  }
  for (let id = 0; id + 1 < starts.length; id++) {
    for (let r = starts[id]; r < starts[id + 1]; r++) {
      const v = rows[r];
      // With the nearest before it that it is joined to: equal ones form a chain.
      for (let b = r - 1; b >= starts[id]; b--) {
        const w = rows[b];
        if (meshOf[w] !== meshOf[v]) continue;
        if (uv0 && textured[meshOf[v]] === 1 && (uv0[v * 2] !== uv0[w * 2] || uv0[v * 2 + 1] !== uv0[w * 2 + 1]))
          continue;
        parent[rootOf(parent, v)] = rootOf(parent, w);
        break;
      }
    }
  }
  const numbers = new Uint32Array(vertexCount);
  const featureOf = new Uint32Array(vertexCount);
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    const root = rootOf(parent, v);
    if (numbers[root] === 0) numbers[root] = ++count;
    featureOf[v] = numbers[root] - 1;
  }
  return { featureOf, count };
}
