// why(): what it says an option saves is what a cook with that option saves.

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Change, type CookOptions, cook, type WhyDocument, why } from '../../src/index.ts';
import { scaling, translation } from '../../src/scene/matrix.ts';
import { squares } from '../cook/squares.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { partsGltf, square, stone } from '../support/partsGltf.ts';

let folder: string;
const at = (name: string) => join(folder, name);

/** A PNG of one colour with a corner of another. */
const picture = (width: number, height: number, red: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: red, g: 80, b: 40 } } })
    .composite([{ input: { create: { width: 9, height: 9, channels: 3, background: '#fff' } }, gravity: 'northwest' }])
    .png()
    .toBuffer();

async function cooked(source: string, out: string, options: CookOptions = {}): Promise<WhyDocument> {
  const { exitCode } = await cook(at(source), { out: at(out), root: folder, jobs: 1, ...options });
  expect(exitCode).toBe(0);
  return told(out);
}

async function told(out: string, name?: string): Promise<WhyDocument> {
  const { document, exitCode, diagnostics } = await why(at(out), name);
  expect([exitCode, diagnostics]).toEqual([0, []]);
  return document as WhyDocument;
}

const changeOf = ({ changes }: WhyDocument, option: string) =>
  changes.find((change) => change.option.startsWith(option)) as Change;

