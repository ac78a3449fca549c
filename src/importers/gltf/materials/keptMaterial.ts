// What a material says that only glTF has a place for, where the output is glTF: its extensions, and how its textures are
// sampled. Numbers are brought into the ranges of their specifications.

import {
  GLTF_LAYER_NAMES,
  type GltfLayer,
  type GltfLayerTexture,
  layerKind,
  type SlotPlaces,
  type TexturePlace,
  withinRange,
} from '../../../scene/gltfMaterial.ts';
import { MATERIAL_FACTORS, slotKind, TEXTURE_SLOTS, type TextureSlot } from '../../../scene/materialSlots.ts';
import type { SceneMaterial, SceneTextures } from '../../../scene/types.ts';
import type { Element } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import { holderOf, type TextureSlots } from './surface.ts';

const NEAREST = 'set to the nearest that it may have';

function noteRange(key: string, how: string, { path, name }: Element, notes: Notes): void {
  notes.add('UC2477', key, path, name, (names) => `${key} is out of range, ${how}: ${names}`);
}

/** The known extensions of a material that it has, with the properties that it states. Notes UC2477. */
export function statedLayers(material: Element, textures: TextureSlots, notes: Notes): GltfLayer[] {
  return GLTF_LAYER_NAMES.flatMap((name): GltfLayer[] => {
    const stated = material.extension(name);
    if (stated === null) return [];
    const kind = layerKind(name);
    const values: Record<string, number | readonly number[]> = {};
    for (const [key, range] of Object.entries(kind.values)) {
      if (!stated.has(key)) continue;
      const numbers = range.length ? (stated.numbers(key, range.length) as number[]) : [stated.number(key, 0)];
      const kept = numbers.map((value) => withinRange(value, range));
      if (kept.some((value, k) => value !== numbers[k])) {
        noteRange(key, kept.includes(null) ? 'left out' : NEAREST, material, notes);
      }
      if (!kept.includes(null)) values[key] = range.length ? (kept as number[]) : (kept[0] as number);
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

type CoreFactors = Pick<SceneMaterial, 'baseColor' | 'metallic' | 'roughness' | 'occlusionStrength' | 'emissive'>;

const UNIT_FACTORS = ['baseColor', 'metallic', 'roughness', 'occlusionStrength', 'emissive'] as const;

/** The factors of a material that go from 0 to 1 by the schema of glTF, brought within that. Emission is without the strength of an extension. Notes UC2477. */
export function statedUnits(material: Element, factors: CoreFactors, notes: Notes): CoreFactors {
  const within = UNIT_FACTORS.map((factor) => {
    const stated = [factors[factor]].flat();
    const kept = stated.map((value) => Math.min(Math.max(value, 0), 1));
    const { holder, key } = MATERIAL_FACTORS[factor].gltf;
    if (kept.some((value, k) => value !== stated[k])) noteRange([...holder, key].join('.'), NEAREST, material, notes);
    return [factor, kept.length === 1 ? kept[0] : kept];
  });
  return Object.fromEntries(within);
}

/** The cut-off of a mask, which is not negative. Notes UC2477. */
export function statedCutoff(material: Element, cutoff: number, notes: Notes): number {
  if (cutoff >= 0) return cutoff;
  noteRange('alphaCutoff', NEAREST, material, notes);
  return 0;
}
