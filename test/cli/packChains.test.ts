// LOD chains of packs through the command line: level files beside their models, what the manifest says of them, and what other
// commands make of both.

import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldPack } from '../../src/formats/untoldpack/document.ts';
import { untold } from '../support/command.ts';
import { contents, filesBelow, put, temporaryFolder } from '../support/files.ts';

let folder: string;
/** The document of the pack in `auto`. */
let document: Awaited<ReturnType<typeof cooked>>;
beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'things.gltf', things());
  document = await cooked('auto/things.untoldpack', '--jobs', '1');
  await cooked('ratios/things.untoldpack', '--lod', '0.5,0.15,0.03');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => untold(folder, args);
async function cooked(out: string, ...args: string[]) {
  const result = await run('cook', 'things.gltf', '--out', out, '--no-cache', '--json', ...args);
  expect([result.code, result.stderr]).toEqual([0, expect.anything()]);
  return JSON.parse(result.stdout);
}
const packAt = (path: string): UntoldPack => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const bytesAt = (path: string) => new Uint8Array(readFileSync(join(folder, path)));
const codes = async (path: string): Promise<string[]> => {
  const { stdout } = await run('validate', path, '--json');
  return JSON.parse(stdout).files.flatMap((file: { diagnostics: { code: string }[] }) =>
    file.diagnostics.map(({ code }) => code),
  );
};

/** A ball of 48 x 48 quads: 4512 triangles with an area. */
function ball(): { positions: number[]; indices: number[] } {
  const positions: number[] = [];
  const indices: number[] = [];
  const side = 48;
  for (let row = 0; row <= side; row++) {
    for (let column = 0; column < side; column++) {
      const [up, turn] = [(row / side) * Math.PI, (column / side) * 2 * Math.PI];
      positions.push(Math.sin(up) * Math.cos(turn), Math.cos(up), Math.sin(up) * Math.sin(turn));
      const a = row * side + column;
      const b = row * side + ((column + 1) % side);
      if (row < side) indices.push(a, b, a + side, b, b + side, a + side);
    }
  }
  return { positions, indices };
}

