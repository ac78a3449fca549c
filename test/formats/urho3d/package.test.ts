// Packages: fixtures of another writer, a file by hand, and one fault for each code.

import { describe, expect, test } from 'vitest';
import { packLz4Fast } from '../../../src/formats/untold/container/lz4.ts';
import { nameFault, sdbm } from '../../../src/formats/urho3d/package/layout.ts';
import { listPackage, readPackage, validatePackage } from '../../../src/formats/urho3d/package/read.ts';
import { writePackage } from '../../../src/formats/urho3d/package/write.ts';
import { bytesOf, codesOf, expectPrefixesRefused, fixture, fixtures, type Piece } from './fixtures.ts';

const BROKEN: Readonly<Record<string, readonly string[]>> = {
  bad_lz4_grow: ['UC3951'],
  bad_lz4_size: ['UC3902'],
  bad_lz4_sum: ['UC3958', 'UC3958'],
  bad_magic: ['UC3900'],
  bad_none: ['UC3900'],
  bad_pak_abs: ['UC3950'],
  bad_pak_count: ['UC3902'],
  bad_pak_drive: ['UC3950'],
  bad_pak_end: ['UC3902'],
  bad_pak_entry: ['UC3958', 'UC3958'],
  bad_pak_far: ['UC3902'],
  bad_pak_gap: ['UC3902'],
  bad_pak_off: ['UC3902'],
  bad_pak_size: ['UC3902'],
  bad_pak_sum: ['UC3958'],
  bad_pak_twice: ['UC3951'],
  bad_pak_up: ['UC3950'],
};

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const ascending = (count: number) => Uint8Array.from({ length: count }, (_, i) => i);

describe('fixtures of packages', () => {
  const good = fixtures(/^good.*\.pak$/);

  test('are all in the table', () => {
    expect(fixtures(/^bad.*\.pak$/)).toEqual(Object.keys(BROKEN).map((name) => `${name}.pak`));
    expect(good).toEqual(['good_exe.pak', 'good_lz4.pak', 'good_one.pak', 'good_pak.pak']);
  });

  test.each(Object.entries(BROKEN))('%s is refused with %s alone', (name, codes) => {
    expect(codesOf(() => readPackage(fixture(`${name}.pak`), name))).toEqual(codes);
  });

  test.each(good)('%s has nothing wrong with it and is refused when cut off anywhere', (name) => {
    expect(validatePackage(fixture(name), name)).toEqual([]);
    expectPrefixesRefused(fixture(name), (part) => readPackage(part, name));
  });

  test.each(['good_exe.pak', 'good_lz4.pak', 'good_pak.pak'])(
    '%s holds two files, also when it is written',
    async (name) => {
      const files = [
        { name: 'a.txt', bytes: new TextEncoder().encode('hello') },
        { name: 'Models/b.bin', bytes: ascending(50) },
      ];
      const read = readPackage(fixture(name), name);
      expect(read).toEqual({ format: name === 'good_lz4.pak' ? 'ULZ4' : 'UPAK', files });
      expect(readPackage(await writePackage(read, 'x.pak'), 'x.pak')).toEqual(read);
    },
  );

  test('that are stored are written as they were; a program before them is left out', async () => {
    const plain = fixture('good_pak.pak');
    expect(await writePackage(readPackage(plain, ''), '')).toEqual(plain);
    expect(await writePackage(readPackage(fixture('good_exe.pak'), ''), '')).toEqual(plain);
    const one = fixture('good_one.pak');
    expect(await writePackage(readPackage(one, ''), '')).toEqual(one);
  });
});

test('SDBM starts at 0 and runs on over several files', () => {
  expect(sdbm(new Uint8Array(0))).toBe(0);
  expect(sdbm(Uint8Array.of(1))).toBe(1);
  // 2 + 1 * 65599.
  expect(sdbm(Uint8Array.of(1, 2))).toBe(65601);
  // 3 + 65601 * 65599 mod 2^32.
  expect(sdbm(Uint8Array.of(1, 2, 3))).toBe((3 + 65601 * 65599) % 2 ** 32);
  expect(sdbm(Uint8Array.of(3), sdbm(Uint8Array.of(1, 2)))).toBe(sdbm(Uint8Array.of(1, 2, 3)));
});

