// texbake: images to cooked textures by their slots, and references of cooked files to them.

import { EventEmitter } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Findings } from '../../src/formats/findings.ts';
import { assemble } from '../../src/formats/untold/container/assemble.ts';
import { type Chunk, plainChunk } from '../../src/formats/untold/container/chunks.ts';
import { type ChunkEntry, type Container, readContainer } from '../../src/formats/untold/container/container.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { encodePng } from '../../src/textures/encode/png.ts';
import { untold, untoldBytes } from '../support/command.ts';
import { contents, filesBelow, put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => untold(folder, args);
const file = (path: string) => new Uint8Array(readFileSync(join(folder, path)));
const png = (width: number, height: number) =>
  encodePng(new Uint8Array(width * height * 3).fill(90), width, height, false);

/** pixelFormat, width, height and mips, as they stand in the header (utex.md 1). */
function header(path: string): number[] {
  const view = new DataView(file(path).buffer);
  return [28, 16, 20, 24].map((at) => view.getUint32(at, true));
}

describe('an image', () => {
  // Raw values of MTLPixelFormat: ASTC 4x4 sRGB 186, 4x4 linear 204, 6x6 linear 208. Mips: floor(log2(12)) + 1.
  test.each([
    ['base_color', 186],
    ['emissive', 186],
    ['normal', 204],
    ['roughness', 208],
    ['orm', 208],
    ['data', 208],
  ])('of the slot %s has its format, the size of the image and all mips', async (slot, format) => {
    put(folder, 'a.png', await png(12, 5));
    const { code, stdout } = await run(
      'texbake',
      '--input',
      'a.png',
      '--output',
      'out/b.utex',
      '--slot',
      slot,
      '--json',
    );
    expect([code, header('out/b.utex')]).toEqual([0, [format, 12, 5, 4]]);
    expect(JSON.parse(stdout).baked).toEqual([
      { image: 'a.png', out: 'out/b.utex', slot, width: 12, height: 5, mipCount: 4, bytes: file('out/b.utex').length },
    ]);
    expect((await run('validate', 'out/b.utex')).code).toBe(0);
    expect(filesBelow(folder)).toEqual(['a.png', 'out/b.utex']);
  });

  test.each([
    ['wall_albedo', 'base_color'],
    ['Lamp_Emit', 'emissive'],
    ['color_normal', 'base_color'],
    ['wall_nrm', 'normal'],
    ['wall_rough', 'roughness'],
    ['wall_ao', 'occlusion'],
    ['wall_orm', 'orm'],
    ['leaf_mask', 'opacity'],
    ['stem_02 rough', 'data'],
  ])('%s is %s by its name', async (name, slot) => {
    put(folder, `${name}.png`, await png(4, 4));
    const { stdout } = await run('texbake', '--input', `${name}.png`, '--json', '--quality', 'fast');
    expect(JSON.parse(stdout).baked).toMatchObject([{ out: `${name}.utex`, slot }]);
  });

  test('that is a height map stays an image', async () => {
    put(folder, 'a/wall_height.png', await png(4, 4));
    const alone = await run('texbake', '--input', 'a/wall_height.png');
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('error UC2118 a/wall_height.png')]);
    const all = await run('texbake', '--dir', 'a');
    expect([all.code, all.stderr]).toEqual([0, expect.stringContaining('warning UC2117 a/wall_height.png')]);
    expect(filesBelow(folder)).toEqual(['a/wall_height.png']);
  });

  test('takes the qualities of the engine, and says where two are one', async () => {
    put(folder, 'a.png', await png(16, 16));
    for (const [quality, same] of [
      ['fastest', 'fast'],
      ['exhaustive', 'thorough'],
    ]) {
      const { stdout } = await run('texbake', '--input', 'a.png', '--quality', quality, '--keep-temp', '--json');
      expect(JSON.parse(stdout).diagnostics.map(({ path }: { path: string }) => path)).toEqual([
        '--keep-temp',
        '--quality',
      ]);
      const given = contents(folder)['a.utex'];
      await run('texbake', '--input', 'a.png', '--quality', same);
      expect(contents(folder)['a.utex']).toBe(given);
    }
  });
});

/** A square whose texture is an image beside it, exported as PNG. */
async function exported(output: string, names = ['square']): Promise<void> {
  const json = JSON.parse(squareGltf({ image: 'wall.png' }));
  json.nodes = names.map((name, i) => ({ name, mesh: i, translation: [3 * i, 0, 0], scale: [1 + i, 1, 1] }));
  json.scenes = [{ nodes: names.map((_, i) => i) }];
  json.meshes = names.map(() => json.meshes[0]);
  put(folder, 'kit.gltf', JSON.stringify(json));
  put(folder, 'wall.png', await png(8, 4));
  expect((await run('export', '--input', 'kit.gltf', '--output', output)).code).toBe(0);
}

