// Which stored vertices a morph target moves. Targets list points of the source; a weld, a split at a seam or another order
// gives a point any number of vertices.

import type { MorphDeltas } from '../scene/types.ts';

/** Vertices with the rows of the target that hold their deltas, parallel to each other. */
export interface MovedVertices {
  /** Ascending. */
  readonly vertices: Uint32Array;
  readonly rows: Uint32Array;
}

/** `points`: for each vertex the number by which targets list its point; 0: none moves it. */
export function movedVertices(points: Uint32Array, targets: readonly Pick<MorphDeltas, 'vertices'>[]): MovedVertices[] {
  // Vertices in the order of their points, so that each target looks at those that it moves alone.
  let highest = 0;
  for (const point of points) if (point > highest) highest = point;
  const first = new Uint32Array(highest + 2);
  for (const point of points) first[point + 1]++;
  for (let point = 0; point <= highest; point++) first[point + 1] += first[point];
  const next = first.slice();
  const ordered = new Uint32Array(points.length);
  for (let v = 0; v < points.length; v++) ordered[next[points[v]]++] = v;
  const rowOf = new Uint32Array(points.length);
  return targets.map(({ vertices: listed }) => {
    const moved: number[] = [];
    for (let row = 0; row < listed.length; row++) {
      const point = listed[row];
      if (point > highest) continue;
      for (let i = first[point]; i < first[point + 1]; i++) {
        moved.push(ordered[i]);
        rowOf[ordered[i]] = row;
      }
    }
    const vertices = Uint32Array.from(moved).sort();
    return { vertices, rows: vertices.map((vertex) => rowOf[vertex]) };
  });
}
