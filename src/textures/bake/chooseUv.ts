// Chooses the UVs of the source that become uv0, the set that the engine samples all textures with. Needs no images.

import type { SceneMaterial, TextureSlot, UvChoice } from '../../scene/types.ts';

/** The base colour leads; without one, the texture in which resampling would be most visible. */
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
