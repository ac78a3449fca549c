// Materials as the container has them: the record to values and back, and those to materials of the cook and back. All of it
// follows the tables of factors and slots (scene/materialSlots.ts), which name the fields.

import {
  CHANNEL_KEYS,
  FACTORS,
  FILE_SLOTS,
  type FileSlot,
  factorKind,
  fileSlots,
  type HeightMap,
  type MaterialFactors,
  type SlotChannels,
} from '../../scene/materialSlots.ts';
import { lightThrough } from '../../scene/transmission.ts';
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
import { NONE, type UntoldFactors, type UntoldMaterial, type UntoldTextures } from './types.ts';

type MaterialRecord = RecordOf<typeof MATERIAL>;
type Loose = Readonly<Record<string, unknown>>;

/**
 * The names that factors, textures and channels have in a stored material and in its record. Every tile has a record for each
 * of its materials, so they are put together once, and taken from an object: V8 looks up such names faster than new strings.
 */
const nameOf = <N extends string>(name: N): N => Object.keys({ [name]: 0 })[0] as N;
const FACTOR_FIELDS = FACTORS.map((factor) => ({ factor, field: nameOf(factorKind(factor).untold) }));
const TEXTURE_FIELDS = FILE_SLOTS.map((slot) => ({
  slot,
  field: nameOf<keyof UntoldTextures>(`${slot}Texture`),
  index: nameOf(`${slot}TextureIndex`),
}));
const CHANNEL_FIELDS = CHANNEL_KEYS.map((field) => ({ field, shift: CHANNEL_SHIFTS[field] }));
const FIELD_OF = fileSlots((slot) => nameOf<keyof UntoldTextures>(`${slot}Texture`));

/** What a stored material takes from elsewhere than from its factors and textures. */
type Head = Pick<UntoldMaterial, 'name' | 'alphaMode' | 'alphaCutoff' | 'height'>;

/** A material under the names of its record; `textureOf`: indices into textures, NONE for none. */
export function storedMaterial(
  head: Head,
  factors: MaterialFactors,
  channels: SlotChannels,
  textureOf: (slot: FileSlot) => number,
): UntoldMaterial {
  const { name, alphaMode, alphaCutoff, height } = head;
  const stored: Record<string, unknown> = { name, alphaMode, alphaCutoff, height };
  for (const { factor, field } of FACTOR_FIELDS) stored[field] = factors[factor];
  for (const { slot, field } of TEXTURE_FIELDS) stored[field] = textureOf(slot);
  for (const { field } of CHANNEL_FIELDS) stored[field] = channels[field];
  return stored as unknown as UntoldMaterial;
}

/** The factors of a stored material. */
export function factorsOfStored(stored: UntoldFactors): MaterialFactors {
  const factors: Record<string, unknown> = {};
  for (const { factor, field } of FACTOR_FIELDS) factors[factor] = (stored as unknown as Loose)[field];
  return factors as unknown as MaterialFactors;
}

/** The share of the light from behind that passes a face; 0: the engine draws it solid. */
export const lightThroughStored = (material: UntoldMaterial): number =>
  material.transmissionFactor === 0
    ? 0
    : lightThrough(factorsOfStored(material), (slot) => slot !== 'opacity' && storedTexture(material, slot) !== NONE);

/** The texture of a slot, NONE for none. */
export const storedTexture = (material: UntoldTextures, slot: FileSlot): number => material[FIELD_OF[slot]];

const heightOf = (record: MaterialRecord): HeightMap | null =>
  record.heightTextureIndex === NONE
    ? null
    : {
        scale: record.heightScale,
        midlevel: record.heightMidlevel,
        remapMin: record.heightRemapMin,
        remapMax: record.heightRemapMax,
      };

/** As the engine reads and writes it: 0 for what is no number, else 0 to 1; never -0, whose bits are not those of "none". */
const transmissionOf = (value: number): number => (Number.isFinite(value) && value > 0 ? Math.min(1, value) : 0);

/** The values of a record; an alpha mode that is not known is opaque, as for the engine. */
export function materialOf(record: MaterialRecord, strings: { at(offset: number): string }): UntoldMaterial {
  const channels = record.reserved0;
  const alphaModes: Readonly<Record<number, UntoldMaterial['alphaMode']>> = ALPHA_MODES;
  const material: Record<string, unknown> = {
    name: strings.at(record.nameOffset),
    alphaMode: alphaModes[record.flags & ALPHA_MODE_MASK] ?? 'opaque',
    alphaCutoff: record.alphaCutoff,
    height: heightOf(record),
  };
  const fields: Loose = record;
  for (const { field } of FACTOR_FIELDS) material[field] = fields[field];
  material.transmissionFactor = transmissionOf(record.transmissionFactor);
  for (const { field, index } of TEXTURE_FIELDS) material[field] = fields[index];
  for (const { field, shift } of CHANNEL_FIELDS) material[field] = (channels >>> shift) & CHANNEL_MASK;
  return material as unknown as UntoldMaterial;
}

/** The record of a material. */
export function materialRecord(material: UntoldMaterial, strings: StringTable): MaterialRecord {
  const { height } = material;
  let channels = 0;
  for (const { field, shift } of CHANNEL_FIELDS) channels |= material[field] << shift;
  const record: Record<string, unknown> = {
    nameOffset: strings.add(material.name),
    flags: enumNumber(ALPHA_MODES, material.alphaMode),
    alphaCutoff: material.alphaCutoff,
    heightScale: height?.scale ?? HEIGHT_DEFAULTS.scale,
    heightMidlevel: height?.midlevel ?? HEIGHT_DEFAULTS.midlevel,
    heightRemapMin: height?.remapMin ?? HEIGHT_DEFAULTS.remapMin,
    heightRemapMax: height?.remapMax ?? HEIGHT_DEFAULTS.remapMax,
    reserved0: channels,
  };
  const fields = material as unknown as Loose;
  for (const { field } of FACTOR_FIELDS) record[field] = fields[field];
  record.transmissionFactor = transmissionOf(material.transmissionFactor);
  for (const { field, index } of TEXTURE_FIELDS) record[index] = fields[field];
  return record as unknown as MaterialRecord;
}
