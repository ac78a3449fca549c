// bake-lods: LOD chains for a pack that is there and level files beside a model, by the ratios and the formula of the engine.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bakeLods } from '../../src/index.ts';
import { untold } from '../support/command.ts';
import { contents, filesBelow, put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => untold(folder, args);
const json = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));

/** A bowl of 2 x side x side triangles, as a glTF with a plain square as another root. */
function kit(side: number): void {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= side; z++) {
    for (let x = 0; x <= side; x++)
      positions.push(x / side, ((x - side / 2) ** 2 + (z - side / 2) ** 2) / side ** 2, z / side);
  }
  for (let z = 0; z < side; z++) {
    for (let x = 0; x < side; x++) {
      const at = z * (side + 1) + x;
      indices.push(at, at + side + 1, at + 1, at + 1, at + side + 1, at + side + 2);
    }
  }
  const bytes = Buffer.concat([
    Buffer.from(Float32Array.from(positions).buffer),
    Buffer.from(Uint32Array.from(indices).buffer),
  ]);
  const gltf = JSON.parse(squareGltf());
  gltf.nodes = [
    { name: 'bowl', mesh: 1 },
    { name: 'square', mesh: 0, translation: [3, 0, 0] },
  ];
  gltf.scenes = [{ nodes: [0, 1] }];
  gltf.meshes.push({ primitives: [{ attributes: { POSITION: 3 }, indices: 4, material: 0 }] });
  const vertices = positions.length / 3;
  gltf.accessors.push(
    { bufferView: 3, componentType: 5126, count: vertices, type: 'VEC3', min: [0, 0, 0], max: [1, 0.5, 1] },
    { bufferView: 4, componentType: 5125, count: indices.length, type: 'SCALAR' },
  );
  gltf.bufferViews.push(
    { buffer: 1, byteOffset: 0, byteLength: positions.length * 4 },
    { buffer: 1, byteOffset: positions.length * 4, byteLength: indices.length * 4 },
  );
  gltf.buffers.push({
    byteLength: bytes.length,
    uri: `data:application/octet-stream;base64,${bytes.toString('base64')}`,
  });
  put(folder, 'kit.gltf', JSON.stringify(gltf));
}

const cook = async (...args: string[]) => {
  const { code, stderr } = await run('cook', 'kit.gltf', '--textures', 'keep', ...args);
  expect([code, stderr.includes('error')]).toEqual([0, false]);
};

describe('a pack', () => {
  beforeEach(async () => {
    kit(40);
    await cook('--lod', 'none', '--out', 'out/kit.untoldpack');
  });

  test('gets chains by the ratios and the formula of the engine', async () => {
    const pack = json('out/kit.untoldpack');
    put(folder, 'out/kit.untoldpack', JSON.stringify({ ...pack, note: 'of another tool' }));
    const { code, stdout } = await run('bake-lods', '--input', 'out/kit.untoldpack', '--json');
    expect(code).toBe(0);
    const after = json('out/kit.untoldpack');
    const { lodChains, ...rest } = after;
    expect(rest).toEqual({ ...pack, note: 'of another tool' });
    expect(Object.keys(lodChains)).toEqual(['bowl/bowl.untold']);
    const levels: { path: string; triangles: number; screenSize: number }[] = lodChains['bowl/bowl.untold'];
    expect(levels.map(({ path }) => path)).toEqual(levels.map((_, i) => `bowl/bowl_LOD${i + 1}.untold`));
    expect(levels.length).toBeGreaterThan(1);
    for (const [i, { triangles, screenSize }] of levels.entries()) {
      expect(triangles).toBeLessThanOrEqual(3200 * [0.5, 0.15, 0.03][i] + 2);
      // sqrt(4 pixels x triangles) / 1080 lines, with 5 digits.
      expect(screenSize).toBe(Number((Math.sqrt(4 * triangles) / 1080).toPrecision(5)));
    }
    const { models, diagnostics } = JSON.parse(stdout);
    expect(models).toEqual([
      { path: 'out/bowl/bowl.untold', levels, leftOut: null },
      { path: 'out/square/square.untold', levels: [], leftOut: expect.stringContaining('2 triangles') },
    ]);
    expect(diagnostics).toMatchObject([{ code: 'UC2085', file: 'out/square/square.untold' }]);
    expect((await run('validate', '--strict', 'out')).code).toBe(0);
  });

  test('gets the same again, and fewer levels take the others away', async () => {
    await run('bake-lods', '--input', 'out/kit.untoldpack');
    const first = contents(join(folder, 'out'));
    await run('bake-lods', '--input', 'out/kit.untoldpack');
    expect(contents(join(folder, 'out'))).toEqual(first);
    expect((await run('bake-lods', '--input', 'out/kit.untoldpack', '--ratios', '0.1')).code).toBe(0);
    const levels = () => filesBelow(join(folder, 'out')).filter((path) => path.includes('_LOD'));
    expect(levels()).toEqual(['bowl/bowl_LOD1.untold']);
    expect((await run('bake-lods', '--input', 'out/kit.untoldpack', '--min-triangles', '4000')).code).toBe(0);
    expect([levels(), json('out/kit.untoldpack').lodChains]).toEqual([[], undefined]);
  });

  test('--pixels-per-triangle moves where levels begin', async () => {
    const args = ['bake-lods', '--input', 'out/kit.untoldpack', '--ratios', '0.5', '--pixels-per-triangle', '1'];
    expect((await run(...args)).code).toBe(0);
    const [{ triangles, screenSize }] = json('out/kit.untoldpack').lodChains['bowl/bowl.untold'];
    expect(screenSize).toBe(Number((Math.sqrt(triangles) / 1080).toPrecision(5)));
  });

  test('keeps files of others that have the names of levels', async () => {
    put(folder, 'out/bowl/bowl_LOD2.untold', 'of somebody else');
    const { code, stderr } = await run('bake-lods', '--input', 'out/kit.untoldpack');
    expect([code, stderr]).toEqual([0, expect.stringContaining('warning UC2086 out/bowl/bowl.untold')]);
    expect(json('out/kit.untoldpack').lodChains).toBeUndefined();
    expect(readFileSync(join(folder, 'out/bowl/bowl_LOD2.untold'), 'utf8')).toBe('of somebody else');
    expect(filesBelow(join(folder, 'out/bowl'))).toEqual(['bowl.untold', 'bowl_LOD2.untold']);
  });

  test('has levels of the others where one model is damaged', async () => {
    put(folder, 'out/square/square.untold', 'damaged');
    const { code, stderr } = await run('bake-lods', '--input', 'out/kit.untoldpack');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error UC3000 out/square/square.untold')]);
    expect(Object.keys(json('out/kit.untoldpack').lodChains)).toEqual(['bowl/bowl.untold']);
  });

  test('stays as it was where a call is aborted', async () => {
    await run('bake-lods', '--input', 'out/kit.untoldpack');
    const before = contents(join(folder, 'out'));
    const abort = new AbortController();
    const { document, diagnostics } = await bakeLods({
      input: join(folder, 'out/kit.untoldpack'),
      ratios: [0.1],
      signal: abort.signal,
      onModel: () => abort.abort(),
    });
    expect([document, diagnostics]).toMatchObject([null, [{ code: 'UC1098' }]]);
    expect(contents(join(folder, 'out'))).toEqual(before);
  });

  test('stays as it was where a level cannot be written', async () => {
    await run('bake-lods', '--input', 'out/kit.untoldpack', '--ratios', '0.1');
    mkdirSync(join(folder, 'out/bowl/bowl_LOD2.untold'));
    const before = contents(join(folder, 'out'));
    const { code, stderr } = await run('bake-lods', '--input', 'out/kit.untoldpack', '--ratios', '0.4,0.2');
    expect([code, stderr]).toEqual([2, expect.stringContaining('error UC4001')]);
    expect(contents(join(folder, 'out'))).toEqual(before);
  });

  test('whose textures are patched keeps its chains sound', async () => {
    await run('bake-lods', '--input', 'out/kit.untoldpack');
    expect((await run('texbake', '--patch-refs', 'out/kit.untoldpack')).code).toBe(0);
    expect((await run('validate', '--strict', 'out')).code).toBe(0);
  });
});

