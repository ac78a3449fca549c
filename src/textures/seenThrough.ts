// Whether something is seen through a prepared material: what is behind it must then be drawn, and it is no surface to merge with
// solid ones.

import { lightThrough } from '../scene/transmission.ts';
import type { PreparedMaterial } from './types.ts';

/** The share of the light from behind that passes a face; 0: the engine draws the surface solid. */
export const lightThroughMaterial = (material: PreparedMaterial): number =>
  lightThrough(material, (slot) => slot !== 'opacity' && material.slots[slot] >= 0);

/** Whether nothing is seen through the material anywhere. */
export const isSolid = (material: PreparedMaterial): boolean =>
  material.alphaMode === 'opaque' && lightThroughMaterial(material) === 0;
