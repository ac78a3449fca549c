// Copies that nobody placed as such, through whole cooks: they are stored once and drawn as before. And materials and images that
// differ in nothing.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/bytes/sha256.ts';
import { cook, inspect, type UntoldDocument } from '../../src/index.ts';
import { multiply, rotation, scaling, translation } from '../../src/scene/matrix.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { partsGltf, square, stone } from '../support/partsGltf.ts';
import { RED_PNG } from '../support/squareGltf.ts';

let folder: string;
const at = (name: string) => join(folder, name);

/** How stone `i` is placed: turned about an axis of its own, moved and scaled. */
const placeOf = (i: number) =>
  multiply(
    translation((i % 32) * 4, 0, Math.floor(i / 32) * 4),
    multiply(
      rotation(Math.sin(i), Math.cos(3 * i), 0.3, 1),
      scaling(1 + (i % 7) / 7, 1 + (i % 7) / 7, 1 + (i % 7) / 7),
    ),
  );

function stones(count: number): string {
  const meshes = Array.from({ length: count }, (_, i) => ({
    name: `Stone_${i}`,
    part: stone(4, placeOf(i)),
    material: 0,
  }));
  const nodes = meshes.map(({ name }, mesh) => ({ name, mesh }));
  return partsGltf({ meshes, nodes, materials: [{ name: 'Stone' }] });
}

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'stones.gltf', stones(1000));
  put(folder, 'few.gltf', stones(12));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function described(file: string): Promise<UntoldDocument> {
  const { document } = await inspect(at(file));
  if (document?.kind !== 'untold') throw new Error(file);
  return document;
}

const vertexBytes = ({ chunks }: Pick<UntoldDocument, 'chunks'>) =>
  chunks.find(({ name }) => name === 'vertexData')?.uncompressedSize ?? 0;

test('a thousand copies are stored once, as the first of the scene, each under its own name', async () => {
  const { code } = await untold(folder, ['cook', 'stones.gltf', '--out', 'stones.untold', '--no-cache']);
  expect(code).toBe(0);
  const { totals, meshes, entities, chunks } = await described('stones.untold');
  // 5 rings of 9 vertices, less by the points of a pole that share all but their texture coordinates.
  expect(vertexBytes({ chunks })).toBe(meshes[0].vertices * 32);
  expect(meshes.filter(({ same }) => same === undefined).length).toBe(1);
  expect(totals.triangles).toBe(1000 * meshes[0].triangles);
  expect(meshes.map(({ name }) => name)).toEqual(Array.from({ length: 1000 }, (_, i) => `Stone_${i}`));
  // Each lies where the source has it.
  for (const [i, { bounds }] of entities.entries()) {
    const { positions } = stone(4, placeOf(i));
    for (let k = 0; k < 3; k++) {
      const along = positions.filter((_, j) => j % 3 === k);
      expect(Math.abs(bounds.min[k] - Math.min(...along))).toBeLessThan(128e-6);
      expect(Math.abs(bounds.max[k] - Math.max(...along))).toBeLessThan(128e-6);
    }
  }
});

test('the picture is the same', async () => {
  for (const [out, how] of [
    ['a.untold', 'auto'],
    ['b.untold', 'never'],
  ]) {
    const cooked = await cook(at('few.gltf'), { out: at(out), findCopies: how as 'auto', root: folder });
    expect(cooked.exitCode).toBe(0);
  }
  for (const out of ['a', 'b']) {
    const args = ['render', `${out}.untold`, '--out', `${out}.png`, '--size', '160x120'];
    expect((await untold(folder, args)).code).toBe(0);
  }
  expect(vertexBytes(await described('a.untold')) * 12).toBe(vertexBytes(await described('b.untold')));
  const sharp = (await import('sharp')).default;
  const [a, b] = await Promise.all(['a.png', 'b.png'].map((file) => sharp(at(file)).raw().toBuffer()));
  // Vertices move by rounding: of 19,200 pixels a few on edges may differ.
  let differing = 0;
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i] - b[i]) > 2) differing++;
  expect(a.length).toBe(b.length);
  expect(differing).toBeLessThan(a.length / 1000);
});

/** The digests of the payloads and textures of a set by name. */
const filesOf = (out: string) =>
  readdirSync(at(out), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(untold|utex)$/.test(name))
    .sort()
    .map((name) => ({ name, sha256: sha256Hex(readFileSync(join(at(out), name))) }));

const sizeOf = (out: string) =>
  filesOf(out).reduce((sum, { name }) => sum + readFileSync(join(at(out), name)).length, 0);

