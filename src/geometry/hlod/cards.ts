// Foliage cards: leaves drawn as many small separate quads with a cut-out texture. Simplifying them as a surface eats
// them; here some go, spread evenly over the crown, and those that stay grow until they cover what all of them did.

import { mortonKeys, sortedByKey } from '../lod/boundingVolumeHierarchy.ts';
import { triangleArea } from '../lod/deviation.ts';
import { connectedParts } from '../mesh/components.ts';
import { VERTEX_WORDS } from '../mesh/pack.ts';
import { packRows, positionClasses, uniteMeshes } from '../mesh/tileGeometry.ts';
import type { PackedMesh } from '../mesh/types.ts';

/** A mesh is taken for cards when it has at least this many parts … */
const MIN_CARDS = 16;
/** … of at most this many triangles on average. */
const TRIANGLES_A_CARD = 8;

/** Whether a mesh with a cut-out material is made of cards. */
export function isMadeOfCards(mesh: PackedMesh): boolean {
  const triangles = mesh.indices.length / 3;
  if (triangles < MIN_CARDS) return false;
  const geometry = uniteMeshes([mesh]);
  const { classOf } = positionClasses(geometry);
  const { count } = connectedParts(geometry, geometry.indices, classOf, new Uint8Array(geometry.vertexCount));
  return count >= MIN_CARDS && triangles <= count * TRIANGLES_A_CARD;
}

/**
 * A share of the cards, about `ratio` of them: every so many along a curve through their middles, and all with a locked
 * vertex as they are. The others that stay are scaled around their middles so that the area is what it was.
 */
export async function thinCards(mesh: PackedMesh, lockedVertices: Uint8Array, ratio: number): Promise<PackedMesh> {
  const geometry = uniteMeshes([mesh]);
  const { positions, indices, vertexCount } = geometry;
  const { classOf } = positionClasses(geometry);
  const { count, partOf, boxes, locked } = connectedParts(geometry, indices, classOf, lockedVertices);

  // 1. Area of each card.
  const areas = new Float64Array(count);
  for (let t = 0; t < partOf.length; t++) areas[partOf[t]] += triangleArea(positions, indices, t * 3);

  // 2. Which ones stay.
  const middles = new Float32Array(count * 3);
  for (let p = 0; p < count; p++)
    for (let k = 0; k < 3; k++) middles[p * 3 + k] = (boxes[p * 6 + k] + boxes[p * 6 + 3 + k]) / 2;
  const { min, max } = mesh.bounds;
  const stays = new Uint8Array(count);
  let total = 0;
  let left = 0;
  let rank = 0;
  for (const card of sortedByKey(mortonKeys(middles, min, max))) {
    if (locked[card] === 1) {
      stays[card] = 1;
      continue;
    }
    total += areas[card];
    if (Math.floor((rank + 1) * ratio) > Math.floor(rank * ratio)) {
      stays[card] = 1;
      left += areas[card];
    }
    rank++;
  }

  // 3. Their vertices, moved away from the middle; vertices of one position belong to one card.
  const scale = left > 0 ? Math.sqrt(total / left) : 1;
  const words = geometry.words.slice();
  const floats = new Float32Array(words.buffer);
  const moved = new Uint8Array(vertexCount);
  const kept: number[] = [];
  for (let t = 0; t < partOf.length; t++) {
    const card = partOf[t];
    if (stays[card] === 0) continue;
    for (let i = t * 3; i < t * 3 + 3; i++) {
      const v = indices[i];
      kept.push(v);
      if (moved[v] === 1 || locked[card] === 1) continue;
      moved[v] = 1;
      for (let k = 0; k < 3; k++) {
        const middle = middles[card * 3 + k];
        floats[v * VERTEX_WORDS + k] = middle + (floats[v * VERTEX_WORDS + k] - middle) * scale;
      }
    }
  }
  return kept.length === 0 ? mesh : packRows(words, Uint32Array.from(kept));
}
