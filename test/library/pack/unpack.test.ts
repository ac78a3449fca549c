// What is unpacked, and what is not: nothing from a package that is cut, damaged or leads out of the folder.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { crc32 } from '../../../src/bytes/crc32.ts';
import { writeUsdz } from '../../../src/formats/usdz/write.ts';
import { pack, unpack } from '../../../src/index.ts';
import { nameFault } from '../../../src/library/pack/names.ts';
import { put, temporaryFolder } from '../../support/files.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const LAYER = bytesOf('#usda 1.0\n');
const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) => diagnostics.map(({ code }) => code);
const usdz = (...names: string[]) =>
  writeUsdz([{ name: 'a.usda', bytes: LAYER }, ...names.map((name) => ({ name, bytes: bytesOf(name) }))], 'x.usdz');
const unpackBytes = (bytes: Uint8Array, options = {}) => {
  writeFileSync(at('x.usdz'), bytes);
  return unpack(at('x.usdz'), { out: at('out'), ...options });
};
const files = () =>
  existsSync(at('out'))
    ? readdirSync(at('out'), { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.'))
    : [];

/** Puts values into the central and the local record of the last entry of a package. */
function withFields(package_: Uint8Array, central: Record<number, number>, local: Record<number, number> = {}) {
  const bytes = Buffer.from(package_);
  const record = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  const header = bytes.readUInt32LE(record + 42);
  for (const [offset, value] of Object.entries(central)) bytes.writeUInt16LE(value, record + Number(offset));
  for (const [offset, value] of Object.entries(local)) bytes.writeUInt16LE(value, header + Number(offset));
  return new Uint8Array(bytes);
}

describe('a package that is not sound', () => {
  test('is refused at every length, by a code, and leaves no folder', async () => {
    const bytes = usdz('b.png', 'c/d.png');
    const failed: number[] = [];
    for (let length = 0; length < bytes.length; length++) {
      const result = await unpackBytes(bytes.subarray(0, length));
      if (result.exitCode === 0 || result.diagnostics.length === 0 || existsSync(at('out'))) failed.push(length);
    }
    expect(failed).toEqual([]);
    expect((await unpackBytes(bytes)).exitCode).toBe(0);
  });

  test('of BPX is refused at every length too', async () => {
    put(folder, 'in/a.txt', 'one');
    put(folder, 'in/b/c.txt', 'two');
    for (const layout of ['spec', 'crate'] as const) {
      await pack(at('in'), { out: at('x.bpx'), layout });
      const bytes = readFileSync(at('x.bpx'));
      const failed: number[] = [];
      for (let length = 0; length < bytes.length; length++) {
        const result = await unpackBytes(bytes.subarray(0, length));
        if (result.exitCode === 0 || result.diagnostics.length === 0 || existsSync(at('out'))) failed.push(length);
      }
      expect([layout, failed]).toEqual([layout, []]);
    }
  });

  test('leaves nothing when a file that is not asked for is damaged', async () => {
    const bytes = usdz('b.png');
    bytes[64] ^= 1;
    expect(codes(await unpackBytes(bytes, { only: ['b.png'] }))).toEqual(['UC1606']);
    expect(files()).toEqual([]);
  });

  test.each(['../b.png', '/b.png', 'C:/b.png', 'b/../../c.png', 'b\u0001.png'])('with the name %j', async (name) => {
    expect(codes(await unpackBytes(usdz(name)))).toEqual(['UC1604']);
  });

  test.each([
    ['nul.png', 'UC3803'],
    ['b/COM1', 'UC3803'],
    ['b./c.png', 'UC3803'],
    ['bc:d.png', 'UC3803'],
    ['.cooking/x.png', 'UC3803'],
    ['A.usda', 'UC3804'],
    ['a.usda/b.png', 'UC3804'],
    ['.x.usdz.unpacked.json', 'UC3804'],
  ])('with the name %j', async (name, code) => {
    expect(codes(await unpackBytes(usdz(name)))).toEqual([code]);
    expect(files()).toEqual([]);
  });

  test('with a link', async () => {
    const link = withFields(usdz('b.png'), { 4: (3 << 8) | 20, 40: 0o120777 });
    expect(codes(await unpackBytes(link))).toEqual(['UC3821']);
    const file = withFields(usdz('b.png'), { 4: (3 << 8) | 20, 40: 0o100644 });
    expect((await unpackBytes(file)).exitCode).toBe(0);
  });

  test('with compressed files', async () => {
    const plain = bytesOf('b'.repeat(100));
    const packed = deflateRawSync(plain);
    const stored = Buffer.from(
      writeUsdz(
        [
          { name: 'a.usda', bytes: LAYER },
          { name: 'b.png', bytes: packed },
        ],
        'x',
      ),
    );
    const record = stored.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    const header = stored.readUInt32LE(record + 42);
    for (const [start, method, crc, size] of [
      [record, 10, 16, 24],
      [header, 8, 14, 22],
    ]) {
      stored.writeUInt16LE(8, start + method);
      stored.writeUInt32LE(crc32(plain), start + crc);
      stored.writeUInt32LE(plain.length, start + size);
    }
    const result = await unpackBytes(new Uint8Array(stored));
    expect([codes(result), result.exitCode, files()]).toEqual([['UC1620'], 1, []]);
  });

  test('that is no package', async () => {
    expect(codes(await unpackBytes(bytesOf('#usda 1.0\n')))).toEqual(['UC3820']);
    const texture = readFileSync(join(import.meta.dirname, '../../fixtures/bpx/good_texture.bpx'));
    expect(codes(await unpackBytes(texture))).toEqual(['UC3820']);
    expect(codes(await unpack(at('gone.usdz'), { out: at('out') }))).toEqual(['UC1200']);
    expect(codes(await unpack(at('x.usdz')))).toEqual(['UC1002']);
  });
});

test('names are sound, or it is said why not', () => {
  expect(['a.png', 'a b/c.d/e', 'com10', 'nullify.png', 'é/ü'].map(nameFault)).toEqual(Array(5).fill(null));
  const faulty = [
    '',
    '/a',
    'a//b',
    './a',
    'a\\b',
    'c:a',
    'a\n',
    'AUX',
    'lpt9.txt',
    'a ',
    'con.a.b',
    'conin$',
    'com¹',
    '.cooking',
  ];
  expect(faulty.filter((name) => nameFault(name) === null)).toEqual([]);
});

describe('unpacking', () => {
  test('again replaces what the first call wrote, and nothing else', async () => {
    put(folder, 'out/mine.txt', 'mine');
    expect((await unpackBytes(usdz('b.png', 'c/d.png'))).exitCode).toBe(0);
    expect(files().sort()).toEqual(['a.usda', 'b.png', 'c', 'c/d.png', 'mine.txt']);
    // A file that was changed since is of whoever changed it.
    put(folder, 'out/c/d.png', 'changed');
    expect((await unpackBytes(usdz('e.png'))).exitCode).toBe(0);
    expect(files().sort()).toEqual(['a.usda', 'c', 'c/d.png', 'e.png', 'mine.txt']);
    expect(codes(await unpackBytes(usdz('mine.txt')))).toEqual(['UC4001']);
    expect(readFileSync(at('out/mine.txt'), 'utf8')).toBe('mine');
    expect(files()).toContain('e.png');
    expect((await unpackBytes(usdz('mine.txt'), { force: true })).exitCode).toBe(0);
    expect(readFileSync(at('out/mine.txt'), 'utf8')).toBe('mine.txt');
  });

  test('follows no link that lies in the folder', async () => {
    mkdirSync(at('out'));
    mkdirSync(at('elsewhere'));
    symlinkSync(at('elsewhere'), at('out/c'));
    expect(codes(await unpackBytes(usdz('c/d.png'), { force: true }))).toEqual(['UC4001']);
    expect(readdirSync(at('elsewhere'))).toEqual([]);
  });

  test('removes nothing that a record of others names', async () => {
    put(folder, 'mine.txt', 'mine');
    const sha256 = '0'.repeat(64);
    const record = { untoldUnpacked: 1, files: [['../mine.txt', sha256]] };
    put(folder, 'out/.x.usdz.unpacked.json', JSON.stringify(record));
    expect(codes(await unpackBytes(usdz()))).toEqual(['UC4001']);
    expect(readFileSync(at('mine.txt'), 'utf8')).toBe('mine');
  });

  test('takes what --only names: names at any depth, paths from the root', async () => {
    const bytes = usdz('b.png', 'c/d.png', 'c/e/f.png');
    const taken = async (...only: string[]) => {
      const { document } = await unpackBytes(bytes, { only });
      return document?.files.map(({ path }) => path);
    };
    expect(await taken('*.usda')).toEqual(['a.usda']);
    expect(await taken('[df].png')).toEqual(['c/d.png', 'c/e/f.png']);
    expect(await taken('c/*.png')).toEqual(['c/d.png']);
    expect(await taken('c')).toEqual(['c/d.png', 'c/e/f.png']);
    expect(await taken('c/e', 'b.{png,jpg}')).toEqual(['b.png', 'c/e/f.png']);
    // What earlier calls wrote stays, and is known: the next package without it removes it.
    expect(files().sort()).toEqual(['a.usda', 'b.png', 'c', 'c/d.png', 'c/e', 'c/e/f.png']);
    const { exitCode } = await unpackBytes(usdz('b.png'));
    expect([exitCode, files().sort()]).toEqual([0, ['a.usda', 'b.png']]);
    await unpackBytes(bytes);
    const none = await unpackBytes(bytes, { only: ['*.exr'] });
    expect([codes(none), none.exitCode]).toEqual([['UC3822'], 2]);
  });

  test.each([
    ['crate', false],
    ['spec', false],
    ['spec', true],
  ] as const)('of BPX, layout %s, compressed %s, gives the same tree', async (layout, compress) => {
    put(folder, 'in/a.txt', 'one '.repeat(1000));
    put(folder, 'in/b/c.bin', new Uint8Array(0));
    put(
      folder,
      'in/b/d.bin',
      Uint8Array.from({ length: 999 }, (_, i) => i),
    );
    const packed = await pack(at('in'), { out: at('x.bpx'), layout, compress });
    expect(packed.exitCode).toBe(0);
    expect(packed.document?.files.map(({ path }) => path)).toEqual(['a.txt', 'b/c.bin', 'b/d.bin']);
    const again = readFileSync(at('x.bpx'));
    await pack(at('in'), { out: at('x.bpx'), layout, compress });
    expect(readFileSync(at('x.bpx'))).toEqual(again);
    expect((await unpack(at('x.bpx'), { out: at('out') })).exitCode).toBe(0);
    for (const name of ['a.txt', 'b/c.bin', 'b/d.bin']) {
      expect(readFileSync(at(`out/${name}`))).toEqual(readFileSync(at(`in/${name}`)));
    }
  });

  test('of BPX takes no options of USDZ, and compresses one layout alone', async () => {
    put(folder, 'in/a.txt', 'one');
    expect(codes(await pack(at('in'), { out: at('x.bpx'), defaultLayer: 'a' }))).toEqual(['UC1012']);
    expect(codes(await pack(at('in'), { out: at('x.bpx'), compress: true }))).toEqual(['UC1012']);
    expect(codes(await pack(at('in'), { out: at('x.bpx'), nix: 1 } as object))).toEqual(['UC1001']);
  });
});
