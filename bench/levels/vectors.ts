// Points, edges and triangles as three numbers each, and what is nearest to what.

export function crossed(p: Float32Array, indices: Uint32Array, at: number): readonly number[] {
  const [a, b, c] = [indices[at] * 3, indices[at + 1] * 3, indices[at + 2] * 3];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

export const sub = (u: readonly number[], v: readonly number[]) => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];

export const dot = (u: readonly number[], v: readonly number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

export function areaOf(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  const [u, v] = [sub(b, a), sub(c, a)];
  return Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
}

export function distanceTo(p: Float32Array, indices: Uint32Array, at: number, q: readonly number[]): number {
  const [a, b, c] = [0, 1, 2].map((k) => [...p.subarray(indices[at + k] * 3, indices[at + k] * 3 + 3)]);
  return Math.hypot(...sub(nearestPoint(a, b, c, q), q));
}

/** The point of a triangle that is nearest to `q` (Ericson, Real-Time Collision Detection, 5.1.5). */
export function nearestPoint(a: readonly number[], b: readonly number[], c: readonly number[], q: readonly number[]) {
  const along = (u: readonly number[], d: readonly number[], s: number) => u.map((value, k) => value + d[k] * s);
  const [ab, ac, ap] = [sub(b, a), sub(c, a), sub(q, a)];
  const [d1, d2] = [dot(ab, ap), dot(ac, ap)];
  if (d1 <= 0 && d2 <= 0) return a;
  const bp = sub(q, b);
  const [d3, d4] = [dot(ab, bp), dot(ac, bp)];
  if (d3 >= 0 && d4 <= d3) return b;
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return along(a, ab, d1 / (d1 - d3));
  const cp = sub(q, c);
  const [d5, d6] = [dot(ab, cp), dot(ac, cp)];
  if (d6 >= 0 && d5 <= d6) return c;
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return along(a, ac, d2 / (d2 - d6));
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return along(b, sub(c, b), (d4 - d3) / (d4 - d3 + d5 - d6));
  const s = 1 / (va + vb + vc);
  return along(along(a, ab, vb * s), ac, vc * s);
}
