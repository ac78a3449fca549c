// USDZ packages: what is read from them, what is refused, how asset paths resolve. Archives are made by our writer and
// then altered at offsets of APPNOTE.TXT 4.3; unzipit and zlib are the independent readers.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { unzip } from 'unzipit';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../../src/bytes/crc32.ts';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { openUsdz } from '../../../src/importers/usdz/openUsdz.ts';
import { UnpackBudget } from '../../../src/importers/usdz/unpackBudget.ts';
import { type PackageFile, writeUsdz } from './usdzWriter.ts';

const text = (value: string) => new TextEncoder().encode(value);
const LAYER = text('#usda 1.0\n');

const file = (name: string, bytes: Uint8Array = text(name)): PackageFile => ({ name, bytes });
const SAMPLE = [file('scene.usda', LAYER), file('tex/a.png', Uint8Array.of(1, 2, 3)), file('größe.png')];

/** A package in memory; `read` gives all bytes of a file. */
function openBytes(bytes: Uint8Array, name: string, diagnostics: Diagnostics, budget?: UnpackBudget) {
  const pack = openUsdz(memoryContent(bytes), name, diagnostics, budget);
  return { ...pack, read: (entry: string) => pack.open(entry).whole as Uint8Array };
}

function open(bytes: Uint8Array) {
  const diagnostics = new Diagnostics();
  return { pack: openBytes(bytes, 'p.usdz', diagnostics), diagnostics };
}

/** The code of the error that opening ends in, '' for none. */
function codeOf(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics[0]?.code ?? 'none';
    throw error;
  }
}

const END_SIZE = 22;
const u16 = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint16(at, true);
const u32 = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);

/** Offsets of the central record and the local header of an entry. */
function records(bytes: Uint8Array, index: number): { central: number; local: number } {
  let central = u32(bytes, bytes.length - END_SIZE + 16);
  for (let i = 0; i < index; i++) {
    central += 46 + u16(bytes, central + 28) + u16(bytes, central + 30) + u16(bytes, central + 32);
  }
  return { central, local: u32(bytes, central + 42) };
}

/** A copy with numbers written at offsets: [offset, bytes, value]. */
function patch(bytes: Uint8Array, ...changes: [at: number, width: 1 | 2 | 4, value: number][]): Uint8Array {
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  for (const [at, width, value] of changes) {
    if (width === 1) view.setUint8(at, value);
    else if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
  }
  return out;
}

/** An archive with one deflated file after the root layer, its sizes as given. */
function deflated(
  content: Uint8Array,
  declared = content.length,
  data = new Uint8Array(deflateRawSync(content)),
): Uint8Array {
  const bytes = writeUsdz([file('scene.usda', LAYER), file('a.txt', data)]);
  const { central, local } = records(bytes, 1);
  const crc = crc32(content);
  return patch(
    bytes,
    [central + 10, 2, 8],
    [local + 8, 2, 8],
    [central + 16, 4, crc],
    [local + 14, 4, crc],
    [central + 24, 4, declared],
    [local + 22, 4, declared],
  );
}

describe('checksums', () => {
  it('equal the published ones', () => {
    expect(crc32(text(''))).toBe(0);
    expect(crc32(text('123456789'))).toBe(0xcbf43926);
    expect(crc32(text('The quick brown fox jumps over the lazy dog'))).toBe(0x414fa339);
    expect(crc32(new Uint8Array(32).fill(255))).toBe(0xff6cab0b);
  });
});

