// A clear coat brought back to the material below it, which has one highlight in the engine.

import type { LayeredMaterial } from './layeredMaterial.ts';

/**
 * What the coat takes from the light of the surface below it, and the white that both together reflect beyond that of the
 * surface alone: docs/decisions.md has the measurement. A dielectric has its own 4 % in the engine, so less is missing.
 */
const TAKEN = 0.04;
const ADDED = { dielectric: 0.025, metal: 0.04 };

/** Makes the base colour a little darker and whiter; false for textures of the specular workflow. `factor`: of the coat, 0 to 1. */
export function coatColor(to: LayeredMaterial, factor: number): boolean {
  const added = ADDED.dielectric + (ADDED.metal - ADDED.dielectric) * to.surface.metallic;
  return to.mixColor(1 - TAKEN * factor, added * factor);
}

/** What a coat has changed, as messages say it after its name. */
export const COATED = {
  both: 'made the roughness and mixed into the base colour',
  color: 'mixed into the base colour',
} as const;

/** The same for a coat of constants, whose roughness replaces that of a dielectric. Null: as above, and nothing has changed. */
export function coat(to: LayeredMaterial, factor: number, roughness: number): keyof typeof COATED | null {
  if (!coatColor(to, factor)) return null;
  const weight = factor * (1 - to.surface.metallic);
  return weight > 0 && to.mixRoughness(roughness, weight) ? 'both' : 'color';
}