test('a stored package by hand gives its entries, and the same bytes', async () => {
  // 12 bytes of head, 2 x (2 + 12) of entries: data from byte 40 on.
  const bytes = bytesOf(
    'UPAK',
    ['u32', 2, 65601],
    'p\0',
    ['u32', 40, 0, 0],
    'q\0',
    ['u32', 40, 2, 65601],
    ['u8', 1, 2],
    ['u32', 46],
  );
  expect(listPackage(bytes, 'hand.pak')).toEqual([
    { name: 'p', offset: 40, size: 0, checksum: 0 },
    { name: 'q', offset: 40, size: 2, checksum: 65601 },
  ]);
  const read = readPackage(bytes, 'hand.pak');
  expect(read.files).toEqual([
    { name: 'p', bytes: new Uint8Array(0) },
    { name: 'q', bytes: Uint8Array.of(1, 2) },
  ]);
  expect(await writePackage(read, '')).toEqual(bytes);
  const empty = bytesOf('ULZ4', ['u32', 0, 0, 16]);
  expect(readPackage(empty, '')).toEqual({ format: 'ULZ4', files: [] });
  expect(await writePackage({ format: 'ULZ4', files: [] }, '')).toEqual(empty);
});

/** A compressed package with one entry `a` from byte 26 on. */
const compressed = (size: number, checksum: number, ...blocks: Piece[]) => {
  const data = bytesOf(...blocks);
  return bytesOf(
    'ULZ4',
    ['u32', 1, checksum],
    'a\0',
    ['u32', 26, size, checksum],
    ['u8', ...data],
    ['u32', 30 + data.length],
  );
};

describe('blocks of compressed packages', () => {
  // A token of 0x20 and two literals.
  const pair: Piece = ['u8', 0x20, 1, 2];

  test('are an unpacked and a packed size and a raw LZ4 block', () => {
    const bytes = compressed(2, 65601, ['u16', 2, 3], pair);
    expect(readPackage(bytes, '').files).toEqual([{ name: 'a', bytes: Uint8Array.of(1, 2) }]);
  });

  test.each<[string, string, Uint8Array]>([
    [
      'UC3951',
      'a second block larger than the first',
      compressed(3, 0, ['u16', 1, 2], ['u8', 0x10, 1], ['u16', 2, 3], pair),
    ],
    ['UC3902', 'more than the size', compressed(1, 0, ['u16', 2, 3], pair)],
    ['UC3902', 'less than the size', compressed(3, 0, ['u16', 2, 3], pair)],
    ['UC3902', 'a block that leads out', compressed(2, 0, ['u16', 2, 4], pair)],
    ['UC3902', 'an empty block', compressed(2, 0, ['u16', 0, 3], pair)],
    ['UC3902', 'more than LZ4 can give', compressed(65535, 0, ['u16', 65535, 3], pair)],
    ['UC3902', 'a block that gives less', compressed(3, 0, ['u16', 3, 3], pair)],
    ['UC3902', 'a block that gives more', compressed(1, 0, ['u16', 1, 3], pair)],
    ['UC3902', 'a match before the begin', compressed(9, 0, ['u16', 9, 6], ['u8', 0x10, 1, 9, 9, 0x10, 1])],
    ['UC3902', 'bytes behind the blocks', compressed(2, 65601, ['u16', 2, 3], pair, ['u8', 0])],
  ])('%s for %s', (code, _, bytes) => {
    const [found] = validatePackage(bytes, 'x.pak');
    expect(found.code).toBe(code);
    expect(found.message).toMatch(/^byte \d+: /);
  });

  test('are written with 32768 bytes each, the last shorter', async () => {
    const bytes = Uint8Array.from({ length: 70000 }, (_, i) => (i * i) >>> 7);
    const packed = await writePackage({ format: 'ULZ4', files: [{ name: 'a', bytes }] }, '');
    const view = new DataView(packed.buffer);
    const sizes: number[] = [];
    for (let at = 26; at < packed.length - 4; at += 4 + view.getUint16(at + 2, true)) {
      sizes.push(view.getUint16(at, true));
    }
    expect(sizes).toEqual([32768, 32768, 4464]);
    expect(view.getUint16(28, true)).toBe((await packLz4Fast(bytes.subarray(0, 32768))).length);
    expect(readPackage(packed, '').files).toEqual([{ name: 'a', bytes }]);
  });
});

