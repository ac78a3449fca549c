// A material that is written as it is: each of its textures is the file of its image. For startMaterial.ts.

import { factorsOf, slotChannels } from '../../scene/materialSlots.ts';
import type { SceneMaterial } from '../../scene/types.ts';
import type { UsableTexture } from '../bake/route.ts';
import { isBad } from '../decode/images.ts';
import type { PreparedFactors } from '../types.ts';
import {
  layerRole,
  type PendingLayerTexture,
  type PendingMaterial,
  type PendingSlot,
  type Preparation,
  reportMissingLayer,
  roleOf,
} from './preparation.ts';
import { startImage } from './startFile.ts';

/** glTF has roughness in green and metalness in blue of one image (5.22). */
function keptFactors(material: SceneMaterial): PreparedFactors {
  const channelOf = { metallic: 2, roughness: 1 } as const;
  const isPacked = material.textures.metallic !== undefined;
  return {
    ...factorsOf(material),
    ...slotChannels((_, slot) => (isPacked ? channelOf[slot as keyof typeof channelOf] : 0)),
  };
}

/** The textures of a material's layers; those whose images cannot be used are reported and left out. */
function startLayers(preparation: Preparation, material: SceneMaterial): PendingLayerTexture[] {
  const { images, mode } = preparation;
  return (material.layers ?? []).flatMap((layer) =>
    Object.entries(layer.textures).flatMap(([key, { image }]): PendingLayerTexture[] => {
      const source = images.get(image) as NonNullable<ReturnType<typeof images.get>>;
      if (isBad(source)) {
        reportMissingLayer(preparation, material, key, source.reasons);
        return [];
      }
      return [
        {
          layer: layer.name,
          key,
          stem: source.image.stem,
          outcome: startImage(preparation, source, layerRole(key, mode)),
        },
      ];
    }),
  );
}

/** Starts the files of a kept material. `slots`: those that get placeholders. `usable`: the others. */
export function startKept(
  preparation: Preparation,
  material: SceneMaterial,
  isDrawn: boolean,
  usable: readonly UsableTexture[],
  slots: readonly PendingSlot[],
): Omit<PendingMaterial, 'wanted'> {
  const started = usable.flatMap((texture): PendingSlot[] => {
    const { slot, source } = texture;
    // The alpha of the base colour.
    if (slot === 'opacity') return [];
    const outcome = startImage(preparation, source, roleOf(slot, preparation.mode));
    return [{ slot, stem: source.image.stem, texture, reads: null, outcome }];
  });
  return {
    material,
    factors: keptFactors(material),
    uv: { set: null, transform: null },
    tangentTurn: null,
    height: null,
    slots: [...slots, ...started],
    layers: isDrawn ? startLayers(preparation, material) : [],
  };
}
