// Reads what displaces the surface of a Material: UsdPreviewSurface, or the displacement node of MaterialX. Its texels stand for
// distances along the normal, in the unit of the mesh's points.

import type { TextureUse } from '../../../scene/types.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { shaderId } from './network/network.ts';
import { isPreviewSurface } from './surface.ts';
import { SurfaceReader } from './surfaceReader.ts';
import type { ShadeContext } from './texture.ts';

const DISPLACEMENT = 'ND_displacement_float';

/** The texture of the displacement, with the scale and bias that give the distance; null: no texture gives it. */
export function displacementTexture(shader: StagePrim, context: ShadeContext): TextureUse | null {
  const reader = new SurfaceReader(shader, context);
  const id = shaderId(shader);
  if (id === DISPLACEMENT) return reader.texture('displacement', reader.product('scale', 1, 'displacement', [0]));
  return isPreviewSurface(id) ? reader.texture('displacement', reader.read('displacement', [0])) : null;
}