describe('packages', () => {
  it('lists files in order and reads them as views', () => {
    const bytes = writeUsdz(SAMPLE);
    const { pack, diagnostics } = open(bytes);
    expect(diagnostics.list).toEqual([]);
    expect(pack.identifier).toBe('p.usdz');
    // Header 30, name, padding to 64: 0 + 30 + 10 + 24, then 74 + 30 + 9 + 15, then 131 + 30 + 11 + 20.
    expect(pack.entries.map(({ name, offset, size }) => [name, offset, size])).toEqual([
      ['scene.usda', 64, 10],
      ['tex/a.png', 128, 3],
      ['größe.png', 192, 11],
    ]);
    expect(pack.root).toBe(pack.entries[0]);
    expect(pack.read('tex/a.png')).toEqual(Uint8Array.of(1, 2, 3));
    expect(pack.read('tex/a.png').buffer).toBe(bytes.buffer);
    expect(pack.has('tex/A.png')).toBe(false);
    expect(pack.identify('tex/a.png')).toBe('p.usdz[tex/a.png]');
    expect(codeOf(() => pack.read('nowhere'))).toBe('UC1608');
  });

  it('writes equal bytes for equal input, aligned, also for empty files and packages of many', () => {
    const many = Array.from({ length: 70 }, (_, i) => file(`${'n'.repeat(i + 1)}.usda`, new Uint8Array(i)));
    const bytes = writeUsdz(many);
    expect(writeUsdz(many)).toEqual(bytes);
    const { pack, diagnostics } = open(bytes);
    expect(diagnostics.list).toEqual([]);
    expect(pack.entries.every(({ offset }) => offset % 64 === 0)).toBe(true);
    expect(pack.entries.map(({ size }) => size)).toEqual(many.map((item) => item.bytes.length));
  });

  it('reads what an independent zip reader reads', async () => {
    const bytes = writeUsdz(SAMPLE);
    const { entries } = await unzip(bytes);
    const { pack } = open(bytes);
    expect(Object.keys(entries)).toEqual(pack.entries.map(({ name }) => name));
    for (const [name, entry] of Object.entries(entries)) {
      expect(new Uint8Array(await entry.arrayBuffer())).toEqual(pack.read(name));
    }
  });

  it('opens packages in packages', () => {
    const inner = writeUsdz([file('c.usda', LAYER), file('d.png')]);
    const { pack, diagnostics } = open(writeUsdz([file('a.usda', LAYER), file('sub/b.usdz', inner)]));
    const nested = openBytes(pack.read('sub/b.usdz'), pack.identify('sub/b.usdz'), diagnostics);
    expect(nested.identifier).toBe('p.usdz[sub/b.usdz]');
    expect(nested.root.name).toBe('c.usda');
    expect(nested.read('d.png')).toEqual(text('d.png'));
    expect(nested.identify('d.png')).toBe('p.usdz[sub/b.usdz[d.png]]');
    expect(diagnostics.list).toEqual([]);
  });

  it('takes the first USD file where another file comes first', () => {
    const { pack, diagnostics } = open(writeUsdz([file('a.png'), file('b.USDA', LAYER), file('c.usd')]));
    expect(pack.root.name).toBe('b.USDA');
    expect(diagnostics.list).toMatchObject([{ code: 'UC1622', path: 'b.USDA' }]);
    expect(codeOf(() => open(writeUsdz([file('a.png')])))).toBe('UC1607');
    expect(codeOf(() => open(writeUsdz([])))).toBe('UC1607');
  });

  it('orders files by their local headers, not by the directory', () => {
    const bytes = writeUsdz([file('a.usda', LAYER), file('b.usda', LAYER)]);
    // Swap the two central records, which are equally long.
    const first = records(bytes, 0).central;
    const size = 46 + 6;
    const swapped = bytes.slice();
    swapped.set(bytes.subarray(first + size, first + 2 * size), first);
    swapped.set(bytes.subarray(first, first + size), first + size);
    expect(open(swapped).pack.root.name).toBe('a.usda');
  });

  it('leaves folders out', () => {
    const { pack } = open(writeUsdz([file('tex/', new Uint8Array(0)), file('a.usda', LAYER)]));
    expect(pack.entries.map(({ name }) => name)).toEqual(['a.usda']);
  });

  it('reads a comment at the end, also one that looks like an archive', () => {
    const bytes = writeUsdz(SAMPLE);
    for (const comment of [
      text('made by hand'),
      new Uint8Array(0xffff).fill(32),
      text('PK\x05\x06 not the end, though long'),
    ]) {
      const out = new Uint8Array(bytes.length + comment.length);
      out.set(bytes);
      out.set(comment, bytes.length);
      expect(open(patch(out, [bytes.length - 2, 2, comment.length])).pack.entries).toHaveLength(3);
    }
  });

  it('unpacks deflated files, with a warning', () => {
    const content = text('so '.repeat(1000));
    const { pack, diagnostics } = open(deflated(content));
    expect(pack.read('a.txt')).toEqual(content);
    expect(pack.read('a.txt')).toBe(pack.read('a.txt'));
    expect(pack.read('a.txt').byteOffset % 8).toBe(0);
    expect(diagnostics.list).toMatchObject([{ code: 'UC1620', path: 'a.txt' }]);
    expect(open(deflated(new Uint8Array(0))).pack.read('a.txt')).toHaveLength(0);
  });

  it('copies files that are not aligned, with a warning', () => {
    // One byte before the archive moves everything; its offsets follow.
    const bytes = writeUsdz(SAMPLE);
    const moved = new Uint8Array(bytes.length + 1);
    moved.set(bytes, 1);
    const changes: [number, 4, number][] = [[moved.length - 6, 4, u32(bytes, bytes.length - 6) + 1]];
    for (let i = 0; i < 3; i++) {
      const { central, local } = records(bytes, i);
      changes.push([central + 1 + 42, 4, local + 1]);
    }
    const { pack, diagnostics } = open(patch(moved, ...changes));
    expect(diagnostics.list).toMatchObject([{ code: 'UC1621', path: 'scene.usda' }]);
    expect(diagnostics.list[0]?.message).toContain('3 of 3');
    expect(pack.read('scene.usda')).toEqual(LAYER);
    expect(pack.read('scene.usda').byteOffset % 8).toBe(0);
    // A Buffer gives a view where a Uint8Array gives a copy when it is sliced.
    const ofBuffer = open(Buffer.from(patch(moved, ...changes).buffer)).pack.read('scene.usda');
    expect([ofBuffer.byteOffset % 8, Buffer.from(ofBuffer).toString()]).toEqual([0, '#usda 1.0\n']);
  });

  it('reads entries whose sizes follow their data, with a warning', () => {
    const bytes = writeUsdz(SAMPLE);
    const { central, local } = records(bytes, 1);
    const streamed = patch(
      bytes,
      [central + 8, 2, 8],
      [local + 6, 2, 8],
      [local + 14, 4, 0],
      [local + 18, 4, 0],
      [local + 22, 4, 0],
    );
    const { pack, diagnostics } = open(streamed);
    expect(pack.read('tex/a.png')).toEqual(Uint8Array.of(1, 2, 3));
    expect(diagnostics.list).toMatchObject([{ code: 'UC1625' }]);
  });
});