test('tiles have copies with always alone, whatever the number of threads', async () => {
  const levels = ['--lod', 'none', '--hlod', 'none', '--no-cache'];
  for (const [out, ...args] of [
    ['auto'],
    ['never', '--find-copies', 'never'],
    ['always', '--find-copies', 'always'],
    ['again', '--find-copies', 'always', '--jobs', '2'],
  ]) {
    expect((await untold(folder, ['cook', 'few.gltf', '--out', out, ...levels, ...args])).code).toBe(0);
  }
  expect(filesOf('auto')).toEqual(filesOf('never'));
  expect(filesOf('again')).toEqual(filesOf('always'));
  expect(sizeOf('always')).toBeLessThan(sizeOf('never') / 2);
});

test('a pack has one model for copies with always alone', async () => {
  for (const how of ['auto', 'always']) {
    const args = [
      'cook',
      'few.gltf',
      '--out',
      `pack-${how}/pack.untoldpack`,
      '--find-copies',
      how,
      '--lod',
      'none',
      '--no-cache',
    ];
    expect((await untold(folder, args)).code).toBe(0);
  }
  const models = (how: string) => {
    const pack = JSON.parse(readFileSync(at(`pack-${how}/pack.untoldpack`), 'utf8'));
    return new Set(JSON.stringify(pack).match(/[^"]+\.untold(?=")/g)).size;
  };
  expect([models('auto'), models('always')]).toEqual([12, 1]);
});

test('baked meshes, and meshes that only count alike, are left as they are', async () => {
  const parts = [stone(4), stone(4, undefined, 0.1), stone(4, scaling(-1, 1, 1)), stone(4, scaling(1, 2, 1))];
  put(
    folder,
    'alike.gltf',
    partsGltf({ meshes: parts.map((part) => ({ part })), nodes: parts.map((_, mesh) => ({ mesh })) }),
  );
  for (const [out, ...args] of [['x.untold'], ['y.untold', '--find-copies', 'never']]) {
    expect((await untold(folder, ['cook', 'alike.gltf', '--out', out, '--no-cache', ...args])).code).toBe(0);
  }
  expect(readFileSync(at('x.untold')).equals(readFileSync(at('y.untold')))).toBe(true);
  for (const [out, ...args] of [['v.untold'], ['w.untold', '--find-copies', 'never']]) {
    const baked = ['cook', 'few.gltf', '--out', out, '--instances', 'bake', '--no-cache', ...args];
    expect((await untold(folder, baked)).code).toBe(0);
  }
  expect(readFileSync(at('v.untold')).equals(readFileSync(at('w.untold')))).toBe(true);
});

describe('materials that differ in nothing', () => {
  const gray = { pbrMetallicRoughness: { baseColorFactor: [0.5, 0.5, 0.5, 1], baseColorTexture: { index: 0 } } };
  const copy = { pbrMetallicRoughness: { ...gray.pbrMetallicRoughness, baseColorTexture: { index: 1 } } };
  const other = { pbrMetallicRoughness: { ...gray.pbrMetallicRoughness, baseColorTexture: { index: 2 } } };

  beforeAll(() => {
    const blue = Buffer.from(RED_PNG);
    // A byte of a time stamp would do: the images are read as bytes.
    const images = [RED_PNG, RED_PNG, Buffer.concat([blue, Buffer.of(0)])];
    const meshes = [0, 1, 2, 3].map((material) => ({ part: square(2 + material), material }));
    const nodes = meshes.map((_, mesh) => ({ name: `Square_${mesh}`, mesh, translation: [mesh * 8, 0, 0] }));
    const materials = [
      { name: 'Wall', ...gray },
      { name: 'Wall', ...copy },
      { name: 'Door', ...gray },
      { name: 'Wall', ...other },
    ];
    put(folder, 'rooms.gltf', partsGltf({ meshes, nodes, materials, images }));
  });

  test.each([
    ['named', ['Door', 'Wall', 'Wall_1']],
    ['all', ['Wall', 'Wall_1']],
    ['keep', ['Door', 'Wall', 'Wall_1', 'Wall_2']],
  ])('%s', async (which, expected) => {
    const args = ['cook', 'rooms.gltf', '--out', which, '--equal-materials', which, '--tile-size', '100', '--no-cache'];
    expect((await untold(folder, args)).code).toBe(0);
    const [tile] = readdirSync(at(`${which}/rooms`)).filter((name) => name.endsWith('.untold'));
    const { materials, meshes, textures } = await described(`${which}/rooms/${tile}`);
    const names = materials.map(({ name }) => name.replace(/_\d$/, ''));
    expect(names.length).toBe(expected.length);
    expect(names.filter((name) => name === 'Door').length).toBe(expected.includes('Door') ? 1 : 0);
    expect(meshes.length).toBe(expected.length);
    expect(textures.length).toBe(1);
  });

  test('named is the default', async () => {
    expect(
      (await untold(folder, ['cook', 'rooms.gltf', '--out', 'usual', '--tile-size', '100', '--no-cache'])).code,
    ).toBe(0);
    expect(filesOf('usual')).toEqual(filesOf('named'));
  });
});
