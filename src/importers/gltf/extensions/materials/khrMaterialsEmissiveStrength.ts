// KHR_materials_emissive_strength: a factor of the emission, which may exceed 1.

import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_emissive_strength';

export const KHR_MATERIALS_EMISSIVE_STRENGTH: Extension = {
  name: NAME,
  support: 'full',
  effect: 'The strength multiplies the emission.',
};

export function emissiveStrength(material: Element): number {
  return material.extension(NAME)?.number('emissiveStrength', 1) ?? 1;
}
