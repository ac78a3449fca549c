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

/** Whether a locked position that `before` uses is no longer used by `after`. */
export function losesLocked(
  before: Uint32Array,
  after: Uint32Array,
  ids: Uint32Array,
  idCount: number,
  locked: Uint8Array,
): boolean {
  const used = new Uint8Array(idCount);
  for (let i = 0; i < after.length; i++) used[ids[after[i]]] = 1;
  for (let i = 0; i < before.length; i++) if (locked[before[i]] === 1 && used[ids[before[i]]] === 0) return true;
  return false;
}

/** Locks every corner of the triangles at locked positions: those triangles stay as they are. */
export function lockAround(
  indices: Uint32Array,
  ids: Uint32Array,
  idCount: number,
  locked: Uint8Array,
  locks: Uint8Array,
): void {
  const held = new Uint8Array(idCount);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    if ((locked[a] | locked[b] | locked[c]) === 0) continue;
    held[ids[a]] = held[ids[b]] = held[ids[c]] = 1;
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
