// Creases: which edges of a subdivision cage are drawn hard, and how they part the corners around a point. For
// normals.ts, which shades the cage instead of subdividing it.

import type { Creases } from '../../scene/types.ts';

/**
 * Crease sharpness from which an edge is drawn hard: a subdivision surface keeps it sharp for two levels, so what it
 * rounds off is narrower than a quarter of a face. USD writes 10 for an edge that is never rounded.
 */
export const HARD_CREASE = 2;

export interface HardEdges {
  /** Each edge as edgeKey() makes it. */
  readonly edges: ReadonlySet<number>;
  /** 1 for a point on a hard edge. */
  readonly touched: Uint8Array;
  readonly pointCount: number;
}

/**
 * The edges of crease runs at or above HARD_CREASE; null if there are none. There is one sharpness for each run, or one
 * for each edge; their number tells which (UsdGeomMesh creaseSharpnesses).
 */
export function hardEdges(creases: Creases, pointCount: number): HardEdges | null {
  const edges = new Set<number>();
  const touched = new Uint8Array(pointCount);
  const { vertices, lengths, sharpnesses } = creases;
  const perRun = sharpnesses.length === lengths.length;
  let start = 0;
  let edge = 0;
  for (let run = 0; run < lengths.length; run++) {
    for (let k = 1; k < lengths[run]; k++, edge++) {
      if (!(sharpnesses[perRun ? run : edge] >= HARD_CREASE)) continue;
      const a = vertices[start + k - 1];
      const b = vertices[start + k];
      if (!(a < pointCount && b < pointCount)) continue;
      edges.add(edgeKey(a, b, pointCount));
      touched[a] = 1;
      touched[b] = 1;
    }
    start += lengths[run];
  }
  return edges.size > 0 ? { edges, touched, pointCount } : null;
}

function edgeKey(a: number, b: number, pointCount: number): number {
  return a < b ? a * pointCount + b : b * pointCount + a;
}

/** The corners at creased points. Each has a row, with what it adds to the normal of its point. */
export class CreasedCorners {
  readonly #hard: HardEdges;
  /** Four numbers in each row: point, corner, and the points before and after it in the face. */
  readonly #rows: Uint32Array;
  /** x, y and z in each row. */
  readonly #weighted: Float64Array;
  #count = 0;

  constructor(hard: HardEdges, corners: Uint32Array) {
    this.#hard = hard;
    let count = 0;
    for (let i = 0; i < corners.length; i++) count += hard.touched[corners[i]];
    this.#rows = new Uint32Array(count * 4);
    this.#weighted = new Float64Array(count * 3);
  }

  /** Notes the corner of a face at `point`, between the points `before` and `after`; others than creased ones are passed over. */
  note(point: number, corner: number, before: number, after: number, normal: Float64Array, weight: number): void {
    if (this.#hard.touched[point] === 0) return;
    const row = this.#count++;
    this.#rows.set([point, corner, before, after], row * 4);
    this.#weighted.set([normal[0] * weight, normal[1] * weight, normal[2] * weight], row * 3);
  }

  /**
   * Joins corners that meet at a soft edge and gives the summed normal of each run, xyz each; `indices[corner]` becomes
   * `firstIndex` + the run's number.
   */
  resolve(indices: Uint32Array, firstIndex: number): Float64Array {
    const { edges, pointCount } = this.#hard;
    const rows = this.#rows;
    const parent = new Uint32Array(this.#count);
    for (let r = 0; r < this.#count; r++) parent[r] = r;
    const find = (r: number): number => {
      while (parent[r] !== r) {
        parent[r] = parent[parent[r]];
        r = parent[r];
      }
      return r;
    };

    const rowAtEdge = new Map<number, number>();
    for (let r = 0; r < this.#count; r++) {
      const point = rows[r * 4];
      for (let side = 2; side < 4; side++) {
        const other = rows[r * 4 + side];
        if (edges.has(edgeKey(point, other, pointCount))) continue;
        const key = point * pointCount + other;
        const known = rowAtEdge.get(key);
        if (known === undefined) rowAtEdge.set(key, r);
        else parent[find(r)] = find(known);
      }
    }

    const numberOf = new Map<number, number>();
    for (let r = 0; r < this.#count; r++) {
      const root = find(r);
      const run = numberOf.get(root) ?? numberOf.size;
      numberOf.set(root, run);
      indices[rows[r * 4 + 1]] = firstIndex + run;
    }
    const sums = new Float64Array(numberOf.size * 3);
    for (let r = 0; r < this.#count; r++) {
      const run = indices[rows[r * 4 + 1]] - firstIndex;
      for (let k = 0; k < 3; k++) sums[run * 3 + k] += this.#weighted[r * 3 + k];
    }
    return sums;
  }
}
