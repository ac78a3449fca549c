// Materials as the container has them: the record to values and back, and those to materials of the cook and back. All of it
// follows the tables of factors and slots (scene/materialSlots.ts), which name the fields.

import {
  FACTORS,
  FILE_SLOTS,
  type FileSlot,
  factorKind,
  factorsFrom,
  type MaterialFactor,
  type MaterialFactors,
  type SlotChannels,
  slotChannels,
} from '../../scene/materialSlots.ts';
import type { StringTable } from './container/chunks.ts';
import type { RecordOf } from './container/layout.ts';
import {
  ALPHA_MODE_MASK,
  ALPHA_MODES,
  CHANNEL_MASK,
  CHANNEL_SHIFTS,
  enumNumber,
  HEIGHT_DEFAULTS,
  type MATERIAL,
} from './container/records.ts';
import { NONE, type UntoldFactors, type UntoldHeight, type UntoldMaterial, type UntoldTextures } from './types.ts';

type MaterialRecord = RecordOf<typeof MATERIAL>;
type TextureIndices = { readonly [S in FileSlot as `${S}TextureIndex`]: number };

/** Factors under the names of the record. */
export function storedFactors(factors: MaterialFactors): UntoldFactors {
  return Object.fromEntries(
    FACTORS.map((factor) => [factorKind(factor).untold, factors[factor]]),
  ) as unknown as UntoldFactors;
}

/** The factors of a stored material, or of its record. */
export function factorsOfStored(stored: UntoldFactors | MaterialRecord): MaterialFactors {
  const values = stored as unknown as Readonly<Record<string, MaterialFactors[MaterialFactor]>>;
  return factorsFrom((factor) => values[factorKind(factor).untold]);
}

const fieldOf = (slot: FileSlot): keyof UntoldTextures => `${slot}Texture`;

/** Textures under the names of a stored material. */
export function storedTextures(textureOf: (slot: FileSlot) => number): UntoldTextures {
  return Object.fromEntries(FILE_SLOTS.map((slot) => [fieldOf(slot), textureOf(slot)])) as unknown as UntoldTextures;
}

/** The texture of a slot, NONE for none. */
export const storedTexture = (material: UntoldTextures, slot: FileSlot): number => material[fieldOf(slot)];

const heightOf = (record: MaterialRecord): UntoldHeight | null =>
  record.heightTextureIndex === NONE
    ? null
    : {
        texture: record.heightTextureIndex,
        scale: record.heightScale,
        midlevel: record.heightMidlevel,
        remapMin: record.heightRemapMin,
        remapMax: record.heightRemapMax,
      };

/** The values of a record; an alpha mode that is not known is opaque, as for the engine. */
export function materialOf(record: MaterialRecord, strings: { at(offset: number): string }): UntoldMaterial {
  const [channels] = record.reserved0;
  const alphaModes: Readonly<Record<number, UntoldMaterial['alphaMode']>> = ALPHA_MODES;
  return {
    name: strings.at(record.nameOffset),
    alphaMode: alphaModes[record.flags & ALPHA_MODE_MASK] ?? 'opaque',
    alphaCutoff: record.alphaCutoff,
    ...storedFactors(factorsOfStored(record)),
    ...storedTextures((slot) => record[`${slot}TextureIndex`]),
    ...slotChannels((slot) => (channels >>> CHANNEL_SHIFTS[`${slot}Channel`]) & CHANNEL_MASK),
    height: heightOf(record),
  };
}

function packedChannels(channels: SlotChannels): number {
  const shifted = slotChannels((slot) => channels[`${slot}Channel`] << CHANNEL_SHIFTS[`${slot}Channel`]);
  return Object.values(shifted).reduce((bits, own) => bits | own, 0);
}

/** The record of a material. */
export function materialRecord(material: UntoldMaterial, strings: StringTable): MaterialRecord {
  const { height } = material;
  const textures = Object.fromEntries(
    FILE_SLOTS.map((slot) => [`${slot}TextureIndex`, storedTexture(material, slot)]),
  ) as unknown as TextureIndices;
  return {
    nameOffset: strings.add(material.name),
    flags: enumNumber(ALPHA_MODES, material.alphaMode),
    ...storedFactors(factorsOfStored(material)),
    alphaCutoff: material.alphaCutoff,
    ...textures,
    heightTextureIndex: height?.texture ?? HEIGHT_DEFAULTS.texture,
    heightScale: height?.scale ?? HEIGHT_DEFAULTS.scale,
    heightMidlevel: height?.midlevel ?? HEIGHT_DEFAULTS.midlevel,
    heightRemapMin: height?.remapMin ?? HEIGHT_DEFAULTS.remapMin,
    heightRemapMax: height?.remapMax ?? HEIGHT_DEFAULTS.remapMax,
    reserved0: [packedChannels(material), 0],
  };
}
