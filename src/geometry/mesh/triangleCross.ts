// The vector that a triangle's normal and area follow from.

/**
 * Writes the cross product of the edges from a triangle's first corner to `out`: along the normal, and as long as twice the
 * area. `first`: where the triangle begins in `indices`.
 */
export function triangleCross(p: Float32Array, indices: Uint32Array, first: number, out: Float64Array): void {
  const a = indices[first] * 3;
  const b = indices[first + 1] * 3;
  const c = indices[first + 2] * 3;
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}
