// Vertices that simplification holds: locked ones stay, protected ones stay on their seams. In the bits of meshoptimizer's
// vertex_lock.

import { kernel } from '../../kernel/kernel.ts';
import { bitsOf } from '../mesh/mesh.ts';
import type { UnitedMeshes } from '../mesh/united.ts';
import { counted, texturedOf } from './quadricAttributes.ts';
import type { SimplifiedPart } from './simplifiedPart.ts';

/** Bits of meshoptimizer's vertex_lock. */
export const LOCK = 1;
const PROTECT = 2;

/** 1 for each locked position id that `before` uses and `after` does not; null where there is none. */
export function lostOf(
  before: Uint32Array,
  after: Uint32Array,
  ids: Uint32Array,
  idCount: number,
  locked: Uint8Array,
): Uint8Array | null {
  const used = new Uint8Array(idCount);
  for (let i = 0; i < after.length; i++) used[ids[after[i]]] = 1;
  let lost: Uint8Array | null = null;
  for (let i = 0; i < before.length; i++) {
    const v = before[i];
    if (locked[v] === 0 || used[ids[v]] === 1) continue;
    lost ??= new Uint8Array(idCount);
    lost[ids[v]] = 1;
  }
  return lost;
}

/** Locks every corner of the triangles at chosen position ids: those triangles stay as they are. */
export function lockAround(chosen: Uint8Array, indices: Uint32Array, ids: Uint32Array, locks: Uint8Array): void {
  const held = new Uint8Array(chosen.length);
  for (let i = 0; i < indices.length; i += 3) {
    const a = ids[indices[i]];
    const b = ids[indices[i + 1]];
    const c = ids[indices[i + 2]];
    if ((chosen[a] | chosen[b] | chosen[c]) !== 0) held[a] = held[b] = held[c] = 1;
  }
  for (let v = 0; v < locks.length; v++) if (held[ids[v]] === 1) locks[v] |= LOCK;
}

const NOTHING_SLIDES = { values: new Float32Array(0), size: 0 } as const;

/** Protects vertices at positions where materials differ, or values that slide over a texture. */
export function protectSeams(
  united: UnitedMeshes,
  parts: readonly SimplifiedPart[],
  ids: Uint32Array,
  idCount: number,
): Uint8Array {
  const { meshOf, vertexCount } = united;
  const sliding = counted(united).filter(({ measure }) => measure === 'slide');
  const seam = kernel.within((memory) => {
    const vertices = [memory.put(ids), vertexCount, memory.put(meshOf), memory.put(texturedOf(parts))] as const;
    const marked = memory.zeros(idCount);
    for (const { values, size } of sliding.length > 0 ? sliding : [NOTHING_SLIDES]) {
      memory.within(() => {
        const placed = size > 0 ? memory.put(bitsOf(values)) : 0;
        memory.calls.markSeams(...vertices, placed, size, memory.zeros(idCount * 4), marked);
      });
    }
    return memory.uint8(marked, idCount).slice();
  });
  const locks = new Uint8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) if (seam[ids[v]] === 1) locks[v] = PROTECT;
  return locks;
}
