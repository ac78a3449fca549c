// The target bpx: literal bytes of a triangle, textures, both layouts, and sources compared with their .untold.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BPX } from '../../../src/formats/bpx/format.ts';
import { readBpx } from '../../../src/formats/bpx/read.ts';
import { assetsOf, checkSize, modelPath } from '../../../src/formats/bpx/target/payload.ts';
import { nearestSide, textureOf } from '../../../src/formats/bpx/target/textures.ts';
import type { BpxTexture } from '../../../src/formats/bpx/types.ts';
import { validateWithFiles } from '../../../src/formats/bpx/validateFiles.ts';
import { writeBpxPackage } from '../../../src/formats/bpx/write/package.ts';
import { type FloatMesh, storeMesh } from '../../../src/formats/floatMesh.ts';
import type { PayloadMesh, WriteOptions } from '../../../src/formats/format.ts';
import { encodeDeepPng, encodePng } from '../../../src/textures/encode/png.ts';
import type { PreparedTexture } from '../../../src/textures/types.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { WorkerPool } from '../../../src/workers/workerPool.ts';
import { bytesOf, cook, fileOf, SAMPLES, useFolder } from '../glb/cooking.ts';
import { expectSame, modelIn, toBpx } from './sameAsUntold.ts';

useFolder();

/** Counter-clockwise seen from +Y, so that its normal is +Y: every axis is told apart by a value of its own. */
const TRIANGLE = storeMesh({
  vertexCount: 3,
  positions: Float32Array.of(1, 5, 0, 1, 5, 3, 2, 5, 0),
  attributes: {
    normal: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0),
    tangent: Float32Array.of(0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, 1),
    uv0: Float32Array.of(0, 0, 1, 0, 0.25, 4.75),
  },
  indices: Uint32Array.of(0, 1, 2),
});

const part = (stored: FloatMesh = TRIANGLE): PayloadMesh<FloatMesh> => ({
  naming: { entity: 'one', mesh: 'one' },
  surface: { material: { ...DEFAULT_MATERIAL, name: 'brick' }, tint: null, palette: null },
  stored,
});

const encode = async (meshes: readonly PayloadMesh<FloatMesh>[], more: Partial<WriteOptions> = {}, textures = {}) =>
  (
    await BPX.encode({
      fileType: 'tile',
      meshes,
      textures: Object.values(textures),
      authored: {},
      options: { compression: 'none', file: 'somewhere/scene.usda', ...more },
    })
  ).file;

test('axes, winding, V and the sign of tangents as the reference has them, byte by byte', async () => {
  const file = await encode([part()]);
  expect(Buffer.from(file.subarray(0, 4)).toString()).toBe('BPXP');
  const [{ path, bytes }] = await assetsOf(file, 'f');
  expect(path).toBe('Models/scene.bpx');
  expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('BPXM');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  expect(view.getBigUint64(8, true)).toBe(BigInt(bytes.length - 32));
  const sectionAt = (number: number) => {
    const at = 32 + (number - 1) * 16;
    expect(view.getUint8(at + 13) & 2, 'so few bytes that packing could not help').toBeLessThan(3);
    return { begin: Number(view.getBigUint64(at, true)), type: view.getUint8(at + 12), flags: view.getUint8(at + 13) };
  };
  // Vertex format: 48 bytes, four components of FLOAT (1): 3, 3, 4 and 2 numbers.
  const format = sectionAt(1);
  expect(format.type).toBe(1);
  expect([...bytes.subarray(format.begin, format.begin + 8)]).toEqual([48, 0, 4, 0, 0x31, 0x31, 0x41, 0x21]);
  const { arrays } = await modelIn(file);
  const vertices = arrays[0].vertices;
  const values = new DataView(vertices.buffer, vertices.byteOffset);
  const row = (v: number) => Array.from({ length: 12 }, (_, k) => values.getFloat32(v * 48 + k * 4, true));
  // (x, y, z) is (x, z, y); V down; the sign of the tangent stays.
  expect(row(0)).toEqual([1, 0, 5, 0, 0, 1, 0, 1, 0, -1, 0, 1]);
  expect(row(1)).toEqual([1, 3, 5, 0, 0, 1, 0, 1, 0, -1, 1, 1]);
  expect(row(2)).toEqual([2, 0, 5, 0, 0, 1, 0, 1, 0, 1, 0.25, -3.75]);
  // Turned round: (b - a) x (c - a) = (1,0,0) x (0,3,0) = (0,0,3), along the normal.
  expect([...(arrays[0].indices as Uint32Array)]).toEqual([0, 2, 1]);
  expect(arrays[0].material).toBe('Materials/brick');
});

