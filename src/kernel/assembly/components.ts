// Connected components of a surface (geometry/mesh/components.ts), and its triangles by the mesh that they belong to.

import { rootOf, separate } from './sets.ts';
import { setWord, word } from './words.ts';

/**
 * Numbers the components: triangles joined by the ids of their corners, which are below `idCount`, in the order of their
 * first triangles. `parent`, `numbers`: room for a word an id. Writes the component of each triangle, gives how many there are.
 */
export function joinComponents(
  indices: usize,
  triangleCount: u32,
  ids: usize,
  idCount: u32,
  parent: usize,
  numbers: usize,
  componentOf: usize,
): u32 {
  separate(parent, idCount);
  const end = indices + <usize>triangleCount * 12;
  for (let at = indices; at < end; at += 12) {
    const a = rootOf(parent, word(ids, load<u32>(at)));
    setWord(parent, rootOf(parent, word(ids, load<u32>(at, 4))), a);
    setWord(parent, rootOf(parent, word(ids, load<u32>(at, 8))), a);
  }
  memory.fill(numbers, 0, (<usize>idCount) << 2);
  let count: u32 = 0;
  for (let t: u32 = 0, at = indices; t < triangleCount; t++, at += 12) {
    const root = rootOf(parent, word(ids, load<u32>(at)));
    let number = word(numbers, root);
    if (number === 0) {
      // From 1, so that 0 says unseen.
      number = ++count;
      setWord(numbers, root, number);
    }
    setWord(componentOf, t, number - 1);
  }
  return count;
}

/**
 * Writes the box of each component, six float32: least and greatest corner; and a byte for each, 1 for one with a locked
 * vertex. `locked`: a byte a vertex.
 */
export function boundComponents(
  positions: usize,
  indices: usize,
  triangleCount: u32,
  locked: usize,
  componentOf: usize,
  count: u32,
  boxes: usize,
  isLocked: usize,
): void {
  memory.fill(isLocked, 0, count);
  for (let c: u32 = 0, at = boxes; c < count; c++, at += 24) {
    for (let k: usize = 0; k < 12; k += 4) {
      store<f32>(at + k, Infinity);
      store<f32>(at + k, -Infinity, 12);
    }
  }
  for (let t: u32 = 0, corner = indices; t < triangleCount; t++) {
    const component = word(componentOf, t);
    const box = boxes + <usize>component * 24;
    for (let i = 0; i < 3; i++, corner += 4) {
      const v = load<u32>(corner);
      if (load<u8>(locked + v) === 1) store<u8>(isLocked + component, 1);
      const from = positions + <usize>v * 12;
      for (let k: usize = 0; k < 12; k += 4) {
        const p = load<f32>(from + k);
        if (p < load<f32>(box + k)) store<f32>(box + k, p);
        if (p > load<f32>(box + k, 12)) store<f32>(box + k, p, 12);
      }
    }
  }
}

/**
 * Sorts triangles by the mesh of their first corners, in their order within each. Corners are counted from the first
 * vertex of their mesh on. `ends`: room for a word a mesh; afterwards, where the corners of each mesh end in `sorted`.
 */
export function sortByMesh(
  indices: usize,
  indexCount: u32,
  meshOf: usize,
  firstVertex: usize,
  meshCount: u32,
  ends: usize,
  sorted: usize,
): void {
  memory.fill(ends, 0, (<usize>meshCount) << 2);
  const end = indices + ((<usize>indexCount) << 2);
  for (let at = indices; at < end; at += 12) {
    const mesh = word(meshOf, load<u32>(at));
    setWord(ends, mesh, word(ends, mesh) + 3);
  }
  let sum: u32 = 0;
  for (let mesh: u32 = 0; mesh < meshCount; mesh++) {
    const size = word(ends, mesh);
    setWord(ends, mesh, sum);
    sum += size;
  }
  // Beginnings become ends.
  for (let at = indices; at < end; at += 12) {
    const mesh = word(meshOf, load<u32>(at));
    const first = word(firstVertex, mesh);
    const to = word(ends, mesh);
    setWord(ends, mesh, to + 3);
    setWord(sorted, to, load<u32>(at) - first);
    setWord(sorted, to + 1, load<u32>(at, 4) - first);
    setWord(sorted, to + 2, load<u32>(at, 8) - first);
  }
}
