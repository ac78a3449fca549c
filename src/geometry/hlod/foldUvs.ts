// Packed meshes of several materials as one mesh of one texture: of a palette, in which each mesh has one colour, or of an
// atlas, which holds the images that they had.

import { halfBits, halfValue, VERTEX_WORDS } from '../mesh/pack.ts';
import { packWelded, uniteMeshes } from '../mesh/tileGeometry.ts';
import type { PackedMesh } from '../mesh/types.ts';
import { shiftOf } from '../uv/uvWindow.ts';

const UV0 = 5;

/** Where a mesh's texels are in the texture of all. */
export type FoldedUv =
  /** One point for all vertices. */
  | readonly [number, number]
  /**
   * The repeats along u and v that hold each triangle of the mesh once it is moved by whole numbers (uvWindow), and the
   * left, bottom, right and top that they have in the whole.
   */
  | { readonly repeats: readonly [number, number]; readonly rect: readonly [number, number, number, number] };

/** A UV as a packed vertex holds it. */
export const uvWord = (u: number, v: number): number => (halfBits(u) | (halfBits(v) << 16)) >>> 0;

/** One mesh of all (at least one), each with its UVs in the texture of all; vertices that become alike are welded. */
export function foldUvs(meshes: readonly PackedMesh[], uvs: readonly FoldedUv[]): Promise<PackedMesh> {
  const { words, indices, firstVertex, meshOf, vertexCount } = uniteMeshes(meshes);
  // Triangles that share a vertex may move apart: each corner of theirs gets a row.
  let corners = 0;
  for (let i = 0; i < indices.length; i++) if ('rect' in uvs[meshOf[indices[i]]]) corners++;
  const rows = new Uint32Array((vertexCount + corners) * VERTEX_WORDS);
  rows.set(words);
  for (let m = 0; m < meshes.length; m++) {
    const uv = uvs[m];
    if ('rect' in uv) continue;
    const word = uvWord(...uv);
    for (let v = firstVertex[m]; v < firstVertex[m + 1]; v++) rows[v * VERTEX_WORDS + UV0] = word;
  }
  let next = vertexCount;
  for (let i = 0; i < indices.length; i += 3) {
    const uv = uvs[meshOf[indices[i]]];
    if (!('rect' in uv)) continue;
    const moved = movedUvs(
      [0, 1, 2].map((k) => words[indices[i + k] * VERTEX_WORDS + UV0]),
      uv,
    );
    for (let k = 0; k < 3; k++, next++) {
      const from = indices[i + k] * VERTEX_WORDS;
      rows.copyWithin(next * VERTEX_WORDS, from, from + VERTEX_WORDS);
      rows[next * VERTEX_WORDS + UV0] = moved[k];
      indices[i + k] = next;
    }
  }
  return packWelded(rows, indices);
}

/** The UVs of a triangle in the texture of all. */
function movedUvs(
  corners: readonly number[],
  { repeats, rect: [left, bottom, right, top] }: Extract<FoldedUv, { readonly rect: unknown }>,
): number[] {
  const us = corners.map((word) => halfValue(word & 0xffff));
  const vs = corners.map((word) => halfValue(word >>> 16));
  const [n, m] = [shiftOf(us[0], us[1], us[2]), shiftOf(vs[0], vs[1], vs[2])];
  return corners.map((_, k) => {
    const u = Math.max(0, Math.min(1, (us[k] - n) / repeats[0]));
    const v = Math.max(0, Math.min(1, (vs[k] - m) / repeats[1]));
    return uvWord(left + u * (right - left), bottom + v * (top - bottom));
  });
}