describe('refused archives', () => {
  const bytes = writeUsdz(SAMPLE);
  const end = bytes.length - END_SIZE;
  const { central, local } = records(bytes, 1);
  const both = (offset: number, width: 1 | 2 | 4, value: number): [number, 1 | 2 | 4, number][] => [
    [central + offset, width, value],
    [local + offset - 2, width, value],
  ];

  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(0), 'UC1600'],
    ['no archive', text('#usda 1.0\n'.repeat(10)), 'UC1600'],
    ['an archive cut at its end', bytes.subarray(0, bytes.length - 1), 'UC1600'],
    ['an archive cut in its data', bytes.subarray(0, 150), 'UC1600'],
    ['bytes after the end', Uint8Array.of(...bytes, 0), 'UC1600'],
    ['a comment longer than the file', patch(bytes, [bytes.length - 2, 2, 5]), 'UC1600'],
    ['a directory beyond the file', patch(bytes, [end + 16, 4, bytes.length]), 'UC1601'],
    ['a directory longer than its place', patch(bytes, [end + 12, 4, 0x7fffffff]), 'UC1601'],
    ['more entries than the directory holds', patch(bytes, [end + 8, 2, 60000], [end + 10, 2, 60000]), 'UC1601'],
    ['one entry too many', patch(bytes, [end + 8, 2, 4], [end + 10, 2, 4]), 'UC1601'],
    ['no directory record', patch(bytes, [central, 4, 0]), 'UC1601'],
    ['a record beyond the directory', patch(bytes, [central + 32, 2, 0xffff]), 'UC1601'],
    ['no local header', patch(bytes, [local, 4, 0]), 'UC1601'],
    ['a local header beyond the file', patch(bytes, [central + 42, 4, 0x7fffffff]), 'UC1601'],
    ['another method in the local header', patch(bytes, [local + 8, 2, 8]), 'UC1601'],
    ['another checksum in the local header', patch(bytes, [local + 14, 4, 1]), 'UC1601'],
    ['another size in the local header', patch(bytes, [local + 22, 4, 4]), 'UC1601'],
    ['another name in the local header', patch(bytes, [local + 30, 1, 84]), 'UC1601'],
    ['another length of the name', patch(bytes, [local + 26, 2, 8]), 'UC1601'],
    ['other flags in the local header', patch(bytes, [local + 6, 2, 8]), 'UC1601'],
    ['a stored file of two sizes', patch(bytes, ...both(24, 4, 2)), 'UC1601'],
    ['data beyond the archive', patch(bytes, ...both(20, 4, 0x7fffff), ...both(24, 4, 0x7fffff)), 'UC1601'],
    ['data over the next file', patch(bytes, ...both(20, 4, 100), ...both(24, 4, 100)), 'UC1601'],
    ['encryption', patch(bytes, ...both(8, 2, 1)), 'UC1602'],
    ['strong encryption', patch(bytes, ...both(8, 2, 65)), 'UC1602'],
    ['an unknown method', patch(bytes, ...both(10, 2, 12)), 'UC1603'],
    ['several volumes', patch(bytes, [end + 4, 2, 1]), 'UC1603'],
    ['entries on another volume', patch(bytes, [end + 8, 2, 2]), 'UC1603'],
    ['a file on another volume', patch(bytes, [central + 34, 2, 1]), 'UC1603'],
    ['zip64 sizes', patch(bytes, ...both(20, 4, 0xffffffff)), 'UC1603'],
    ['a zip64 directory', patch(bytes, [end + 16, 4, 0xffffffff]), 'UC1603'],
    ['a zip64 locator', patch(bytes, [end - 20, 4, 0x07064b50]), 'UC1603'],
    ['a name that is not UTF-8', patch(bytes, [central + 46, 1, 0xff], [local + 30, 1, 0xff]), 'UC1604'],
    ['an absolute name', writeUsdz([file('/a.usda')]), 'UC1604'],
    ['a drive', writeUsdz([file('C:a.usda')]), 'UC1604'],
    ['a name that climbs', writeUsdz([file('a/../../b.usda')]), 'UC1604'],
    ['a dot in a name', writeUsdz([file('./b.usda')]), 'UC1604'],
    ['a hole in a name', writeUsdz([file('a//b.usda')]), 'UC1604'],
    ['an empty name', writeUsdz([file('')]), 'UC1604'],
    ['a control character', writeUsdz([file('a\n.usda')]), 'UC1604'],
    ['a climbing name with backslashes', writeUsdz([file('..\\a.usda')]), 'UC1604'],
    ['a climbing folder', writeUsdz([file('../')]), 'UC1604'],
    ['one name twice', writeUsdz([file('a.usda'), file('a.usda')]), 'UC1605'],
  ])('%s', (_, archive, code) => {
    expect(codeOf(() => open(archive))).toBe(code);
  });

  it('refuses two directory records for one file', () => {
    const twins = writeUsdz([file('a.usda', LAYER), file('b.usda', LAYER)]);
    const a = records(twins, 0);
    const b = records(twins, 1);
    // Both records and both names point at the second file.
    const same = patch(twins, [a.central + 42, 4, b.local], [a.central + 46, 1, 98]);
    expect(codeOf(() => open(same))).toBe('UC1605');
  });

  it('finds damage when a file is read, not before', () => {
    const damaged = patch(bytes, [128, 1, 99]);
    const { pack } = open(damaged);
    expect(pack.read('scene.usda')).toEqual(LAYER);
    expect(codeOf(() => pack.read('tex/a.png'))).toBe('UC1606');
  });

  it('bounds what it unpacks', () => {
    const content = text('x'.repeat(5000));
    const read = (archive: Uint8Array) => codeOf(() => open(archive).pack.read('a.txt'));
    expect(read(deflated(content))).toBe('');
    expect(read(deflated(content, 4999))).toBe('UC1606');
    expect(read(deflated(content, 5001))).toBe('UC1606');
    expect(read(deflated(content, 0x7ffffff0))).toBe('UC1606');
    expect(read(deflated(content, 0xf0000000))).toBe('UC1611');
    expect(read(deflated(content, 5000, Uint8Array.of(255, 255, 255, 255, 255)))).toBe('UC1606');
  });

  it('bounds what all packages of a source unpack to together', () => {
    const archive = deflated(text('x'.repeat(5000)));
    const budget = new UnpackBudget(9999);
    const read = (name: string) => openBytes(archive, name, new Diagnostics(), budget).read('a.txt');
    const pack = openBytes(archive, 'a.usdz', new Diagnostics(), budget);
    expect(pack.read('a.txt')).toHaveLength(5000);
    // What was unpacked already is not unpacked again.
    expect(pack.read('a.txt')).toHaveLength(5000);
    expect(codeOf(() => read('b.usdz'))).toBe('UC1611');
    // 156 bytes of archives allow 9984 bytes: less than the least; 157 allow 10048.
    budget.addArchive(156);
    expect(codeOf(() => read('b.usdz'))).toBe('UC1611');
    budget.addArchive(1);
    expect(read('b.usdz')).toHaveLength(5000);
    expect(codeOf(() => read('c.usdz'))).toBe('UC1611');
  });

  it('lets a source unpack 32 MiB, or 64 times its archives', () => {
    const budget = new UnpackBudget();
    expect(budget.limit).toBe(33_554_432);
    budget.addArchive(524_288);
    expect(budget.limit).toBe(33_554_432);
    budget.addArchive(1);
    expect(budget.limit).toBe(33_554_496);
    expect([budget.take(33_554_497), budget.take(33_554_496), budget.take(1)]).toEqual([false, true, false]);
  });
});