/** A ball, a tile of two triangles, and a string of three balls of different sizes, each a root. */
function things(): string {
  const { positions, indices } = ball();
  const flat = [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1];
  const parts = [Float32Array.from(positions), Uint32Array.from(indices), Float32Array.from(flat)];
  const last = Uint32Array.of(0, 2, 1, 0, 3, 2);
  const data = Buffer.concat([...parts, last].map((array) => Buffer.from(array.buffer)));
  let byteOffset = 0;
  const bufferViews = [...parts, last].map(({ byteLength }) => {
    const view = { buffer: 0, byteOffset, byteLength };
    byteOffset += byteLength;
    return view;
  });
  const vec3 = (bufferView: number, count: number, min: number[], max: number[]) => ({
    bufferView,
    componentType: 5126,
    count,
    type: 'VEC3',
    min,
    max,
  });
  const scalar = (bufferView: number, count: number) => ({ bufferView, componentType: 5125, count, type: 'SCALAR' });
  return JSON.stringify({
    asset: { version: '2.0' },
    buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
    bufferViews,
    accessors: [
      vec3(0, positions.length / 3, [-1, -1, -1], [1, 1, 1]),
      scalar(1, indices.length),
      vec3(2, 4, [0, 0, 0], [1, 0, 1]),
      scalar(3, 6),
    ],
    meshes: [0, 2].map((first) => ({ primitives: [{ attributes: { POSITION: first }, indices: first + 1 }] })),
    nodes: [
      { name: 'Ball', mesh: 0, translation: [5, 0, 0] },
      { name: 'Plate', mesh: 1 },
      { name: 'String', children: [3, 4, 5] },
      { name: 'Bead_A', mesh: 0, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
      { name: 'Bead_B', mesh: 0, translation: [0, 3, 0], scale: [2, 2, 2] },
      {
        name: 'Bead_C',
        mesh: 0,
        translation: [3, 0, 0],
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        scale: [1, 1.5, 1],
      },
    ],
    scenes: [{ nodes: [0, 1, 2] }],
  });
}

/** Header and chunks as the format text places them: nothing of ours reads here. */
function chunkTable(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks = Array.from({ length: view.getUint32(24, true) }, (_, i) => {
    const at = 204 + i * 40;
    const start = Number(view.getBigUint64(at + 8, true));
    const size = Number(view.getBigUint64(at + 16, true));
    return {
      type: view.getUint32(at, true),
      stored: bytes.subarray(start, start + size),
      entry: bytes.slice(at + 16, at + 40),
      start,
    };
  });
  return { fileType: view.getUint32(12, true), flags: view.getUint32(16, true), bounds: bytes.slice(52, 140), chunks };
}

describe('a chain', () => {
  test('is made for models of 2,000 triangles and more; the document says why for the others', async () => {
    const { lodChains = {}, models } = packAt('auto/things.untoldpack');
    expect(models.map(({ path }) => path)).toEqual(['Ball/Ball.untold', 'Plate/Plate.untold', 'String/String.untold']);
    expect(Object.keys(lodChains)).toEqual(['Ball/Ball.untold', 'String/String.untold']);
    expect(await codes('auto')).toEqual([]);
    const said = document.results[0].diagnostics.filter(({ code }: { code: string }) => code === 'UC2085');
    expect(said).toMatchObject([
      { path: 'Plate/Plate.untold', message: expect.stringContaining('it has 2 triangles') },
    ]);
    const { levels } = document.results[0].totals;
    expect(levels[0]).toMatchObject({ level: 'lod1', tiles: 2 });
  });

  test.each(['auto', 'ratios'])(
    'has files with the tables of their model, read by the chunk table alone: %s',
    async (made) => {
      const { lodChains = {} } = packAt(`${made}/things.untoldpack`);
      for (const [path, levels] of Object.entries(lodChains)) {
        const model = chunkTable(bytesAt(`${made}/${path}`));
        const whole = await readUntold(bytesAt(`${made}/${path}`), path);
        expect(levels.length).toBeGreaterThan(1);
        let before = whole.meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
        let size = Infinity;
        for (const [i, level] of levels.entries()) {
          expect(level.path).toBe(path.replace('.untold', `_LOD${i + 1}.untold`));
          const bytes = bytesAt(`${made}/${level.path}`);
          const { fileType, flags, bounds, chunks } = chunkTable(bytes);
          expect([fileType, flags, chunks.map(({ type }) => type)]).toEqual([2, 0, [1, 2, 3, 4, 5, 6, 7]]);
          expect(chunks.every(({ start }) => start % 16 === 0)).toBe(true);
          expect(Buffer.compare(bounds, model.bounds)).toBe(0);
          for (const type of [1, 2, 4, 5]) {
            const [own, of] = [chunks, model.chunks].map((all) => all.find((chunk) => chunk.type === type));
            expect(Buffer.compare(own?.stored ?? new Uint8Array(1), of?.stored ?? new Uint8Array(2))).toBe(0);
            // Sizes and the number of elements.
            expect(own?.entry).toEqual(of?.entry);
          }
          const { meshes } = await readUntold(bytes, level.path);
          expect(meshes.map(({ entity, material, name }) => [entity, material, name])).toEqual(
            whole.meshes.map(({ entity, material, name }) => [entity, material, name]),
          );
          for (const [k, { localBounds }] of meshes.entries()) {
            const { min, max } = whole.meshes[k].localBounds;
            for (const axis of [0, 1, 2]) {
              expect(localBounds.min[axis]).toBeGreaterThanOrEqual(min[axis]);
              expect(localBounds.max[axis]).toBeLessThanOrEqual(max[axis]);
            }
          }
          const triangles = meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
          expect(level.triangles).toBe(triangles);
          expect(triangles).toBeLessThanOrEqual(before * 0.85);
          expect(level.screenSize).toBeLessThan(size);
          [before, size] = [triangles, level.screenSize];
        }
      }
    },
  );

  test('of meshes that stand several times stores each once', async () => {
    const { lodChains = {} } = packAt('auto/things.untoldpack');
    const model = await readUntold(bytesAt('auto/String/String.untold'), '');
    const [{ path }] = lodChains['String/String.untold'];
    const level = await readUntold(bytesAt(`auto/${path}`), '');
    const numbers = (meshes: typeof model.meshes) =>
      meshes.map(({ vertices }) => meshes.findIndex((one) => one.vertices === vertices));
    expect(numbers(level.meshes)).toEqual(numbers(model.meshes));
    expect(new Set(numbers(model.meshes)).size).toBe(1);
  });

  test('of ratios has the engine’s sizes: sqrt(4 x triangles) / 1080', () => {
    const { lodChains = {} } = packAt('ratios/things.untoldpack');
    const levels = Object.values(lodChains).flat();
    for (const { triangles = 0, screenSize } of levels) {
      expect(screenSize).toBe(Number((Math.sqrt(4 * triangles) / 1080).toPrecision(5)));
    }
    const [first] = lodChains['Ball/Ball.untold'];
    expect(Math.abs((first.triangles ?? 0) - 2256)).toBeLessThan(100);
  });

  test('is the same for any number of threads', async () => {
    await cooked('three/things.untoldpack', '--jobs', '3');
    expect(contents(join(folder, 'three'))).toEqual(contents(join(folder, 'auto')));
  });

  test('goes with --lod none, with its files', async () => {
    cpSync(join(folder, 'auto'), join(folder, 'gone'), { recursive: true });
    expect(filesBelow(join(folder, 'gone')).filter((path) => path.includes('_LOD')).length).toBeGreaterThan(0);
    await cooked('gone/things.untoldpack', '--lod', 'none');
    expect(packAt('gone/things.untoldpack')).not.toHaveProperty('lodChains');
    expect(filesBelow(join(folder, 'gone'))).toEqual([
      'Ball/Ball.untold',
      'Plate/Plate.untold',
      'String/String.untold',
      'things.untoldpack',
    ]);
  });
});

describe('validate', () => {
  /** A pack of its own to be damaged. */
  async function broken(name: string, damage: (at: (path: string) => string) => void): Promise<string[]> {
    cpSync(join(folder, 'ratios'), join(folder, name), { recursive: true });
    damage((path) => join(folder, name, path));
    return codes(`${name}/things.untoldpack`);
  }

  test('finds levels that are no levels of their model', async () => {
    const other = await broken('other', (at) =>
      copyFileSync(at('String/String_LOD1.untold'), at('Ball/Ball_LOD1.untold')),
    );
    expect(other).toEqual(expect.arrayContaining(['UC3273']));
    const repeated = await broken('repeated', (at) =>
      copyFileSync(at('Ball/Ball_LOD1.untold'), at('Ball/Ball_LOD2.untold')),
    );
    expect(repeated).toEqual(['UC3275']);
    const model = await broken('model', (at) => copyFileSync(at('Ball/Ball.untold'), at('Ball/Ball_LOD1.untold')));
    expect(model).toEqual(['UC3275', 'UC3276']);
    const missing = await broken('missing', (at) => rmSync(at('Ball/Ball_LOD2.untold')));
    expect(missing).toEqual(['UC3272']);
  });

  test('finds a level that reaches beyond its model', async () => {
    const found = await broken('beyond', (at) => {
      const path = at('Ball/Ball_LOD1.untold');
      const bytes = new Uint8Array(readFileSync(path));
      const mesh = chunkTable(bytes).chunks.find(({ type }) => type === 3);
      // The last six floats of a mesh record are its bounds.
      const end = (mesh?.start ?? 0) + (mesh?.stored.length ?? 0);
      new DataView(bytes.buffer).setFloat32(end - 12, 7, true);
      writeFileSync(path, bytes);
    });
    expect(found).toEqual(expect.arrayContaining(['UC3274']));
  });
});

describe('other commands', () => {
  test('render draws a level of each model, and sheets compare them with the models', async () => {
    const one = await run(
      'render',
      'auto/things.untoldpack',
      '--level',
      'lod1',
      '--out',
      'lod1.png',
      '--size',
      '64x64',
      '--json',
    );
    expect([one.code, JSON.parse(one.stdout).drawn]).toMatchObject([
      0,
      [{ level: 'lod1' }, { level: 'full' }, { level: 'lod1' }],
    ]);
    const sheet = await run('render', 'auto/things.untoldpack', '--sheet', 'Ball', '--out', 'ball.png', '--json');
    const { compared } = JSON.parse(sheet.stdout);
    expect(compared.length).toBeGreaterThan(1);
    for (const { ssim } of compared) expect(ssim).toBeGreaterThan(0.96);
  });

  test('inspect and diff list levels', async () => {
    const { stdout } = await run('inspect', 'auto/things.untoldpack');
    expect(stdout).toContain('2 chains');
    const { code, stdout: text } = await run('diff', 'auto/things.untoldpack', 'ratios/things.untoldpack', '--json');
    expect(code).toBe(1);
    const [tile] = JSON.parse(text).tiles.filter(({ id }: { id: string }) => id === 'Ball');
    expect(tile.levels.map(({ level }: { level: string }) => level)).toContain('lod1');
  });

  test('a pack is cooked again from its models alone', async () => {
    const { code } = await run('cook', 'auto/things.untoldpack', '--out', 'again/things.untoldpack', '--no-cache');
    expect(code).toBe(0);
    const { lodChains = {} } = packAt('again/things.untoldpack');
    expect(Object.keys(lodChains)).toEqual(['Ball/Ball.untold', 'String/String.untold']);
    expect(filesBelow(join(folder, 'again')).filter((path) => path.includes('_LOD1_LOD'))).toEqual([]);
  });
});

test('a chain of a model that moves is a warning', async () => {
  const source = join(import.meta.dirname, '../../samples/glb/sprout.glb');
  expect(
    (await run('cook', source, '--out', 'moving/Sprout/Sprout.untold', '--no-cache', '--textures', 'keep')).code,
  ).toBe(0);
  const model = 'Sprout/Sprout.untold';
  const level = { path: 'Sprout/Sprout_LOD1.untold', screenSize: 0.1, triangleCount: 1, error: 0.1 };
  copyFileSync(join(folder, 'moving', model), join(folder, 'moving', level.path));
  const [first] = packAt('auto/things.untoldpack').models;
  const pack = {
    ...packAt('auto/things.untoldpack'),
    models: [{ ...first, path: model }],
    lodChains: { [model]: [level] },
  };
  writeFileSync(join(folder, 'moving/moving.untoldpack'), JSON.stringify(pack));
  expect(await codes('moving/moving.untoldpack')).toContain('UC3277');
});
