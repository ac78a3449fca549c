// What a material says that only glTF has a place for, where the output is glTF: its extensions, and how its textures are
// sampled. Types are checked as everywhere; what the numbers mean is left to those who draw them.

import {
  GLTF_LAYER_NAMES,
  type GltfLayer,
  type GltfLayerTexture,
  layerKind,
  type SlotPlaces,
  type TexturePlace,
} from '../../../scene/gltfMaterial.ts';
import { slotKind, TEXTURE_SLOTS, type TextureSlot } from '../../../scene/materialSlots.ts';
import type { SceneTextures } from '../../../scene/types.ts';
import type { Element } from '../document/element.ts';
import { holderOf, type TextureSlots } from './surface.ts';

/** The known extensions of a material that it has, with the properties that it states. */
export function statedLayers(material: Element, textures: TextureSlots): GltfLayer[] {
  return GLTF_LAYER_NAMES.flatMap((name): GltfLayer[] => {
    const stated = material.extension(name);
    if (stated === null) return [];
    const kind = layerKind(name);
    const values: Record<string, number | readonly number[]> = {};
    for (const [key, size] of Object.entries(kind.values)) {
      if (!stated.has(key)) continue;
      values[key] = size === 'number' ? stated.number(key, 0) : (stated.numbers(key, size) as number[]);
    }
    const used: Record<string, GltfLayerTexture> = {};
    for (const [key, how] of Object.entries(kind.textures)) {
      const found = textures.place(stated, key);
      if (found === null) continue;
      const info = how === 'scaled' ? stated.child(key) : null;
      used[key] = { ...found, scale: info?.has('scale') ? info.number('scale', 1) : null };
    }
    return [{ name, values, textures: used }];
  });
}

/** How the textures of a material's slots are sampled. Opacity is the alpha of the base colour. */
export function statedPlaces(material: Element, used: SceneTextures, textures: TextureSlots): SlotPlaces {
  const places: Partial<Record<TextureSlot, TexturePlace>> = {};
  for (const slot of TEXTURE_SLOTS) {
    const { gltf } = slotKind(slot);
    const holder = gltf && used[slot] && holderOf(material, gltf.holder);
    const found = holder ? textures.place(holder, gltf.key) : null;
    if (found) places[slot] = found.place;
  }
  return places;
}