describe('--patch-refs', () => {
  test('lets a file name the textures of its folder, and leaves all else as it is', async () => {
    await exported('out/chair.untold');
    const before = await readUntold(file('out/chair.untold'), '');
    const { code, stderr } = await run('texbake', '--dir', 'out/Textures', '--patch-refs', 'out/chair.untold');
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 reference in 1 file changed')]);
    const after = await readUntold(file('out/chair.untold'), '');
    const uri = before.textures[0].uri.replace('.png', '.utex');
    // The record's flag says that it is a base colour; 4 is ASTC 4x4.
    expect(after).toEqual({ ...before, textures: [{ ...before.textures[0], uri, format: 4 }] });
    expect(header(`out/${uri}`)).toEqual([186, 8, 4, 4]);
    expect(filesBelow(join(folder, 'out/Textures'))).toHaveLength(2);
    expect((await run('validate', '--strict', 'out')).code).toBe(0);
    const again = contents(join(folder, 'out'));
    expect((await run('texbake', '--patch-refs', 'out/chair.untold')).stderr).toContain(
      '0 references in 1 file changed',
    );
    expect(contents(join(folder, 'out'))).toEqual(again);
  });

  test.skipIf(process.platform === 'win32')('writes through a link, and the file keeps its mode', async () => {
    await exported('out/chair.untold');
    mkdirSync(join(folder, 'store'));
    renameSync(join(folder, 'out/chair.untold'), join(folder, 'store/real.untold'));
    chmodSync(join(folder, 'store/real.untold'), 0o640);
    symlinkSync('../store/real.untold', join(folder, 'out/chair.untold'));
    const { code, stderr } = await run('texbake', '--dir', 'out/Textures', '--patch-refs', 'out/chair.untold');
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 reference in 1 file changed')]);
    expect(lstatSync(join(folder, 'out/chair.untold')).isSymbolicLink()).toBe(true);
    expect(statSync(join(folder, 'store/real.untold')).mode & 0o777).toBe(0o640);
    expect((await readUntold(file('store/real.untold'), '')).textures[0].uri).toMatch(/\.utex$/);
  });

  test('takes all models of a pack', async () => {
    await exported('out/kit.untoldpack', ['chair', 'table']);
    const { code, stdout } = await run(
      'texbake',
      '--dir',
      'out/Textures',
      '--patch-refs',
      'out/kit.untoldpack',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).patched).toEqual([
      { path: 'out/chair/chair.untold', textures: 1 },
      { path: 'out/table/table.untold', textures: 1 },
    ]);
    const { textures } = await readUntold(file('out/table/table.untold'), '');
    expect(textures[0].uri).toMatch(/^\.\.\/Textures\/\w+\.utex$/);
    expect((await run('validate', '--strict', 'out')).code).toBe(0);
  });

  test('keeps chunks that are not known, and the flags of the header', async () => {
    await exported('out/chair.untold');
    const open = async () =>
      (await readContainer(file('out/chair.untold'), new Findings(''), { engine: false })) as Container;
    const { bytes, entries, header: facts } = await open();
    const chunks = entries.map(({ fileOffset, compressedSize: size, ...entry }): Chunk => {
      const parts = [bytes.subarray(fileOffset, fileOffset + size)];
      return { ...entry, compression: 'none', parts, size };
    });
    const unknown = plainChunk(28, [Uint8Array.of(1, 2, 3, 4)], 1);
    const flags = 2 ** 31;
    put(
      folder,
      'out/chair.untold',
      assemble({ ...facts, flags, fileType: 'tile' }, facts.formatVersion, [...chunks, unknown]),
    );
    const { code, stderr } = await run('texbake', '--dir', 'out/Textures', '--patch-refs', 'out/chair.untold');
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 reference in 1 file changed')]);
    const after = await open();
    expect(after.header.flags).toBe(flags);
    const { fileOffset, compressedSize } = after.entries.find(({ type }) => type === 28) as ChunkEntry;
    expect([...after.bytes.subarray(fileOffset, fileOffset + compressedSize)]).toEqual([1, 2, 3, 4]);
  });

  test('refuses what is damaged and models outside of a pack, before anything is baked', async () => {
    await exported('out/kit.untoldpack', ['chair', 'table']);
    const path = 'out/table/table.untold';
    const whole = file(path);
    const before = filesBelow(folder);
    for (const bytes of [
      new Uint8Array(0),
      whole.subarray(0, 100),
      whole.subarray(0, 500),
      Uint8Array.of(...whole.slice(0, 8), 9),
    ]) {
      put(folder, path, bytes);
      const { code, stderr } = await run('texbake', '--dir', 'out/Textures', '--patch-refs', 'out/kit.untoldpack');
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^error UC3\d{3} out\/table\/table\.untold/)]);
      expect(filesBelow(folder)).toEqual(before);
    }
    put(folder, path, whole);
    const pack = JSON.parse(readFileSync(join(folder, 'out/kit.untoldpack'), 'utf8'));
    pack.models[0].path = '../chair.untold';
    put(folder, 'out/kit.untoldpack', JSON.stringify(pack));
    put(folder, 'chair.untold', whole);
    const { code, stderr } = await run('texbake', '--patch-refs', 'out/kit.untoldpack');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error UC3198 out/kit.untoldpack')]);
    expect(file('chair.untold')).toEqual(whole);
  });
});

