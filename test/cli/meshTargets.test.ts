// `--target galileo` and `--target bpx` at the command line, and what `validate` says of each fixture of both.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROKEN_BPX, BROKEN_GALILEO } from '../formats/fixtureCodes.ts';
import { untold } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';
import { png } from '../textures/fixture.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const SAMPLES = resolve(import.meta.dirname, '../../samples');

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'square.gltf'), squareGltf());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cook = (...args: string[]) => untold(folder, ['cook', ...args, '--no-cache']);
const headOf = (name: string) => readFileSync(join(folder, name)).subarray(0, 4).toString('latin1');

test('the name of the output says what is written, and validate and inspect take it', async () => {
  expect((await cook('square.gltf', '--out', 'a.gali')).code).toBe(0);
  expect((await cook('square.gltf', '--target', 'galileo', '--out-each', 'each/{name}.gali')).code).toBe(0);
  expect((await cook('square.gltf', '--out', 'a.bpx')).code).toBe(0);
  expect((await cook('square.gltf', '--target', 'bpx', '--layout', 'crate', '--out', 'c.bpx')).code).toBe(0);
  expect([headOf('a.gali'), headOf('a.bpx'), headOf('c.bpx')]).toEqual(['GALI', 'BPXP', 'BPXP']);
  expect((await untold(folder, ['validate', 'a.gali', 'each/square.gali', 'a.bpx', 'c.bpx'])).code).toBe(0);
  expect((await untold(folder, ['inspect', 'a.gali'])).stdout).toContain('untold.materials');
  expect((await untold(folder, ['inspect', 'a.bpx'])).stdout).toContain('Models/square.bpx');
  expect((await untold(folder, ['inspect', 'c.bpx'])).stdout).toContain('layout crate');
  // One of ours is replaced; a package in the layout of the crate may be of another program.
  expect((await cook('square.gltf', '--out', 'a.gali')).code).toBe(0);
  expect((await cook('square.gltf', '--out', 'a.bpx')).code).toBe(0);
  expect((await cook('square.gltf', '--out', 'c.bpx')).stderr).toContain('--force');
});

test('textures lie in the package, and unpack gives model and textures as files', async () => {
  expect((await cook(join(SAMPLES, 'courtyard.usdz'), '--out', 'yard.bpx')).code).toBe(0);
  expect((await untold(folder, ['unpack', 'yard.bpx', '--out', 'yard'])).code).toBe(0);
  expect(existsSync(join(folder, 'yard/Models/courtyard.bpx'))).toBe(true);
  expect(readdirSync(join(folder, 'yard/Textures')).length).toBe(5);
  expect((await untold(folder, ['validate', 'yard'])).code).toBe(0);
  expect(existsSync(join(folder, 'Textures'))).toBe(false);
});

test('a character stands as it is bound, which is said', async () => {
  const sprout = join(SAMPLES, 'glb/sprout.glb');
  for (const [name, lostCode, what] of [
    ['sprout.gali', 'UC2338', '1 skeleton and 2 clips: the names'],
    ['sprout.bpx', 'UC2332', ': 2 clips: bones'],
  ]) {
    const { code, stderr } = await cook(sprout, '--out', name);
    expect([code, stderr.includes(lostCode), stderr.replace(/\s+/g, ' ').includes(what)]).toEqual([0, true, true]);
    expect(existsSync(join(folder, 'Animations'))).toBe(false);
    expect((await untold(folder, ['validate', name])).code).toBe(0);
    expect((await untold(folder, ['verify', name])).code).toBe(0);
  }
});

test('texture coordinates that repeat too often end in exit 5', async () => {
  const gltf = JSON.parse(squareGltf({ image: 'red.png' }));
  writeFileSync(join(folder, 'red.png'), png(1, 1, [[255, 0, 0, 255]]));
  const uvs = Float32Array.of(0, 0, 1e4, 0, 1e4, 1e4, 0, 1e4);
  const bytes = Buffer.from(uvs.buffer);
  gltf.buffers.push({
    byteLength: bytes.length,
    uri: `data:application/octet-stream;base64,${bytes.toString('base64')}`,
  });
  gltf.bufferViews.push({ buffer: gltf.buffers.length - 1, byteLength: bytes.length });
  gltf.accessors.push({ bufferView: gltf.bufferViews.length - 1, componentType: 5126, count: 4, type: 'VEC2' });
  gltf.meshes[0].primitives[0].attributes.TEXCOORD_0 = gltf.accessors.length - 1;
  writeFileSync(join(folder, 'far.gltf'), JSON.stringify(gltf));
  const { code, stderr } = await cook('far.gltf', '--out', 'far.gali');
  expect([code, stderr.includes('UC2420')]).toEqual([5, true]);
  expect(existsSync(join(folder, 'far.gali'))).toBe(false);
  expect((await cook('far.gltf', '--out', 'far.bpx')).code).toBe(0);
});

test.each([
  [['--target', 'galileo', '--out', 'tiles'], 'give --out FILE.gali'],
  [['--target', 'bpx', '--dry-run'], 'give --out FILE.bpx'],
  [['--out', 'x.gali', '--textures', 'png'], 'leave --textures out'],
  [['--out', 'x.bpx', '--textures', 'utex'], 'give --textures png'],
  [['--out', 'x.gali', '--layout', 'spec'], 'no meaning with --target galileo'],
  [['--out', 'x.glb', '--layout', 'crate'], 'no meaning with --target glb'],
  [['--out', 'x.bpx', '--meshopt'], 'no meaning with --target bpx'],
  [['--out', 'x.bpx', '--compress', 'lz4'], 'no meaning with --target bpx'],
])('%j is refused', async (args, words) => {
  const { code, stderr } = await cook('square.gltf', ...args);
  expect([code, stderr.includes('UC1012'), stderr.includes(words)]).toEqual([2, true, true]);
});

test.each([
  ['galileo', '.gali', BROKEN_GALILEO],
  ['bpx', '.bpx', BROKEN_BPX],
] as const)('validate finds the broken rule of each fixture of %s', async (format, extension, broken) => {
  const at = (name: string) => join(FIXTURES, format, name);
  const good = readdirSync(join(FIXTURES, format)).filter((name) => name.startsWith('good_'));
  expect(good.length).toBeGreaterThan(4);
  expect((await untold(folder, ['validate', ...good.map(at)])).code).toBe(0);
  const bad = Object.keys(broken).map((name) => `${name}${extension}`);
  const { code, stdout } = await untold(folder, ['validate', '--json', ...bad.map(at)]);
  expect(code).toBe(1);
  const { files } = JSON.parse(stdout);
  expect(files.length).toBe(bad.length);
  for (const { path, ok, diagnostics } of files) {
    const codes = diagnostics.map((item: { code: string }) => item.code);
    expect([path, ok, codes]).toEqual([path, false, expect.arrayContaining([broken[basename(path, extension)][0]])]);
  }
});
