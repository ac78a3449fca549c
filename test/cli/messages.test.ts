// What a person reads who mistypes something, or comes from another program.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'art/town.gltf', squareGltf());
  put(folder, 'art/village.gltf', squareGltf());
  put(folder, 'chair.fbx', 'Kaydara FBX Binary  \0');
  put(folder, 'car.BLEND', 'BLENDER-v300');
  put(folder, 'pot.obj', '# a pot\nv 0 0 0\n');
  put(folder, 'noise.glb', 'no scene at all');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEEP = ['--textures', 'keep', '--no-cache'];

describe('a file that is not there', () => {
  test.each(['cook', 'validate', 'inspect', 'render'])('%s names those like it', async (command) => {
    const out = command === 'cook' ? ['--out', 'o'] : command === 'render' ? ['--out', 'o.png'] : [];
    const { code, stderr } = await untold(folder, [command, 'art/twon.gltf', ...out]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('did you mean art/town.gltf?')]);
  });

  test('names nothing where nothing is like it', async () => {
    expect((await untold(folder, ['inspect', 'art/zzzzzzzz.bin'])).stderr).not.toContain('did you mean');
    expect((await untold(folder, ['inspect', 'nowhere/town.gltf'])).stderr).not.toContain('did you mean');
  });
});

describe('a URL', () => {
  test.each(['cook', 'validate', 'inspect', 'render'])('is refused by %s', async (command) => {
    const out = command === 'cook' ? ['--out', 'o'] : command === 'render' ? ['--out', 'o.png'] : [];
    const { code, stderr } = await untold(folder, [command, 'https://example.org/a/town.glb', ...out]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error UC1041 https:\/\/example\.org\/a\/town\.glb: .*\n {2}download it first/);
  });

  test('of a local file asks for its path', async () => {
    expect((await untold(folder, ['inspect', 'file:///town.glb'])).stderr).toContain('give its path instead');
  });
});

test.each([
  ['chair.fbx', 'this is FBX', 'File > Import > FBX'],
  ['car.BLEND', 'this is a Blender file', 'File > Export > Universal Scene Description'],
  ['pot.obj', 'this is Wavefront OBJ', 'File > Import > Wavefront'],
])('%s: how to export it from Blender', async (file, what, where) => {
  const { code, stderr } = await untold(folder, ['cook', file, '--out', 'o']);
  expect(code).toBe(1);
  expect(stderr).toContain(`UC1201 ${file}`);
  expect(stderr).toContain(what);
  expect(stderr).toContain(where);
});

test.each([
  ['--quadtree', '--partition quadtree'],
  ['--generate-lod', '--lod auto'],
  ['--output-dir', '--out DIR'],
  ['--lod-level', '--lod 0.5,0.2'],
])('%s of the exporter is %s here', async (flag, ours) => {
  const { code, stderr } = await untold(folder, ['cook', 'art/town.gltf', '--out', 'o', flag]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error UC1001: /)]);
  expect(stderr).toContain(ours);
});

test.each([
  [['--lod', '50%'], 'did you mean 0.5?'],
  [['--lod', '50%,12.5%'], 'did you mean 0.5,0.125?'],
  [['--hlod', '7%'], 'did you mean 0.07?'],
  [['--lod', '0.5', '0.2'], '--lod 0.5,0.2'],
  [['--hlod', '0.1', '.05'], 'it takes one number'],
])('%j is refused with what was meant', async (args, meant) => {
  const { code, stderr } = await untold(folder, ['cook', 'art/town.gltf', '--out', 'o', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error UC1003 /)]);
  expect(stderr).toContain(meant);
});

describe('explain', () => {
  test('takes a number for a code', async () => {
    expect(await untold(folder, ['explain', '1203'])).toEqual(await untold(folder, ['explain', 'UC1203']));
    expect(await untold(folder, ['explain', '12'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error UC1010/),
    });
  });

  test('searches for a word, titles first', async () => {
    const { code, stdout } = await untold(folder, ['explain', 'DEPFILE']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^UC1014 {2}warning {2}file name not possible in a depfile\n/);
    const { codes } = JSON.parse((await untold(folder, ['explain', 'depfile', '--json'])).stdout);
    expect(codes.length).toBe(stdout.match(/^UC/gm)?.length);
    expect(stdout).toMatch(/^guide {2}Cook from a Makefile {2,}docs\/guide\.md#cook-from-a-makefile$/m);
    expect(codes.length).toBeLessThan(20);
  });
});

describe('the last line', () => {
  test('of a failed source has no zeros', async () => {
    const { stderr } = await untold(folder, ['cook', 'noise.glb', '--out', 'o']);
    expect(stderr).toMatch(/^0 of 1 source cooked, 1 failed: [\d.]+ s, \S+ \S+ peak memory$/m);
    expect(stderr).not.toMatch(/\b0 (tiles|triangles|textures|B)\b/);
  });

  test('has singulars, and no level that no tile has', async () => {
    const { stderr } = await untold(folder, ['cook', 'art/town.gltf', '--out', 'one', ...KEEP, '--lod', '0.5,0.2']);
    expect(stderr).toMatch(/: 1 tile, 2 triangles, /);
    expect(stderr).not.toMatch(/in 0 tiles/);
    const { stdout } = await untold(folder, ['inspect', 'art/town.gltf']);
    expect(stdout).toContain('1 instance of 1 mesh, 2 triangles, 4 vertices, 1 node, 1 material');
    expect(stdout).not.toMatch(/\b1 (meshes|vertices|nodes)\b/);
  });
});
