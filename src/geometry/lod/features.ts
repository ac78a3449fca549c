// Colour features of a surface: connected parts of one mesh, or of one chart of a textured mesh: windows, doors, stripes of
// a crossing. They often lie so close to another surface that losing them hardly deviates, and are seen all the same. Here
// it is found out which ones a level has lost, and which vertices keep them.

import { kernel } from '../../kernel/kernel.ts';
import type { UnitedMeshes } from '../mesh/united.ts';
import { type Rows, rowsById } from './rows.ts';

/** Levels are made from levels: with this share of its silhouettes three times over, a feature has 70 % left. */
export const KEPT = 0.89;
/** A level in which a feature has less than this share of what the level before shows is wrong. */
export const MIN_KEPT = 0.75;

/** So many points, spread over the area of a feature, show how much of its surface lies where it lay. */
export const MAX_POINTS = 48;
/** Numbers a point: position, unit normal of its triangle, the triangle. */
export const POINT = 7;

/** Directions in which the silhouette of a feature is measured and its outermost vertices are found: with their opposites, */
const DIRECTIONS = Float64Array.from(
  [
    1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, -1, 0, 1, 0, 1, 1, 0, -1, 0, 1, 1, 0, 1, -1, 1, 1, 1, 1, 1, -1, 1, -1, 1, -1,
    1, 1,
  ].map((x, i, all) => x / Math.hypot(...all.slice(i - (i % 3), i - (i % 3) + 3))),
);
const VIEWS = (DIRECTIONS.length / 3) * 2;

/** A feature of up to so many positions is kept by all of them. */
const FEW = 12;

/** The count of points of a feature that have not been spread. */
const UNKNOWN = 0xffffffff;

