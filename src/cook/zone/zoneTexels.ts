// How many texels of each material's images the eyes of a zone can tell.

import type { Scene, TextureUse } from '../../scene/types.ts';
import { pixelsOfUv } from '../../zone/texels.ts';
import type { ZoneMesh } from '../../zone/thin.ts';
import { materialOfGroup } from './colorGroups.ts';
import type { ZoneView } from './keptMeshes.ts';

/**
 * By material, the texels along a side of its images that eyes can tell: one for each pixel where it is nearest. `apart`: materials of
 * what may be anywhere, or was not measured, which have none.
 */
export function texelsOf(
  { materials }: Scene,
  meshes: readonly ZoneMesh[],
  apart: readonly number[],
  { zone, pixel }: ZoneView,
): Map<number, number> {
  const ofMaterials = new Map<number, number>();
  for (const { key, mesh } of meshes) {
    const material = materialOfGroup(key);
    const uses = material < 0 ? [] : Object.values(materials[material].textures);
    const repeats = uses.flatMap((use) => (use ? [repeatsOf(use.transform)] : []));
    if (repeats.length === 0) continue;
    const texels = pixelsOfUv(mesh, zone, 1 / pixel) / Math.min(...repeats);
    ofMaterials.set(material, Math.max(ofMaterials.get(material) ?? 0, texels));
  }
  for (const material of apart) ofMaterials.delete(material);
  return ofMaterials;
}

/** How often an image repeats along a unit of UVs, in the direction in which it does least. */
function repeatsOf(transform: TextureUse['transform']): number {
  if (transform === null) return 1;
  const [a, b, c, d] = transform;
  const half = (a * a + b * b + c * c + d * d) / 2;
  const area = a * d - b * c;
  return Math.sqrt(Math.max(0, half - Math.sqrt(Math.max(0, half * half - area * area))));
}
