// What every format of the registry promises to a cook: meshes there and back, as the interface says.

import { extname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTING_OPTIONS } from '../../src/config/options/table.ts';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import type { PayloadMesh } from '../../src/formats/format.ts';
import { DEFAULT_FORMAT, FORMAT_IDS, FORMATS, formatOfContent, loadFormat } from '../../src/formats/registry.ts';
import { rounded } from '../../src/formats/rounded.ts';
import { uvStep } from '../../src/geometry/uv/limits.ts';
import { identity, translation } from '../../src/scene/matrix.ts';
import { DEFAULT_MATERIAL } from '../../src/workers/jobs.ts';
import { ground, places, sphere } from '../geometry/packed.ts';
import { expectValid } from './glb/khronos.ts';

const location = { file: 'f', path: '/p' };
const surface = { material: DEFAULT_MATERIAL, tint: null, palette: null };

/** Each position once, in an order of its own. */
function points(positions: Float32Array): string[] {
  const all = Array.from({ length: positions.length / 3 }, (_, v) => positions.subarray(v * 3, v * 3 + 3).join());
  return [...new Set(all)].sort();
}

test('a format is found under its own name, and there is one to begin with', async () => {
  expect(FORMAT_IDS).toContain(DEFAULT_FORMAT);
  for (const id of FORMAT_IDS) {
    expect(await loadFormat(id)).toMatchObject({ id, extension: FORMATS[id].extension });
  }
});

test('no two formats have the same extension, and each extension is one that node:path finds', () => {
  const extensions = FORMAT_IDS.map((id) => FORMATS[id].extension);
  expect(new Set(extensions).size).toBe(extensions.length);
  for (const extension of extensions) expect(extname(`tile${extension}`)).toBe(extension);
});

test('--target names every format, and each knows what its textures become', () => {
  const target = SETTING_OPTIONS.find(({ name }) => name === 'target');
  expect(target?.kind).toEqual({ type: 'choice', choices: FORMAT_IDS });
  // A format without any has no place for textures.
  expect(FORMAT_IDS.filter((id) => FORMATS[id].textures.length === 0)).toEqual(['galileo']);
});

describe.each(FORMAT_IDS)('%s', async (id) => {
  const format = await loadFormat(id);
  const store = async (mesh: ReturnType<typeof sphere>) => {
    const stored = await format.storeParts([{ mesh, world: null }], new Diagnostics(), location, surface);
    if (stored === null) throw new Error('nothing was stored');
    return stored;
  };
  const encode = (meshes: readonly PayloadMesh[]) =>
    format.encode({ fileType: 'tile', meshes, textures: [], authored: {}, options: { compression: 'none' } });

  // Formats without instances are given each mesh in world space.
  const hasInstances = format.instances.isWorth({
    vertexCount: 10_000,
    indexCount: 60_000,
    placements: 2,
    nameBytes: 4,
    merged: null,
  });
  test.runIf(hasInstances)('gives back what is drawn of each mesh, placed ones at their placements', async () => {
    const [ball, land] = [await store(sphere(0, 0, 0, 1, 6)), await store(ground(0, 0, 8, 4))];
    const placements = [translation(5, 0, 0), translation(0, 7, 0)];
    const { file, meshes, vertices } = await encode([
      { naming: { entity: 'ball', mesh: 'ball' }, surface, stored: ball, placements },
      { naming: { entity: 'land', mesh: 'land' }, surface, stored: land },
    ]);
    expect([meshes, vertices]).toEqual([3, 2 * ball.vertexCount + land.vertexCount]);
    expect(await format.verify(file, 'f', { engine: false })).toEqual([]);
    if (id === 'glb') await expectValid(file);
    // Payloads that files are made of are no files.
    expect(formatOfContent(file)).toBe(format.assembly === null ? id : null);
    expect(await format.checkTextures(file, 'f', { exists: () => false, head: () => null })).toEqual({
      diagnostics: [],
      cooked: [],
    });
    expect((await format.measure(file, 'f')).vertices).toBe(vertices);
    const [balls, same] = await format.decode(file, 'f', [2, 1]);
    expect(balls).toEqual(await format.drawn(ball, placements));
    expect(same).toEqual(await format.drawn(land, null));
    expect(points(format.drawnPositions(land, null))).toEqual(points(same.positions));
    expect(points(format.drawnPositions(ball, placements))).toEqual(points(balls.positions));
    // Levels are made from stored meshes or from files, whichever is at hand: both draw the same.
    const once = await encode([
      { naming: { entity: 'a', mesh: 'a' }, surface, stored: ball, placements: [identity()] },
    ]);
    expect(await format.decode(once.file, 'f', [1])).toEqual([await format.drawn(ball, [identity()])]);
    expect(same.indices.length).toBe(land.indices.length);
    expect(places([same])).toEqual(places([ground(0, 0, 8, 4)]));
    expect(Math.max(...balls.positions)).toBe(8);
  });

  test('stores a mesh that it gave back in the same bytes, and has nothing left to round', async () => {
    const stored = await store(sphere(1, 2, 3, 1, 9));
    const mesh = await format.drawn(stored, null);
    expect(format.storeMesh(mesh)).toEqual(stored);
    for (const semantic of format.attributes) {
      const values = mesh.attributes[semantic];
      if (values) expect(format.round(semantic, values)).toEqual(values);
    }
    const again = await rounded(mesh, format.round);
    expect([again.vertexCount, again.indices.length]).toEqual([mesh.vertexCount, mesh.indices.length]);
  });

  test.skipIf(hasInstances)('gives back what is drawn of each mesh', async () => {
    const land = await store(ground(0, 0, 8, 4));
    const { file, meshes, vertices } = await encode([
      { naming: { entity: 'land', mesh: 'land' }, surface, stored: land },
    ]);
    expect([meshes, vertices]).toEqual([1, land.vertexCount]);
    expect(await format.verify(file, 'f', { engine: false })).toEqual([]);
    expect((await format.measure(file, 'f')).vertices).toBe(vertices);
    const [same] = await format.decode(file, 'f', [1]);
    // A format may have a place for tangents in every vertex.
    expect(same).toMatchObject(await format.drawn(land, null));
    expect(places([same])).toEqual(places([ground(0, 0, 8, 4)]));
  });

  test.runIf(format.hasTiles)('writes a payload that draws nothing', async () => {
    const { file, meshes } = await format.encodeBlank('silence', { compression: 'none' });
    expect(meshes).toBe(0);
    expect(await format.verify(file, 'f', { engine: false })).toEqual([]);
    expect(await format.decode(file, 'f', [])).toEqual([]);
  });

  test('holds texture coordinates up to the limits that it states', () => {
    const { largest } = format.uvs;
    const values = Float32Array.of(largest, -largest, 1, 1 - uvStep(1, format.uvs));
    expect(format.round('uv0', values)).toEqual(values);
  });

  test('holds normals, and no attribute that it cannot round', () => {
    expect(format.attributes).toContain('normal');
    for (const semantic of format.attributes) {
      expect(format.round(semantic, new (semantic === 'color0' ? Uint8Array : Float32Array)(12))).not.toBeNull();
    }
  });
});