beforeAll(async () => {
  folder = temporaryFolder();
  const texture = (index: number) => ({ pbrMetallicRoughness: { baseColorTexture: { index } } });
  put(
    folder,
    'rooms.gltf',
    partsGltf({
      meshes: [
        { name: 'Floor', part: square(4), material: 0 },
        { name: 'Wall', part: square(3), material: 1 },
        { name: 'Door', part: square(2), material: 2 },
      ],
      nodes: [
        { name: 'Floor', mesh: 0 },
        { name: 'Wall', mesh: 1, translation: [0, 1, 0] },
        { name: 'Door', mesh: 2, translation: [0, 2, 0] },
      ],
      materials: [
        { name: 'Stone', ...texture(0) },
        { name: 'Paint', ...texture(1) },
        { name: 'Paper', ...texture(1) },
      ],
      images: [await picture(512, 256, 200), await picture(200, 100, 10)],
    }),
  );
  put(folder, 'squares.glb', squares());
  const stones = [stone(6), stone(9, translation(4, 0, 0), 0.1), stone(6, scaling(2, 2, 2))];
  put(
    folder,
    'stones.gltf',
    partsGltf({
      meshes: stones.map((part, i) => ({ name: `Stone_${i}`, part })),
      nodes: stones.map((_, mesh) => ({ name: `NM_Stone_${mesh}`, mesh, translation: [mesh * 8, 0, 0] })),
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what is said to be saved is saved', () => {
  test('by smaller textures, to the byte', async () => {
    const before = await cooked('rooms.gltf', 'large', { textureBlocks: '4x4' });
    const change = changeOf(before, '--max-texture-size');
    expect(change.option).toBe('--max-texture-size 256');
    const after = await cooked('rooms.gltf', 'small', { textureBlocks: '4x4', maxTextureSize: 256 });
    // 512 x 256 texels, a byte each, lose their first mip.
    expect(change.saves).toEqual({ gpuBytes: 512 * 256 });
    expect(before.totals.gpuBytes - after.totals.gpuBytes).toBe(512 * 256);
  });

  test('by blocks in place of images, to the byte', async () => {
    const before = await cooked('rooms.gltf', 'images', { textures: 'keep' });
    const change = changeOf(before, '--textures utex');
    const after = await told('large');
    expect(change.saves.gpuBytes).toBe(before.totals.gpuBytes - after.totals.gpuBytes);
    expect(after.changes.some(({ option }) => option === change.option)).toBe(false);
  });

  test('by no levels, to the byte of their files', async () => {
    const levels: CookOptions = { tileSize: 30, lod: [0.5], hlod: 0.1, lodCheck: 'geometry' };
    const before = await cooked('squares.glb', 'levels', levels);
    const sizeOf = (out: string) =>
      readdirSync(at(`${out}/squares`), { withFileTypes: true })
        .filter((entry) => entry.name.endsWith('.untold'))
        .reduce((sum, { name }) => sum + readFileSync(at(`${out}/squares/${name}`)).length, 0);
    const lods = changeOf(before, '--lod none').saves.bytes as number;
    const hlods = changeOf(before, '--hlod none').saves.bytes as number;
    await cooked('squares.glb', 'flat', { ...levels, lod: [], hlod: null });
    expect(lods).toBeGreaterThan(0);
    expect(hlods).toBeGreaterThan(0);
    expect(sizeOf('levels') - sizeOf('flat')).toBe(lods + hlods);
  });

  test('by materials that differ in name alone', async () => {
    const before = await told('large');
    const change = changeOf(before, '--equal-materials all');
    expect(change.saves).toEqual({ draws: 1 });
    const after = await cooked('rooms.gltf', 'equal', { textures: 'utex', equalMaterials: 'all' });
    expect(before.totals.draws - after.totals.draws).toBe(1);
  });

  test('by a node that is left out', async () => {
    const before = await cooked('stones.gltf', 'stones.untold');
    const of = async (name: string) => changeOf(await told('stones.untold', name), '--exclude').saves;
    // The third stone is the first, twice as large: its vertices are there for the first, too.
    expect(await of('NM_Stone_2')).toEqual({ geometry: 0, triangles: 120, draws: 1 });
    const saves = await of('NM_Stone_1');
    const after = await cooked('stones.gltf', 'fewer.untold', { exclude: ['nodes/1'] });
    expect(saves).toEqual({
      geometry: before.totals.geometry - after.totals.geometry,
      triangles: before.totals.triangles - after.totals.triangles,
      draws: 1,
    });
  });
});

describe('tables', () => {
  test('hold the largest first, and their sums are those of the files', async () => {
    const document = await told('levels');
    const { payloads, totals, meshes, attributes } = document;
    expect(payloads.length).toBe(10);
    const sizes = payloads.map(({ bytes }) => bytes);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    for (const { path, bytes } of payloads) expect(readFileSync(at(`levels/${path}`)).length).toBe(bytes);
    expect(attributes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(totals.geometry);
    // 12 of the 32 bytes of a vertex are its position.
    const vertices = (attributes.find(({ name }) => name === 'position')?.bytes as number) / 12;
    expect(attributes.find(({ name }) => name === 'normal')?.bytes).toBe(vertices * 4);
    expect(meshes[0].bytes).toBeGreaterThanOrEqual(meshes[9].bytes);
    const full = payloads.find(({ level }) => level === 'full');
    expect(full?.loading?.from).toBe(0);
    expect(full?.loading?.unload).toBeGreaterThan(full?.loading?.streaming as number);
  });

  test('of a name hold what belongs to it', async () => {
    const material = await told('large', 'Paint');
    expect(material.subject).toEqual({ kind: 'material', name: 'Paint' });
    expect(material.textures.map(({ materials }) => materials)).toEqual([['Paint', 'Paper']]);
    const [{ path }] = material.textures;
    const texture = await told('large', path);
    expect([texture.subject?.kind, texture.materials.map(({ name }) => name).sort()]).toEqual([
      'texture',
      ['Paint', 'Paper'],
    ]);
    const [{ tile }] = material.payloads;
    expect((await told('large', tile)).textures.length).toBe(2);
    expect((await told('stones.untold', 'Stone_1')).subject?.kind).toBe('mesh');
    expect((await told('stones.untold', 'NM_Stone_1')).subject?.kind).toBe('node');
  });

  test('a texture that other sets share names their files', async () => {
    copyFileSync(at('rooms.gltf'), at('halls.gltf'));
    const call = { out: at('shared'), root: folder, jobs: 1, shareTextures: true, textures: 'utex' } as const;
    expect((await cook([at('rooms.gltf'), at('halls.gltf')], call)).exitCode).toBe(0);
    const [set] = readdirSync(at('shared')).filter((name) => name === 'rooms.json');
    const { textures } = await told(`shared/${set}`);
    const { others } = await told(`shared/${set}`, textures[0].path);
    expect(others.length).toBe(1);
    expect(others[0]).toMatch(/shared\/halls\/.*\.untold$/);
  });

  test('of a pack count each model once', async () => {
    const { payloads, totals } = await cooked('stones.gltf', 'pack/stones.untoldpack', { lod: [] });
    expect([payloads.length, totals.payloads]).toEqual([3, 3]);
    expect(payloads.every(({ loading }) => loading === null)).toBe(true);
  });
});

describe('the command line', () => {
  test('prints tables and what would change them', async () => {
    const { code, stdout } = await untold(folder, ['why', 'large']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^large: 1 payload, .* of 2 textures, 6 triangles, 3 draws\n/);
    expect(stdout).toMatch(/\n {2}--max-texture-size 256: 131 kB of textures\n/);
  });

  test('names what is near to an unknown name', async () => {
    const { code, stderr, stdout } = await untold(folder, ['why', 'large', 'Pain', '--json']);
    expect([code, JSON.parse(stdout).diagnostics[0].code]).toEqual([2, 'UC2260']);
    expect(stderr).toContain('error UC2260 large: no tile, texture, material, node or mesh is called "Pain"');
    expect(stderr).toContain('did you mean Paint');
    expect((await untold(folder, ['why', 'large', 'zzzzzz'])).stderr).toContain('leave the name out');
  });

  test('refuses what is damaged, what is no output and what is not there', async () => {
    const whole = readFileSync(at('stones.untold'));
    for (const size of [0, 7, 100, 300, whole.length - 40]) {
      writeFileSync(at('cut.untold'), whole.subarray(0, size));
      const { code, stderr } = await untold(folder, ['why', 'cut.untold']);
      expect(stderr).toMatch(/^error UC\d{4} /);
      expect(code).toBeGreaterThan(0);
    }
    const [json] = readdirSync(at('large')).filter((name) => name.endsWith('.json'));
    const manifest = JSON.parse(readFileSync(at(`large/${json}`), 'utf8'));
    writeFileSync(at('gone.json'), JSON.stringify({ ...manifest, payload_dir_relative_to_manifest: 'gone' }));
    expect((await untold(folder, ['why', 'gone.json'])).code).toBeGreaterThan(0);
    expect((await untold(folder, ['why', 'rooms.gltf'])).stderr).toContain('UC5000');
    expect((await untold(folder, ['why', 'nowhere'])).code).toBeGreaterThan(0);
    expect((await untold(folder, ['why', 'https://example.com/a.json'])).code).toBe(2);
    expect((await untold(folder, ['why', ''])).code).toBe(2);
  });

  test('warns of textures that are not there', async () => {
    await cooked('rooms.gltf', 'lost/rooms.untold', { textures: 'keep' });
    rmSync(at('lost/Textures'), { recursive: true });
    const { code, stderr } = await untold(folder, ['why', 'lost/rooms.untold']);
    expect(code).toBe(0);
    expect(stderr).toContain('UC2248');
  });
});
