// Foliage cards: leaves drawn as many small separate quads with a cut-out texture. Simplifying them as a surface eats
// them; here some go, spread evenly over the crown, and those that stay grow until they cover what all of them did.

import { boundsOfPoints } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { mortonKeys, sortedByKey } from '../lod/boundingVolumeHierarchy.ts';
import { triangleArea } from '../lod/deviation.ts';
import { type Components, connectedComponents } from '../mesh/components.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import { type PickedMesh, pickTriangles } from '../mesh/united.ts';

/** A mesh is taken for cards when it has at least this many connected components … */
const MIN_CARDS = 16;
/** … of at most this many triangles on average. */
const TRIANGLES_A_CARD = 8;

function cardsOf({ positions, indices, vertexCount }: Float32Mesh, lockedVertices: Uint8Array): Components {
  return connectedComponents(positions, indices, new PositionIds(vertexCount).of(positions), lockedVertices);
}

/** Whether a mesh with a cut-out material is made of cards. */
export function isMadeOfCards(mesh: Float32Mesh): boolean {
  const triangles = mesh.indices.length / 3;
  if (triangles < MIN_CARDS) return false;
  const { count } = cardsOf(mesh, new Uint8Array(mesh.vertexCount));
  return count >= MIN_CARDS && triangles <= count * TRIANGLES_A_CARD;
}

/**
 * A share of the cards, about `ratio` of them: every so many along a Morton curve through their centres, and all with a
 * locked vertex as they are. The others that stay are scaled around their centres so that the area is what it was.
 */
export async function thinCards(mesh: Float32Mesh, lockedVertices: Uint8Array, ratio: number): Promise<PickedMesh> {
  const { positions, indices, vertexCount } = mesh;
  const { count, componentOf, boxes, locked } = cardsOf(mesh, lockedVertices);

  // 1. Area of each card.
  const areas = new Float64Array(count);
  for (let t = 0; t < componentOf.length; t++) areas[componentOf[t]] += triangleArea(positions, indices, t * 3);

  // 2. Which ones stay.
  const centres = new Float32Array(count * 3);
  for (let c = 0; c < count; c++)
    for (let k = 0; k < 3; k++) centres[c * 3 + k] = (boxes[c * 6 + k] + boxes[c * 6 + 3 + k]) / 2;
  const { min, max } = boundsOfPoints(positions) as Bounds;
  const stays = new Uint8Array(count);
  let total = 0;
  let left = 0;
  let rank = 0;
  for (const card of sortedByKey(mortonKeys(centres, min, max))) {
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

  // 3. Their vertices, moved away from the centre; vertices at one position belong to one card.
  const scale = left > 0 ? Math.sqrt(total / left) : 1;
  const grown = positions.slice();
  const moved = new Uint8Array(vertexCount);
  const kept = new Uint32Array(indices.length);
  let end = 0;
  for (let t = 0; t < componentOf.length; t++) {
    const card = componentOf[t];
    if (stays[card] === 0) continue;
    for (let i = t * 3; i < t * 3 + 3; i++) {
      const v = indices[i];
      kept[end++] = v;
      if (moved[v] === 1 || locked[card] === 1) continue;
      moved[v] = 1;
      for (let k = 0; k < 3; k++) {
        const centre = centres[card * 3 + k];
        grown[v * 3 + k] = centre + (grown[v * 3 + k] - centre) * scale;
      }
    }
  }
  if (end === 0) return { mesh, vertices: Uint32Array.from({ length: vertexCount }, (_, v) => v) };
  return pickTriangles({ ...mesh, positions: grown }, kept.subarray(0, end));
}
