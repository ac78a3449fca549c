// Materials as the container has them: the record to values and back, and those to materials of the cook and back. All of it
// follows the tables of factors and slots (scene/materialSlots.ts), which name the fields.

import {
  FACTORS,
  FILE_SLOTS,
  type FileSlot,
  factorKind,
  fileSlots,
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
type Loose = Readonly<Record<string, unknown>>;

/** The names that factors and textures have in a stored material and in its record, once for the many that are read. */
const FACTOR_FIELDS = FACTORS.map((factor) => ({ factor, field: factorKind(factor).untold }));
const TEXTURE_FIELDS = FILE_SLOTS.map((slot) => ({ slot, field: `${slot}Texture`, index: `${slot}TextureIndex` }));
const FIELD_OF = fileSlots((slot): keyof UntoldTextures => `${slot}Texture`);

/** Factors under the names of the record. */
export function storedFactors(factors: MaterialFactors): UntoldFactors {
  const stored: Record<string, unknown> = {};
  for (const { factor, field } of FACTOR_FIELDS) stored[field] = factors[factor];
  return stored as unknown as UntoldFactors;
}

/** The factors of a stored material. */
export function factorsOfStored(stored: UntoldFactors): MaterialFactors {
  const factors: Record<string, unknown> = {};
  for (const { factor, field } of FACTOR_FIELDS) factors[factor] = (stored as unknown as Loose)[field];
  return factors as unknown as MaterialFactors;
}

/** Textures under the names of a stored material. */
export function storedTextures(textureOf: (slot: FileSlot) => number): UntoldTextures {
  const stored: Record<string, unknown> = {};
  for (const { slot, field } of TEXTURE_FIELDS) stored[field] = textureOf(slot);
  return stored as unknown as UntoldTextures;
}

/** The texture of a slot, NONE for none. */
export const storedTexture = (material: UntoldTextures, slot: FileSlot): number => material[FIELD_OF[slot]];

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
  const material: Record<string, unknown> = {
    name: strings.at(record.nameOffset),
    alphaMode: alphaModes[record.flags & ALPHA_MODE_MASK] ?? 'opaque',
    alphaCutoff: record.alphaCutoff,
    ...slotChannels((field) => (channels >>> CHANNEL_SHIFTS[field]) & CHANNEL_MASK),
    height: heightOf(record),
  };
  const fields: Loose = record;
  for (const { field } of FACTOR_FIELDS) material[field] = fields[field];
  for (const { field, index } of TEXTURE_FIELDS) material[field] = fields[index];
  return material as unknown as UntoldMaterial;
}

/** The record of a material. */
export function materialRecord(material: UntoldMaterial, strings: StringTable): MaterialRecord {
  const { height } = material;
  const channels = Object.entries(CHANNEL_SHIFTS).reduce(
    (bits, [field, shift]) => bits | (material[field as keyof SlotChannels] << shift),
    0,
  );
  const record: Record<string, unknown> = {
    nameOffset: strings.add(material.name),
    flags: enumNumber(ALPHA_MODES, material.alphaMode),
    alphaCutoff: material.alphaCutoff,
    heightTextureIndex: height?.texture ?? HEIGHT_DEFAULTS.texture,
    heightScale: height?.scale ?? HEIGHT_DEFAULTS.scale,
    heightMidlevel: height?.midlevel ?? HEIGHT_DEFAULTS.midlevel,
    heightRemapMin: height?.remapMin ?? HEIGHT_DEFAULTS.remapMin,
    heightRemapMax: height?.remapMax ?? HEIGHT_DEFAULTS.remapMax,
    reserved0: [channels, 0],
  };
  const fields = material as unknown as Loose;
  for (const { field } of FACTOR_FIELDS) record[field] = fields[field];
  for (const { field, index } of TEXTURE_FIELDS) record[index] = fields[field];
  return record as unknown as MaterialRecord;
}
