// How a placed normal map's texels were turned, for the tangents of the meshes that are drawn with it. For prepare.ts.

import type { PreparedMaterial } from '../types.ts';
import { type Affine, compose, IDENTITY, invert } from './affine.ts';
import { tangentTurn } from './bake.ts';
import type { Placement } from './route.ts';

/** Float noise of a map is no turn. */
const NOISE = 1e-5;

/**
 * The turn of the material's normal map into the tangent space of uv0 (see PreparedMaterial.tangentTurn). Authored tangents
 * are drawn as they are whatever the transform of the texture, so what counts is what happened to the texels: a copied
 * file keeps them under uv0 of any rotation, a resampled one has turned.
 */
export function normalTurn({ uv, textures }: Placement): PreparedMaterial['tangentTurn'] {
  const normal = textures.get('normal');
  if (!normal) return null;
  let { map } = normal;
  if (map === null) {
    // Charts of one set: all lie in the same way.
    if (normal.use.uvSet !== uv.set) return 'anew';
    const inverse: Affine | null = invert(uv.transform ?? IDENTITY);
    if (inverse === null) return 'anew';
    map = compose(normal.use.transform ?? IDENTITY, inverse);
  }
  const turn = tangentTurn(map);
  const isTurned = [1, 0, 0, 1].some((x, i) => Math.abs(turn[i] - x) > NOISE);
  return isTurned ? turn : null;
}
