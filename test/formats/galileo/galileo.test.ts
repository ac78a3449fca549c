// Galileo meshes written and read back: each byte of a minimal file, the fixtures of another writer, and what no reader may
// do with a file that is cut off.

import { describe, expect, test } from 'vitest';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { xxh3 } from '../../../src/formats/galileo/checksum.ts';
import { chain } from '../../../src/formats/galileo/extensions.ts';
import { isGalileo } from '../../../src/formats/galileo/layout.ts';
import { materialNames, materialsExtension } from '../../../src/formats/galileo/materials.ts';
import { readGalileo } from '../../../src/formats/galileo/read.ts';
import type { GalileoGroup } from '../../../src/formats/galileo/types.ts';
import { validateGalileo } from '../../../src/formats/galileo/validate.ts';
import { boundsOf, writeGalileo } from '../../../src/formats/galileo/write.ts';
import { BROKEN_GALILEO } from '../fixtureCodes.ts';
import { FIXTURE_NAMES, fixture, GOOD, mesh, TRIANGLE, UUID } from './meshes.ts';

const codesOf = async (bytes: Uint8Array) => (await validateGalileo(bytes, 'f')).map(({ code }) => code);
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));

test('XXH3 gives what its specification lists', async () => {
  const hex = async (text: string) => Buffer.from((await xxh3(Buffer.from(text))).reverse()).toString('hex');
  expect(await hex('')).toBe('2d06800538d394c2');
  expect(await hex('a')).toBe('e6c632b61e964e1f');
  expect(await hex('abc')).toBe('78af5f94892f3950');
});

// One triangle with one channel of each attribute: 3 indices and 3 vertices of 12 + 12 + 16 + 4 + 4 + 8 + 8 bytes are a
// slice of 12 + 192 = 204 bytes, 0xcc.
const MINIMAL = `
  47414c49 00 01 0000 00112233445546778899aabbccddeeff 01000000 CHECKSUM
  0000003f 0000003f 00000000  0000003f 0000003f 00000000  01000000 00000000 cc00000000000000 00000000
  0000003f 0000003f 00000000  0000003f 0000003f 00000000  0000000000000000 cc00000000000000
  03000000 03000000 01 01 01 00 00000000
  00000000 01000000 02000000
  00000000 00000000 00000000  0000803f 00000000 00000000  00000000 0000803f 00000000
  00000000 00000000 0000803f  00000000 00000000 0000803f  00000000 00000000 0000803f
  0000803f 00000000 00000000 0000803f  0000803f 00000000 00000000 0000803f  0000803f 00000000 00000000 000080bf
  0000 ffff  ffff ffff  0000 0080
  ff000080  00ff0080  0000ff80
  0100 0200 0300 0400  0500 0000 0000 0000  0600 0000 0000 0000
  0080 ff7f 0000 0000  ffff 0000 0000 0000  ffff 0000 0000 0000`;

const FULL: GalileoGroup = {
  ...TRIANGLE,
  tangents: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1),
  texcoords: [Uint16Array.of(0, 65535, 65535, 65535, 0, 32768)],
  colors: [Uint8Array.of(255, 0, 0, 128, 0, 255, 0, 128, 0, 0, 255, 128)],
  joints: [Uint16Array.of(1, 2, 3, 4, 5, 0, 0, 0, 6, 0, 0, 0)],
  weights: [Uint16Array.of(32768, 32767, 0, 0, 65535, 0, 0, 0, 65535, 0, 0, 0)],
};

describe('a minimal file', () => {
  const body = bytesOf(MINIMAL.slice(MINIMAL.indexOf('CHECKSUM') + 8));
  const whole = async () => bytesOf(MINIMAL.replace('CHECKSUM', Buffer.from(await xxh3(body)).toString('hex')));

  test('is written byte by byte as the structs of the specification say', async () => {
    const file = await writeGalileo(mesh([FULL]));
    expect(Buffer.from(file).toString('hex')).toBe(Buffer.from(await whole()).toString('hex'));
    expect(file.length).toBe(36 + 44 + 56 + 204);
    expect(isGalileo(file)).toBe(true);
    expect(await codesOf(file)).toEqual([]);
  });

  test('is read to every field of it', async () => {
    const read = await readGalileo(await whole(), 'f');
    expect(read).toEqual({ uuid: UUID, groups: [FULL], extensions: [], firstExtension: null });
  });

  test('is read from bytes that no array can be a view of', async () => {
    const file = await whole();
    const shifted = new Uint8Array(file.length + 1);
    shifted.set(file, 1);
    expect((await readGalileo(shifted.subarray(1), 'f')).groups).toEqual([FULL]);
    const buffer = Buffer.from(shifted.buffer, 1);
    expect((await readGalileo(buffer, 'f')).groups).toEqual([FULL]);
  });

  test('of later versions 0 is read as well', async () => {
    const file = await whole();
    file.set([0, 9, 1, 0], 4);
    expect(await codesOf(file)).toEqual([]);
  });
});

