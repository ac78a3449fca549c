// KHR_materials_anisotropy: highlights that are stretched along a direction of the surface.

import type { LayeredMaterial } from '../../../layers/layeredMaterial.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_anisotropy';

export const KHR_MATERIALS_ANISOTROPY: Extension = {
  name: NAME,
  support: 'partial',
  effect: 'A stretched highlight becomes the round one of the same area.',
  codes: ['UC1362'],
  layer: anisotropy,
};

/** A stretched highlight becomes the round one of the same area: the mean of both widths (roughness squared). */
function anisotropy(material: Element, to: LayeredMaterial): string | null {
  const ext = material.extension(NAME);
  const strength = ext?.number('anisotropyStrength', 0) ?? 0;
  if (strength === 0) return null;
  if (to.surface.textures.roughness || !to.mixRoughness(0, 0)) return `anisotropy left out`;
  const across = to.surface.roughness ** 2;
  const along = across + (1 - across) * strength ** 2;
  to.surface.roughness = (across * along) ** 0.25;
  return 'anisotropy evened out';
}
