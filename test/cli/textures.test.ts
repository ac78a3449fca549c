// Textures through the command line: what the modes write and what the records say of it.

import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { readUtex } from '../../src/formats/utex/read.ts';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { untoldProcess } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  put(folder, 'wall.gltf', squareGltf({ image: 'bricks 1.png' }));
  const data = Uint8Array.from({ length: 64 * 32 * 3 }, (_, i) => 128 + 100 * Math.sin(i / 50));
  put(
    folder,
    'bricks 1.png',
    await sharp(data, { raw: { width: 64, height: 32, channels: 3 } })
      .png()
      .toBuffer(),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cook = (out: string, ...options: readonly string[]) =>
  untold(folder, ['cook', 'wall.gltf', '--out', out, '--quiet', ...options]);
const texturesOf = (out: string) => readdirSync(join(folder, out, 'Textures')).sort();
const recordsOf = async (file: string) => (await readUntold(readFileSync(join(folder, file)), file)).textures;

describe('--textures', () => {
  test('utex is the default: one file, named by its stem and content, which the record describes', async () => {
    expect(await cook('a/wall.untold')).toEqual({ code: 0, stdout: '', stderr: '' });
    const [name, ...more] = texturesOf('a');
    expect(more).toEqual([]);
    const bytes = readFileSync(join(folder, 'a/Textures', name));
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(name).toBe(`bricks_1.${hash.slice(0, 8)}.utex`);
    const { header } = readUtex(bytes, name);
    expect([header.width, header.height, header.mipCount, header.pixelFormat]).toEqual([64, 32, 7, 188]);
    expect(await recordsOf('a/wall.untold')).toEqual([
      { name, uri: `Textures/${name}`, format: 5, flags: 1, width: 64, height: 32, mipCount: 7 },
    ]);
    expect((await untold(folder, ['validate', 'a', '--strict'])).code).toBe(0);
  });

  test('keep leaves the image, png writes it anew', async () => {
    await cook('keep/wall.untold', '--textures', 'keep');
    const kept = texturesOf('keep');
    expect(readFileSync(join(folder, 'keep/Textures', kept[0]))).toEqual(readFileSync(join(folder, 'bricks 1.png')));
    put(folder, 'bricks 1.png', await sharp(join(folder, 'bricks 1.png')).webp({ lossless: true }).toBuffer());
    await cook('png/wall.untold', '--textures', 'png');
    const [name] = texturesOf('png');
    expect(name).toMatch(/^bricks_1_[0-9a-f]{8}\.png$/);
    const [a, b] = await Promise.all(
      [join(folder, 'keep/Textures', kept[0]), join(folder, 'png/Textures', name)].map((path) =>
        sharp(path).removeAlpha().raw().toBuffer(),
      ),
    );
    expect(a.equals(b)).toBe(true);
    expect((await recordsOf('png/wall.untold'))[0]).toMatchObject({ format: 0, mipCount: 1 });
  });

  test('the same bytes for any number of threads, and with a cache, where the second cook encodes nothing', async () => {
    await cook('a/wall.untold', '--jobs', '1', '--no-cache');
    const before = texturesOf('a');
    for (const [out, ...options] of [
      ['b', '--jobs', '2', '--no-cache'],
      ['c', '--jobs', '4', '--cache-dir', 'cache'],
      ['d', '--jobs', '1', '--cache-dir', 'cache'],
    ]) {
      await cook(`${out}/wall.untold`, ...options);
      expect([out, texturesOf(out)]).toEqual([out, before]);
    }
    // An entry with other mips under the same key shows that it is taken.
    expect(filesBelow(join(folder, 'cache/content/texture'))).toHaveLength(1);
  });

  test('the size and the pixels are limited, and limits are errors of their own', async () => {
    await cook('small/wall.untold', '--max-texture-size', '16');
    const [name] = texturesOf('small');
    expect(readUtex(readFileSync(join(folder, 'small/Textures', name)), name).header).toMatchObject({
      width: 16,
      height: 8,
    });
    const large = await untold(folder, ['cook', 'wall.gltf', '--out', 'large.untold', '--max-pixels', '2047']);
    expect(large.code).toBe(5);
    expect(large.stderr).toContain('UC2103');
    expect(large.stderr).toContain('--max-pixels');
    expect((await untold(folder, ['cook', 'wall.gltf', '--out', 'x.untold', '--texture-quality', 'best'])).code).toBe(
      2,
    );
  });
});

describe('--astc-encoder astcenc', () => {
  /** A program that answers like astcenc, and does `rest` when it is asked to encode. */
  function program(rest: string): string {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    const path = join(folder, 'bin', 'astcenc');
    const version = 'if [ "$1" = -version ]; then echo "astcenc v9.8.7, 64-bit test"; exit 0; fi';
    writeFileSync(path, `#!/bin/sh\n${version}\n${rest}\n`);
    chmodSync(path, 0o755);
    return path;
  }
  // Threads look for the program again, and have the variables of their process.
  const withProgram = (path: string) =>
    untoldProcess(
      folder,
      [
        ...['cook', 'wall.gltf', '--out', 'a/wall.untold', '--no-cache'],
        ...['--astc-encoder', 'astcenc', '--texture-blocks', '4x4'],
      ],
      { ASTCENC_BIN: path, PATH: '/nowhere:/bin:/usr/bin' },
    );

  test('that is not there, or is something else, is an error of the environment', () => {
    const gone = withProgram(join(folder, 'gone'));
    expect([gone.code, gone.stderr.includes('UC1107')]).toEqual([3, true]);
    const other = withProgram('/bin/true');
    expect([other.code, other.stderr.includes('does not name a version')]).toEqual([3, true]);
  });

  test.skipIf(process.platform === 'win32')('that fails or writes something else leaves nothing behind', () => {
    for (const [rest, words] of [
      ['echo "out of luck" >&2; exit 3', 'out of luck'],
      ['echo no > "$3"', 'wrote no .astc file of 68 x 48 pixels'],
    ]) {
      const { code, stderr } = withProgram(program(rest));
      expect([code, stderr.includes('UC1108'), stderr.includes(words)]).toEqual([3, true, true]);
    }
    expect(readdirSync(folder)).not.toContain('a');
  });

  test.skipIf(process.platform === 'win32')('writes the blocks of each mip into the file', () => {
    // Blocks of the right number, all of one colour; the size comes from the header of the TGA.
    const encode = [
      'node -e \'const f=require("fs");const [i,o,b]=process.argv.slice(1);const t=f.readFileSync(i);',
      'const w=t.readUInt16LE(12),h=t.readUInt16LE(14),s=parseInt(b);',
      'const n=Math.ceil(w/s)*Math.ceil(h/s);const a=Buffer.alloc(16+n*16);',
      'a.set([0x13,0xab,0xa1,0x5c,s,s,1]);a.writeUInt16LE(w,7);a.writeUInt16LE(h,10);a[13]=1;',
      'for(let k=0;k<n;k++)a.set([0xfc,0xfd,255,255,255,255,255,255,1,1,2,2,3,3,255,255],16+k*16);',
      'f.writeFileSync(o,a)\' "$2" "$3" "$4"',
    ].join('');
    const { code, stderr } = untoldProcess(
      folder,
      ['cook', 'wall.gltf', '--out', 'a/wall.untold', '--astc-encoder', 'astcenc', '--no-cache', '--quiet'],
      { ASTCENC_BIN: program(encode) },
    );
    expect([code, stderr]).toEqual([0, '']);
    const [name] = texturesOf('a');
    const { mips } = readUtex(readFileSync(join(folder, 'a/Textures', name)), name);
    expect(mips).toHaveLength(7);
    for (const { bytes } of mips) expect([...bytes.subarray(8, 16)]).toEqual([1, 1, 2, 2, 3, 3, 255, 255]);
  });
});
