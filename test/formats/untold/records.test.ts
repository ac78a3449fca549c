// Sizes and places of fields, counted by hand from the format text (header, chunk table, entity, mesh, material,
// texture) and from the order of fields of the engine's binary coder (the rest).

import { describe, expect, it } from 'vitest';
import {
  decodeRecord,
  encodeRecord,
  layout,
  type RecordKind,
  recordSize,
} from '../../../src/formats/untold/container/layout.ts';
import * as R from '../../../src/formats/untold/container/records.ts';
import { concat, f32, IDENTITY, NONE, u16, u32, u64, view } from './edit.ts';

const places = (kind: RecordKind, version: number) =>
  Object.fromEntries(layout(kind, version).fields.map((f) => [f.name, f.offset]));

describe('sizes of records', () => {
  it.each([
    ['header', R.HEADER, 204],
    ['chunk entry', R.CHUNK_ENTRY, 40],
    ['entity', R.ENTITY, 136],
    ['mesh', R.MESH, 104],
    ['texture', R.TEXTURE, 32],
    ['light', R.LIGHT, 176],
    ['camera', R.CAMERA, 144],
    ['colour management', R.COLOR_MANAGEMENT, 32],
    ['colour grade LUT', R.COLOR_GRADE_LUT, 32],
    ['skeleton', R.SKELETON, 24],
    ['joint', R.SKELETON_JOINT, 144],
    ['skin', R.SKIN, 48],
    ['skin mapping', R.SKIN_JOINT_MAPPING, 4],
    ['clip', R.ANIMATION_CLIP, 28],
    ['channel', R.ANIMATION_CHANNEL, 28],
    ['translation key', R.TRANSLATION_KEYFRAME, 20],
    ['rotation key', R.ROTATION_KEYFRAME, 20],
    ['morph target', R.MORPH_TARGET, 24],
    ['morph entry', R.MORPH_ENTRY, 16],
    ['morph driver', R.MORPH_DRIVER, 36],
    ['muscle', R.MUSCLE, 128],
  ] as const)('%s', (_name, kind, bytes) => {
    for (const version of [1, 2, 3, 4]) expect(recordSize(kind, version)).toBe(bytes);
  });

  it('material by version: 88, 88, 100, 108', () => {
    expect([1, 2, 3, 4].map((version) => recordSize(R.MATERIAL, version))).toEqual([88, 88, 100, 108]);
  });
});

describe('places of fields', () => {
  it('header', () => {
    expect(places(R.HEADER, 1)).toEqual({
      magic: 0,
      formatVersion: 8,
      fileType: 12,
      flags: 16,
      headerSize: 20,
      chunkCount: 24,
      meshCount: 28,
      materialCount: 32,
      textureRefCount: 36,
      entityCount: 40,
      vertexLayout: 44,
      reserved0: 48,
      worldBoundsMin: 52,
      worldBoundsMax: 64,
      rootTransform: 76,
      contentHash: 140,
      reserved1: 172,
    });
  });

  it('chunk entry, entity, mesh, texture', () => {
    expect(places(R.CHUNK_ENTRY, 1)).toEqual({
      chunkType: 0,
      compressionType: 4,
      fileOffset: 8,
      compressedSize: 16,
      uncompressedSize: 24,
      elementCount: 32,
      reserved0: 36,
    });
    expect(places(R.ENTITY, 1)).toMatchObject({
      nameOffset: 8,
      flags: 20,
      localBoundsMin: 24,
      worldBoundsMin: 48,
      localTransform: 72,
    });
    expect(places(R.MESH, 1)).toMatchObject({
      indexType: 12,
      vertexDataOffset: 32,
      indexDataOffset: 40,
      vertexDataSizeBytes: 48,
      indexDataSizeBytes: 56,
      estimatedGPUBytes: 64,
      edgeIndexDataOffset: 72,
      edgeIndexCount: 76,
      localBoundsMin: 80,
      localBoundsMax: 92,
    });
    expect(places(R.TEXTURE, 1)).toMatchObject({
      uriOffset: 4,
      textureFormat: 8,
      flags: 12,
      width: 16,
      height: 20,
      mipCount: 24,
    });
  });

  it('material: reserved0 at 80, 92 and 100; height fields between', () => {
    expect(places(R.MATERIAL, 1)).toMatchObject({
      baseColorFactor: 8,
      emissiveFactor: 24,
      normalScale: 36,
      alphaCutoff: 52,
      baseColorTextureIndex: 56,
      occlusionTextureIndex: 76,
      reserved0: 80,
    });
    expect(places(R.MATERIAL, 2)).toEqual(places(R.MATERIAL, 1));
    expect(places(R.MATERIAL, 3)).toMatchObject({
      heightTextureIndex: 80,
      heightScale: 84,
      heightMidlevel: 88,
      reserved0: 92,
    });
    expect(places(R.MATERIAL, 3)).not.toHaveProperty('heightRemapMin');
    expect(places(R.MATERIAL, 4)).toMatchObject({
      heightMidlevel: 88,
      heightRemapMin: 92,
      heightRemapMax: 96,
      reserved0: 100,
    });
  });

  it('light, camera, skin, joint, muscle', () => {
    expect(places(R.LIGHT, 1)).toMatchObject({
      lightType: 8,
      color: 16,
      intensity: 28,
      position: 32,
      radius: 44,
      direction: 48,
      falloff: 60,
      innerCone: 76,
      outerCone: 92,
      areaSize: 96,
      sourcePower: 104,
      localTransform: 112,
    });
    expect(places(R.CAMERA, 1)).toMatchObject({
      position: 16,
      fovYDegrees: 28,
      nearClip: 44,
      farClip: 60,
      aspectRatio: 76,
      localTransform: 80,
    });
    expect(places(R.SKIN, 1)).toMatchObject({
      firstJointMappingIndex: 16,
      vertexCount: 20,
      jointIndexDataOffset: 24,
      jointWeightDataOffset: 32,
      reserved0: 40,
    });
    expect(places(R.SKELETON_JOINT, 1)).toMatchObject({ jointPathOffset: 4, bindTransform: 16, restTransform: 80 });
    expect(places(R.MUSCLE, 1)).toMatchObject({
      originFraction: 28,
      originOffset: 32,
      insertionJointOffset: 44,
      insertionOffset: 56,
      bellyRadius: 68,
      rings: 104,
      driverJointOffset: 112,
      driverFullAngle: 120,
    });
  });
});

