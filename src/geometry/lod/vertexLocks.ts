// Vertices that simplification holds: locked ones stay, protected ones stay on their seams. In the bits of meshoptimizer's
// vertex_lock.

import { kernel } from '../../kernel/kernel.ts';
import { bitsOf } from '../mesh/mesh.ts';
import type { UnitedMeshes } from '../mesh/united.ts';
import { counted, texturedOf } from './quadricAttributes.ts';
import type { SimplifiedMesh } from './simplifiedMesh.ts';

/** Bits of meshoptimizer's vertex_lock. */
export const LOCK = 1;
const PROTECT = 2;

/** The locked vertices with those held (null: none) among them, and their bits beside those of `seams`. */
export function addLocks(
  locked: Uint8Array,
  held: Uint8Array | null,
  seams: Uint8Array,
): { readonly locked: Uint8Array; readonly locks: Uint8Array } {
  const { length } = locked;
  return kernel.within((memory) => {
    const all = memory.put(locked);
    const locks = memory.allocate(length);
    memory.calls.addLocks(all, held ? memory.put(held) : 0, memory.put(seams), length, LOCK, locks);
    return { locked: memory.uint8(all, length).slice(), locks: memory.uint8(locks, length).slice() };
  });
}

/** Whether a locked position that `before` uses is no longer used by `after`. */
export function losesLocked(
  before: Uint32Array,
  after: Uint32Array,
  ids: Uint32Array,
  idCount: number,
  locked: Uint8Array,
): boolean {
  return kernel.within((memory) => {
    const corners = [memory.put(before), before.length, memory.put(after), after.length] as const;
    const vertices = [memory.put(ids), memory.put(locked)] as const;
    return memory.calls.losesLocked(...corners, ...vertices, memory.zeros(idCount)) === 1;
  });
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
  parts: readonly SimplifiedMesh[],
  ids: Uint32Array,
  idCount: number,
): Uint8Array {
  const { meshOf, vertexCount } = united;
  const sliding = counted(united).filter(({ measure }) => measure === 'slide');
  return kernel.within((memory) => {
    const vertices = [memory.put(ids), vertexCount, memory.put(meshOf), memory.put(texturedOf(parts))] as const;
    const marked = memory.zeros(idCount);
    for (const { values, size } of sliding.length > 0 ? sliding : [NOTHING_SLIDES]) {
      memory.within(() => {
        const placed = size > 0 ? memory.put(bitsOf(values)) : 0;
        memory.calls.markSeams(...vertices, placed, size, memory.zeros(idCount * 4), marked);
      });
    }
    const locks = memory.allocate(vertexCount);
    memory.calls.pickFlags(marked, idCount, vertices[0], vertexCount, PROTECT, locks);
    return memory.uint8(locks, vertexCount).slice();
  });
}
