// Materials as records of `.untold`: every slot and factor of the tables at its published byte, and back.

import { describe, expect, test } from 'vitest';
import { StringTable } from '../../../src/formats/untold/container/chunks.ts';
import { decodeRecord, encodeRecord, recordSize } from '../../../src/formats/untold/container/layout.ts';
import { CHANNEL_SHIFTS, MATERIAL, TEXTURE_FLAGS } from '../../../src/formats/untold/container/records.ts';
import {
  factorsOfStored,
  materialOf,
  materialRecord,
  storedMaterial,
  storedTexture,
} from '../../../src/formats/untold/materialRecord.ts';
import {
  FACTORS,
  FILE_SLOTS,
  factorKind,
  type MaterialFactors,
  slotChannels,
  slotKind,
  TEXTURE_SLOTS,
} from '../../../src/scene/materialSlots.ts';

const factors: MaterialFactors = {
  baseColor: [0.125, 0.25, 0.5, 0.75],
  metallic: 0.375,
  roughness: 0.625,
  normalScale: 2,
  occlusionStrength: 0.875,
  emissive: [4, 8, 16],
  transmission: 0.5,
};

/** Textures are numbered by the table, roughness is in green and metalness in blue. */
const material = storedMaterial(
  {
    name: 'brick',
    alphaMode: 'mask',
    alphaCutoff: 0.25,
    height: { scale: 0.125, midlevel: 0.25, remapMin: 0.5, remapMax: 0.75 },
  },
  factors,
  { roughnessChannel: 1, metallicChannel: 2 },
  (slot) => 10 + FILE_SLOTS.indexOf(slot),
);