describe('asset paths', () => {
  const bytes = writeUsdz([
    file('main/root.usda', LAYER),
    file('main/tex/a.png'),
    file('main/lib/part.usda', LAYER),
    file('main/lib/tex/b.png'),
    file('main/lib/tex/A.PNG'),
    file('top.png'),
    file('main/inner.usdz', writeUsdz([file('x.usda', LAYER)])),
    file('odd/bracket[1].png'),
  ]);
  const PART = 'main/lib/part.usda';

  it.each<[string, string | null, string[]]>([
    ['tex/b.png', 'main/lib/tex/b.png', []],
    ['./tex/b.png', 'main/lib/tex/b.png', []],
    ['../tex/a.png', 'main/tex/a.png', []],
    // Search paths fall back to the folder of the root layer, anchored ones do not; the exact file there comes before
    // one of another case here.
    ['tex/a.png', 'main/tex/a.png', []],
    ['./tex/a.png', 'main/lib/tex/A.PNG', ['UC1623']],
    ['root.usda', 'main/root.usda', []],
    ['./root.usda', null, []],
    ['../../top.png', 'top.png', []],
    ['top.png', null, []],
    ['missing.png', null, []],
    ['tex\\b.png', 'main/lib/tex/b.png', ['UC1624']],
    ['TEX/B.png', 'main/lib/tex/b.png', ['UC1623']],
    ['tex/b.png:SDF_FORMAT_ARGS:target=x', 'main/lib/tex/b.png', []],
    ['../inner.usdz[x.usda]', 'main/inner.usdz[x.usda]', []],
    ['../../odd/bracket[1].png', 'odd/bracket[1].png', []],
    ['.', null, []],
    ['', null, []],
  ])('%j', (path, found, codes) => {
    const { pack, diagnostics } = open(bytes);
    const resolved = pack.resolve(path, PART, '/Prim.attr');
    expect(resolved).toBe(found);
    expect(diagnostics.list.map(({ code }) => code)).toEqual(codes);
    for (const item of diagnostics.list) {
      expect(item).toMatchObject({ file: 'p.usdz[main/lib/part.usda]', path: '/Prim.attr' });
    }
  });

  it.each([
    ['/main/root.usda', 'UC1205'],
    ['C:/a.png', 'UC1205'],
    ['file:///a.png', 'UC1205'],
    ['https://example.com/a.png', 'UC1205'],
    ['\\\\server\\a.png', 'UC1205'],
    ['../../../a.png', 'UC1609'],
    ['../../../../main/root.usda', 'UC1609'],
  ])('%j never leaves the package: %s', (path, code) => {
    expect(codeOf(() => open(bytes).pack.resolve(path, PART, ''))).toBe(code);
  });
});

