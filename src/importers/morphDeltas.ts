// Deltas of morph targets as sources list them: in any order, a vertex any number of times.

import type { MorphDeltas } from '../scene/types.ts';

/**
 * The deltas in the order of their vertices; those of one vertex are added up, because a target of the engine has one entry
 * a vertex. Gives the same arrays where nothing changes.
 */
export function sortedDeltas({ vertices, positions, normals }: MorphDeltas): MorphDeltas {
  if (vertices.every((vertex, i) => i === 0 || vertex > vertices[i - 1])) return { vertices, positions, normals };
  const order = Uint32Array.from(vertices.keys()).sort((a, b) => vertices[a] - vertices[b] || a - b);
  const listed = new Uint32Array(vertices.length);
  const moved = new Float32Array(vertices.length * 3);
  const turned = normals && new Float32Array(vertices.length * 3);
  let count = 0;
  for (const row of order) {
    if (count === 0 || listed[count - 1] !== vertices[row]) listed[count++] = vertices[row];
    const to = (count - 1) * 3;
    for (let k = 0; k < 3; k++) {
      moved[to + k] += positions[row * 3 + k];
      if (turned && normals) turned[to + k] += normals[row * 3 + k];
    }
  }
  return {
    vertices: listed.slice(0, count),
    positions: moved.slice(0, count * 3),
    normals: turned ? turned.slice(0, count * 3) : null,
  };
}
