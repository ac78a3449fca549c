// How large one repeat of a texture is on a mesh where it is stretched most: what decides how many texels it needs from afar.

import { triangleArea } from '../lod/deviation.ts';
import { type Float32Mesh, valuesOf } from '../mesh/mesh.ts';

/**
 * Metres of surface that one repeat covers along u and v, the most of any triangle with an area. Infinity where the UVs of a
 * triangle have no area: it shows a point or a line of the texture, and a mean of more would be another colour.
 */
export function maxRepeatSize(mesh: Float32Mesh): readonly [u: number, v: number] {
  const { positions, indices } = mesh;
  const uv0 = valuesOf(mesh, 'uv0');
  let maxU = 0;
  let maxV = 0;
  for (let i = 0; i < indices.length; i += 3) {
    if (triangleArea(positions, indices, i) === 0) continue;
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    const u1 = uv0[b * 2] - uv0[a * 2];
    const u2 = uv0[c * 2] - uv0[a * 2];
    const v1 = uv0[b * 2 + 1] - uv0[a * 2 + 1];
    const v2 = uv0[c * 2 + 1] - uv0[a * 2 + 1];
    const cross = Math.abs(u1 * v2 - u2 * v1);
    if (cross === 0) return [Infinity, Infinity];
    // How the position changes with u, and with v: the inverse of how u and v change along two edges.
    let alongU = 0;
    let alongV = 0;
    for (let k = 0; k < 3; k++) {
      const e = positions[b * 3 + k] - positions[a * 3 + k];
      const f = positions[c * 3 + k] - positions[a * 3 + k];
      alongU += (e * v2 - f * v1) ** 2;
      alongV += (f * u1 - e * u2) ** 2;
    }
    maxU = Math.max(maxU, Math.sqrt(alongU) / cross);
    maxV = Math.max(maxV, Math.sqrt(alongV) / cross);
  }
  return [maxU, maxV];
}
