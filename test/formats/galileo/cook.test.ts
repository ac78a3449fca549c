// The target galileo: literal bytes of a triangle, texture coordinates that repeat, and sources compared with their .untold.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PayloadMesh } from '../../../src/formats/format.ts';
import { GALILEO } from '../../../src/formats/galileo/format.ts';
import { type GalileoStored, storeAsIs } from '../../../src/formats/galileo/storedMesh.ts';
import { inUnitSquares } from '../../../src/formats/galileo/uvSquares.ts';
import { validateGalileo } from '../../../src/formats/galileo/validate.ts';
import type { Float32Mesh } from '../../../src/geometry/mesh/mesh.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { WorkerPool } from '../../../src/workers/workerPool.ts';
import { bytesOf, cook, fileOf, SAMPLES, useFolder } from '../glb/cooking.ts';
import { expectSame, toGali } from './sameAsUntold.ts';

useFolder();

/** Counter-clockwise seen from +Y, so that its normal is +Y: every axis is told apart by a value of its own. */
const triangle = (uv0: readonly number[]): Float32Mesh => ({
  vertexCount: 3,
  positions: Float32Array.of(1, 5, 0, 1, 5, 3, 2, 5, 0),
  attributes: {
    normal: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0),
    tangent: Float32Array.of(0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, 1),
    uv0: Float32Array.from(uv0),
  },
  indices: Uint32Array.of(0, 1, 2),
});

const part = (stored: GalileoStored): PayloadMesh<GalileoStored> => ({
  naming: { entity: 'one', mesh: 'one' },
  surface: { material: { ...DEFAULT_MATERIAL, name: 'brick' }, tint: null, palette: null },
  stored,
});

const encode = async (...meshes: readonly PayloadMesh<GalileoStored>[]) =>
  (
    await GALILEO.encode({
      fileType: 'tile',
      meshes,
      textures: [],
      authored: {},
      options: { compression: 'none', file: 'somewhere/scene.usda' },
    })
  ).file;

