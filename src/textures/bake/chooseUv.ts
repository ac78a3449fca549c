// Which UVs of the source become uv0, the one set that the engine samples all textures with. For prepare.ts and for
// anyone who wants to know a material's UVs without its images.

import type { SceneMaterial, TextureSlot, UvChoice } from '../../scene/types.ts';

/** The base colour leads; without one, the texture whose texels would show a resampling the most. */
const LEADERS: readonly TextureSlot[] = [
  'baseColor',
  'normal',
  'metallic',
  'roughness',
  'emissive',
  'occlusion',
  'opacity',
];

/** UV set and transform of the material's leading texture; no set for a material without textures. */
export function chooseUv(material: Pick<SceneMaterial, 'textures'>): UvChoice {
  for (const slot of LEADERS) {
    const use = material.textures[slot];
    if (use) return { set: use.uvSet, transform: use.transform };
  }
  return { set: null, transform: null };
}
