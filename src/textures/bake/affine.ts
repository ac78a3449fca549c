// Affine maps of texture coordinates, [a, b, c, d, tx, ty] as TextureUse.transform: u' = a u + c v + tx,
// v' = b u + d v + ty. For chooseUv, the layout and the baker.

export type Affine = readonly [number, number, number, number, number, number];

export const IDENTITY: Affine = [1, 0, 0, 1, 0, 0];

/** p after q. */
export function compose(p: Affine, q: Affine): Affine {
  return [
    p[0] * q[0] + p[2] * q[1],
    p[1] * q[0] + p[3] * q[1],
    p[0] * q[2] + p[2] * q[3],
    p[1] * q[2] + p[3] * q[3],
    p[0] * q[4] + p[2] * q[5] + p[4],
    p[1] * q[4] + p[3] * q[5] + p[5],
  ];
}

/** The inverse, null for a map that is singular or not finite. */
export function invert(m: Affine): Affine | null {
  const det = m[0] * m[3] - m[1] * m[2];
  if (!(Math.abs(det) > 1e-18) || !m.every(Number.isFinite)) return null;
  const a = m[3] / det;
  const b = -m[1] / det;
  const c = -m[2] / det;
  const d = m[0] / det;
  return [a, b, c, d, -(a * m[4] + c * m[5]), -(b * m[4] + d * m[5])];
}

/** Whole numbers are meant where float32 transforms of exporters come this near to them. */
export const SNAP = 1e-5;

/** Elements within SNAP of a whole number become it (and -0 becomes 0). */
export function snap(m: Affine): Affine {
  const s = (x: number) => (Math.abs(x - Math.round(x)) < SNAP ? Math.round(x) + 0 : x);
  return [s(m[0]), s(m[1]), s(m[2]), s(m[3]), s(m[4]), s(m[5])];
}

export function isIdentity(m: Affine): boolean {
  return m[0] === 1 && m[1] === 0 && m[2] === 0 && m[3] === 1 && m[4] === 0 && m[5] === 0;
}

/**
 * The one affine map that takes every corner of `from` to its corner of `to` (u, v pairs, equal lengths), null when
 * there is none. Solved on the largest triangle, checked on all corners to 1e-4 of a tile.
 */
export function fitAffine(from: Float64Array, to: Float64Array): Affine | null {
  let best = -1;
  let bestArea = 1e-10;
  for (let t = 0; t + 5 < from.length; t += 6) {
    const area = Math.abs(
      (from[t + 2] - from[t]) * (from[t + 5] - from[t + 1]) - (from[t + 3] - from[t + 1]) * (from[t + 4] - from[t]),
    );
    if (area > bestArea) {
      bestArea = area;
      best = t;
    }
  }
  if (best < 0) return null;
  const m = triangleMap(from, to, best);
  if (m === null) return null;
  const fit = snap(m);
  for (let i = 0; i + 1 < from.length; i += 2) {
    const u = fit[0] * from[i] + fit[2] * from[i + 1] + fit[4];
    const v = fit[1] * from[i] + fit[3] * from[i + 1] + fit[5];
    if (!(Math.abs(u - to[i]) < 1e-4 && Math.abs(v - to[i + 1]) < 1e-4)) return null;
  }
  return fit;
}

/** The affine map of one triangle's corners (six numbers at `t`) from `from` to `to`; null when it is degenerate. */
export function triangleMap(from: Float64Array, to: Float64Array, t: number): Affine | null {
  const basis: Affine = [
    from[t + 2] - from[t],
    from[t + 3] - from[t + 1],
    from[t + 4] - from[t],
    from[t + 5] - from[t + 1],
    from[t],
    from[t + 1],
  ];
  const inverse = invert(basis);
  if (inverse === null) return null;
  return compose(
    [to[t + 2] - to[t], to[t + 3] - to[t + 1], to[t + 4] - to[t], to[t + 5] - to[t + 1], to[t], to[t + 1]],
    inverse,
  );
}

/** Corners (u, v pairs) mapped by `m`, in float64. */
export function mapCorners(corners: Float32Array, m: Affine): Float64Array {
  const out = new Float64Array(corners.length);
  for (let i = 0; i + 1 < corners.length; i += 2) {
    const u = corners[i];
    const v = corners[i + 1];
    out[i] = m[0] * u + m[2] * v + m[4];
    out[i + 1] = m[1] * u + m[3] * v + m[5];
  }
  return out;
}
