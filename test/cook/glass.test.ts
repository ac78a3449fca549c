// A room behind glass through whole cooks: what each output says of it, that files are rewritten with it, and that pictures show
// the room.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { glassRoom } from '../../samples/glass.ts';
import { gltfDocument, writeGlb } from '../../samples/gltf.ts';
import { usdaText } from '../../samples/usda.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { untold } from '../support/command.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glass-'));
  writeFileSync(join(folder, 'room.glb'), writeGlb(glassRoom));
  writeFileSync(join(folder, 'room.usda'), usdaText(glassRoom, ''));
  await run('cook', 'room.glb', '--out', 'a/room.untold');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...args: string[]) {
  const done = await untold(folder, [...args, ...(args[0] === 'cook' ? ['--no-cache'] : [])]);
  if (done.code !== 0 && args[0] !== 'diff') throw new Error(done.stderr);
  return done;
}

/** Alpha mode, alpha and transmission of each glass of a file, by its name. */
async function glassOf(path: string) {
  const { materials } = await readUntold(readFileSync(join(folder, path)), path);
  return materials
    .filter(({ transmissionFactor }) => transmissionFactor > 0)
    .map(({ name, alphaMode, baseColorFactor, transmissionFactor }) => {
      return [name, alphaMode, baseColorFactor[3], transmissionFactor] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const GLASS = [
  ['Bottle', 'opaque', 1, 1],
  ['Frosted', 'opaque', 1, 1],
  ['Pane', 'opaque', 1, 1],
];

test('glTF and MaterialX give the same glass, and alpha stays', async () => {
  await run('cook', 'room.usda', '--out', 'b/room.untold');
  expect(await glassOf('a/room.untold')).toEqual(GLASS);
  expect(await glassOf('b/room.untold')).toEqual(GLASS);
});

test('a cooked file keeps its glass when it is cooked again', async () => {
  await run('cook', 'a/room.untold', '--out', 'again/room.untold');
  expect(await glassOf('again/room.untold')).toEqual(GLASS);
  await run('cook', 'a/room.untold', '--out', 'back.glb');
  await run('cook', 'back.glb', '--out', 'there/room.untold');
  expect(await glassOf('there/room.untold')).toEqual(GLASS);
});

test('inspect and diff say how much passes', async () => {
  const { materials } = JSON.parse((await run('inspect', 'a/room.untold', '--json')).stdout);
  const pane = materials.find(({ name }: { name: string }) => name === 'Pane');
  expect([pane.alphaMode, pane.transmission]).toEqual(['opaque', 1]);
  const half = {
    ...glassRoom,
    materials: glassRoom.materials.map((one) => (one.name === 'Pane' ? { ...one, transmission: 0.5 } : one)),
  };
  writeFileSync(join(folder, 'half.glb'), writeGlb(half));
  await run('cook', 'half.glb', '--out', 'half/room.untold');
  const { tiles } = JSON.parse((await run('diff', 'a/room.untold', 'half/room.untold', '--json')).stdout);
  expect(tiles[0].facts).toEqual([{ name: 'transmission of Pane', a: '1', b: '0.5' }]);
});

test('Urho3D gets alpha instead, which is said', async () => {
  const { stderr } = await run('cook', 'room.glb', '--out', 'u/room.mdl');
  expect(stderr).toContain('UC2313');
  expect(stderr).toContain('3 materials');
});

test('pictures of the source and of what is cooked show the ball behind the pane', async () => {
  const red = async (file: string) => {
    const camera = ['--camera', '-0.6,0.4,3,-0.6,0.35,-1', '--size', '64x64'];
    await run('render', file, '--out', 'picture.png', ...camera);
    const { data } = await sharp(join(folder, 'picture.png')).raw().toBuffer({ resolveWithObject: true });
    const [r, g, b] = data.subarray((32 * 64 + 32) * 3);
    return r > 2 * g && r > 2 * b;
  };
  for (const file of ['room.glb', 'room.usda', 'a/room.untold']) expect([file, await red(file)]).toEqual([file, true]);
  // A pane through which nothing passes hides it.
  const { json, bin } = gltfDocument(glassRoom, null);
  for (const material of json.materials as { extensions?: object }[]) delete material.extensions;
  const buffers = [{ byteLength: bin.length, uri: `data:application/octet-stream;base64,${bin.toString('base64')}` }];
  writeFileSync(join(folder, 'solid.gltf'), JSON.stringify({ ...json, buffers }));
  expect(await red('solid.gltf')).toBe(false);
});