describe('the material record', () => {
  test('has every factor, texture and channel where the format has it', () => {
    const view = new DataView(new ArrayBuffer(recordSize(MATERIAL, 4)));
    encodeRecord(MATERIAL, 4, materialRecord(material, new StringTable()), view, 0);
    const floats = (at: number, count: number) =>
      Array.from({ length: count }, (_, i) => view.getFloat32(at + i * 4, true));
    const word = (at: number) => view.getUint32(at, true);
    expect(view.byteLength).toBe(108);
    expect(word(4)).toBe(1);
    expect(floats(8, 4)).toEqual([0.125, 0.25, 0.5, 0.75]);
    expect(floats(24, 3)).toEqual([4, 8, 16]);
    expect(floats(36, 5)).toEqual([2, 0.375, 0.625, 0.875, 0.25]);
    // Base colour, normal, metallic, roughness, emissive, occlusion, height; then scale, midlevel, and both ends of the remap.
    expect([56, 60, 64, 68, 72, 76, 80].map(word)).toEqual([10, 11, 12, 13, 14, 15, 16]);
    expect(floats(84, 4)).toEqual([0.125, 0.25, 0.5, 0.75]);
    // Metallic channel blue in bits 2 and 3, roughness channel green in bits 0 and 1.
    expect(word(100)).toBe(0b1001);
    expect(floats(104, 1)).toEqual([0.5]);
  });

  test.each([
    [1, 88],
    [2, 88],
    [3, 100],
    [4, 108],
  ])('of version %i ends with the transmission', (version, size) => {
    const view = new DataView(new ArrayBuffer(recordSize(MATERIAL, version)));
    encodeRecord(MATERIAL, version, materialRecord(material, new StringTable()), view, 0);
    expect(view.byteLength).toBe(size);
    // The channels, then 0.5 as a float.
    expect([...new Uint8Array(view.buffer, size - 8)]).toEqual([9, 0, 0, 0, 0, 0, 0, 0x3f]);
    // 0.25 as a float.
    new Uint8Array(view.buffer).set([0, 0, 0x80, 0x3e], size - 4);
    const read = materialOf(decodeRecord(MATERIAL, version, view, 0), { at: () => 'brick' });
    expect(read.transmissionFactor).toBe(0.25);
  });

  test.each([
    ['no number', NaN, 0],
    ['infinite', Infinity, 0],
    ['negative', -0.5, 0],
    ['above 1', 2, 1],
  ])('with a transmission that is %s is read as the engine reads it', (_, stored, read) => {
    const record = { ...materialRecord(material, new StringTable()), transmissionFactor: stored };
    expect(materialOf(record, { at: () => 'brick' }).transmissionFactor).toBe(read);
  });

  test('of version 3 has a height map without its remap, which is the default then; without a map all are defaults', () => {
    const view = new DataView(new ArrayBuffer(recordSize(MATERIAL, 3)));
    encodeRecord(MATERIAL, 3, materialRecord(material, new StringTable()), view, 0);
    // Texture 16, 0.125, 0.25; then channels and transmission.
    expect([...new Uint8Array(view.buffer, 80, 12)]).toEqual([16, 0, 0, 0, 0, 0, 0, 0x3e, 0, 0, 0x80, 0x3e]);
    const read = materialOf(decodeRecord(MATERIAL, 3, view, 0), { at: () => 'brick' });
    expect(read.height).toEqual({ scale: 0.125, midlevel: 0.25, remapMin: 0, remapMax: 1 });
    const none = { ...material, height: null, heightTexture: 0xffffffff };
    const plain = new DataView(new ArrayBuffer(recordSize(MATERIAL, 4)));
    encodeRecord(MATERIAL, 4, materialRecord(none, new StringTable()), plain, 0);
    expect(plain.getUint32(80, true)).toBe(0xffffffff);
    const floats = [84, 88, 92, 96].map((at) => plain.getFloat32(at, true));
    expect(floats).toEqual([Math.fround(0.05), 0.5, 0, 1]);
    expect(materialOf(decodeRecord(MATERIAL, 4, plain, 0), { at: () => 'brick' }).height).toBeNull();
  });

  test('without transmission has the bits of "none"', () => {
    const view = new DataView(new ArrayBuffer(recordSize(MATERIAL, 4)));
    const none = { ...material, transmissionFactor: -0 };
    encodeRecord(MATERIAL, 4, materialRecord(none, new StringTable()), view, 0);
    expect(view.getUint32(104, true)).toBe(0);
  });

  test('comes back as it was', () => {
    const strings = new StringTable();
    const record = materialRecord(material, strings);
    expect(materialOf(record, { at: () => 'brick' })).toEqual(material);
    expect(factorsOfStored(material)).toEqual(factors);
    expect(FILE_SLOTS.map((slot) => storedTexture(material, slot))).toEqual([10, 11, 12, 13, 14, 15, 16]);
  });

  test('has a field for each factor and each slot with a file, and bits for each channel', () => {
    const fields = Object.keys(MATERIAL.fields);
    for (const factor of FACTORS) expect(fields).toContain(factorKind(factor).untold);
    for (const slot of FILE_SLOTS) expect(fields).toContain(`${slot}TextureIndex`);
    expect(Object.keys(CHANNEL_SHIFTS).sort()).toEqual(Object.keys(slotChannels(() => 0)).sort());
    expect(new Set(Object.values(CHANNEL_SHIFTS)).size).toBe(Object.keys(CHANNEL_SHIFTS).length);
  });
});

test('flags of slots are those of the format', () => {
  // srgb 1, normalMap 2, lut 4, height 8, emissive 64, occlusion 128.
  expect(Object.fromEntries(TEXTURE_SLOTS.map((slot) => [slot, slotKind(slot).flags]))).toEqual({
    baseColor: 1,
    opacity: 0,
    normal: 2,
    metallic: 0,
    roughness: 0,
    emissive: 65,
    occlusion: 128,
    height: 8,
  });
  const known = Object.values(TEXTURE_FLAGS).reduce<number>((bits, flag) => bits | flag, 0);
  for (const slot of TEXTURE_SLOTS) {
    const { flags, texels } = slotKind(slot);
    expect(flags & ~known).toBe(0);
    expect((flags & TEXTURE_FLAGS.srgb) !== 0).toBe(texels === 'color');
    expect((flags & TEXTURE_FLAGS.normalMap) !== 0).toBe(texels === 'normal');
  }
});
