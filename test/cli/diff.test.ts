// `untold diff`: what changed between two outputs.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldMorph } from '../../src/formats/untold/types.ts';
import { writeUntold } from '../../src/formats/untold/write.ts';
import type { DiffDocument } from '../../src/index.ts';
import { ADDED, REMOVED, RESTYLED } from '../../src/library/diff/changesPicture.ts';
import { identity } from '../../src/scene/matrix.ts';
import { gltf, plain, type Thing } from '../cook/things.ts';
import { fixture, NONE } from '../formats/untold/edit.ts';
import { sphere } from '../geometry/packed.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
  await cook('a');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function cook(out: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await untold(folder, ['cook', 'town.gltf', '--out', out, '--no-cache', ...args]);
  if (code !== 0) throw new Error(stderr);
}

async function diff(a: string, b: string): Promise<{ code: number | null } & DiffDocument> {
  const { code, stdout } = await untold(folder, ['diff', a, b, '--json']);
  return { code, ...(JSON.parse(stdout) as DiffDocument) };
}

test('an output is equal to its copy: exit 0', async () => {
  cpSync(join(folder, 'a'), join(folder, 'b'), { recursive: true });
  expect(await diff('a', 'b')).toMatchObject({
    code: 0,
    equal: true,
    tiles: [],
    textures: [],
    settings: [],
    bounds: null,
  });
  expect((await untold(folder, ['diff', 'a', 'b'])).stdout).toBe('A: a\nB: b\nnothing differs\n');
});

test('names do not count: the same scene under another name is equal', async () => {
  cpSync(join(folder, 'town.gltf'), join(folder, 'village.gltf'));
  expect((await untold(folder, ['cook', 'village.gltf', '--out', 'b', '--no-cache'])).code).toBe(0);
  expect(await diff('a', 'b')).toMatchObject({ code: 0, equal: true });
});

test('a source that has grown: triangles, bytes and bounds of its tile, to the number', async () => {
  put(folder, 'town.gltf', squareGltf({ image: 'red.png', size: 3 }));
  await cook('b');
  const { code, equal, totals, tiles, bounds, textures, settings } = await diff('a', 'b');
  expect([code, equal, textures, settings]).toEqual([1, false, [], []]);
  expect(totals.a.triangles).toBe(totals.b.triangles);
  const size = (out: string) => {
    const name = readdirSync(join(folder, out, 'town')).find((file) => file.endsWith('.untold')) as string;
    return readFileSync(join(folder, out, 'town', name)).length;
  };
  const changed = tiles.filter(({ change }) => change === 'changed');
  expect(changed.length + tiles.length).toBeGreaterThan(0);
  const of = (box: { max: readonly number[]; min: readonly number[] } | null | undefined) =>
    box ? box.max.map((value, i) => value - box.min[i]) : [];
  const [wide, wider] = [Math.max(...of(bounds?.a)), Math.max(...of(bounds?.b))];
  expect(wider / wide).toBeCloseTo(3, 3);
  expect([totals.a.geometryBytes, totals.b.geometryBytes]).toEqual([size('a'), size('b')]);
});

test('another texture and other settings', async () => {
  writeFileSync(join(folder, 'red.png'), Buffer.concat([RED_PNG, Buffer.from([0])]));
  await cook('b', '--textures', 'keep', '--compress', 'none');
  const { code, textures, settings } = await diff('a', 'b');
  expect(code).toBe(1);
  expect(textures.map(({ change }) => change).sort()).toEqual(['added', 'removed']);
  expect(settings.map(({ name }) => name)).toContain('settings_sha256');
});

test('two files', async () => {
  await cook('one.untold');
  await cook('two.untold', '--compress', 'none');
  expect((await diff('one.untold', 'one.untold')).code).toBe(0);
  const { code, tiles } = await diff('one.untold', 'two.untold');
  expect([code, tiles.map(({ id }) => id)]).toEqual([1, ['file']]);
});

