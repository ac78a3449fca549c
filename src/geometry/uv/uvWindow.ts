// How a mesh lies on its texture: how many repeats its triangles reach over, and how large one is in metres.
// Decides whether the texture of a far mesh can move into an atlas, or is seen as no more than its mean colour.

import { triangleArea } from '../lod/deviation.ts';
import { type Float32Mesh, valuesOf } from '../mesh/mesh.ts';

/** How far UVs may lie outside of the image that they are about: a texel of the largest atlas, or how halves round. */
const OUTSIDE = 1 / 1024;

export interface UvWindow {
  /** Repeats along u and v, at least 1, that hold each triangle once it is moved by whole numbers. */
  readonly repeats: readonly [number, number];
  /**
   * Metres of surface that one repeat covers along u and v, the mean over the area. Infinity where the UVs of a triangle
   * have no area: what it samples is not spread over it.
   */
  readonly metres: readonly [number, number];
}

/** The whole number that the UVs of a triangle on one axis are moved back by. */
export function shiftOf(a: number, b: number, c: number): number {
  return Math.floor(Math.min(a, b, c) + OUTSIDE);
}

/** Repeats that the UVs of a triangle on one axis reach over. */
function spanOf(a: number, b: number, c: number): number {
  return Math.ceil(Math.max(a, b, c) - shiftOf(a, b, c) - OUTSIDE);
}

/** Whether all UVs lie on the image itself, so that it does not matter what is around it. */
export function isWithinImage(mesh: Float32Mesh): boolean {
  const uv0 = valuesOf(mesh, 'uv0');
  return mesh.indices.every((_, i, indices) => {
    if (i % 3 !== 0) return true;
    const [a, b, c] = [indices[i] * 2, indices[i + 1] * 2, indices[i + 2] * 2];
    return [0, 1].every((k) => {
      const [p, q, r] = [uv0[a + k], uv0[b + k], uv0[c + k]];
      return shiftOf(p, q, r) === 0 && spanOf(p, q, r) <= 1;
    });
  });
}

export function uvWindow(mesh: Float32Mesh): UvWindow {
  const { positions, indices } = mesh;
  const uv0 = valuesOf(mesh, 'uv0');
  const repeats: [number, number] = [1, 1];
  const metres: [number, number] = [0, 0];
  let weight = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    const [u0, u1, u2] = [uv0[a * 2], uv0[b * 2], uv0[c * 2]];
    const [v0, v1, v2] = [uv0[a * 2 + 1], uv0[b * 2 + 1], uv0[c * 2 + 1]];
    repeats[0] = Math.max(repeats[0], spanOf(u0, u1, u2));
    repeats[1] = Math.max(repeats[1], spanOf(v0, v1, v2));
    const cross = (u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0);
    const area = triangleArea(positions, indices, i);
    weight += area;
    // How the position changes with u, and with v: the inverse of how u and v change along two edges.
    let [alongU, alongV] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const e = positions[b * 3 + k] - positions[a * 3 + k];
      const f = positions[c * 3 + k] - positions[a * 3 + k];
      alongU += (e * (v2 - v0) - f * (v1 - v0)) ** 2;
      alongV += (f * (u1 - u0) - e * (u2 - u0)) ** 2;
    }
    metres[0] += cross === 0 ? Infinity : (area * Math.sqrt(alongU)) / Math.abs(cross);
    metres[1] += cross === 0 ? Infinity : (area * Math.sqrt(alongV)) / Math.abs(cross);
  }
  return { repeats, metres: weight > 0 ? [metres[0] / weight, metres[1] / weight] : [Infinity, Infinity] };
}