describe('encode and decode', () => {
  it('gives a texture record byte for byte', () => {
    const bytes = new Uint8Array(32);
    const record = {
      nameOffset: 26,
      uriOffset: 37,
      textureFormat: 0,
      flags: 1,
      width: 4,
      height: 4,
      mipCount: 1,
      reserved0: 0,
    };
    encodeRecord(R.TEXTURE, 1, record, view(bytes), 0);
    expect(Buffer.from(bytes).toString('hex')).toBe(
      '1a000000' + '25000000' + '00000000' + '01000000' + '04000000' + '04000000' + '01000000' + '00000000',
    );
    expect(decodeRecord(R.TEXTURE, 1, view(bytes), 0)).toEqual(record);
  });

  it('reads a mesh record written by hand, with its 64-bit fields and edges', () => {
    const bytes = concat(
      u32(7, 10, NONE, 2, 70000, 6, 32, 0),
      u64(2 ** 33 + 5, 12, 70000 * 32, 24, 2 ** 40, 0),
      f32(-1, -2, -3, 1, 2, 3),
    );
    bytes.set(u32(99, 8), 72);
    expect(decodeRecord(R.MESH, 1, view(bytes), 0)).toEqual({
      entityId: 7,
      meshNameOffset: 10,
      materialIndex: NONE,
      indexType: 2,
      vertexCount: 70000,
      indexCount: 6,
      vertexStrideBytes: 32,
      flags: 0,
      vertexDataOffset: 8589934597,
      indexDataOffset: 12,
      vertexDataSizeBytes: 2240000,
      indexDataSizeBytes: 24,
      estimatedGPUBytes: 1099511627776,
      edgeIndexDataOffset: 99,
      edgeIndexCount: 8,
      localBoundsMin: [-1, -2, -3],
      localBoundsMax: [1, 2, 3],
    });
    const again = new Uint8Array(104);
    encodeRecord(R.MESH, 1, decodeRecord(R.MESH, 1, view(bytes), 0), view(again), 0);
    expect(again).toEqual(bytes);
  });

  it('gives the height fields of early materials the engine’s defaults', () => {
    const bytes = concat(
      u32(NONE, 0),
      f32(1, 1, 1, 1, 0, 0, 0, 1, 0, 0.5, 1, 0.5),
      u32(NONE, NONE, NONE, NONE, NONE, NONE, 0b1001, 0),
    );
    expect(bytes.length).toBe(88);
    expect(decodeRecord(R.MATERIAL, 2, view(bytes), 0)).toMatchObject({
      heightTextureIndex: NONE,
      heightScale: 0.05,
      heightMidlevel: 0.5,
      heightRemapMin: 0,
      heightRemapMax: 1,
      reserved0: 0b1001,
      transmissionFactor: 0,
    });
  });

  it('reads an entity’s matrix column by column', () => {
    const matrix = [...IDENTITY.slice(0, 12), 5, 6, 7, 1];
    const bytes = concat(u32(1, 0, 5, 0, 1, 0), f32(0, 0, 0, 2, 1, 0, 5, 0, 0, 7, 1, 0), f32(...matrix));
    expect(decodeRecord(R.ENTITY, 4, view(bytes), 0).localTransform).toEqual(matrix);
  });

  it('keeps the halves of a morph entry as bits', () => {
    const bytes = concat(u32(3), u16(0x3c00, 0, 0xbc00, 0x7c00, 1, 2));
    expect(decodeRecord(R.MORPH_ENTRY, 4, view(bytes), 0)).toEqual({
      vertex: 3,
      positionDelta: [0x3c00, 0, 0xbc00],
      normalDelta: [0x7c00, 1, 2],
    });
  });
});

it('numbers chunks as the format text does', () => {
  expect(R.CHUNKS.slice(0, 7).map((c) => [c.type, c.name])).toEqual([
    [1, 'string'],
    [2, 'entity'],
    [3, 'mesh'],
    [4, 'material'],
    [5, 'texture'],
    [6, 'vertexData'],
    [7, 'indexData'],
  ]);
  expect(R.CHUNKS.map((c) => c.type)).toEqual(Array.from({ length: 27 }, (_, i) => i + 1));
  expect(R.chunkName(0x8007)).toBe('plugin 0x8007');
});
