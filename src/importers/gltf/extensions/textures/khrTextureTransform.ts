// KHR_texture_transform: a use of a texture moves, turns and scales its UVs, and may choose another UV set.

import type { TextureUse } from '../../../../scene/types.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_texture_transform';

export const KHR_TEXTURE_TRANSFORM: Extension = {
  name: NAME,
  support: 'full',
  effect:
    'UVs are transformed. The engine samples all textures of a material with the same UVs, so textures with different transforms are resampled.',
  codes: ['UC2110', 'UC2111'],
};

/** The UV set and the transform of a textureInfo with or without the extension. */
export function uvsOf(info: Element): { readonly set: number; readonly transform: TextureUse['transform'] } {
  const ext = info.extension(NAME);
  const set = info.integer('texCoord', 0);
  return { set: ext?.integer('texCoord', set) ?? set, transform: ext && uvTransform(ext) };
}

/**
 * The transform as an affine map of V-up UVs, [a, b, c, d, tx, ty]; null for the identity. glTF scales, then rotates
 * counter-clockwise as seen with V down, then offsets:
 *   u' =  sx cos r · u + sy sin r · v + ox,   v' = -sx sin r · u + sy cos r · v + oy
 * (the matrix printed in the extension's text has the rotation the other way round, against its own examples, the
 * sample model and every viewer: KhronosGroup/glTF issue 1563). Substituting v = 1 - V on both sides gives the numbers
 * below.
 */
function uvTransform(ext: Element): TextureUse['transform'] {
  const [ox, oy] = ext.numbers('offset', 2) ?? [0, 0];
  const [sx, sy] = ext.numbers('scale', 2) ?? [1, 1];
  const angle = ext.number('rotation', 0);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  if (ox === 0 && oy === 0 && sx === 1 && sy === 1 && sin === 0 && cos === 1) return null;
  // `+ 0` turns a negative zero into zero.
  return [sx * cos + 0, sx * sin + 0, -sy * sin + 0, sy * cos + 0, ox + sy * sin + 0, 1 - sy * cos - oy + 0];
}
