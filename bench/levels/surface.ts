// What is wrong with the surface of a level: normals that lean away, triangles that face the other way, edges that grew.

import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { TriangleGrid } from './triangleGrid.ts';
import { crossed, dot } from './vectors.ts';

/** A stored normal further than this from its triangle's is seen as a dark blotch. */
const LEANING = Math.cos(Math.PI / 3);

/** Area of the triangles with a stored normal that leans away, and of all. */
export function leaning({ positions, indices, attributes }: Float32Mesh): readonly [number, number] {
  const { normal } = attributes;
  let away = 0;
  let total = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
    const n = crossed(positions, indices, i);
    const length = Math.hypot(...n);
    if (!(length > 0)) continue;
    total += length / 2;
    const leans = [a, b, c].some((at) => {
      const stored = Math.hypot(normal[at], normal[at + 1], normal[at + 2]);
      return n[0] * normal[at] + n[1] * normal[at + 1] + n[2] * normal[at + 2] < LEANING * length * stored;
    });
    if (leans) away += length / 2;
  }
  return [away, total];
}

/** Area of the triangles whose centres have full detail within `reach` metres, but none that faces alike. */
export function facingAway({ positions, indices }: Float32Mesh, full: Float32Mesh, range: number): number {
  const grid = new TriangleGrid(full);
  let away = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const n = crossed(positions, indices, i);
    const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
    const middle = [0, 1, 2].map((k) => (positions[a + k] + positions[b + k] + positions[c + k]) / 3);
    const alike = grid.some(middle, range, (t) => dot(n, crossed(full.positions, full.indices, t * 3)) > 0);
    if (!alike && grid.some(middle, range, () => true)) away += Math.hypot(...n) / 2;
  }
  return away;
}

export function longestEdge({ positions, indices }: Float32Mesh): number {
  let longest = 0;
  for (let i = 0; i < indices.length; i++) {
    const [a, b] = [indices[i] * 3, indices[i % 3 === 2 ? i - 2 : i + 1] * 3];
    const d = Math.hypot(
      positions[b] - positions[a],
      positions[b + 1] - positions[a + 1],
      positions[b + 2] - positions[a + 2],
    );
    if (d > longest) longest = d;
  }
  return longest;
}
