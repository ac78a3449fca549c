// Texture coordinates: the set and affine that a material chose, and UV islands moved by whole numbers towards 0, where
// stored numbers are finest. V up throughout. The engine samples every texture repeating, so whole numbers change nothing.

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';
import type { Attribute, PolygonMesh, UvChoice } from '../../scene/types.ts';
import { elementOf, interpolationCode } from '../mesh/element.ts';
import { firstRows } from '../mesh/weld.ts';
import { triangulate } from '../polygons/triangulate.ts';

export interface ChosenUvs {
  /** Null when there is no such set. */
  readonly attribute: Attribute | null;
  /** Elements that were not finite; zeros now. */
  readonly invalid: number;
}

/** The UVs that `choice` names, with its affine applied. Shares the source's array when nothing changes. */
export function chosenUvs(mesh: PolygonMesh, choice: UvChoice): ChosenUvs {
  const source = choice.set === null ? undefined : mesh.uvs.get(choice.set);
  if (source === undefined) return { attribute: null, invalid: 0 };
  const { data, size } = source;
  let finite = size === 2;
  for (let i = 0; i < data.length && finite; i++) finite = Number.isFinite(data[i]);
  if (finite && choice.transform === null) return { attribute: source, invalid: 0 };
  const [a, b, c, d, tx, ty] = choice.transform ?? [1, 0, 0, 1, 0, 0];
  const count = Math.floor(data.length / size);
  const moved = new Float32Array(count * 2);
  let invalid = 0;
  for (let i = 0; i < count; i++) {
    const u = data[i * size];
    const v = data[i * size + 1];
    moved[i * 2] = a * u + c * v + tx;
    moved[i * 2 + 1] = b * u + d * v + ty;
    if (Number.isFinite(moved[i * 2]) && Number.isFinite(moved[i * 2 + 1])) continue;
    invalid++;
    moved[i * 2] = 0;
    moved[i * 2 + 1] = 0;
  }
  return { attribute: { ...source, data: moved, size: 2 }, invalid };
}

/**
 * Corner UVs as authored of every triangle that `triangulate(mesh, subset)` gives, in its order: for each set 6 numbers
 * a triangle (u, v of three corners); zeros where the mesh lacks the set.
 */
export function cornerUvs(
  mesh: PolygonMesh,
  subset: number,
  sets: readonly string[],
): ReadonlyMap<string, Float32Array> {
  const { count, corners, faces } = triangulate(mesh, subset);
  const result = new Map<string, Float32Array>();
  for (const set of sets) {
    const out = new Float32Array(count * 6);
    result.set(set, out);
    const uvs = mesh.uvs.get(set);
    if (uvs === undefined) continue;
    const code = interpolationCode(uvs);
    for (let i = 0; i < count * 3; i++) {
      const corner = corners ? corners[i] : i;
      const triangle = (i / 3) | 0;
      const face = faces ? faces[triangle] : triangle;
      const at = elementOf(code, uvs.indices, corner, mesh.corners[corner], face) * uvs.size;
      out[i * 2] = uvs.data[at];
      out[i * 2 + 1] = uvs.data[at + 1];
    }
  }
  return result;
}

/** The greatest |u| and |v|. */
export function uvReach(uv0: Float32Array): readonly [number, number] {
  let u = 0;
  let v = 0;
  for (let i = 0; i < uv0.length; i += 2) {
    const x = Math.abs(uv0[i]);
    const y = Math.abs(uv0[i + 1]);
    if (x > u) u = x;
    if (y > v) v = y;
  }
  return [u, v];
}

/**
 * Moves each UV island by whole numbers, u and v on their own, so that it lies as near to 0 as it can: the step of
 * floating-point numbers doubles with every power of two. An island is what triangles joined by corners with the same position and
 * the same UV cover, so no texture is torn. Islands within [-1, 1] stay. A move that float32 could not undo is not made:
 * the result differs from the input by exact whole numbers. Gives `uv0` itself when nothing moves.
 */
