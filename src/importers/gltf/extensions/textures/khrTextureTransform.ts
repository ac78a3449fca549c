// KHR_texture_transform: a use of a texture moves, turns and scales its UVs, and may choose another UV set.

import { type TexturePlace, uvAffine } from '../../../../scene/gltfMaterial.ts';
import type { TextureUse } from '../../../../scene/types.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_texture_transform';

export const KHR_TEXTURE_TRANSFORM: Extension = {
  name: NAME,
  support: 'full',
  effect:
    'A GLB keeps it. Elsewhere UVs are transformed: all textures of a material have the same UVs there, so textures with different transforms are resampled.',
  codes: ['UC2110', 'UC2111'],
};

/** The UV set and the transform of a textureInfo with or without the extension, as the file has them. */
export function placeOf(info: Element): Pick<TexturePlace, 'texCoord' | 'transform'> {
  const ext = info.extension(NAME);
  const texCoord = info.integer('texCoord', 0);
  if (ext === null) return { texCoord, transform: null };
  const pair = (key: string, usual: number) => {
    const [x, y] = ext.numbers(key, 2) ?? [usual, usual];
    return [x, y] as const;
  };
  const transform = { offset: pair('offset', 0), rotation: ext.number('rotation', 0), scale: pair('scale', 1) };
  return { texCoord: ext.integer('texCoord', texCoord), transform };
}

/** The same for UVs with V up. */
export function uvsOf(info: Element): { readonly set: number; readonly transform: TextureUse['transform'] } {
  const { texCoord, transform } = placeOf(info);
  return { set: texCoord, transform: uvAffine(transform) };
}