test.each([
  [['a', 'gone'], 'UC1200'],
  [['a', 'town.gltf'], 'UC5000'],
])('%s is refused', async (words, code) => {
  const ran = await untold(folder, ['diff', ...words]);
  expect([ran.stdout, ran.stderr]).toEqual(['', expect.stringContaining(code)]);
  expect(ran.code).toBeGreaterThan(1);
});

describe('of packs', () => {
  const ROWS = [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ];
  /** A pack of one model with a chain; `levels`: their files. */
  function pack(name: string, levels: readonly string[]): void {
    const chain = levels.map((path, i) => ({ path, screenSize: 1 / (i + 2) }));
    const model = { displayName: 'Quad', path: 'quad.untold', transform: ROWS };
    const text = { formatVersion: 1, sourceAsset: 'quad.usda', models: [model], lodChains: { 'quad.untold': chain } };
    put(folder, name, JSON.stringify(text));
  }

  beforeEach(() => {
    put(folder, 'Textures/albedo.png', RED_PNG);
    put(folder, 'quad.untold', fixture('valid-v1-none.untold'));
  });

  test('lists levels by their numbers, and reads a file that a chain lists often once', async () => {
    pack('a.untoldpack', []);
    pack('b.untoldpack', Array<string>(12).fill('quad.untold'));
    const { tiles } = await diff('a.untoldpack', 'b.untoldpack');
    const numbers = Array.from({ length: 12 }, (_, i) => `lod${i + 1}`);
    expect(tiles.map(({ levels }) => levels.map(({ level }) => level))).toEqual([numbers]);
  });

  test('a level that is missing is UC3272, as validate has it', async () => {
    pack('a.untoldpack', []);
    pack('b.untoldpack', ['gone.untold']);
    const { code, stdout, stderr } = await untold(folder, ['diff', 'a.untoldpack', 'b.untoldpack']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('nothing differs')]);
    expect(stderr).toContain('warning UC3272 b.untoldpack');
    expect(stderr).toContain('gone.untold');
  });
});

test('morph targets that were added, with their entries and meshes', async () => {
  put(folder, 'Textures/albedo.png', RED_PNG);
  const scene = await readUntold(fixture('valid-v1-none.untold'), 'quad');
  const morph = (name: string, hasNormals: boolean) => ({
    mesh: 0,
    name,
    hasNormals,
    positionScale: 1,
    vertices: Uint32Array.of(0, 2),
    deltas: new Uint16Array(12).fill(0x3c00),
    drivers: [],
  });
  const skeletons = [
    { entity: 0, name: 'Neck', joints: [{ parent: NONE, path: '/Neck', bind: identity(), rest: identity() }] },
  ];
  const skin = {
    entity: 1,
    mesh: 0,
    skeletonEntity: 0,
    joints: Uint32Array.of(0),
    indices: new Uint16Array(16),
    weights: Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 0 ? 1 : 0)),
  };
  const write = async (name: string, morphs: UntoldMorph[]) => {
    const file = { ...scene, skeletons, skins: [skin], morphs };
    put(folder, name, await writeUntold(file, { compression: 'none' }));
  };
  await write('a.untold', [morph('smile', false)]);
  await write('b.untold', [morph('smile', true), morph('blink', false)]);
  const { totals, tiles } = await diff('a.untold', 'b.untold');
  expect([totals.a.morphTargets, totals.b.morphTargets]).toEqual([1, 2]);
  expect(tiles.map(({ facts }) => facts)).toEqual([
    [
      { name: 'morph target blink', a: null, b: '2 entries' },
      { name: 'morph target smile', a: '2 entries', b: '2 entries, normals' },
    ],
  ]);
  const { stdout } = await untold(folder, ['diff', 'a.untold', 'b.untold']);
  expect(stdout).toMatch(/morph targets +1 +2 +\+1/);
});

test('one output alone is too few', async () => {
  expect(await untold(folder, ['diff', 'a'])).toMatchObject({ code: 2, stdout: '' });
});

