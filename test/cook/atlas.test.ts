// Textures of far tiles through whole cooks: few draw calls, the texels that the source has at the same place, what
// repeats apart, the same bytes from any number of threads.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { halfValue } from '../../src/formats/untold/mesh/halfFloat.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { type Float32Mesh, valuesOf } from '../../src/geometry/mesh/mesh.ts';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { surface } from '../geometry/packed.ts';
import { withoutHash } from '../payloadNames.ts';
import { gltf, plain, type Thing } from './things.ts';

const folder = mkdtempSync(join(tmpdir(), 'atlas-'));
const pool = new WorkerPool(3);
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Smooth 32-pixel images, so that a texel says where it is: red along u, green along v, blue by number. */
const SIDE = 32;
const texel = (x: number, y: number, n: number) => [40 + x * 6, 40 + (SIDE - 1 - y) * 6, n * 40];
const image = (n: number) => {
  const data = Array.from({ length: SIDE * SIDE }, (_, i) => texel(i % SIDE, Math.floor(i / SIDE), n)).flat();
  return sharp(Uint8Array.from(data), { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer();
};

const PLAIN = 12;
const TEXTURED = 6;

/** A hummock of quads, 288 triangles unless said, in its own square of a tile of 4 x 5, with UVs from 0 to `uvs`. */
function hummock(place: number, tile: number, uvs = 1, quads = 12): Float32Mesh {
  const [x0, z0] = [(place % 4) * 4 + tile * 24, Math.floor(place / 4) * 4];
  const mesh = surface(quads, quads, (u, v) => [
    x0 + 0.5 + u * 3,
    0.4 * Math.sin(u * Math.PI) * Math.sin(v * Math.PI),
    z0 + 3.5 - v * 3,
  ]);
  // glTF's V runs down.
  const uv0 = valuesOf(mesh, 'uv0').map((x, i) => (i % 2 === 0 ? x * uvs : 1 - x * uvs));
  return { ...mesh, attributes: { ...mesh.attributes, uv0 } };
}

/** `third`: what the third of those with textures has in place of UVs up to 1 and 12 x 12 quads. */
const things = (third: readonly [uvs: number, quads: number]): Thing[] =>
  [0, 1, 2, 3].flatMap((tile) =>
    Array.from({ length: PLAIN + TEXTURED }, (_, i) => ({
      mesh: i === PLAIN + 2 ? hummock(i, tile, ...third) : hummock(i, tile),
      material: i,
    })),
  );

async function source(
  name: string,
  third: readonly [uvs: number, quads: number] = [1, 12],
  textured: object = {},
): Promise<void> {
  const materials = [
    ...Array.from({ length: PLAIN }, (_, i) => plain(`plain${i}`, [i / PLAIN, 0.5, 1 - i / PLAIN])),
    ...Array.from({ length: TEXTURED }, (_, i) => ({
      name: `textured${i}`,
      pbrMetallicRoughness: { baseColorTexture: { index: i }, metallicFactor: 0, roughnessFactor: 0.8 },
      ...textured,
    })),
  ];
  const json = JSON.parse(gltf(things(third), materials));
  const numbers = Array.from({ length: TEXTURED }, (_, i) => i);
  json.textures = numbers.map((i) => ({ source: i }));
  const files = await Promise.all(numbers.map(image));
  json.images = files.map((bytes) => ({ uri: `data:image/png;base64,${bytes.toString('base64')}` }));
  writeFileSync(join(folder, `${name}.gltf`), JSON.stringify(json));
}

async function cook(name: string, out: string, threads: WorkerPool): Promise<CookOutcome> {
  mkdirSync(join(folder, out), { recursive: true });
  const outcome = await cookSource(
    {
      source: join(folder, `${name}.gltf`),
      root: null,
      target: { kind: 'folder', folder: join(folder, out), sceneName: 'town' },
      settings: { missingTexture: 'error', tileSize: 24, compress: 'lz4', hlod: 0.3 },
      policy: LENIENT,
      force: false,
    },
    { pool: threads },
  );
  expect([outcome.status, outcome.diagnostics.filter(({ severity }) => severity !== 'info')]).toEqual(['ok', []]);
  return outcome;
}

const paths = (out: string) =>
  readdirSync(join(folder, out), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.\w+$/.test(path))
    .sort();
const far = (out: string) =>
  Promise.all(
    paths(out)
      .filter((path) => withoutHash(path).endsWith('_hlod.untold'))
      .map(async (path) => ({
        path: join(folder, out, path),
        scene: await readUntold(readFileSync(join(folder, out, path)), path),
      })),
  );

/** Interleaved RGB. */
async function texels(path: string) {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)],
  };
}

/** The town, cooked by one thread. */
let cooked: CookOutcome;