test('colours make a component of every vertex of a model, white where a mesh has none', async () => {
  const color0 = Uint8Array.of(255, 0, 51, 255, 0, 0, 0, 255, 0, 0, 0, 255);
  const colored = storeMesh({ ...TRIANGLE, attributes: { ...TRIANGLE.attributes, color0 } });
  const file = await encode([part(colored), part()]);
  const { components, arrays } = await modelIn(file);
  expect(components.map(({ count }) => count)).toEqual([3, 3, 4, 2, 4]);
  const color = ({ vertices }: { vertices: Uint8Array }) =>
    [0, 1, 2, 3].map((k) => new DataView(vertices.buffer, vertices.byteOffset).getFloat32(48 + k * 4, true));
  expect(color(arrays[0])).toEqual([1, 0, Math.fround(0.2), 1]);
  expect(color(arrays[1])).toEqual([1, 1, 1, 1]);
  const decoded = await BPX.decode(file, 'f', [1, 1]);
  expect([...(decoded[0].attributes.color0 as Uint8Array)]).toEqual([...color0]);
  expect([...decoded[1].positions]).toEqual([...TRIANGLE.positions]);
  expect([...decoded[1].indices]).toEqual([0, 1, 2]);
  expect([...(decoded[1].attributes.uv0 as Float32Array)]).toEqual([0, 0, 1, 0, 0.25, 4.75]);
  expect(await BPX.measure(file, 'f')).toEqual({ meshes: 2, vertices: 6, textures: [] });
  const drawn = await BPX.drawnFile(file, 'f');
  expect([drawn.meshes.length, drawn.materials.length]).toEqual([2, 1]);
});

async function texture(texels: readonly number[], width: number, height: number, flags = 1): Promise<PreparedTexture> {
  const bytes = await encodePng(Uint8Array.from(texels), width, height, true);
  return { fileName: 'wall_00000000.png', bytes, sha256: '', width, height, format: 0, mipCount: 1, flags };
}

test('textures are rows from the top, without alpha where there is none', async () => {
  const red = [255, 0, 0, 255];
  const [green, blue] = [
    [0, 255, 0, 255],
    [0, 0, 255, 255],
  ];
  const bytes = await textureOf(await texture([...red, ...green, ...blue, ...red], 2, 2));
  expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('BPXT');
  // TypeExt: no array, sides 2^1, RGB without flags, two mips.
  expect([...bytes.subarray(24, 32)]).toEqual([0, 0, 0x00, 0x01, 2, 0, 0, 0]);
  const { content } = await readBpx(bytes, 'f');
  expect([...(content as BpxTexture).images[0]]).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 0, 0]);
  const clear = await readBpx(await textureOf(await texture([...red, ...green, ...blue, 1, 2, 3, 4], 2, 2)), 'f');
  expect((clear.content as BpxTexture).format).toBe('rgba8');
});

test('grey texels become grey, and heights of 16 bits float32; both come back', async () => {
  const grey = await textureOf(await texture([9, 9, 9, 255, 0, 0, 0, 255, 255, 255, 255, 255, 7, 7, 7, 255], 2, 2));
  // The low four bits of the format: 3 is grey.
  expect(grey[27]).toBe(3);
  const { content } = await readBpx(grey, 'f');
  expect([...(content as BpxTexture).images[0]]).toEqual([9, 0, 255, 7]);
  const clear = await textureOf(await texture([9, 9, 9, 254, 0, 0, 0, 255, 255, 255, 255, 255, 7, 7, 7, 255], 2, 2));
  expect(clear[27], 'grey with alpha is RGBA').toBe(2);
  const heights = Uint16Array.of(0, 257, 258, 65535);
  const bytes = await encodeDeepPng(heights, 2, 2);
  const deep = await textureOf({ ...(await texture(new Array(16).fill(0), 2, 2)), bytes });
  expect(deep[27]).toBe(4);
  const [image] = ((await readBpx(deep, 'f')).content as BpxTexture).images;
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  expect([0, 1, 2, 3].map((i) => Math.round(view.getFloat32(i * 4, true) * 65535))).toEqual([...heights]);
});

