// Small images written by hand, chunk by chunk, and scenes around them.

import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { diagnostic, SourceError } from '../../src/diagnostics/diagnostic.ts';
import { DEFAULT_FACTORS } from '../../src/scene/materialSlots.ts';
import type { Scene, SceneImage, SceneMaterial, SceneTextures, TextureUse } from '../../src/scene/types.ts';
import { crc32 } from '../../src/textures/decode/png.ts';
import type { PreparedMaterials, ReadUvTriangles } from '../../src/textures/types.ts';

export function chunk(type: string, data: ArrayLike<number>): Uint8Array {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  out.set(data, 8);
  out.writeUInt32BE(crc32(out, 4, 8 + data.length), 8 + data.length);
  return out;
}

export function u32be(...values: number[]): number[] {
  return values.flatMap((v) => [(v >>> 24) & 255, (v >>> 16) & 255, (v >>> 8) & 255, v & 255]);
}

export const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);

export interface PngOptions {
  readonly depth?: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA; 6 unless reported. */
  readonly colorType?: number;
  /** Chunks between IHDR and IDAT. */
  readonly extra?: readonly Uint8Array[];
}

/** A PNG whose rows are given as packed bytes, filter type 0. */
export function png(
  width: number,
  height: number,
  rows: readonly ArrayLike<number>[],
  options: PngOptions = {},
): Uint8Array {
  const { depth = 8, colorType = 6, extra = [] } = options;
  const data = Buffer.concat(rows.map((row) => Buffer.from([0, ...Array.from(row)])));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', [...u32be(width, height), depth, colorType, 0, 0, 0]),
    ...extra,
    chunk('IDAT', deflateSync(data)),
    chunk('IEND', []),
  ]);
}

/** RGB of one row or more. */
export function rgb(rows: readonly ArrayLike<number>[], extra: readonly Uint8Array[] = []): Uint8Array {
  return png(rows[0].length / 3, rows.length, rows, { colorType: 2, extra });
}

export function rgba(rows: readonly ArrayLike<number>[]): Uint8Array {
  return png(rows[0].length / 4, rows.length, rows);
}

export function grey(rows: readonly ArrayLike<number>[]): Uint8Array {
  return png(rows[0].length, rows.length, rows, { colorType: 0 });
}

/** Rows of samples, read by sharp: an independent reader. */
export async function pixelsOf(bytes: Uint8Array): Promise<{ channels: number; rows: number[][] }> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const rows: number[][] = [];
  const step = info.width * info.channels;
  for (let y = 0; y < info.height; y++) rows.push([...data.subarray(y * step, (y + 1) * step)]);
  return { channels: info.channels, rows };
}

/** Chunk types of a PNG, in order. */
export function chunkTypes(bytes: Uint8Array): string[] {
  const types: string[] = [];
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 8; at < view.length; at += 12 + view.readUInt32BE(at))
    types.push(view.toString('latin1', at + 4, at + 8));
  return types;
}

export function image(stem: string, bytes: Uint8Array | SourceError, extension = 'png'): SceneImage {
  return {
    path: `images/${stem}`,
    uri: `${stem}.${extension}`,
    stem,
    file: `/scene/${stem}.${extension}`,
    read: async () => {
      if (bytes instanceof SourceError) throw bytes;
      return bytes;
    },
  };
}

export function missing(path: string): SourceError {
  return new SourceError(diagnostic('UC1203', 'scene.gltf', path, 'no such file'));
}

export function use(imageIndex: number, changes: Partial<TextureUse> = {}): TextureUse {
  return {
    image: imageIndex,
    uvSet: 'st',
    transform: null,
    wrapS: 'repeat',
    wrapT: 'repeat',
    channel: 'rgb',
    scale: [1, 1, 1, 1],
    bias: [0, 0, 0, 0],
    colorSpace: 'linear',
    ...changes,
  };
}

/** A use as colour slots have it. */
export function colorUse(imageIndex: number, changes: Partial<TextureUse> = {}): TextureUse {
  return use(imageIndex, { colorSpace: 'srgb', ...changes });
}

export function material(textures: SceneTextures, changes: Partial<SceneMaterial> = {}): SceneMaterial {
  return {
    name: 'Paint',
    path: '/Looks/Paint',
    alphaMode: 'opaque',
    alphaCutoff: 0.5,
    doubleSided: false,
    ...DEFAULT_FACTORS,
    emissive: [1, 1, 1],
    textures,
    usesVertexColors: false,
    ...changes,
  };
}

/** A scene that draws every material on a primitive of one placed mesh. */
export function scene(materials: readonly SceneMaterial[], images: readonly SceneImage[]): Scene {
  return {
    source: 'scene.usda',
    kind: 'usda',
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes: [{ name: 'n', path: '/n', parent: -1, local: new Float64Array(16), world: new Float64Array(16), mesh: 0 }],
    meshes: [
      {
        name: 'm',
        path: '/m',
        primitives: materials.map((_, index) => ({
          path: `/m/${index}`,
          type: 'Mesh',
          vertexCount: 3,
          triangleCount: 1,
          bounds: null,
          material: index,
          subsets: [],
          read: () => Promise.reject(new Error('vertices are not needed')),
        })),
      },
    ],
    materials,
    images,
  };
}

/** Two triangles that cover a rectangle of UVs. */
export function quad(u0: number, v0: number, u1: number, v1: number): number[] {
  return [u0, v0, u1, v0, u1, v1, u0, v0, u1, v1, u0, v1];
}

/** The same triangles for every material. */
export function triangles(sets: Readonly<Record<string, readonly number[]>>): ReadUvTriangles {
  return async (_, names) => new Map(names.map((name) => [name, Float32Array.from(sets[name] ?? [])]));
}

export const neverRead: ReadUvTriangles = () => Promise.reject(new Error('triangles are not needed'));

/** Pixels of a slot's file. */
export async function slotPixels(
  prepared: PreparedMaterials,
  slot: keyof PreparedMaterials['materials'][0]['slots'],
  index = 0,
) {
  return (await pixelsOf(prepared.textures[prepared.materials[index].slots[slot]].bytes as Uint8Array)).rows;
}
