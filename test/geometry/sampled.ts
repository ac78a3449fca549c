// The error of a level by other means than the cook's own: for tests of what is declared.

import { type AnyMesh, area, positionsOf } from './packed.ts';

/** Points over a surface, independent of the cook: by area, from a generator of its own. */
function sample(meshes: readonly AnyMesh[], count: number, seed: number): number[][] {
  let state = seed;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const total = area(meshes);
  const points: number[][] = [];
  for (const mesh of meshes) {
    const p = positionsOf(mesh);
    for (let i = 0; i < mesh.indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => [...p.subarray(mesh.indices[i + k] * 3, mesh.indices[i + k] * 3 + 3)]);
      const one = area([{ positions: p, indices: Uint32Array.from(mesh.indices.slice(i, i + 3)) }]);
      const here = (one / total) * count;
      for (let n = Math.floor(here) + (random() < here % 1 ? 1 : 0); n > 0; n--) {
        let [s, t] = [random(), random()];
        if (s + t > 1) [s, t] = [1 - s, 1 - t];
        points.push(a.map((x, k) => x + s * (b[k] - x) + t * (c[k] - x)));
      }
    }
  }
  return points;
}

/** Distance from a point to a triangle by projecting on its plane and clamping to its edges. */
function distance(p: number[], [a, b, c]: number[][]): number {
  const sub = (x: number[], y: number[]) => x.map((v, k) => v - y[k]);
  const dot = (x: number[], y: number[]) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const cross = (x: number[], y: number[]) => [
    x[1] * y[2] - x[2] * y[1],
    x[2] * y[0] - x[0] * y[2],
    x[0] * y[1] - x[1] * y[0],
  ];
  const n = cross(sub(b, a), sub(c, a));
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ];
  if (edges.every(([from, to]) => dot(cross(sub(to, from), sub(p, from)), n) >= 0)) {
    return Math.abs(dot(sub(p, a), n)) / Math.hypot(...n);
  }
  return Math.min(
    ...edges.map(([from, to]) => {
      const d = sub(to, from);
      const t = Math.max(0, Math.min(1, dot(sub(p, from), d) / dot(d, d)));
      return Math.hypot(
        ...sub(
          p,
          from.map((x, k) => x + t * d[k]),
        ),
      );
    }),
  );
}

/** The greatest distance in metres from points of one surface to another, by asking every triangle. */
export function sampledError(from: readonly AnyMesh[], to: readonly AnyMesh[], count: number): number {
  const triangles = to.flatMap((mesh) => {
    const p = positionsOf(mesh);
    return Array.from({ length: mesh.indices.length / 3 }, (_, t) =>
      [0, 1, 2].map((k) => [...p.subarray(mesh.indices[t * 3 + k] * 3, mesh.indices[t * 3 + k] * 3 + 3)]),
    );
  });
  const boxes = Float64Array.from(
    triangles.flatMap((t) =>
      [0, 1, 2].flatMap((k) => [Math.min(...t.map((p) => p[k])), Math.max(...t.map((p) => p[k]))]),
    ),
  );
  let max = 0;
  // Points follow each other closely, so the triangle nearest to one is near the next; a point that is no further away than
  // the furthest so far changes nothing.
  let nearest = 0;
  for (const point of sample(from, count, 7)) {
    const [x, y, z] = point;
    let min = distance(point, triangles[nearest]);
    for (let i = 0, b = 0; i < triangles.length && min > max; i++, b += 6) {
      if (x < boxes[b] - min || x > boxes[b + 1] + min || y < boxes[b + 2] - min || y > boxes[b + 3] + min) continue;
      if (z < boxes[b + 4] - min || z > boxes[b + 5] + min) continue;
      const here = distance(point, triangles[i]);
      if (here >= min) continue;
      min = here;
      nearest = i;
    }
    max = Math.max(max, min);
  }
  return max;
}