describe('entries', () => {
  test('have names that stay inside', () => {
    for (const name of ['a', 'Models/a.mdl', '..a/b..', 'a.', 'ä b']) expect(nameFault(name)).toBeNull();
    for (const name of ['', '/a', 'a//b', 'a/', '.', '..', 'a/../b', './a', 'a\\b', 'C:a', '..\\a']) {
      expect(nameFault(name), name).not.toBeNull();
    }
  });

  test('UC3950 comes with a name that cannot break a line', () => {
    const bytes = bytesOf('UPAK', ['u32', 1, 0], '../\n\0', ['u32', 29, 0, 0], ['u32', 33]);
    expect(validatePackage(bytes, 'x')).toMatchObject([{ code: 'UC3950', path: '"../\\n"' }]);
  });

  test('UC3902 for entries that overlap, whose content is not read', () => {
    const entry = (name: string): Piece[] => [`${name}\0`, ['u32', 40, 2, 7]];
    const bytes = bytesOf('UPAK', ['u32', 2, 7], ...entry('a'), ...entry('b'), ['u8', 1, 2], ['u32', 46]);
    expect(validatePackage(bytes, 'x').map((d) => d.code)).toEqual(['UC3902']);
  });

  test('UC3985 for names that differ in case', () => {
    const bytes = bytesOf('UPAK', ['u32', 2, 0], 'a\0', ['u32', 40, 0, 0], 'A\0', ['u32', 40, 0, 0], ['u32', 44]);
    expect(validatePackage(bytes, 'x').map((d) => d.code)).toEqual(['UC3985']);
    expect(readPackage(bytes, 'x').files.map(({ name }) => name)).toEqual(['a', 'A']);
  });

  test('UC3901 for packages of rbfx, also at the end of a program', () => {
    for (const magic of ['RPAK', 'RLZ4']) {
      expect(codesOf(() => readPackage(bytesOf(magic, ['u32', 0, 0, 16]), ''))).toEqual(['UC3901']);
      expect(codesOf(() => readPackage(bytesOf('MZ..', magic, ['u32', 0, 0, 16]), ''))).toEqual(['UC3901']);
    }
  });

  test('UC3960 for packages beyond 32 bits or 2 GiB unpacked', async () => {
    const file = { name: 'a', bytes: Uint8Array.of(1) };
    // 12 of head, 14 of the entry, 1 of data, 4 of the size.
    await expect(writePackage({ format: 'UPAK', files: [file] }, 'x.pak', 30)).rejects.toThrow('UC3960');
    expect(await writePackage({ format: 'UPAK', files: [file] }, 'x.pak', 31)).toHaveLength(31);
    const large = compressed(2 ** 31, 0, ['u16', 2, 3], ['u8', 0x20, 1, 2]);
    expect(codesOf(() => readPackage(large, ''))).toEqual(['UC3960']);
  });

  test('are refused by the writer if no package can hold them', async () => {
    const write = (...names: string[]) =>
      writePackage({ format: 'UPAK', files: names.map((name) => ({ name, bytes: new Uint8Array(0) })) }, '');
    await expect(write('../a')).rejects.toThrow('has a part ".."');
    await expect(write('a', 'a')).rejects.toThrow('twice');
  });

  test('damaged in many places are reported a few times', async () => {
    const files = Array.from({ length: 20 }, (_, i) => ({ name: `${i}`, bytes: ascending(40) }));
    const bytes = await writePackage({ format: 'ULZ4', files }, '');
    const [{ offset }] = listPackage(bytes, '');
    for (let at = offset; at < bytes.length - 4; at += 4 + bytes[at + 2]) bytes[at + 4] = 0x0f;
    expect(validatePackage(bytes, '').map((d) => d.code)).toEqual(Array(8).fill('UC3902'));
    expect(text(files[0].bytes.subarray(33, 36))).toBe('!"#');
  });

  test('with every byte changed never end in another exception', () => {
    for (const name of ['good_lz4.pak', 'good_exe.pak']) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const bytes = fixture(name);
        for (let at = 0; at < bytes.length; at++) {
          const changed = bytes.slice();
          changed[at] = value;
          codesOf(() => validatePackage(changed, name));
        }
      }
    }
  });
});