describe('damaged packages', () => {
  it('end in a package or a coded error', () => {
    const sink = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../../fixtures/crate/sink-0.8.0.usdc')));
    const original = writeUsdz([file('sink.usdc', sink), ...SAMPLE]);
    let state = 1603;
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const directory = u32(original, original.length - 6);
    const seen = new Set<string>();
    for (let i = 0; i < 1000; i++) {
      let damaged = original.slice();
      for (let k = 1 + next(4); k > 0; k--) {
        // Most flips hit the structure.
        const at =
          next(4) === 0
            ? next(original.length)
            : next(3) === 0
              ? next(64)
              : directory + next(original.length - directory);
        damaged[at] = next(2) === 0 ? next(256) : (damaged[at] as number) ^ (1 << next(8));
      }
      if (i % 5 === 0) damaged = damaged.subarray(0, next(damaged.length));
      seen.add(
        codeOf(() => {
          const { pack } = open(damaged);
          for (const { name } of pack.entries) pack.read(name);
        }),
      );
    }
    for (const code of seen) expect(code).toMatch(/^(|UC16[01]\d)$/);
    expect(seen.size).toBeGreaterThan(4);
  });
});

const ASSETS = resolve(import.meta.dirname, '../../../../shared/assets/usd');

describe('packages of other people', () => {
  if (!existsSync(ASSETS)) {
    it.skip('the asset folder is not here', () => {});
    return;
  }
  const packages = (readdirSync(ASSETS, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.usdz'))
    .sort();

  it.each(packages)('%s reads as an independent zip reader reads it', async (name) => {
    const bytes = new Uint8Array(readFileSync(resolve(ASSETS, name)));
    const diagnostics = new Diagnostics();
    const pack = openBytes(bytes, name, diagnostics);
    expect(diagnostics.list).toEqual([]);
    expect(pack.root).toBe(pack.entries[0]);
    const { entries } = await unzip(bytes);
    const names = Object.keys(entries).filter((item) => !item.endsWith('/'));
    expect(pack.entries.map((item) => item.name).sort()).toEqual(names.sort());
    for (const item of names) {
      expect(
        Buffer.compare(
          pack.read(item),
          new Uint8Array(await (entries[item] as { arrayBuffer(): Promise<ArrayBuffer> }).arrayBuffer()),
        ),
      ).toBe(0);
    }
  });
});