beforeAll(async () => {
  await source('town');
  cooked = await cook('town', 'one', new WorkerPool(1));
  // Quads of 1.5 m with four repeats each: neither few nor fine.
  await source('repeating', [8, 2]);
});

describe('a tile of 12 plain and 6 small textured materials', () => {
  test('is drawn once from afar, with the texels that the source has at the same place', async () => {
    const tiles = await far('one');
    expect(tiles.length).toBe(4);
    for (const { path, scene } of tiles) {
      const { meshes, materials, textures, entities } = scene;
      expect([meshes.length, entities.length, materials.length, textures.length]).toEqual([1, 1, 1, 1]);
      expect(materials[0]).toMatchObject({ metallicFactor: 0, baseColorFactor: [1, 1, 1, 1] });
      expect(materials[0].roughnessFactor).toBeCloseTo(0.8, 6);
      const atlas = await texels(join(dirname(path), textures[0].uri));
      expect([atlas.width, atlas.height]).toEqual([textures[0].width, textures[0].height]);
      const [{ vertices, vertexCount }] = meshes;
      const view = new DataView(vertices.slice().buffer);
      const seen = new Set<number>();
      for (let v = 0; v < vertexCount; v++) {
        const [x, z] = [0, 8].map((at) => view.getFloat32(v * 32 + at, true));
        const tile = Math.floor(x / 24);
        const [column, row] = [Math.floor((x - tile * 24) / 4), Math.floor(z / 4)];
        const i = row * 4 + column;
        seen.add(i);
        const [u, w] = [20, 22].map((at) => halfValue(view.getUint16(v * 32 + at, true)));
        const got = atlas.at(Math.floor(u * atlas.width), Math.floor((1 - w) * atlas.height));
        // Where on its hummock the vertex is, and what the image has there; half a texel either way, and half floats.
        const s = (x - tile * 24 - column * 4 - 0.5) / 3;
        const t = (row * 4 + 3.5 - z) / 3;
        const linear = (value: number) =>
          Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055));
        const expected =
          i < PLAIN
            ? [linear(i / PLAIN), linear(0.5), linear(1 - i / PLAIN)]
            : [40 + (s * SIDE - 0.5) * 6, 40 + (t * SIDE - 0.5) * 6, (i - PLAIN) * 40];
        for (let c = 0; c < 3; c++) expect(Math.abs(got[c] - expected[c])).toBeLessThan(i < PLAIN ? 2 : 6.5);
      }
      expect(seen.size).toBe(PLAIN + TEXTURED);
    }
  });

  test('has no textures but its atlas, and its tile has all', () => {
    const names = paths('one').filter((path) => path.includes('Textures'));
    expect(names.filter((path) => path.includes('atlas_')).length).toBe(1);
    expect(names.length).toBe(1 + TEXTURED);
  });

  test('keeps a material whose texture repeats', async () => {
    await cook('repeating', 'repeating', new WorkerPool(1));
    for (const { scene } of await far('repeating')) {
      expect(scene.materials.map(({ name }) => name.replace(/^tile.*_/, '')).sort()).toEqual(['plain3', 'textured2']);
      expect(scene.meshes.length).toBe(2);
      const { baseColorTexture } = scene.materials.find(({ name }) => name === 'textured2') as {
        baseColorTexture: number;
      };
      expect(scene.textures[baseColorTexture].name).not.toContain('atlas');
    }
  });

  test.each([
    // Each triangle in one repeat; in one and a half; in twelve of some 12 cm.
    ['to a triangle', [2, 12]],
    ['to two triangles', [3, 2]],
    ['finer than what is seen', [24, 2]],
  ] as const)('folds textures that repeat %s', async (name, third) => {
    await source(name, third);
    await cook(name, name, new WorkerPool(1));
    for (const { scene } of await far(name)) expect([scene.meshes.length, scene.textures.length]).toEqual([1, 1]);
  });

  test('multiplies the texture by its factor, and keeps apart what is blended or glows', async () => {
    await source('red', [1, 12], {
      pbrMetallicRoughness: {
        baseColorTexture: { index: 5 },
        baseColorFactor: [1, 0, 0, 1],
        metallicFactor: 0,
        roughnessFactor: 0.8,
      },
    });
    await cook('red', 'red', new WorkerPool(1));
    const [{ path, scene }] = await far('red');
    expect(scene.meshes.length).toBe(1);
    const { data } = await sharp(join(dirname(path), scene.textures[0].uri))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Blue 200 is nowhere any more: of the images only red is left.
    expect(data.some((value, i) => i % 3 === 2 && value === 200)).toBe(false);
    for (const [name, more] of [
      ['glass', { alphaMode: 'BLEND' }],
      ['lamp', { emissiveFactor: [1, 0.5, 0] }],
    ] as const) {
      await source(name, [1, 12], more);
      await cook(name, name, new WorkerPool(1));
      const [tile] = await far(name);
      expect(tile.scene.meshes.length).toBe(1 + TEXTURED);
    }
  });

  test('draws vertex colours with the rest, from any number of threads', async () => {
    // Four tiles, each of one hummock in red and green quads and one in plain blue: 16,384 triangles, enough for threads.
    const coloured = [0, 1, 2, 3].flatMap((tile): Thing[] => {
      const mesh = hummock(0, tile, 1, 32);
      const corners = [...mesh.indices];
      const of = (data: ArrayLike<number>, size: number) =>
        Float32Array.from(corners.flatMap((v) => Array.from({ length: size }, (_, k) => data[v * size + k])));
      const flat: Float32Mesh = {
        ...mesh,
        vertexCount: corners.length,
        positions: of(mesh.positions, 3),
        attributes: { normal: of(mesh.attributes.normal, 3), uv0: of(valuesOf(mesh, 'uv0'), 2) },
        indices: Uint32Array.from(corners, (_, i) => i),
      };
      const colors = Float32Array.from(corners.flatMap((_, i) => (Math.floor(i / 6) % 2 ? [1, 0, 0] : [0, 1, 0])));
      return [
        { mesh: flat, material: 0, colors },
        { mesh: hummock(1, tile, 1, 32), material: 1 },
      ];
    });
    const json = gltf(coloured, [plain('painted', [1, 1, 1]), plain('blue', [0, 0, 1])]);
    writeFileSync(join(folder, 'painted.gltf'), json);
    const bytesOf = (out: string) => paths(out).map((path) => [path, readFileSync(join(folder, out, path))]);
    await cook('painted', 'painted1', new WorkerPool(1));
    await cook('painted', 'painted3', pool);
    expect(bytesOf('painted3')).toEqual(bytesOf('painted1'));
    const tiles = await far('painted3');
    expect(tiles.length).toBe(4);
    for (const { path, scene } of tiles) {
      expect([scene.meshes.length, scene.textures.length]).toEqual([1, 1]);
      const { at } = await texels(join(dirname(path), scene.textures[0].uri));
      expect([at(0, 0), at(8, 0), at(0, 8)].map(String).sort()).toEqual(['0,0,255', '0,255,0', '255,0,0']);
    }
  });

  test('gives the same bytes from three threads', async () => {
    const three = await cook('town', 'threads3', pool);
    const hashes = (out: string) =>
      paths(out).map((path) => [
        path,
        createHash('sha256')
          .update(readFileSync(join(folder, out, path)))
          .digest('hex'),
      ]);
    expect(hashes('threads3')).toEqual(hashes('one'));
    expect(three.totals).toEqual(cooked.totals);
  });
});