test('beside a single model level files appear alone', async () => {
  kit(40);
  await cook('--out', 'out/kit.untold');
  const before = filesBelow(join(folder, 'out'));
  const { code, stdout } = await run('bake-lods', '--input', 'out/kit.untold', '--ratios', '0.4,0.1', '--json');
  expect(code).toBe(0);
  const [{ levels }] = JSON.parse(stdout).models;
  expect(levels.map(({ path }: { path: string }) => path)).toEqual(['kit_LOD1.untold', 'kit_LOD2.untold']);
  expect(filesBelow(join(folder, 'out')).sort()).toEqual([...before, 'kit_LOD1.untold', 'kit_LOD2.untold'].sort());
  const itself = await run('bake-lods', '--input', 'out/kit_LOD1.untold', '--min-triangles', '1', '--json');
  expect(JSON.parse(itself.stdout).models[0].leftOut).toBe('it is a level itself');
});

test.each([
  [[], 2, 'UC1002 --input'],
  [['--input', 'gone.untoldpack'], 3, 'UC1200 gone.untoldpack'],
  [['--input', 'bad.untoldpack'], 1, 'UC3190 bad.untoldpack'],
  [['--input', 'bad.untoldpack', '--ratios', 'auto'], 2, 'UC1003 --ratios'],
  [['--input', 'bad.untoldpack', '--ratios', '0.1,0.5'], 2, 'UC1003 --ratios'],
])('%j is refused', async (args, exit, said) => {
  put(folder, 'bad.untoldpack', 'no JSON');
  const { code, stderr } = await run('bake-lods', ...args);
  expect([code, stderr]).toEqual([exit, expect.stringContaining(said)]);
  expect(filesBelow(folder)).toEqual(['bad.untoldpack']);
});

describe('files that are not its own', () => {
  const model = 'bowl/bowl.untold';
  const baked = async () => {
    kit(40);
    expect((await run('cook', 'kit.gltf', '--out', 'build/kit.untoldpack', '--lod', '0.5,0.15')).code).toBe(0);
    expect(json('build/kit.untoldpack').lodChains[model].length).toBe(2);
  };

  test('stay where another pack lists them, and the pack keeps its chain', async () => {
    await baked();
    put(folder, 'build/other.untoldpack', readFileSync(join(folder, 'build/kit.untoldpack')));
    const before = contents(join(folder, 'build'));
    const { code, stderr } = await run('bake-lods', '--input', 'build/kit.untoldpack', '--ratios', '0.3');
    expect([code, stderr]).toEqual([0, expect.stringContaining('warning UC2086')]);
    expect(contents(join(folder, 'build'))).toEqual(before);
  });

  test('stay where the pack lists them and they are no levels', async () => {
    await baked();
    put(folder, 'build/bowl/bowl_LOD1.untold', 'mine');
    const { stderr } = await run('bake-lods', '--input', 'build/kit.untoldpack', '--ratios', '0.3');
    expect(stderr).toContain('warning UC2086');
    expect(readFileSync(join(folder, 'build/bowl/bowl_LOD1.untold'), 'utf8')).toBe('mine');
  });
});
