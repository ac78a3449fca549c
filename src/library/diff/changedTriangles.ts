// Which triangles of two outputs lie in one of them alone, wherever their files and tiles put them.

import type { RasterMesh } from '../../raster/scene.ts';

/** Coordinates are rounded to whole numbers of so many metres, and equal if these are. */
const STEP = 0.001;

const mixed = (hash: number, value: number): number => {
  const next = Math.imul(hash ^ value, 0x9e3779b1);
  return next ^ (next >>> 15);
};

/**
 * A number for each triangle of a mesh, equal for triangles with the same corners and side, whichever corner comes first. Two
 * hashes of 53 bits together: different triangles share one as good as never.
 */
function keysOf({ positions, indices }: RasterMesh): Float64Array {
  const count = Math.floor(indices.length / 3);
  const keys = new Float64Array(count);
  const corner = (index: number, seed: number): number => {
    let hash = seed;
    for (let k = 0; k < 3; k++) hash = mixed(hash, Math.round(positions[index * 3 + k] / STEP) | 0);
    return hash;
  };
  for (let i = 0; i < count; i++) {
    const hashes = [0, 1, 2].map((k) => corner(indices[i * 3 + k], 1));
    const first = hashes.indexOf(Math.min(...hashes));
    let [low, high] = [7, 11];
    for (let k = 0; k < 3; k++) {
      const at = (first + k) % 3;
      low = mixed(low, hashes[at]);
      high = mixed(high, corner(indices[i * 3 + at], 2));
    }
    keys[i] = (low >>> 0) * 2 ** 21 + ((high >>> 0) & 0x1fffff);
  }
  return keys;
}

/** How often each triangle is there. */
export function countTriangles(meshes: readonly RasterMesh[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const mesh of meshes) for (const key of keysOf(mesh)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Meshes parted into what the other output has as well, and what it lacks. */
export interface Parted {
  readonly same: readonly RasterMesh[];
  readonly own: readonly RasterMesh[];
  /** Triangles of `own`. */
  readonly count: number;
}

/** Parts meshes by whether the other output has each triangle as often. */
export function partTriangles(meshes: readonly RasterMesh[], others: ReadonlyMap<number, number>): Parted {
  const left = new Map(others);
  const same: RasterMesh[] = [];
  const own: RasterMesh[] = [];
  let count = 0;
  for (const mesh of meshes) {
    const keys = keysOf(mesh);
    const parts: [number[], number[]] = [[], []];
    for (const [i, key] of keys.entries()) {
      const there = left.get(key) ?? 0;
      if (there > 0) left.set(key, there - 1);
      const part = parts[there > 0 ? 0 : 1];
      part.push(mesh.indices[i * 3], mesh.indices[i * 3 + 1], mesh.indices[i * 3 + 2]);
    }
    if (parts[0].length > 0) same.push({ ...mesh, indices: Uint32Array.from(parts[0]) });
    if (parts[1].length > 0) own.push({ ...mesh, indices: Uint32Array.from(parts[1]) });
    count += parts[1].length / 3;
  }
  return { same, own, count };
}