test('sides of other sizes become the nearest power of two, which is said (UC2335)', async () => {
  expect([1, 2, 3, 5, 6, 100, 65536].map(nearestSide)).toEqual([2, 2, 4, 4, 8, 128, 65536]);
  const grey = Array.from({ length: 3 * 5 }, () => [128, 128, 255, 255]).flat();
  for (const flags of [0, 1, 2]) {
    const { content } = await readBpx(await textureOf(await texture(grey, 3, 5, flags)), 'f');
    const { width, height, images } = content as BpxTexture;
    expect([width, height]).toEqual([4, 4]);
    for (const [i, value] of images[0].entries()) {
      expect(Math.abs(value - (i % 3 === 2 ? 255 : 128))).toBeLessThanOrEqual(1);
    }
  }
  const textures = [await texture(grey, 3, 5)];
  expect(BPX.lossesOf({}, 'f', { materials: [], textures }).map(({ code }) => code)).toEqual(['UC2335']);
  expect(BPX.lossesOf({}, 'f', { materials: [], textures: [{ ...textures[0], width: 4, height: 4 }] })).toEqual([]);
});

test('a section ends at 4 GiB (UC2421)', () => {
  const stop = (bytes: number, max?: number) => {
    try {
      checkSize(bytes, 'a mesh', 'f', max);
    } catch (error) {
      return (error as { diagnostics: { code: string }[] }).diagnostics[0].code;
    }
    return null;
  };
  expect([stop(2 ** 32 - 1), stop(2 ** 32), stop(11, 10)]).toEqual([null, 'UC2421', 'UC2421']);
  expect([modelPath('a/b:c.glb'), modelPath('')]).toEqual(['Models/b_c.bpx', 'Models/scene.bpx']);
});

test('the courtyard is the same as .untold', () => expectSame(join(SAMPLES, 'courtyard.usdz'), 'courtyard'));

test('the same bytes with 1 and 2 threads and from another folder; the crate holds the same files', async () => {
  const source = join(SAMPLES, 'courtyard.usdz');
  await toBpx(source, 'one.bpx');
  mkdirSync(fileOf('elsewhere'));
  const copy = fileOf('elsewhere/courtyard.usdz');
  writeFileSync(copy, readFileSync(source));
  const pool = new WorkerPool(2);
  try {
    await cook(copy, { kind: 'file', path: fileOf('elsewhere/two.bpx') }, { format: 'bpx' }, pool);
  } finally {
    await pool.close();
  }
  expect(Buffer.compare(bytesOf('one.bpx'), bytesOf('elsewhere/two.bpx'))).toBe(0);
  expect(existsSync(fileOf('elsewhere/Textures'))).toBe(false);
  await toBpx(source, 'crate.bpx', { layout: 'crate' });
  const [all, crate] = [await assetsOf(bytesOf('one.bpx'), 's'), await assetsOf(bytesOf('crate.bpx'), 'c')];
  // Paths of the crate cannot share a file.
  const spec = all.filter(({ path }) => !path.startsWith('Materials/'));
  expect(crate.map(({ path }) => path)).toEqual(spec.map(({ path }) => path));
  for (const [i, { bytes }] of crate.entries()) expect(Buffer.compare(bytes, spec[i].bytes)).toBe(0);
  expect(await validateWithFiles(bytesOf('crate.bpx'), 'c')).toEqual([]);
});

test('what is wrong with a file of a package is found in it', async () => {
  const bad = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../../fixtures/bpx/bad_checksum.bpx')));
  const assets = [{ path: 'a.bpx', bytes: bad }];
  const file = writeBpxPackage({ kind: 'package', compatibility: 15, assets });
  const found = await validateWithFiles(file, 'p.bpx');
  expect(found.map(({ file: of }) => of)).toContain('p.bpx/a.bpx');
});
