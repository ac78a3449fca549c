// KHR_materials_specular: strength and colour of a dielectric's highlight. Its layer also takes the index of refraction of
// KHR_materials_ior, because both factors multiply.

import { brightness, DIELECTRIC, metallicOf } from '../../../../scene/specularWorkflow.ts';
import type { LayeredMaterial } from '../../../layers/layeredMaterial.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';
import { indexOfRefraction, reflectanceOfIndex } from './khrMaterialsIor.ts';
import { transmits } from './khrMaterialsTransmission.ts';

const NAME = 'KHR_materials_specular';

/** Reflectances that differ from 4 % by less look the same: a step of a display of ten bits. */
const SAME_REFLECTANCE = 1e-3;

export const KHR_MATERIALS_SPECULAR: Extension = {
  name: NAME,
  support: 'partial',
  effect: 'A reflectance above 4 % makes the material more metallic, a lower one rougher; its textures are left out.',
  codes: ['UC1362'],
  layer: reflectance,
};

/**
 * KHR_materials_ior and KHR_materials_specular together decide how much a dielectric reflects. More than the 4 % of the
 * engine makes the material more metallic, less makes it rougher.
 */
function reflectance(material: Element, to: LayeredMaterial): string | null {
  // Of glass it would only refract, which the engine does not draw; as roughness or metal it would hide what is behind.
  const ior = transmits(material) ? null : indexOfRefraction(material);
  const specular = material.extension(NAME);
  const factor = specular?.number('specularFactor', 1) ?? 1;
  const color = (specular?.numbers('specularColorFactor', 3) ?? [1, 1, 1]) as readonly number[];
  const textured = specular?.has('specularTexture') || specular?.has('specularColorTexture');
  const normal = reflectanceOfIndex(ior ?? 1.5);
  const [r, g, b] = color.map((c) => Math.min(normal * c, 1) * factor);
  const name = [ior !== null && 'ior', specular && 'specular'].filter(Boolean).join(' and ');
  const lost = textured ? ', without its textures' : '';
  if (to.dielectric === 0) return null;
  if ([r, g, b].every((value) => Math.abs(value - DIELECTRIC) < SAME_REFLECTANCE)) {
    return textured ? `${name} left out` : null;
  }
  const strength = brightness(r, g, b);
  if (strength < DIELECTRIC) {
    const done = to.mixRoughness(1, 1 - strength / DIELECTRIC);
    return done ? `${name} made rougher for reflecting less than 4 %${lost}` : `${name} left out`;
  }
  if (!to.plainColor || !to.plainMetallic || to.surface.metallic > 0) return `${name} left out`;
  const [baseRed, baseGreen, baseBlue] = to.surface.baseColor;
  const found = metallicOf([baseRed, baseGreen, baseBlue], [r, g, b]);
  to.setColor(found.color);
  to.surface.metallic = found.metallic;
  return `${name} made as metallic as it reflects${lost}`;
}
