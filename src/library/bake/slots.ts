// What an image is, as the engine's own tool decides: by the flags of the texture records that name it, else by its name
// (texbake.py, reference utex.md 2).

import { BAKE_SLOTS } from '../../config/options/bakeOptions.ts';
import { TEXTURE_FLAGS } from '../../formats/untold/container/records.ts';
import type { TextureRole } from '../../textures/types.ts';

/** A slot that is baked. */
export type BakeSlot = (typeof BAKE_SLOTS)[number];
/** Records and names also tell height maps and looks apart. */
export type ImageSlot = BakeSlot | 'height' | 'lut';

export const isBaked = (slot: ImageSlot): slot is BakeSlot => (BAKE_SLOTS as readonly string[]).includes(slot);

/** How each slot is filtered and stored. */
export const ROLES: Readonly<Record<BakeSlot, TextureRole>> = {
  base_color: 'color',
  emissive: 'color',
  normal: 'normal',
  roughness: 'data',
  metallic: 'data',
  occlusion: 'data',
  orm: 'data',
  opacity: 'data',
  data: 'data',
};

/** The strongest first. */
const BY_FLAG: readonly (readonly [flag: number, slot: ImageSlot])[] = [
  [TEXTURE_FLAGS.lut, 'lut'],
  [TEXTURE_FLAGS.height, 'height'],
  [TEXTURE_FLAGS.normalMap, 'normal'],
  [TEXTURE_FLAGS.emissive, 'emissive'],
  [TEXTURE_FLAGS.occlusion, 'occlusion'],
  [TEXTURE_FLAGS.srgb, 'base_color'],
];

/** The slot that the flags of a record tell; null: none of them does. */
export const slotOfFlags = (flags: number): ImageSlot | null =>
  BY_FLAG.find(([flag]) => (flags & flag) !== 0)?.[1] ?? null;

/** Parts of names, in the order in which they are looked for. */
const BY_NAME: readonly (readonly [slot: ImageSlot, parts: readonly string[]])[] = [
  ['base_color', ['basecolor', 'base_color', 'albedo', 'diffuse', 'color', 'colour']],
  ['emissive', ['emissive', 'emission', '_emit', 'emit_']],
  ['normal', ['normal', '_nrm', 'nrm_', '_nml', 'nml_']],
  ['height', ['height', 'displacement', '_disp', 'disp_', '_bump', 'bump_']],
  ['roughness', ['roughness', '_rough', 'rough_']],
  ['metallic', ['metallic', '_metal', 'metal_', 'metalness']],
  ['occlusion', ['occlusion', '_ao_', '_ao', 'ao_', 'ambient']],
  ['orm', ['_orm', 'orm_']],
  ['opacity', ['opacity', '_alpha', 'alpha_', '_mask', 'mask_']],
];

/** The slot that a file's name tells; without its extension. */
export function slotOfName(stem: string): ImageSlot {
  const name = stem.toLowerCase();
  return BY_NAME.find(([, parts]) => parts.some((part) => name.includes(part)))?.[0] ?? 'data';
}
