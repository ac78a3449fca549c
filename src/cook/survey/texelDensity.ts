// How many texels of each image lie on a metre of the surfaces that it is drawn on.

import { slotKind, TEXTURE_SLOTS } from '../../scene/materialSlots.ts';
import { determinant3 } from '../../scene/matrix.ts';
import type { Scene } from '../../scene/types.ts';
import type { TextureRole } from '../../textures/types.ts';
import { densityReader } from '../steps/textures/uvTriangles.ts';

export interface ImageUse {
  readonly image: number;
  readonly role: TextureRole;
  /** Of the texture for each metre, where it is drawn largest: over all that one material is drawn on. */
  readonly repeatsAMetre: number;
}

/** The largest scale at which nodes place each material. */
function scales({ nodes, meshes }: Scene): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const { mesh, world } of nodes) {
    if (mesh < 0) continue;
    const scale = Math.cbrt(Math.abs(determinant3(world)));
    for (const { material, subsets } of meshes[mesh].primitives) {
      for (const used of [material, ...subsets.map((subset) => subset.material)]) {
        found.set(used, Math.max(found.get(used) ?? 0, scale));
      }
    }
  }
  return found;
}

/** Every use of an image by a material that is drawn. Uses without area, or without texture coordinates, are left out. */
export async function imageUses(scene: Scene, meshes: ReadonlySet<number>): Promise<readonly ImageUse[]> {
  const density = densityReader(scene, meshes);
  const known = new Map<string, Promise<number | null>>();
  const uses: ImageUse[] = [];
  for (const [material, scale] of scales(scene)) {
    const { textures = {} } = scene.materials[material] ?? {};
    for (const slot of TEXTURE_SLOTS) {
      const use = textures[slot];
      if (!use || !(scale > 0)) continue;
      const key = `${material} ${use.uvSet}`;
      const found = known.get(key) ?? density(material, use.uvSet);
      known.set(key, found);
      const ofUnit = await found;
      if (ofUnit === null) continue;
      const [a, b, c, d] = use.transform ?? [1, 0, 0, 1];
      const repeatsAMetre = (ofUnit * Math.sqrt(Math.abs(a * d - b * c))) / scale;
      uses.push({ image: use.image, role: slotKind(slot).texels, repeatsAMetre });
    }
  }
  return uses;
}
