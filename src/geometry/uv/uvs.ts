// Texture coordinates: the set and affine that a material chose, and UV islands moved by whole numbers towards 0, where
// stored numbers are finest. V up throughout. The engine samples every texture repeating, so whole numbers change nothing.

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';
import { elementOf, interpolationCode } from '../../scene/element.ts';
import { texCoordOf } from '../../scene/gltfMaterial.ts';
import type { Attribute, PolygonMesh, UvChoice } from '../../scene/types.ts';
import { type Semantic, UV_SETS, type UvSemantic } from '../mesh/attributes.ts';
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

/** UVs with an affine applied. */
export function transformedUvs(uvs: Float32Array, transform: UvChoice['transform']): Float32Array {
  if (transform === null) return uvs;
  const [a, b, c, d, tx, ty] = transform;
  const moved = new Float32Array(uvs.length);
  for (let i = 0; i < uvs.length; i += 2) {
    moved[i] = a * uvs[i] + c * uvs[i + 1] + tx;
    moved[i + 1] = b * uvs[i] + d * uvs[i + 1] + ty;
  }
  return moved;
}

export interface KeptUvs {
  readonly values: { readonly [S in UvSemantic]?: Attribute };
  /** Names of those that there is no place for. */
  readonly left: readonly string[];
  /** As in ChosenUvs, of all sets. */
  readonly invalid: number;
}

/**
 * All sets of a mesh under their numbers in glTF, which are not to have gaps (3.7.2.1): a set that is missing below another or below
 * the highest of `used` is 0. A texture of a set that there is no place for is written with the first set, which is then there.
 */
export function keptUvs(mesh: PolygonMesh, stored: readonly Semantic[], used: readonly number[]): KeptUvs {
  const names = [...mesh.uvs.keys()];
  const places = UV_SETS.filter((semantic) => stored.includes(semantic));
  const left = names.filter((name) => !(texCoordOf(name) >= 0 && texCoordOf(name) < places.length));
  const stands = used.map((number) => (number < places.length ? number : 0));
  const numbers = [...names.map(texCoordOf), ...stands].filter((number) => number < places.length);
  const count = Math.max(0, ...numbers.map((number) => number + 1));
  let invalid = 0;
  const sets = places.slice(0, count).map((semantic, i): [UvSemantic, Attribute] => {
    const { attribute, invalid: wrong } = chosenUvs(mesh, { set: `TEXCOORD_${i}`, transform: null });
    invalid += wrong;
    return [semantic, attribute ?? NO_UVS];
  });
  return { values: Object.fromEntries(sets), left, invalid };
}

/** (0, 0) in glTF, where V counts from the top of the image. */
const NO_UVS: Attribute = { data: Float32Array.of(0, 1), size: 2, interpolation: 'constant', indices: null };

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

/** The area of all triangles of a subset in the mesh's own unit, and that of their texture coordinates. */
export function uvAreas(mesh: PolygonMesh, subset: number, set: string): { surface: number; texture: number } {
  const { count, corners } = triangulate(mesh, subset);
  const uvs = cornerUvs(mesh, subset, [set]).get(set) as Float32Array;
  const { points } = mesh;
  let surface = 0;
  let texture = 0;
  for (let i = 0; i < count; i++) {
    const [p, q, r] = [0, 1, 2].map((k) => mesh.corners[corners ? corners[i * 3 + k] : i * 3 + k] * 3);
    const [ax, ay, az] = [points[q] - points[p], points[q + 1] - points[p + 1], points[q + 2] - points[p + 2]];
    const [bx, by, bz] = [points[r] - points[p], points[r + 1] - points[p + 1], points[r + 2] - points[p + 2]];
    surface += Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx) / 2;
    const [u, v] = [uvs[i * 6], uvs[i * 6 + 1]];
    const cross = (uvs[i * 6 + 2] - u) * (uvs[i * 6 + 5] - v) - (uvs[i * 6 + 3] - v) * (uvs[i * 6 + 4] - u);
    texture += Math.abs(cross) / 2;
  }
  return { surface, texture };
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
    const count = uv0.length / 2;
    const uvs = memory.put(uv0);
    const island = findIslands(memory, positions, uvs, indices);
    const [min, max, shifts] = [0, 0, 0].map(() => memory.allocate(count * 8));
    let anyMoves = false;
    for (let axis = 0; axis < 2; axis++) {
      memory.calls.islandReach(uvs, axis, island, count, min, max);
      if (memory.calls.moveIslands(uvs, axis, island, count, min, max, shifts)) anyMoves = true;
    }
    return anyMoves ? memory.float32(uvs, uv0.length).slice() : uv0;
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
