// KHR_materials_clearcoat: a clear coat on top of the surface.

import { COATED, coatColor } from '../../../layers/clearcoat.ts';
import type { LayeredMaterial } from '../../../layers/layeredMaterial.ts';
import type { Element } from '../../document/element.ts';
import type { TextureSlots } from '../../materials/surface.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_clearcoat';

export const KHR_MATERIALS_CLEARCOAT: Extension = {
  name: NAME,
  support: 'partial',
  effect:
    'The roughness of the coat replaces that of a dielectric below it, and the base colour gets a little whiter; a texture of the coat makes the roughness alone, and its normals are left out.',
  codes: ['UC1362'],
  layer: clearcoat,
};

/**
 * The highlight of the coat replaces that of a dielectric below it. A metal's own highlight is far brighter and stays. The
 * base colour gets a little darker and whiter.
 */
function clearcoat(material: Element, to: LayeredMaterial, textures: TextureSlots): string | null {
  const ext = material.extension(NAME);
  if (ext === null) return null;
  const factor = Math.min(1, Math.max(0, ext.number('clearcoatFactor', 0)));
  if (factor === 0) return null;
  const read = (key: string, channel: 'r' | 'g') => textures.use(ext, key, { channel, colorSpace: 'linear' });
  const mask = read('clearcoatTexture', 'r');
  const rough = read('clearcoatRoughnessTexture', 'g');
  const { metallic } = to.surface;
  const weight = factor * (1 - metallic);
  const target = ext.number('clearcoatRoughnessFactor', 0);
  if (mask !== null) {
    return weight > 0 && to.maskRoughness(mask, target, weight)
      ? 'clear coat made the roughness'
      : 'clear coat left out';
  }
  if (!coatColor(to, factor)) return 'clear coat left out';
  const isGlossy = weight > 0 && (rough ? to.textureRoughness(rough, target, weight) : to.mixRoughness(target, weight));
  return `clear coat ${isGlossy ? COATED.both : COATED.color}`;
}