export interface FeaturePoints {
  /** POINT numbers each. */
  readonly points: Float64Array;
  /** Of each feature its first point, and how many it has. */
  readonly begins: Uint32Array;
  readonly counts: Uint32Array;
}

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
  /** Of each feature that was asked for; the others have UNKNOWN in place of a count. */
  #points = new Float64Array(0);
  readonly #begins: Uint32Array;
  readonly #counts: Uint32Array;

  /** `ids`: the position id of each vertex, below `idCount`. `textured`: 1 for each mesh whose UVs reach a texture. */
  constructor(surface: UnitedMeshes, ids: Uint32Array, idCount: number, textured: Uint8Array) {
    this.#surface = surface;
    this.#ids = ids;
    this.#idCount = idCount;
    const { featureOf, count } = connected(surface, rowsById(ids, idCount), textured);
    this.#count = count;
    this.#featureOf = featureOf;
    this.#begins = new Uint32Array(count);
    this.#counts = new Uint32Array(count).fill(UNKNOWN);
    this.#vertices = rowsById(featureOf, count);
    this.#silhouettes = this.#silhouettesOf(surface.indices);
    this.#widths = this.#measureWidths();
  }

  /** The features wider than `seen` metres. */
  wider(seen: number): Uint32Array {
    const wide = new Uint32Array(this.#count);
    let end = 0;
    for (let f = 0; f < this.#count; f++) if (this.#widths[f] > seen) wide[end++] = f;
    return wide.subarray(0, end);
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
        let min = Infinity;
        let max = -Infinity;
        for (let i = 0; i < own.length; i++) {
          const at = own[i] * 3;
          const x =
            positions[at] * DIRECTIONS[d] +
            positions[at + 1] * DIRECTIONS[d + 1] +
            positions[at + 2] * DIRECTIONS[d + 2];
          if (x < min) [min, low] = [x, own[i]];
          if (x > max) [max, high] = [x, own[i]];
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
    const count = indices.length / 3;
    const featureOf = kernel.within((memory) => {
      const numbers = memory.allocate(count * 4);
      memory.calls.featuresOfTriangles(memory.put(indices), count, memory.put(this.#featureOf), numbers);
      return memory.uint32(numbers, count).slice();
    });
    return rowsById(featureOf, this.#count);
  }

  /** Points spread evenly over the area of each feature, the same each time; of the listed ones at least. */
  pointsOf(features: Uint32Array): FeaturePoints {
    const missing = features.filter((f) => this.#counts[f] === UNKNOWN);
    if (missing.length > 0) this.#spreadPoints(missing);
    return { points: this.#points, begins: this.#begins, counts: this.#counts };
  }

  #spreadPoints(features: Uint32Array): void {
    const { positions, indices } = this.#surface;
    this.#triangles ??= this.trianglesOf(indices);
    const { starts, rows } = this.#triangles;
    kernel.within((memory) => {
      const surface = [memory.put(positions), memory.put(indices), memory.put(starts), memory.put(rows)] as const;
      const counts = memory.allocate(features.length * 4);
      const points = memory.allocate(features.length * MAX_POINTS * POINT * 8);
      const list = [memory.put(features), features.length] as const;
      const count = memory.calls.spreadOverFeatures(...surface, ...list, MAX_POINTS, points, counts);
      const known = this.#points;
      this.#points = new Float64Array(known.length + count * POINT);
      this.#points.set(known);
      this.#points.set(memory.float64(points, count * POINT), known.length);
      const own = memory.uint32(counts, features.length);
      for (let i = 0, begin = known.length / POINT; i < features.length; begin += own[i++]) {
        this.#begins[features[i]] = begin;
        this.#counts[features[i]] = own[i];
      }
    });
  }

  /** Projected area of the triangles of each feature that face each way. A triangle belongs to that of its first corner. */
  #silhouettesOf(indices: Uint32Array): Float64Array {
    const count = this.#count * VIEWS;
    return kernel.within((memory) => {
      const surface = [memory.put(this.#surface.positions), memory.put(indices)] as const;
      const placed = [memory.put(this.#featureOf), memory.put(DIRECTIONS)] as const;
      const silhouettes = memory.zeros(count * 8);
      memory.calls.addSilhouettes(...surface, indices.length, ...placed, VIEWS / 2, silhouettes);
      return memory.float64(silhouettes, count).slice();
    });
  }

  /** Six numbers for each feature: least and greatest corner of its box. */
  #boxes(): Float64Array {
    const count = this.#count;
    const vertexCount = this.#featureOf.length;
    return kernel.within((memory) => {
      const boxes = memory.allocate(count * 48);
      const positions = memory.put(this.#surface.positions);
      memory.calls.featureBoxes(positions, memory.put(this.#featureOf), vertexCount, count, boxes);
      return memory.float64(boxes, count * 6).slice();
    });
  }

  #measureWidths(): Float64Array {
    const count = this.#count;
    const boxes = this.#boxes();
    const widths = new Float64Array(count);
    for (let f = 0; f < count; f++) {
      const at = f * 6;
      const diagonal = Math.hypot(
        boxes[at + 3] - boxes[at],
        boxes[at + 4] - boxes[at + 1],
        boxes[at + 5] - boxes[at + 2],
      );
      let max = 0;
      for (let d = f * VIEWS; d < (f + 1) * VIEWS; d++) max = Math.max(max, this.#silhouettes[d]);
      widths[f] = diagonal > 0 ? max / diagonal : 0;
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
  return kernel.within((memory) => {
    const surface = [memory.put(indices), indices.length, memory.put(meshOf), uv0 ? memory.put(uv0) : 0] as const;
    const places = [starts.length - 1, memory.put(starts), memory.put(rows)] as const;
    const scratch = [memory.allocate(vertexCount * 4), memory.allocate(vertexCount * 4)] as const;
    const of = memory.allocate(vertexCount * 4);
    const count = memory.calls.joinFeatures(vertexCount, ...surface, memory.put(textured), ...places, ...scratch, of);
    return { featureOf: memory.uint32(of, vertexCount).slice(), count };
  });
}
