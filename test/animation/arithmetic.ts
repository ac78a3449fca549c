// Matrices (column-major) and quaternions (x, y, z, w) for the evaluators of tests, which share no code with the product.

export type M = readonly number[];

export const I: M = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export const mul = (a: M, b: M): M =>
  Array.from({ length: 16 }, (_, i) => {
    const [c, r] = [i >> 2, i & 3];
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + r] * b[c * 4 + k], 0);
  });

export const apply = (m: M, p: readonly number[]): number[] =>
  [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);

/** By Gauss and Jordan, with pivots. */
export function inverted(m: M): M {
  const rows = [0, 1, 2, 3].map((r) => [
    ...[0, 1, 2, 3].map((c) => m[c * 4 + r]),
    ...[0, 1, 2, 3].map((c) => (c === r ? 1 : 0)),
  ]);
  for (let c = 0; c < 4; c++) {
    const pivot = [c, c + 1, c + 2, c + 3]
      .filter((r) => r < 4)
      .sort((a, b) => Math.abs(rows[b][c]) - Math.abs(rows[a][c]))[0];
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    const by = rows[c][c];
    rows[c] = rows[c].map((value) => value / by);
    for (let r = 0; r < 4; r++) {
      const factor = rows[r][c];
      if (r !== c) rows[r] = rows[r].map((value, k) => value - factor * rows[c][k]);
    }
  }
  return Array.from({ length: 16 }, (_, i) => rows[i & 3][4 + (i >> 2)]);
}

/** Translation, rotation, scale. */
export function trs(t: readonly number[], q: readonly number[], s: readonly number[]): M {
  const n = Math.hypot(...q);
  const [x, y, z, w] = q.map((value) => value / n);
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  return [...r.flatMap((column, c) => [...column.map((value) => value * s[c]), 0]), t[0], t[1], t[2], 1];
}

export function slerped(a: readonly number[], b: readonly number[], share: number): number[] {
  const dot = a.reduce((sum, value, k) => sum + value * b[k], 0);
  const to = dot < 0 ? b.map((value) => -value) : b;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  if (angle < 1e-7) return a.map((value, k) => value + (to[k] - value) * share);
  const [fa, fb] = [Math.sin((1 - share) * angle), Math.sin(share * angle)].map((value) => value / Math.sin(angle));
  return a.map((value, k) => value * fa + to[k] * fb);
}

/** A rotation about an axis by degrees. */
export function turn(axis: readonly number[], degrees: number): number[] {
  const half = (degrees * Math.PI) / 360;
  const n = Math.hypot(...axis);
  return [...axis.map((value) => (value / n) * Math.sin(half)), Math.cos(half)];
}
