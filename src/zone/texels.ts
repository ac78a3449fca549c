// How many texels of an image eyes in a zone can tell: a texel for each pixel where its surfaces are nearest.

import type { Float32Mesh } from '../geometry/mesh/mesh.ts';
import { triangleDistances } from './thin.ts';
import type { Zone } from './zone.ts';

/** Metres: nearer than this no eye looks at a surface sharply. */
const NEAREST = 0.25;
/** Triangles of less than so many pixels decide nothing. */
const MIN_PIXELS = 1;

/**
 * The most pixels that one unit of UVs covers, along the direction in which it covers most, over triangles of a pixel and more; 0:
 * there are none. `scale`: pixels that a metre covers at a metre's distance.
 */
export function pixelsOfUv(mesh: Float32Mesh, zone: Zone, scale: number): number {
  const { positions, indices, attributes } = mesh;
  const { uv0 } = attributes;
  if (uv0 === undefined) return 0;
  const distances = triangleDistances(mesh, zone);
  let most = 0;
  for (let t = 0; t < distances.length; t++) {
    const [a, b, c] = [indices[t * 3], indices[t * 3 + 1], indices[t * 3 + 2]];
    const [ux, uy] = [uv0[b * 2] - uv0[a * 2], uv0[b * 2 + 1] - uv0[a * 2 + 1]];
    const [vx, vy] = [uv0[c * 2] - uv0[a * 2], uv0[c * 2 + 1] - uv0[a * 2 + 1]];
    const area = ux * vy - uy * vx;
    if (area === 0) continue;
    // The surface along u and along v: how points move where one of the UVs grows by 1.
    let uu = 0;
    let uv = 0;
    let vv = 0;
    const edges = [0, 0, 0, 0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const p = positions[b * 3 + k] - positions[a * 3 + k];
      const q = positions[c * 3 + k] - positions[a * 3 + k];
      const alongU = (p * vy - q * uy) / area;
      const alongV = (q * ux - p * vx) / area;
      uu += alongU * alongU;
      uv += alongU * alongV;
      vv += alongV * alongV;
      edges[k] = p;
      edges[k + 3] = q;
    }
    const pixel = scale / Math.max(distances[t], NEAREST);
    const cross = Math.hypot(
      edges[1] * edges[5] - edges[2] * edges[4],
      edges[2] * edges[3] - edges[0] * edges[5],
      edges[0] * edges[4] - edges[1] * edges[3],
    );
    if ((cross / 2) * pixel * pixel < MIN_PIXELS) continue;
    const half = (uu + vv) / 2;
    const stretch = Math.sqrt(half + Math.sqrt(Math.max(0, ((uu - vv) / 2) ** 2 + uv * uv)));
    most = Math.max(most, stretch * pixel);
  }
  return most;
}