describe('the fixtures', () => {
  test.each(GOOD)('%s is sound and is written again byte by byte', async (name) => {
    const bytes = fixture(name);
    expect((await validateGalileo(bytes, name)).filter(({ severity }) => severity === 'error')).toEqual([]);
    const { uuid, ...content } = await readGalileo(bytes, name);
    expect(Buffer.from(await writeGalileo({ ...content, identity: { uuid } })).equals(bytes)).toBe(true);
  });

  test('good_3 has two groups, and good_4 an extension', async () => {
    const three = await readGalileo(fixture('good_3.gali'), 'f');
    expect(three.groups.map(({ indices }) => [...indices])).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
    const four = await readGalileo(fixture('good_4.gali'), 'f');
    expect([...chain(four, four.firstExtension)]).toEqual([
      { name: 'com.example', version: 1, data: new Uint8Array(0), next: null },
    ]);
  });

  test.each(Object.entries(BROKEN_GALILEO))('%s is refused with %s', async (name, [code, fault]) => {
    const errors = (await validateGalileo(fixture(`${name}.gali`), name)).filter(
      ({ severity }) => severity === 'error',
    );
    expect([...new Set(errors.map((error) => error.code))]).toEqual([code]);
    expect(errors.some(({ message }) => message.includes(fault))).toBe(true);
    await expect(readGalileo(fixture(`${name}.gali`), name)).rejects.toThrow(SourceError);
  });

  test('are all named here', () => {
    expect(Object.keys(BROKEN_GALILEO).map((name) => `${name}.gali`)).toEqual(
      FIXTURE_NAMES.filter((name) => name.startsWith('bad_')),
    );
  });

  test.each(GOOD)('%s cut off anywhere is an error with a code', async (name) => {
    const bytes = fixture(name);
    const wrong: unknown[] = [];
    for (let length = 0; length < bytes.length; length++) {
      await readGalileo(bytes.subarray(0, length), name).then(
        () => wrong.push(length),
        (error) => error instanceof SourceError || wrong.push(error),
      );
    }
    expect(wrong).toEqual([]);
  });

  test.each(GOOD)('%s with any byte changed is sound or an error with a code', async (name) => {
    const bytes = fixture(name);
    const wrong: unknown[] = [];
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = bytes.slice();
        changed[at] = value;
        await readGalileo(changed, name).catch((error) => error instanceof SourceError || wrong.push(error));
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('extensions', () => {
  const names = ['brick', null];
  const content = mesh([{ ...TRIANGLE, firstExtension: 1 }, TRIANGLE], {
    extensions: [
      materialsExtension(names),
      { name: 'a', version: 7, data: Uint8Array.of(1, 2, 3), next: 2 },
      { name: 'sixteen letters.', version: 0, data: Uint8Array.of(4), next: null },
    ],
    firstExtension: 0,
  });

  test('keep names, versions, data and chains', async () => {
    const file = await writeGalileo(content);
    expect(await codesOf(file)).toEqual([]);
    const read = await readGalileo(file, 'f');
    expect(read.extensions).toEqual(content.extensions);
    expect([...chain(read, read.groups[0].firstExtension)].map(({ name }) => name)).toEqual(['a', 'sixteen letters.']);
    expect(read.groups[1].firstExtension).toBeNull();
  });

  test('say which material each group has', async () => {
    const read = await readGalileo(await writeGalileo(content), 'f');
    expect(materialNames(read)).toEqual(names);
    expect(Buffer.from(read.extensions[0].data).toString()).toBe('{"groups":[{"material":"brick"},{"material":null}]}');
    expect(materialNames({ ...read, firstExtension: null })).toBeNull();
    for (const text of ['{', 'null', '{"groups":[]}', '{"groups":[{"material":1},{}]}']) {
      const extensions = [{ ...read.extensions[0], data: new TextEncoder().encode(text) }];
      expect(materialNames({ ...read, extensions }), text).toBeNull();
    }
  });

  test('have attributes in a slice that only they know', async () => {
    const group = {
      ...TRIANGLE,
      extensionChannels: 2,
      extensionAttributes: Uint8Array.of(1, 2, 3, 4, 5, 6),
      firstExtension: 0,
    };
    const extensions = [{ name: 'a', version: 1, data: new Uint8Array(0), next: null }];
    const read = await readGalileo(await writeGalileo(mesh([group], { extensions })), 'f');
    expect(read.groups).toEqual([group]);
  });
});

describe('the writer', () => {
  test('gives an asset of the same name and content the same UUID, and others another', async () => {
    const write = async (scene: string, name: string, group = TRIANGLE) =>
      (await readGalileo(await writeGalileo(mesh([group], { identity: { scene, mesh: name } })), 'f')).uuid;
    const uuid = await write('town', '/House');
    expect(await write('town', '/House')).toEqual(uuid);
    expect([uuid[6] >> 4, uuid[8] >> 6]).toEqual([4, 2]);
    for (const other of [write('village', '/House'), write('town', '/Hous'), write('town', '/House', FULL)]) {
      expect(await other).not.toEqual(uuid);
    }
  });

  test('makes boxes that hold positions which no float32 lies between', () => {
    const [min, max] = [new Float64Array([0, 0, 0.1]), new Float64Array([1, 3, 0.7])].map((v) => v.map(Math.fround));
    const { center, extents } = boundsOf({ min, max });
    for (let c = 0; c < 3; c++) {
      expect(center[c] - extents[c]).toBeLessThanOrEqual(min[c]);
      expect(center[c] + extents[c]).toBeGreaterThanOrEqual(max[c]);
    }
    expect([center[1], extents[1]]).toEqual([1.5, 1.5]);
  });

  const attributes = { ...TRIANGLE, extensionAttributes: Uint8Array.of(1) };
  test.each([
    ['no group', mesh([])],
    ['arrays of different lengths', mesh([{ ...TRIANGLE, normals: new Float32Array(6) }])],
    ['weights without joints', mesh([{ ...TRIANGLE, weights: [new Uint16Array(12)] }])],
    ['attributes without a channel', mesh([attributes])],
    ['a chain to nowhere', mesh([TRIANGLE], { firstExtension: 0 })],
    [
      'a name of 17 letters',
      mesh([TRIANGLE], { extensions: [{ ...materialsExtension([null]), name: 'a'.repeat(17) }] }),
    ],
  ])('refuses %s', async (_, content) => {
    await expect(writeGalileo(content)).rejects.toThrow(Error);
    await expect(writeGalileo(content)).rejects.not.toThrow(SourceError);
  });
});
