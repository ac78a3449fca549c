// KHR_materials_ior: the index of refraction of a dielectric. The layer of KHR_materials_specular brings both back to
// metallic-roughness.

import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_ior';

export const KHR_MATERIALS_IOR: Extension = {
  name: NAME,
  support: 'partial',
  effect:
    'A reflectance above 4 % makes the material more metallic, a lower one rougher; of a surface that transmits light it is left out.',
  codes: ['UC1362', 'UC1221'],
};

/** The index of refraction, null when the material declares none. */
export function indexOfRefraction(material: Element): number | null {
  return material.extension(NAME)?.number('ior', 1.5) ?? null;
}

/** What a dielectric in air reflects of light that falls straight on it (Fresnel). An index of 0 gives 1, as the extension wants. */
export function reflectanceOfIndex(ior: number): number {
  return ((ior - 1) / (ior + 1)) ** 2;
}
