// Packed meshes of several materials as one mesh of one texture: of a palette, in which each mesh has one colour, or of an
// atlas, which holds the images that they had.

import { alignedWords } from './borders.ts';
import { halfBits, halfValue, VERTEX_WORDS } from './pack.ts';
import { packWelded, uniteMeshes } from './tileGeometry.ts';
import type { PackedMesh } from './types.ts';

const UV0 = 5;

/** How far UVs may lie outside of the image that they are about: a texel of the largest atlas, or how halves round. */
const OUTSIDE = 1 / 1024;

/** Where a mesh's texels are in the texture of all. */
export type FoldedUv =
  /** One point for all vertices. */
  | readonly [number, number]
  /** The square of texture space that the mesh's UVs lie in, and the left, bottom, right and top that it has in the whole. */
  | { readonly square: readonly [number, number]; readonly rect: readonly [number, number, number, number] };

/** A UV as a packed vertex holds it. */
export const uvWord = (u: number, v: number): number => (halfBits(u) | (halfBits(v) << 16)) >>> 0;

/** The whole numbers n and m for a mesh with all UVs in [n, n + 1] and [m, m + 1], 1/1024 aside; null if there are none. */
export function uvSquare({ vertices }: PackedMesh): [number, number] | null {
  const words = alignedWords(vertices);
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (let at = UV0; at < words.length; at += VERTEX_WORDS) {
    for (let k = 0; k < 2; k++) {
      const value = halfValue((words[at] >>> (16 * k)) & 0xffff);
      if (value < low[k]) low[k] = value;
      if (value > high[k]) high[k] = value;
    }
  }
  const square = low.map((value, k) => {
    // All on the far edge of one square are on the near edge of the next; either has the same texels.
    const from = Math.floor(value + OUTSIDE) + 0;
    return high[k] <= from + 1 + OUTSIDE ? from : null;
  });
  return square[0] === null || square[1] === null ? null : [square[0], square[1]];
}

/** One mesh of all (at least one), each with its UVs in the texture of all; vertices that become alike are welded. */
export function foldUvs(meshes: readonly PackedMesh[], uvs: readonly FoldedUv[]): Promise<PackedMesh> {
  const { words, indices, firstVertex } = uniteMeshes(meshes);
  for (let m = 0; m < meshes.length; m++) {
    const uv = uvs[m];
    const end = firstVertex[m + 1] * VERTEX_WORDS;
    if ('rect' in uv) {
      for (let at = firstVertex[m] * VERTEX_WORDS + UV0; at < end; at += VERTEX_WORDS) {
        words[at] = movedUv(words[at], uv.square, uv.rect);
      }
    } else {
      const word = uvWord(...uv);
      for (let at = firstVertex[m] * VERTEX_WORDS + UV0; at < end; at += VERTEX_WORDS) words[at] = word;
    }
  }
  return packWelded(words, indices);
}

function movedUv(
  word: number,
  [n, m]: readonly [number, number],
  [left, bottom, right, top]: readonly [number, number, number, number],
): number {
  const u = Math.max(0, Math.min(1, halfValue(word & 0xffff) - n));
  const v = Math.max(0, Math.min(1, halfValue(word >>> 16) - m));
  return uvWord(left + u * (right - left), bottom + v * (top - bottom));
}
