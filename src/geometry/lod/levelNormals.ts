// Normals of a level: a collapse moves a triangle's corner to another vertex, and the normal stored there may belong to
// another side of a hard edge. Each corner whose normal leans too far from its triangle takes that of another vertex at
// the same position, or a new one from the triangles around it; vertices are split where their corners then differ.

import { kernel } from '../../kernel/kernel.ts';
import { rootOf } from '../mesh/components.ts';
import type { UnitedMeshes } from '../mesh/united.ts';
import { type Rows, rowsById } from './rows.ts';
import { angleAt, type ShadedLevel, splitVertices } from './splitVertices.ts';

const DEGREE = Math.PI / 180;

/**
 * How far a normal may lean from a triangle of a level: SLACK more than from its triangles in the source, or TOLERATED and
 * twice as far as there, up to MOST. Where the source is curved and has no hard edge, its normals are better than any that
 * coarse triangles have: they may lean as far as CURVED.
 */
const SLACK = 5 * DEGREE;
const TOLERATED = 15 * DEGREE;
const MOST = 50 * DEGREE;
const CURVED = 57 * DEGREE;
/** A normal that leans at least as far from its triangles in the source is that of a curved surface. */
const COS_FLAT = Math.cos(2 * DEGREE);
const COS_TOLERATED = Math.cos(TOLERATED);

/** Triangles that meet at a smaller angle are smooth across their edge, … */
const CREASE = Math.cos(50 * DEGREE);
/** … at positions with a hard edge in the source at a much smaller one. */
const HARD_CREASE = Math.cos(25 * DEGREE);
/** Normals at one position further apart than this are those of a hard edge. */
const HARD_EDGE = Math.cos(15 * DEGREE);
/** No new normal leans further than this from its triangle. */
const LEANING = 52 * DEGREE;
const COS_LEANING = Math.cos(LEANING);
const SIN_LEANING = Math.sin(LEANING);

/** New normals are rounded to multiples of this, so that those of coplanar triangles are equal. */
const STEP = 1 / 4096;

/** Gives levels of one surface their normals. What does not depend on the level is made once. */
export class LevelNormals {
  readonly #source: UnitedMeshes;
  readonly #ids: Uint32Array;
  readonly #idCount: number;
  /** 1 for each mesh whose UVs mean something. */
  readonly #textured: Uint8Array;
  /** Cosine of the greatest angle between each vertex's normal and one of its triangles. */
  readonly #leans: Float32Array;
  readonly #vertices: Rows;
  /** 1 for each position id with a hard edge. */
  readonly #hard: Uint8Array;

  /**
   * `ids`: the position id of each vertex, below `idCount`; `vertices`: the vertices of each. `textured`: 1 for each mesh
   * whose UVs reach a texture.
   */
  constructor(
    source: UnitedMeshes,
    ids: Uint32Array,
    idCount: number,
    textured: Uint8Array,
    vertices: Rows = rowsById(ids, null, idCount),
  ) {
    this.#source = source;
    this.#ids = ids;
    this.#idCount = idCount;
    this.#textured = textured;
    this.#vertices = vertices;
    const { hard, leans } = sourceShading(source, vertices, idCount);
    this.#hard = hard;
    this.#leans = leans;
  }

