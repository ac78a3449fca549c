// What reading a material needs: how a slot reads its texture, and the factors and textures that the table of slots names.

import type { TexturePlace } from '../../../scene/gltfMaterial.ts';
import {
  factorKind,
  factorsFrom,
  type GltfHolder,
  isSrgbSlot,
  type MaterialFactor,
  type MaterialFactors,
  slotKind,
  texturesFrom,
} from '../../../scene/materialSlots.ts';
import type { Channel, MaterialSurface, SceneTextures, TextureUse } from '../../../scene/types.ts';
import type { Element } from '../document/element.ts';

/** What a slot takes from a texel; everything else is the texture's. */
export interface SlotReading {
  readonly channel: Channel;
  readonly colorSpace: 'srgb' | 'linear';
  readonly scale?: number;
  readonly bias?: number;
}

export const COLOR: SlotReading = { channel: 'rgb', colorSpace: 'srgb' };

/** The textures of a file, as materials ask for them. */
export interface TextureSlots {
  /** The use of a textureInfo (`baseColorTexture` …) of `owner`; null when it is absent or has no image. */
  use(owner: Element, key: string, reading: SlotReading): TextureUse | null;
  /** The image of such a textureInfo and how it is sampled, as the file says; null as for `use`. */
  place(owner: Element, key: string): { readonly image: number; readonly place: TexturePlace } | null;
}

/** What a file says of a material, apart from its alpha. */
export type StatedSurface = Omit<MaterialSurface, 'alphaMode' | 'alphaCutoff'>;

export const holderOf = (material: Element, holder: GltfHolder): Element | null =>
  holder.reduce<Element | null>((of, key) => of?.child(key) ?? null, material);

/** Every factor of the table; one that is not stated has the initial value of glTF. */
export function statedFactors(material: Element): MaterialFactors {
  return factorsFrom((factor: MaterialFactor) => {
    const { initial, gltf } = factorKind(factor);
    const holder = gltf && holderOf(material, gltf.holder);
    if (!holder) return initial;
    if (typeof initial === 'number') return holder.number(gltf.key, initial);
    return (holder.numbers(gltf.key, initial.length) ?? initial) as typeof initial;
  });
}

/** The texture of every slot of the table that has one. */
export function statedTextures(material: Element, textures: TextureSlots): SceneTextures {
  // Slots that share an image share the reading of it, so that its faults are reported once.
  const uses = new Map<string, TextureUse | null>();
  return texturesFrom((slot) => {
    const { gltf } = slotKind(slot);
    const holder = gltf && holderOf(material, gltf.holder);
    if (!holder) return null;
    const { key, channel } = gltf;
    const colorSpace = isSrgbSlot(slot) ? 'srgb' : 'linear';
    if (!uses.has(key)) uses.set(key, textures.use(holder, key, { channel, colorSpace }));
    const use = uses.get(key);
    return use && { ...use, channel, colorSpace };
  });
}
