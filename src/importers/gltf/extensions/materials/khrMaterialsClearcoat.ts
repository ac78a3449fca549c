// KHR_materials_clearcoat: a clear coat on top of the surface.

import type { Element } from '../../document/element.ts';
import type { LayeredMaterial } from '../../materials/layeredMaterial.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_clearcoat';

export const KHR_MATERIALS_CLEARCOAT: Extension = {
  name: NAME,
  support: 'partial',
  effect: 'The roughness of the coat replaces that of a dielectric below it.',
  codes: ['UC1362'],
  layer: clearcoat,
};

/** The highlight of the coat replaces that of a dielectric below it. A metal's own highlight is far brighter and stays. */
function clearcoat(material: Element, to: LayeredMaterial): string | null {
  const ext = material.extension(NAME);
  const factor = ext?.number('clearcoatFactor', 0) ?? 0;
  if (ext === null || factor === 0) return null;
  const weight = factor * (1 - to.surface.metallic);
  if (ext.has('clearcoatTexture') || weight <= 0) return `clear coat left out`;
  const done = to.mixRoughness(ext.number('clearcoatRoughnessFactor', 0), weight);
  return done ? 'clear coat made the roughness' : `clear coat left out`;
}