  /** Whether a vertex is one of a curved surface without a hard edge there. */
  #isCurved(v: number): boolean {
    return this.#leans[v] <= COS_FLAT && this.#hard[this.#ids[v]] === 0;
  }

  /** Whether a vertex's normal may have this cosine to a triangle. Most are near enough for any vertex. */
  #isAllowed(v: number, cos: number): boolean {
    if (cos >= COS_TOLERATED) return true;
    const lean = Math.acos(Math.max(-1, this.#leans[v]));
    const most = this.#isCurved(v) ? CURVED : Math.min(MOST, TOLERATED + 2 * lean);
    return cos >= Math.cos(Math.min(Math.PI, Math.max(lean + SLACK, most)));
  }

  /** The level of `triangles` with normals that follow its triangles; their number and order stay. */
  shade(triangles: Uint32Array): ShadedLevel {
    const indices = triangles.slice();
    const { faces, leaning } = leaningCorners(this.#source, indices);
    const isBad = this.#replaceByNeighbours(indices, faces, leaning);
    return splitVertices(this.#source, indices, isBad ? this.#averaged(indices, faces, isBad) : null);
  }

  /**
   * Replaces the vertices of leaning corners in `indices` by others at their positions whose normals fit the triangle; where
   * the rest of the vertex has to stay, nothing is replaced. Gives 1 for each corner whose normal still leans too far, null
   * without any.
   */
  #replaceByNeighbours(indices: Uint32Array, faces: Float32Array, leaning: Uint32Array): Uint8Array | null {
    const normals = this.#source.attributes.normal;
    let isBad: Uint8Array | null = null;
    for (let c = 0; c < leaning.length; c++) {
      const i = leaning[c];
      const v = indices[i];
      const f = Math.floor(i / 3) * 3;
      if (this.#isAllowed(v, cosine(normals, v * 3, faces, f))) continue;
      const fitting = this.#fittingVertex(v, faces, f);
      if (fitting >= 0) indices[i] = fitting;
      else {
        isBad ??= new Uint8Array(indices.length);
        isBad[i] = 1;
      }
    }
    return isBad;
  }

  /** The vertex in place of `v` whose normal leans least from the triangle at `faces[f]`, -1 where none may. */
  #fittingVertex(v: number, faces: Float32Array, f: number): number {
    const normals = this.#source.attributes.normal;
    const { starts, rows } = this.#vertices;
    const id = this.#ids[v];
    let best = -1;
    let most = -1;
    for (let r = starts[id]; r < starts[id + 1]; r++) {
      const w = rows[r];
      const cos = cosine(normals, w * 3, faces, f);
      if (cos <= most || !this.#isAllowed(w, cos) || !this.#isAlike(v, w)) continue;
      most = cos;
      best = w;
    }
    return best;
  }

  /** Whether two vertices of one mesh differ in nothing but normals and tangents that is seen. */
  #isAlike(v: number, w: number): boolean {
    const { meshOf, attributes } = this.#source;
    const mesh = meshOf[v];
    if (meshOf[w] !== mesh) return false;
    const { uv0, color0 } = attributes;
    if (uv0 && this.#textured[mesh] === 1) {
      if (uv0[v * 2] !== uv0[w * 2] || uv0[v * 2 + 1] !== uv0[w * 2 + 1]) return false;
    }
    if (color0) for (let k = 0; k < 4; k++) if (color0[v * 4 + k] !== color0[w * 4 + k]) return false;
    return true;
  }

  /**
   * New normals of corners, xyz each; zeros where they stay. On curved surfaces bad ones turn towards their triangles until
   * they lean no further than is allowed. Elsewhere, around each position with a bad corner, corners of triangles
   * that are smooth across shared edges get the mean of the triangles' normals, weighted by angle (Thürmer & Wüthrich 1998).
   */
  #averaged(indices: Uint32Array, faces: Float32Array, isBad: Uint8Array): Float32Array {
    const corners = this.#cornersAtBad(indices, isBad);
    const made = new Float32Array(indices.length * 3);
    for (let i = 0; i < indices.length; i++) {
      if (isBad[i] === 1 && this.#isCurved(indices[i]))
        this.#turn(indices[i] * 3, faces, Math.floor(i / 3) * 3, made, i * 3);
    }
    const { starts, rows } = corners;
    for (let id = 0; id < this.#idCount; id++) {
      if (starts[id] === starts[id + 1]) continue;
      this.#averageAt(id, rows.subarray(starts[id], starts[id + 1]), indices, faces, isBad, made);
    }
    return made;
  }

  /** Writes the new normals of the corners around one position to `made`. */
  #averageAt(
    id: number,
    around: Uint32Array,
    indices: Uint32Array,
    faces: Float32Array,
    isBad: Uint8Array,
    made: Float32Array,
  ): void {
    const crease = this.#hard[id] === 1 ? HARD_CREASE : CREASE;
    const groups = this.#smoothGroups(indices, around, faces, crease);
    for (let first = 0; first < around.length; first++) {
      if (groups[first] === first) this.#averageGroup(first, groups, around, indices, faces, isBad, made);
    }
  }

  /** Writes the new normals of one group of corners, if one of them is bad. */
  #averageGroup(
    first: number,
    groups: Uint32Array,
    around: Uint32Array,
    indices: Uint32Array,
    faces: Float32Array,
    isBad: Uint8Array,
    made: Float32Array,
  ): void {
    const { positions } = this.#source;
    let bad = false;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let g = first; g < around.length; g++) {
      if (groups[g] !== first) continue;
      const corner = around[g];
      if (isBad[corner] === 1 && !this.#isCurved(indices[corner])) bad = true;
      const weight = angleAt(positions, indices, corner);
      const f = Math.floor(corner / 3) * 3;
      x += faces[f] * weight;
      y += faces[f + 1] * weight;
      z += faces[f + 2] * weight;
    }
    if (!bad) return;
    const length = Math.hypot(x, y, z);
    x = length > 0 ? x / length : 0;
    y = length > 0 ? y / length : 0;
    z = length > 0 ? z / length : 0;
    for (let g = first; g < around.length; g++) {
      if (groups[g] !== first) continue;
      const corner = around[g];
      if (this.#isCurved(indices[corner])) continue;
      const f = Math.floor(corner / 3) * 3;
      const leans = x * faces[f] + y * faces[f + 1] + z * faces[f + 2] < COS_LEANING;
      made[corner * 3] = Math.round((leans ? faces[f] : x) / STEP) * STEP;
      made[corner * 3 + 1] = Math.round((leans ? faces[f + 1] : y) / STEP) * STEP;
      made[corner * 3 + 2] = Math.round((leans ? faces[f + 2] : z) / STEP) * STEP;
    }
  }

  /** Writes the normal at `normals[n]`, turned towards the triangle's at `faces[f]`, to `made[at]`. */
  #turn(n: number, faces: Float32Array, f: number, made: Float32Array, at: number): void {
    const normals = this.#source.attributes.normal;
    const along = cosine(normals, n, faces, f);
    const x = normals[n] - along * faces[f];
    const y = normals[n + 1] - along * faces[f + 1];
    const z = normals[n + 2] - along * faces[f + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const side = length > 1e-3 ? SIN_LEANING / length : 0;
    made[at] = Math.round((COS_LEANING * faces[f] + side * x) / STEP) * STEP;
    made[at + 1] = Math.round((COS_LEANING * faces[f + 1] + side * y) / STEP) * STEP;
    made[at + 2] = Math.round((COS_LEANING * faces[f + 2] + side * z) / STEP) * STEP;
  }

  /** The corners at the positions of bad ones, by position id. */
  #cornersAtBad(indices: Uint32Array, isBad: Uint8Array): Rows {
    const wanted = new Uint8Array(this.#idCount);
    for (let i = 0; i < indices.length; i++) if (isBad[i] === 1) wanted[this.#ids[indices[i]]] = 1;
    const idOf = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) idOf[i] = this.#ids[indices[i]];
    return rowsById(idOf, wanted, this.#idCount);
  }

  /** For each corner around a position the first one that it is smooth with. */
  #smoothGroups(indices: Uint32Array, around: Uint32Array, faces: Float32Array, crease: number): Uint32Array {
    const count = around.length;
    const ids = this.#ids;
    // 1. The ends of both edges of each corner, sorted, so that corners at one edge lie side by side.
    const ends = new Float64Array(count * 2);
    for (let g = 0; g < count; g++) {
      const first = Math.floor(around[g] / 3) * 3;
      const k = around[g] - first;
      ends[g * 2] = ids[indices[first + ((k + 1) % 3)]] * count + g;
      ends[g * 2 + 1] = ids[indices[first + ((k + 2) % 3)]] * count + g;
    }
    ends.sort();

    // 2. Those that meet at a small angle are joined.
    const groups = new Uint32Array(count);
    for (let g = 0; g < count; g++) groups[g] = g;
    for (let e = 1; e < ends.length; e++) {
      const end = Math.floor(ends[e] / count);
      const g = ends[e] - end * count;
      for (let b = e - 1; b >= 0 && Math.floor(ends[b] / count) === end; b--) {
        const h = ends[b] - end * count;
        if (cosine(faces, Math.floor(around[g] / 3) * 3, faces, Math.floor(around[h] / 3) * 3) < crease) continue;
        const r = rootOf(groups, g);
        const s = rootOf(groups, h);
        if (r < s) groups[s] = r;
        else groups[r] = s;
        break;
      }
    }
    for (let g = 0; g < count; g++) groups[g] = rootOf(groups, g);
    return groups;
  }
}

