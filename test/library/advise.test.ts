// advise(): what it finds is there, what it says an option saves is what a cook with that option saves, and it finds nothing where
// nothing is.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Advice,
  type AdviceKind,
  type AdviseDocument,
  advise,
  type CookOptions,
  cook,
  why,
} from '../../src/index.ts';
import { rotation, translation } from '../../src/scene/matrix.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { box, type Part, partsGltf, square, stone } from '../support/partsGltf.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is advised on a scene; each part is a mesh and a node of its own unless nodes are given. */
async function advised(
  name: string,
  parts: readonly Part[],
  more: Partial<Parameters<typeof partsGltf>[0]> = {},
): Promise<AdviseDocument> {
  const meshes = more.meshes ?? parts.map((part, i) => ({ name: `Part_${i}`, part }));
  const nodes = more.nodes ?? meshes.map((mesh, i) => ({ name: mesh.name, mesh: i }));
  put(folder, name, partsGltf({ ...more, meshes, nodes }));
  const { document, exitCode } = await advise(at(name));
  expect(exitCode).toBe(0);
  return document as AdviseDocument;
}

const kindsOf = ({ advice }: AdviseDocument) => advice.map(({ kind }) => kind);
const findOf = ({ advice }: AdviseDocument, kind: AdviceKind) => advice.find((one) => one.kind === kind) as Advice;

async function totalsOf(source: string, out: string, options: CookOptions = {}) {
  expect((await cook(at(source), { out: at(out), root: folder, jobs: 1, ...options })).exitCode).toBe(0);
  const { document } = await why(at(out));
  if (document === null) throw new Error(out);
  return document.totals;
}

/** Each triangle the other way round. */
const turned = (part: Part): Part => ({
  ...part,
  indices: part.indices.map((_, i) => part.indices[i - (i % 3) + [0, 2, 1][i % 3]]),
});

function joined(a: Part, b: Part): Part {
  const offset = a.positions.length / 3;
  return {
    positions: Float32Array.from([...a.positions, ...b.positions]),
    indices: Uint32Array.from([...a.indices, ...b.indices.map((index) => index + offset)]),
  };
}

test('copies: their geometry, within a tenth of what a file saves', async () => {
  const parts = [0, 1, 2, 3].map((i) => stone(12, i === 0 ? undefined : translation(i * 5, 0, 0)));
  const document = await advised('copies.gltf', [...parts, stone(12, translation(0, 0, 9), 0.1)]);
  const { count, saves, option, isDefault, where } = findOf(document, 'copies');
  expect([count, option, isDefault]).toEqual([3, '--find-copies auto', true]);
  expect(where).toEqual(['nodes/1', 'nodes/2', 'nodes/3']);
  const never = await totalsOf('copies.gltf', 'never.untold', { findCopies: 'never' });
  const auto = await totalsOf('copies.gltf', 'auto.untold');
  const saved = never.geometry - auto.geometry;
  expect(Math.abs((saves.geometry as number) - saved)).toBeLessThan(saved / 10);
});

test('materials and images that differ in nothing, or in name alone', async () => {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const material = (name: string, index: number) => ({ name, pbrMetallicRoughness: { baseColorTexture: { index } } });
  const document = await advised('equal.gltf', [], {
    meshes: [0, 1, 2].map((i) => ({ name: `Square_${i}`, part: square(1 + i), material: i })),
    materials: [material('Wall', 0), material('Wall', 1), material('Door', 0)],
    images: [image, image],
  });
  const materials = document.advice.filter(({ kind }) => kind === 'materials');
  expect(materials.map(({ count, option, isDefault, saves }) => [count, option, isDefault, saves.draws])).toEqual([
    [1, '--equal-materials named', true, 1],
    [1, '--equal-materials all', false, 1],
  ]);
  expect(findOf(document, 'images').saves).toEqual({ bytes: image.length });
  const draws = async (which: CookOptions['equalMaterials']) =>
    (await totalsOf('equal.gltf', `equal-${which}`, { equalMaterials: which })).draws;
  expect([await draws('keep'), await draws('named'), await draws('all')]).toEqual([3, 2, 1]);
});

test('parts that tiles merge: the draws of a single file that a tile has not', async () => {
  const parts = [stone(3), stone(3, translation(4, 0, 0), 0.1), stone(4, translation(0, 0, 4))];
  const document = await advised('parts.gltf', parts);
  const { saves, option } = findOf(document, 'merge');
  expect([saves, option]).toEqual([{ draws: 2 }, '--out FOLDER/']);
  const one = await totalsOf('parts.gltf', 'parts.untold');
  const set = await totalsOf('parts.gltf', 'parts');
  expect(one.draws - set.draws).toBe(2);
  const named = await advised('named.gltf', [], {
    meshes: parts.map((part, i) => ({ name: `NM_Part_${i}`, part })),
  });
  expect(findOf(named, 'merge')).toMatchObject({ option: null, saves: { draws: 2 } });
});

