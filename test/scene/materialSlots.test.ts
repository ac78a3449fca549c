// The tables of a material's factors and texture slots: each row complete, each name once.

import { describe, expect, test } from 'vitest';
import {
  channelOf,
  DEFAULT_FACTORS,
  DRAWN_SLOTS,
  FACTORS,
  FILE_SLOTS,
  factorKind,
  factorsOf,
  fileSlots,
  isSrgbSlot,
  LISTED_FACTORS,
  MATERIAL_FACTORS,
  MATERIAL_SLOTS,
  slotKind,
  TEXTURE_SLOTS,
  texturesFrom,
} from '../../src/scene/materialSlots.ts';

const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** The fields of every row, and what of them is undefined. */
const rowsOf = (table: object) => Object.values(table).map((row: object) => Object.keys(row).sort().join());
const holesIn = (table: object) =>
  Object.values(table).flatMap((row: object) => Object.entries(row).filter(([, value]) => value === undefined));

describe('each row', () => {
  test.each([
    ['factors', MATERIAL_FACTORS],
    ['slots', MATERIAL_SLOTS],
  ])('of the %s says the same things', (_, table) => {
    expect(new Set(rowsOf(table)).size).toBe(1);
    expect(holesIn(table)).toEqual([]);
  });

  test('of a slot names a factor, and says how a placeholder and a loss look', () => {
    for (const slot of TEXTURE_SLOTS) {
      const { factor, placeholder, stored, lost, texels } = slotKind(slot);
      expect(factor === null).toBe(slot === 'height');
      if (factor !== null) expect(FACTORS).toContain(factor);
      expect(placeholder === null).toBe(stored === 'alphaOfBaseColor');
      expect(texels === 'color' || texels === 'normal').toBe(stored === 'color');
      if (lost === null || factor === null || lost.factor === 'authored') continue;
      const length = (value: number | readonly number[]) => (typeof value === 'number' ? 1 : value.length);
      expect(length(lost.factor)).toBe(length(factorKind(factor).initial));
    }
  });
});

describe('each name is that of one row', () => {
  test('of the slots', () => {
    const kinds = TEXTURE_SLOTS.map(slotKind);
    expect(isUnique(kinds.map(({ title }) => title))).toBe(true);
    expect(isUnique(kinds.map(({ usd }) => usd))).toBe(true);
    expect(isUnique(kinds.flatMap(({ urho3d }) => urho3d ?? []))).toBe(true);
    expect(isUnique(kinds.flatMap(({ gltf }) => (gltf ? [`${gltf.holder} ${gltf.key} ${gltf.channel}`] : [])))).toBe(
      true,
    );
  });

  test('of the factors', () => {
    const kinds = FACTORS.map(factorKind);
    expect(isUnique(kinds.map(({ untold }) => untold))).toBe(true);
    expect(isUnique(kinds.flatMap(({ gltf }) => (gltf ? [`${gltf.holder} ${gltf.key}`] : [])))).toBe(true);
  });
});

describe('what follows from the rows', () => {
  test('the slots with files, in the order in which files are named', () => {
    expect(FILE_SLOTS).toEqual(['baseColor', 'normal', 'metallic', 'roughness', 'emissive', 'occlusion', 'height']);
    expect(DRAWN_SLOTS).toEqual(['baseColor', 'normal', 'metallic', 'roughness', 'emissive']);
    expect(fileSlots((slot) => slot.length)).toEqual({
      baseColor: 9,
      normal: 6,
      metallic: 8,
      roughness: 9,
      emissive: 8,
      occlusion: 9,
      height: 6,
    });
  });

  test('the slots that are sRGB', () => {
    expect(TEXTURE_SLOTS.filter(isSrgbSlot)).toEqual(['baseColor', 'emissive']);
  });

  test('the channel that a slot reads', () => {
    const channels = { roughnessChannel: 1, metallicChannel: 3 };
    expect(TEXTURE_SLOTS.map((slot) => channelOf(slot, channels))).toEqual([null, null, null, 3, 1, null, 0, 0]);
  });

  test('the factors of a glTF material without any', () => {
    expect(DEFAULT_FACTORS).toEqual({
      baseColor: [1, 1, 1, 1],
      metallic: 1,
      roughness: 1,
      normalScale: 1,
      occlusionStrength: 1,
      emissive: [0, 0, 0],
      transmission: 0,
    });
    expect(factorsOf({ ...DEFAULT_FACTORS, ...{ name: 'brick' } })).toEqual(DEFAULT_FACTORS);
    expect(LISTED_FACTORS).toEqual(['baseColor', 'metallic', 'roughness', 'emissive', 'transmission']);
  });

  test('slots without a texture are absent', () => {
    const given = texturesFrom((slot) => (slot === 'normal' ? 'bumps' : null));
    expect(given).toEqual({ normal: 'bumps' });
    expect('baseColor' in given).toBe(false);
  });
});
