// Finds how far resampling turned the texels of a normal map: the tangents of its meshes must turn with them. For
// prepare.ts.

import type { PreparedMaterial } from '../types.ts';
import { type Affine, compose, IDENTITY, invert } from './affine.ts';
import { tangentTurn } from './bake.ts';
import type { Placement } from './route.ts';

/** A smaller difference is rounding noise of the map, not a turn. */
const NOISE = 1e-5;

/**
 * The turn of the material's normal map into the tangent space of uv0 (see PreparedMaterial.tangentTurn). The transform of
 * the texture's UVs does not affect authored tangents; only turned texels do. A copied file has the texels as authored,
 * even if uv0 is rotated; a resampled file has turned ones.
 */
export function normalTurn({ uv, textures }: Placement): PreparedMaterial['tangentTurn'] {
  const normal = textures.get('normal');
  if (!normal) return null;
  let { map } = normal;
  if (map === null) {
    // Charts of one UV set all have the same orientation.
    if (normal.use.uvSet !== uv.set) return 'anew';
    const inverse: Affine | null = invert(uv.transform ?? IDENTITY);
    if (inverse === null) return 'anew';
    map = compose(normal.use.transform ?? IDENTITY, inverse);
  }
  const turn = tangentTurn(map);
  const isTurned = [1, 0, 0, 1].some((x, i) => Math.abs(turn[i] - x) > NOISE);
  return isTurned ? turn : null;
}