test('textures with more texels than a device shows: the bytes that the option saves', async () => {
  const picture = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: { r: side / 16, g: 0, b: 9 } } })
      .composite([{ input: { create: { width: 9, height: 9, channels: 3, background: '#fff' } } }])
      .png()
      .toBuffer();
  // From half a metre a metre covers 3,896 pixels of the headset: 5 cm need 195 of them, 20 cm 780.
  const document = await advised('texels.gltf', [], {
    meshes: [0.05, 0.2].map((size, i) => ({ name: `Square_${i}`, part: square(size), material: i })),
    materials: [0, 1].map((index) => ({ name: `M${index}`, pbrMetallicRoughness: { baseColorTexture: { index } } })),
    images: [await picture(1024), await picture(2048)],
  });
  const [all, alone] = document.advice.filter(({ kind }) => kind === 'textures');
  expect([all.option, all.count, alone.option, alone.count]).toEqual(['--max-texture-size 1024', 1, null, 1]);
  const before = await totalsOf('texels.gltf', 'texels.untold', { textureBlocks: '4x4' });
  const after = await totalsOf('texels.gltf', 'texels-1024.untold', { textureBlocks: '4x4', maxTextureSize: 1024 });
  expect(before.gpuBytes - after.gpuBytes).toBe(all.saves.gpuBytes);
  // 1024 texels a side become 256, with all mips: 1,398,112 - 87,392 bytes.
  expect(alone.saves.gpuBytes).toBe(1_398_112 - 87_392);
  expect(alone.where[0]).toContain('256 would do');
  const large = await advised('meadow.gltf', [], {
    meshes: [{ part: square(40), material: 0 }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    images: [await picture(1024)],
  });
  expect(kindsOf(large)).toEqual([]);
}, 30_000);

describe('hidden parts', () => {
  const shell = box([-2, -2, -2], [2, 2, 2]);
  const inner = stone(5, rotation(0.1, 0.2, 0.3, 1));

  test('lie within a solid, and the option leaves them out', async () => {
    const document = await advised('hidden.gltf', [shell, inner]);
    const { saves, option, where } = findOf(document, 'hidden');
    expect([option, where]).toEqual(['--exclude nodes/1', ['nodes/1']]);
    const before = await totalsOf('hidden.gltf', 'hidden.untold');
    const after = await totalsOf('hidden.gltf', 'seen.untold', { exclude: ['nodes/1'] });
    expect(saves.triangles).toBe(100);
    // The source counts the triangles at the poles, which have no area.
    expect(before.triangles - after.triangles).toBe(80);
  });

  test('do not stand in a room, reach out of a solid or lie behind glass', async () => {
    const room = joined(box([-5, -5, -5], [5, 5, 5]), turned(box([-4, -4, -4], [4, 4, 4])));
    const open: Part = { ...shell, indices: shell.indices.slice(6) };
    const reaching = stone(5, translation(1.5, 0, 0));
    for (const [name, ...parts] of [
      ['room.gltf', room, inner],
      ['open.gltf', open, inner],
      ['reaching.gltf', shell, reaching],
    ] as const) {
      expect(kindsOf(await advised(name, parts))).not.toContain('hidden');
    }
    const glass = await advised('glass.gltf', [], {
      meshes: [
        { part: shell, material: 0 },
        { part: inner, material: 1 },
      ],
      materials: [{ alphaMode: 'BLEND' }, {}],
    });
    expect(kindsOf(glass)).not.toContain('hidden');
  });
});

test('triangles without an area, and triangles that are there twice', async () => {
  const part = box([0, 0, 0], [1, 1, 1]);
  const wasteful = {
    ...part,
    indices: Uint32Array.from([...part.indices, 0, 1, 1, part.indices[1], part.indices[2], part.indices[0]]),
  };
  const document = await advised('wasteful.gltf', [wasteful]);
  expect(findOf(document, 'degenerate')).toMatchObject({ count: 1, saves: { triangles: 1 }, isDefault: true });
  expect(findOf(document, 'doubled')).toMatchObject({ count: 1, saves: { triangles: 1 }, option: null });
  // A sheet with two sides is none that is there twice.
  const sheet = joined(square(1), turned(square(1)));
  expect(kindsOf(await advised('sheet.gltf', [sheet]))).toEqual([]);
});

