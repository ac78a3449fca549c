// Chooses the UVs of the source that become uv0, the set that the engine samples all textures with. Needs no images.

import { FILE_SLOTS, TEXTURE_SLOTS } from '../../scene/materialSlots.ts';
import type { SceneMaterial, UvChoice } from '../../scene/types.ts';

/**
 * The base colour leads; without one, the texture in which resampling would be most visible: those with files of their own,
 * then the others.
 */
const LEADERS = new Set([...FILE_SLOTS, ...TEXTURE_SLOTS]);

/** UV set and transform of the material's leading texture; no set for a material without textures. */
export function chooseUv(material: Pick<SceneMaterial, 'textures'>): UvChoice {
  for (const slot of LEADERS) {
    const use = material.textures[slot];
    if (use) return { set: use.uvSet, transform: use.transform };
  }
  return { set: null, transform: null };
}
