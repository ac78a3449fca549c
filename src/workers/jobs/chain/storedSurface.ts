// What a mesh of a .untold file is drawn with, as far as its levels depend on it: by the material of the file alone.

import type { MeshMaterial } from '../../../formats/format.ts';
import { factorsOfStored, storedTexture } from '../../../formats/untold/materialRecord.ts';
import { NONE, type UntoldMaterial } from '../../../formats/untold/types.ts';
import { fileSlots } from '../../../scene/materialSlots.ts';
import { DEFAULT_MATERIAL } from '../../jobs.ts';

/** `stored`: undefined for a mesh without a material. */
export function storedSurface(stored: UntoldMaterial | undefined): MeshMaterial {
  if (stored === undefined) return { material: DEFAULT_MATERIAL, tint: null, palette: null };
  const { name, alphaMode, alphaCutoff } = stored;
  const slots = fileSlots((slot) => {
    const texture = storedTexture(stored, slot);
    return texture === NONE ? -1 : texture;
  });
  const material = { ...DEFAULT_MATERIAL, ...factorsOfStored(stored), name, alphaMode, alphaCutoff, slots };
  return { material, tint: null, palette: null };
}