export function shiftIslands(
  positions: Float32Array | Float64Array,
  uv0: Float32Array,
  indices: Uint32Array,
): Float32Array {
  const [reachU, reachV] = uvReach(uv0);
  if (reachU <= 1 && reachV <= 1) return uv0;
  return kernel.within((memory) => {
    const uvs = memory.put(uv0);
    const island = findIslands(memory, positions, uvs, indices);
    let moved: Float32Array | null = null;
    for (let axis = 0; axis < 2; axis++) {
      memory.within(() => {
        const count = uv0.length / 2;
        const shifts = islandShifts(memory, uv0, axis, { uvs, island, count });
        if (shifts === null) return;
        moved ??= uv0.slice();
        const islands = memory.uint32(island, count);
        for (let v = 0; v < count; v++) moved[v * 2 + axis] = uv0[v * 2 + axis] + shifts[islands[v]];
      });
    }
    return moved ?? uv0;
  });
}

/** Writes for each vertex the number that identifies its island, at the address that it gives. */
function findIslands(
  memory: Kernel,
  positions: Float32Array | Float64Array,
  uvs: Address,
  indices: Uint32Array,
): Address {
  const { calls } = memory;
  const count = positions.length / 3;
  const island = memory.allocate(count * 4);
  memory.within(() => {
    const rows = memory.allocate(count * 20);
    const size = positions.BYTES_PER_ELEMENT;
    memory.within(() => calls.islandRows(memory.put(positions), size, uvs, count, rows));
    const numbers = firstRows(memory, rows, 5, count);
    calls.closeGaps(rows, 5, count, numbers);
    const parent = memory.allocate(count * 4);
    calls.joinIslands(memory.put(indices), indices.length, numbers, count, parent, island);
  });
  return island;
}

/** What islandShifts() reads in the kernel's memory, of `count` vertices. */
interface Islands {
  readonly uvs: Address;
  readonly island: Address;
  readonly count: number;
}

/**
 * The whole number for each island on one axis, by the number that identifies it; null when all are 0. A view of the
 * kernel's memory.
 */
function islandShifts(
  memory: Kernel,
  uv0: Float32Array,
  axis: number,
  { uvs, island: islandAt, count }: Islands,
): Float64Array | null {
  const leastAt = memory.allocate(count * 8);
  const mostAt = memory.allocate(count * 8);
  const shiftsAt = memory.zeros(count * 8);
  memory.calls.islandReach(uvs, axis, islandAt, count, leastAt, mostAt);
  const island = memory.uint32(islandAt, count);
  const least = memory.float64(leastAt, count);
  const most = memory.float64(mostAt, count);
  const shifts = memory.float64(shiftsAt, count);
  let any = false;
  for (let i = 0; i < count; i++) {
    // Islands are numbered by welded vertices, so there are fewer numbers than vertices.
    if (least[i] > most[i]) continue;
    shifts[i] = nearestShift(least[i], most[i]);
    any ||= shifts[i] !== 0;
  }
  if (!any) return null;

  // An island moved across 0 may lose digits of values that were close to 0: it stops short of it, or stays.
  for (let attempt = 0; attempt < 2; attempt++) {
    for (let v = 0; v < count; v++) {
      const i = island[v];
      const x = uv0[v * 2 + axis];
      if (Math.fround(x + shifts[i]) - shifts[i] === x) continue;
      shifts[i] = attempt === 0 ? outsideShift(least[i], most[i]) : 0;
    }
  }
  return shifts.some((n) => n !== 0) ? shifts : null;
}

/** Whole number that brings [least, most] nearest to 0, within [-1, 1] being near enough; the smaller one of equals. */
function nearestShift(least: number, most: number): number {
  const reach = (n: number) => Math.max(1, Math.abs(least + n), Math.abs(most + n));
  const middle = Math.floor(-(least + most) / 2);
  let best = 0;
  // Counted by a small step: adding 1 to a number beyond 2^53 would not change it.
  for (let step = -1; step <= 2; step++) {
    const n = middle + step;
    const gain = reach(best) - reach(n);
    if (gain > 0 || (gain === 0 && Math.abs(n) < Math.abs(best))) best = n;
  }
  // The shift would turn -0 into +0.
  return best === 0 ? 0 : best;
}

/** Whole number that brings an interval on one side of 0 as near to 0 as possible without crossing it. */
function outsideShift(least: number, most: number): number {
  if (least >= 1) return -Math.floor(least);
  if (most <= -1) return -Math.ceil(most);
  return 0;
}