describe('the same tile with a baked HLOD', () => {
  const cookBaked = async (name: string, out: string, threads: WorkerPool) => {
    mkdirSync(join(folder, out), { recursive: true });
    const outcome = await cookSource(
      {
        source: join(folder, `${name}.gltf`),
        root: null,
        target: { kind: 'folder', folder: join(folder, out), sceneName: 'town' },
        settings: { missingTexture: 'error', tileSize: 24, compress: 'lz4', hlod: 0.3, hlodTextureSize: 1024 },
        policy: LENIENT,
        force: false,
      },
      { pool: threads },
    );
    expect([outcome.status, outcome.diagnostics.filter(({ severity }) => severity !== 'info')]).toEqual(['ok', []]);
  };

  test.each(['town', 'repeating'])('is drawn once: %s', async (name) => {
    await cookBaked(name, `${name}-baked`, new WorkerPool(1));
    const tiles = await far(`${name}-baked`);
    expect(tiles.length).toBe(4);
    for (const { path, scene } of tiles) {
      expect([scene.meshes.length, scene.materials.length, scene.textures.length]).toEqual([1, 1, 1]);
      const atlas = await texels(join(dirname(path), scene.textures[0].uri));
      expect([atlas.width, atlas.height]).toEqual([scene.textures[0].width, scene.textures[0].height]);
    }
  });

  test('has a texture of its light where materials glow', async () => {
    await source('lamps', [1, 12], { emissiveFactor: [1, 0.5, 0] });
    await cookBaked('lamps', 'lamps-baked', new WorkerPool(1));
    for (const { scene } of await far('lamps-baked')) {
      const [{ emissiveFactor, emissiveTexture }, ...others] = scene.materials;
      expect([others, emissiveFactor]).toEqual([[], [1, 1, 1]]);
      expect(scene.textures[emissiveTexture].name).toMatch(/^atlas_emission_/);
    }
  });

  test('gives the same bytes from three threads', async () => {
    await cookBaked('town', 'baked3', pool);
    const bytesOf = (out: string) => paths(out).map((path) => [path, readFileSync(join(folder, out, path))]);
    expect(bytesOf('baked3')).toEqual(bytesOf('town-baked'));
  });
});