describe('--pictures', () => {
  type Pictured = { code: number | null } & DiffDocument;
  const pictured = async (a: string, b: string, ...args: string[]): Promise<Pictured> => {
    const { code, stdout, stderr } = await untold(folder, [
      'diff',
      a,
      b,
      '--pictures',
      'changes.png',
      '--json',
      ...args,
    ]);
    if (stdout === '') throw new Error(stderr);
    return { code, ...(JSON.parse(stdout) as DiffDocument) };
  };

  test('of equal outputs show one row, the same picture twice', async () => {
    cpSync(join(folder, 'a'), join(folder, 'b'), { recursive: true });
    const { code, pictures } = await pictured('a', 'b');
    expect([code, pictures]).toEqual([0, [{ tile: null, level: 'full', ssim: 1, psnr: null, added: 0, removed: 0 }]]);
    const png = readFileSync(join(folder, 'changes.png'));
    expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    // Three pictures of 560 pixels with gaps of 8 around them.
    expect(png.readUInt32BE(16)).toBe(3 * 560 + 4 * 8);
  });

  test('of a red square that has turned green: all of it, then its tile, far from alike', async () => {
    put(
      folder,
      'red.png',
      await sharp({ create: { width: 2, height: 2, channels: 3, background: '#00ff00' } })
        .png()
        .toBuffer(),
    );
    await cook('b');
    const { code, pictures = [], tiles } = await pictured('a', 'b');
    expect([code, pictures.length]).toEqual([1, 2]);
    expect([pictures[0].tile, pictures[1].tile]).toEqual([null, tiles[0].id]);
    for (const { psnr, added, removed } of pictures) {
      expect(psnr).toBeLessThan(20);
      expect([added, removed]).toEqual([0, 0]);
    }
  });

  test('tell what was added and removed in two colours, and leave out tiles that were only joined anew', async () => {
    const ball = (x: number, z: number, i: number): Thing => ({
      mesh: sphere(x, 2, z, 2, 8),
      material: 0,
      name: `Ball_${i}`,
    });
    const balls = (...things: Thing[]) => gltf(things, [plain('paint', [0.5, 0.5, 0.5])]);
    const cooked = (out: string, size: string) =>
      untold(folder, [
        'cook',
        'balls.gltf',
        '--out',
        out,
        '--tile-size',
        size,
        '--lod',
        'none',
        '--hlod',
        'none',
        '--quiet',
      ]);
    put(folder, 'balls.gltf', balls(ball(5, 5, 0), ball(15, 5, 1)));
    await cooked('two', '10');
    await cooked('joined', '40');
    const joined = await pictured('two', 'joined');
    expect(joined.tiles.length).toBeGreaterThan(1);
    expect(joined.pictures).toEqual([{ tile: null, level: 'full', ssim: 1, psnr: null, added: 0, removed: 0 }]);
    put(folder, 'balls.gltf', balls(ball(5, 5, 0), ball(5, 15, 2)));
    await cooked('moved', '10');
    const { pictures = [] } = await pictured('two', 'moved');
    const triangles = pictures[0].added;
    expect(triangles).toBeGreaterThan(50);
    expect(pictures.map(({ added, removed }) => [added, removed]).sort()).toEqual([
      [0, triangles],
      [triangles, 0],
      [triangles, triangles],
    ]);
    // Of the first row, the third picture is 360 rows of 560 pixels.
    const { data, info } = await sharp(join(folder, 'changes.png')).raw().toBuffer({ resolveWithObject: true });
    const count = ([r, g, b]: readonly number[]) => {
      let pixels = 0;
      for (let i = 0; i < data.length; i += info.channels) {
        if ((i / info.channels) % info.width < 2 * 568 + 8) continue;
        if (data[i] === r && data[i + 1] === g && data[i + 2] === b) pixels++;
      }
      return pixels;
    };
    expect(count(ADDED)).toBeGreaterThan(500);
    expect(count(REMOVED)).toBeGreaterThan(500);
    expect(count(RESTYLED)).toBe(0);
  });

  test('takes a name of a PNG file only, and leaves nothing where it refuses', async () => {
    const { code, stderr } = await untold(folder, ['diff', 'a', 'a', '--pictures', 'changes.jpg']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('UC1003')]);
    expect(readdirSync(folder)).not.toContain('changes.jpg');
  });
});
