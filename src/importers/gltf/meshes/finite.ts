// NaN and infinities in vertex attributes. In positions they are an error. In other attributes exporters write them for
// degenerate triangles, and harmless values replace them.

/** True when every number is finite. Without a branch, because it runs over every attribute: 0 times NaN or infinity is NaN. */
export function allFinite(data: Float32Array | Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i] * 0;
  return sum === 0;
}

export function firstNonFinite(data: Float32Array | Float64Array): number {
  for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i])) return i;
  return -1;
}

/** A copy with `value` for each number that is not finite. */
export function replaceNonFinite(data: Float32Array, value: number): Float32Array {
  return data.map((x) => (Number.isFinite(x) ? x : value));
}

/** A copy in which normals that are not finite become the area-weighted normal of the vertex's own triangles. */
export function repairNormals(
  normals: Float32Array,
  points: Float32Array | Float64Array,
  corners: Uint32Array,
): Float32Array {
  const out = normals.slice();
  const broken = new Uint8Array(normals.length / 3);
  for (let i = 0; i < normals.length; i++) if (!Number.isFinite(normals[i])) broken[Math.floor(i / 3)] = 1;
  for (let v = 0; v < broken.length; v++) if (broken[v]) out.fill(0, v * 3, v * 3 + 3);
  for (let t = 0; t < corners.length; t += 3) {
    if (!broken[corners[t]] && !broken[corners[t + 1]] && !broken[corners[t + 2]]) continue;
    const a = corners[t] * 3;
    const b = corners[t + 1] * 3;
    const c = corners[t + 2] * 3;
    const ux = points[b] - points[a];
    const uy = points[b + 1] - points[a + 1];
    const uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a];
    const vy = points[c + 1] - points[a + 1];
    const vz = points[c + 2] - points[a + 2];
    for (const at of [a, b, c]) {
      if (!broken[at / 3]) continue;
      out[at] += uy * vz - uz * vy;
      out[at + 1] += uz * vx - ux * vz;
      out[at + 2] += ux * vy - uy * vx;
    }
  }
  for (let v = 0; v < broken.length; v++) {
    if (!broken[v]) continue;
    const length = Math.hypot(out[v * 3], out[v * 3 + 1], out[v * 3 + 2]);
    const usable = length > 0 && length < Infinity;
    for (let c = 0; c < 3; c++) out[v * 3 + c] = usable ? out[v * 3 + c] / length : c === 2 ? 1 : 0;
  }
  return out;
}
