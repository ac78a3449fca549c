// Packed vertices of a mesh as words, for tests.

import { packVertices, VERTEX_WORDS } from '../../../../src/formats/untold/mesh/vertexWords.ts';
import type { Mesh } from '../../../../src/geometry/mesh/mesh.ts';
import type { Placement } from '../../../../src/geometry/mesh/transform.ts';
import { kernel } from '../../../../src/kernel/kernel.ts';

/** Packs the vertices of `mesh` into `words`, from vertex `first` on. */
export function packInto(mesh: Mesh, to: Placement | null, words: Uint32Array, first: number): void {
  const length = mesh.vertexCount * VERTEX_WORDS;
  kernel.within((memory) => {
    const at = memory.allocate(length * 4);
    packVertices(memory, mesh, to, at);
    words.set(memory.uint32(at, length), first * VERTEX_WORDS);
  });
}