test('nodes with nothing below them', async () => {
  const document = await advised('empty.gltf', [square(1)], {
    nodes: [{ name: 'a', children: [1, 2] }, { mesh: 0 }, { name: 'b', children: [3] }, { name: 'c' }],
    roots: [0],
  });
  expect(findOf(document, 'empty')).toMatchObject({ count: 2, where: ['nodes/2', 'nodes/3'], saves: {} });
});

describe('what looks like a mistake', () => {
  const row = (size: number, step: number) =>
    Array.from({ length: 6 }, (_, i) => stone(3 + i, undefined, 0.1 + i / 50)).map((part, i) => ({
      ...part,
      positions: part.positions.map((value, k) => value * size + (k % 3 === 0 ? i * step : 0)),
    }));

  test('a unit', async () => {
    const document = await advised('centimetres.gltf', row(100, 5000));
    expect(findOf(document, 'units')).toMatchObject({ option: '--scale 0.01' });
    expect(kindsOf(await advised('metres.gltf', row(1, 50)))).not.toContain('units');
    const args = ['cook', 'centimetres.gltf', '--out', 'metres.untold', '--scale', '0.01', '--no-cache'];
    expect((await untold(folder, args)).code).toBe(0);
  });

  test('a ground that stands upright', async () => {
    const upright = box([-20, -20, -0.2], [20, 20, 0]);
    const things = [3, 4, 5].map((rings, i) => stone(rings, translation(i * 4, 2, 3)));
    const document = await advised('upright.gltf', [upright, ...things]);
    expect(findOf(document, 'upAxis').option).toBe('--rotate -90,0,0');
    expect((await untold(folder, ['cook', 'upright.gltf', '--out', 'flat.untold', '--rotate=-90,0,0'])).code).toBe(0);
    const { document: flat } = await advise(at('upright.gltf'), { rotate: [-90, 0, 0] });
    expect(flat?.advice.map(({ kind }) => kind)).not.toContain('upAxis');
    const ground = box([-20, -0.2, -20], [20, 0, 20]);
    expect(kindsOf(await advised('ground.gltf', [ground, ...things]))).not.toContain('upAxis');
  });

  test('an object far from all others', async () => {
    const far = stone(4, translation(5000, 0, 0), 0.07);
    const document = await advised('far.gltf', [...row(1, 4), far]);
    const { option, saves } = findOf(document, 'far');
    expect([option, saves.triangles]).toEqual(['--exclude nodes/6', 64]);
    expect(kindsOf(await advised('near.gltf', row(1, 4)))).not.toContain('far');
  });
});

describe('the command line', () => {
  test('prints what it finds, with a schema of its own', async () => {
    const { code, stdout } = await untold(folder, ['advise', 'copies.gltf', '--device', 'iphone']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^copies\.gltf: 5 objects, 5 meshes, /);
    expect(stdout).toMatch(
      /saves \d+ kB of geometry: --find-copies auto, which is the default\n {2}nodes\/1, nodes\/2, nodes\/3\n/,
    );
    const json = await untold(folder, ['advise', 'copies.gltf', '--json']);
    expect(JSON.parse(json.stdout).device).toBe('vision-pro');
  });

  test('has nothing to say of an empty scene', async () => {
    put(folder, 'nothing.gltf', JSON.stringify({ asset: { version: '2.0' }, scenes: [{ nodes: [] }], scene: 0 }));
    const { code, stdout } = await untold(folder, ['advise', 'nothing.gltf']);
    expect([code, stdout]).toEqual([
      0,
      'nothing.gltf: 0 objects, 0 meshes, 0 triangles, 0 materials, 0 images\nnothing was found that it could do without\n',
    ]);
  });

  test('refuses what is damaged, and passes over images that cannot be read', async () => {
    const whole = readFileSync(at('copies.gltf'));
    writeFileSync(at('cut.gltf'), whole.subarray(0, 500));
    const cut = await untold(folder, ['advise', 'cut.gltf', '--json']);
    expect(cut.code).toBe(1);
    expect(JSON.parse(cut.stdout).diagnostics[0].severity).toBe('error');
    expect((await untold(folder, ['advise', 'gone.gltf'])).code).toBeGreaterThan(0);
    expect((await untold(folder, ['advise', 'https://example.com/a.glb'])).code).toBe(2);
    expect((await untold(folder, ['advise', ''])).code).toBe(2);
    const bad = Buffer.from('no picture');
    const document = await advised('bad.gltf', [], {
      meshes: [{ part: square(1), material: 0 }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
      images: [bad],
    });
    expect(document.advice).toEqual([]);
  });

  test('a set that was cooked is a source, too', async () => {
    const [tile] = readdirSync(at('parts/parts')).filter((name) => name.endsWith('.untold'));
    expect((await untold(folder, ['advise', `parts/parts/${tile}`])).code).toBe(0);
  });
});