test('images that would become one file are left out, and the others are baked', async () => {
  for (const name of ['a.png', 'A.jpg', 'b.png']) put(folder, `in/${name}`, await png(4, 4));
  const { code, stderr } = await run('texbake', '--dir', 'in', '--quality', 'fast');
  expect(code).toBe(2);
  expect(stderr).toContain('error UC1005 in/A.jpg: writes A.utex, as a.png');
  expect(stderr).toContain('error UC1005 in/a.png: writes a.utex, as A.jpg');
  expect(filesBelow(join(folder, 'in'))).toEqual(['A.jpg', 'a.png', 'b.png', 'b.utex']);
  expect(stderr).not.toMatch(/--(root|on-clash)/);
});

test('a texture that is replaced by another one is named', async () => {
  put(folder, 'a.png', await png(4, 4));
  put(folder, 'a.utex', 'of somebody else');
  expect((await run('texbake', '--input', 'a.png', '--verbose')).stderr).toContain(
    'info UC2150 a.utex: baked of a.png',
  );
  expect((await run('texbake', '--input', 'a.png', '--verbose')).stderr).not.toContain('UC2150');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends it with %i while an image is encoded, and nothing is written', async (signal, exit) => {
  const noise = new Uint8Array(512 * 512 * 3).map((_, i) => (i * i * 31) >> 3);
  put(folder, 'a_normal.png', await encodePng(noise, 512, 512, false));
  const events = new EventEmitter();
  events.on('newListener', (name) => {
    if (name === signal) setTimeout(() => events.emit(signal, signal), 50);
  });
  const { code, stderr } = await untoldBytes(folder, ['texbake', '--input', 'a_normal.png'], { events });
  expect([code, stderr]).toEqual([exit, expect.stringContaining(`error UC1098: stopped by ${signal}`)]);
  await new Promise((done) => setTimeout(done, 50));
  expect(filesBelow(folder)).toEqual(['a_normal.png']);
});

test('images that fail do not stop the others', async () => {
  put(folder, 'a/bad.png', 'no image');
  put(folder, 'a/cut.png', (await png(8, 8)).subarray(0, 40));
  put(folder, 'a/good.png', await png(8, 8));
  put(folder, 'a/notes.txt', 'text');
  const { code, stderr } = await run('texbake', '--dir', 'a', '--quality', 'fast');
  expect(code).toBe(1);
  expect(stderr).toContain('error UC2100 a/bad.png');
  expect(stderr).toMatch(/error UC210[12] a\/cut.png/);
  expect(stderr).not.toContain('--missing-texture');
  expect(filesBelow(join(folder, 'a'))).toContain('good.utex');
});

test.each([
  [[], 2, 'UC1002 --input'],
  [['--input', 'a.png', '--dir', '.'], 2, 'UC1012 --dir'],
  [['--input', 'a.png', '--output', 'a.astc'], 2, 'UC1003 --output'],
  [['--output', 'a.utex'], 2, 'UC1002 --input'],
  [['--dir', 'gone'], 2, 'UC1003 --dir'],
  [['--input', 'gone.png'], 3, 'UC1200 gone.png'],
  [['--patch-refs', 'gone.untold'], 3, 'UC1200 gone.untold'],
])('%j is refused', async (args, exit, said) => {
  put(folder, 'a.png', await png(4, 4));
  const { code, stderr } = await run('texbake', ...args);
  expect([code, stderr]).toEqual([exit, expect.stringContaining(said)]);
  expect(filesBelow(folder)).toEqual(['a.png']);
});