/** Unit normals of triangles, 3 each, zeros without area; and the corners that may lean too far from them. */
function leaningCorners({ positions, attributes: { normal } }: UnitedMeshes, indices: Uint32Array) {
  const count = indices.length;
  return kernel.within((memory) => {
    const { calls } = memory;
    const placed = memory.put(indices);
    const faces = memory.allocate(count * 4);
    calls.faceNormals(memory.put(positions), placed, count, faces);
    const corners = memory.allocate(count * 4);
    const leaning = calls.leaningCorners(placed, count, memory.put(normal), faces, COS_TOLERATED, corners);
    return { faces: memory.float32(faces, count).slice(), leaning: memory.uint32(corners, leaning).slice() };
  });
}

/**
 * The cosine of the greatest angle between each vertex's normal and one of its triangles; and 1 for each position id where
 * vertices of one mesh have normals of both sides of a hard edge.
 */
function sourceShading(
  { vertexCount, positions, indices, meshOf, attributes: { normal } }: UnitedMeshes,
  { starts, rows }: Rows,
  idCount: number,
): { readonly leans: Float32Array; readonly hard: Uint8Array } {
  return kernel.within((memory) => {
    const { calls } = memory;
    const normals = memory.put(normal);
    const placed = memory.put(indices);
    const faces = memory.allocate(indices.length * 4);
    calls.faceNormals(memory.put(positions), placed, indices.length, faces);
    const leans = memory.allocate(vertexCount * 4);
    calls.greatestLeans(placed, indices.length, normals, faces, vertexCount, leans);
    const hard = memory.allocate(idCount);
    const places = [memory.put(starts), memory.put(rows), idCount] as const;
    calls.hardPositions(normals, memory.put(meshOf), ...places, HARD_EDGE, hard);
    return { leans: memory.float32(leans, vertexCount).slice(), hard: memory.uint8(hard, idCount).slice() };
  });
}

function cosine(a: Float32Array, at: number, b: Float32Array, bt: number): number {
  return a[at] * b[bt] + a[at + 1] * b[bt + 1] + a[at + 2] * b[bt + 2];
}
