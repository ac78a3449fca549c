// Which meshes of a payload are stored once and placed by entities, and which are baked: by the bytes that either takes in
// the file, within the number of entities that a payload may have. Works from counts.

import type { EntityLimits, InstanceCandidate } from '../format.ts';
import { recordSize } from './container/layout.ts';
import { ENTITY, MESH, VERTEX_STRIDE } from './container/records.ts';
import { MAX_SHORT_VERTICES } from './mesh/packMesh.ts';

/** Bytes of the records of one entity with one mesh, the same in every format version. */
const RECORD_BYTES = recordSize(ENTITY, 1) + recordSize(MESH, 1);

/** A mesh is stored once only if that takes at most this share of the baked bytes: entities cost the engine time, too. */
const MAX_OF_BAKED = 2 / 3;

/**
 * True for each candidate that is to be stored once. Those that save most bytes come first, equal ones in the order
 * given, until there is no room for another's entities.
 */
export function chooseInstances(candidates: readonly InstanceCandidate[], limits: EntityLimits): boolean[] {
  const chosen = candidates.map(() => false);
  const left = new Map(limits.merged);
  let entities = limits.own + limits.merged.size;
  const saved = candidates.map(savedBytes);
  const order = candidates.map((_, i) => i).sort((a, b) => saved[b] - saved[a] || a - b);
  for (const i of order) {
    if (saved[i] <= 0) continue;
    const { merged, placements } = candidates[i];
    if (merged !== null) {
      const others = (left.get(merged) ?? 1) - 1;
      // If nothing else goes into the merged mesh, the merged mesh is not drawn any more.
      const after = entities + placements - (others === 0 ? 1 : 0);
      if (after > limits.max) continue;
      entities = after;
      left.set(merged, others);
    }
    chosen[i] = true;
  }
  return chosen;
}

/** Whether storing the candidate once saves enough, apart from the limits on entities. */
export function isWorthInstances(candidate: InstanceCandidate): boolean {
  return savedBytes(candidate) > 0;
}

/** Bytes that storing the candidate once saves before compression; 0 if that is too little for its entities. */
function savedBytes({ vertexCount, indexCount, placements, nameBytes, merged }: InstanceCandidate): number {
  if (placements < 2) return 0;
  const mesh = vertexCount * VERTEX_STRIDE + indexCount * (vertexCount <= MAX_SHORT_VERTICES ? 2 : 4);
  const records = placements * (RECORD_BYTES + nameBytes + 1);
  const stored = mesh + records;
  const baked = placements * mesh + (merged === null ? records : 0);
  return stored <= baked * MAX_OF_BAKED ? baked - stored : 0;
}