test('axes, winding, V and the sign of tangents as the reference has them, byte by byte', async () => {
  const file = await encode(part(storeAsIs(triangle([0, 0, 1, 0, 0.25, 0.75]))));
  const view = new DataView(file.buffer);
  const floats = (at: number, count: number) =>
    Array.from({ length: count }, (_, i) => view.getFloat32(at + i * 4, true));
  // Header 36, manifest 44, one group of 56, one extension of 32.
  const begin = 36 + 44 + 56 + 32;
  expect([...file.subarray(0, 8)]).toEqual([0x47, 0x41, 0x4c, 0x49, 0, 1, 0, 0]);
  expect(view.getUint32(24, true)).toBe(1);
  expect([0, 4, 8].map((at) => view.getUint32(begin + at, true))).toEqual([0, 1, 2]);
  // (x, y, z) is (x, -z, y).
  expect(floats(begin + 12, 9)).toEqual([1, 0, 5, 1, -3, 5, 2, 0, 5]);
  expect(floats(begin + 48, 9)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  expect(floats(begin + 84, 12)).toEqual([0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, 1]);
  // V 0 is 65535: the bottom of the image.
  const uvs = Array.from({ length: 6 }, (_, i) => view.getUint16(begin + 132 + i * 2, true));
  expect(uvs).toEqual([0, 65535, 65535, 65535, 16384, 16384]);
  // The box: centre and half sizes.
  expect(floats(36, 6)).toEqual([1.5, -1.5, 5, 0.5, 1.5, 0]);
  // (b - a) x (c - a) = (0,-3,0) x (1,0,0) = (0,0,3): along the normal.
  expect(await validateGalileo(file, 'f')).toEqual([]);
  const text = new TextDecoder().decode(file.subarray(begin + 144));
  expect(text).toBe('{"groups":[{"material":"brick"}]}');
});

describe('texture coordinates beyond 0 and 1', () => {
  const uvsOf = (mesh: Float32Mesh | null) => [...((mesh as Float32Mesh).attributes.uv0 as Float32Array)];

  test('are moved by whole numbers where that is enough', () => {
    const moved = inUnitSquares(triangle([4, -2, 4.5, -2, 4.25, -1]), 'uv0', 0);
    expect(uvsOf(moved)).toEqual([0, 0, 0.5, 0, 0.25, 1]);
  });

  test('are moved triangle by triangle, and the triangles stay', () => {
    const one = triangle([0, 0, 1, 0, 0, 1]);
    const uv0 = Float32Array.of(0, 0, 1, 0, 0, 1, 3, 5, 4, 5, 3, 6);
    const two: Float32Mesh = {
      vertexCount: 6,
      positions: Float32Array.of(...one.positions, ...one.positions),
      attributes: { normal: Float32Array.of(...one.attributes.normal, ...one.attributes.normal), uv0 },
      indices: Uint32Array.of(0, 1, 2, 3, 4, 5),
    };
    const moved = inUnitSquares(two, 'uv0', 2);
    expect(uvsOf(moved)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
  });

  test('are cut at the borders: where the corner is, so is its coordinate', () => {
    const mesh = triangle([0, 0, 2, 0, 0, 2]);
    const cut = inUnitSquares(mesh, 'uv0', 100) as Float32Mesh;
    // Two squares' halves and a whole square of two triangles: (0,0) has two, (1,0) and (0,1) one each.
    expect(cut.indices.length / 3).toBe(4);
    const uvs = uvsOf(cut);
    for (let v = 0; v < cut.vertexCount; v++) {
      // The source maps u to z (3 for 2) and v to x (1 for 2).
      const [x, , z] = cut.positions.subarray(v * 3, v * 3 + 3);
      for (const [value, exact] of [
        [uvs[v * 2], (z / 3) * 2],
        [uvs[v * 2 + 1], (x - 1) * 2],
      ]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(Math.abs(value - exact - Math.round(value - exact))).toBeLessThan(1e-6);
      }
    }
  });

  test('beyond the limit are an error for each group (UC2420)', async () => {
    const far = part(storeAsIs(triangle([0, 0, 3, 0, 0, 3])));
    const error = await encode(far, far).catch((thrown) => thrown);
    expect(error.diagnostics.map(({ code }: { code: string }) => code)).toEqual(['UC2420', 'UC2420']);
    expect(error.diagnostics[0].message).toContain('brick');
    expect(inUnitSquares(triangle([0, 0, 1e9, 0, 0, 1e9]), 'uv0', 65536)).toBe(null);
  });
});

test('the courtyard is the same as .untold', async () => {
  await expectSame(join(SAMPLES, 'courtyard.usdz'), 'courtyard');
});

test('the same bytes with 1 and 2 threads, from another folder, and beside nothing', async () => {
  const source = join(SAMPLES, 'courtyard.usdz');
  await toGali(source, 'one.gali');
  mkdirSync(fileOf('elsewhere'));
  const copy = fileOf('elsewhere/courtyard.usdz');
  writeFileSync(copy, readFileSync(source));
  const pool = new WorkerPool(2);
  try {
    await cook(copy, { kind: 'file', path: fileOf('elsewhere/two.gali') }, { format: 'galileo' }, pool);
  } finally {
    await pool.close();
  }
  expect(Buffer.compare(bytesOf('one.gali'), bytesOf('elsewhere/two.gali'))).toBe(0);
  expect(existsSync(fileOf('elsewhere/Textures'))).toBe(false);
});

test('what is lost is counted and said once a kind', () => {
  const place = { path: '/a' } as never;
  const authored = {
    lights: [place, place],
    cameras: [place],
    skeletons: [place],
    clips: [place, place],
  };
  const prepared = { materials: [{}, {}], textures: [{}] } as never;
  const found = GALILEO.lossesOf(authored, 'f', prepared);
  expect(found.map(({ code }) => code)).toEqual(['UC2330', 'UC2331', 'UC2338', 'UC2333', 'UC2334']);
  expect(found[0].message).toContain('2 lights');
  expect(GALILEO.lossesOf({}, 'f', { materials: [], textures: [] })).toEqual([]);
});

test('a file gives back its meshes, and what is drawn of it', async () => {
  const stored = storeAsIs(triangle([0, 0, 1, 0, 0, 1]));
  const file = await encode(part(stored));
  const [mesh] = await GALILEO.decode(file, 'f', [1]);
  expect([...mesh.positions]).toEqual([...stored.positions]);
  expect([...(mesh.attributes.uv0 as Float32Array)]).toEqual([0, 0, 1, 0, 0, 1]);
  const drawn = await GALILEO.drawnFile(file, 'f');
  expect([drawn.meshes.length, drawn.materials.length]).toEqual([1, 1]);
  expect(await GALILEO.measure(file, 'f')).toEqual({ meshes: 1, vertices: 3, textures: [] });
});
