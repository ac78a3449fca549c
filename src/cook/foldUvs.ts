// Packed meshes drawn with one colour each, as one mesh that finds its colours in a palette texture.

import { halfBits, VERTEX_WORDS } from './pack.ts';
import { packRows, uniteMeshes } from './tileGeometry.ts';
import type { PackedMesh } from './types.ts';
import { weldRows } from './weld.ts';

const UV0 = 5;

/** A UV as a packed vertex holds it. */
export const uvWord = (u: number, v: number): number => (halfBits(u) | (halfBits(v) << 16)) >>> 0;

/** One mesh of all (at least one), each with the UV of its colour; vertices that become alike are welded. */
export function foldUvs(
  meshes: readonly PackedMesh[],
  uvs: readonly (readonly [number, number])[],
): Promise<PackedMesh> {
  const { words, indices, firstVertex } = uniteMeshes(meshes);
  for (let m = 0; m < meshes.length; m++) {
    const uv = uvWord(...uvs[m]);
    for (let i = firstVertex[m]; i < firstVertex[m + 1]; i++) words[i * VERTEX_WORDS + UV0] = uv;
  }
  const { count, remap } = weldRows(words, VERTEX_WORDS);
  if (remap) for (let i = 0; i < indices.length; i++) indices[i] = remap[indices[i]];
  return packRows(words.subarray(0, count * VERTEX_WORDS), indices);
}
