// A broken file for each code of the chapter of BPX that no fixture shows. Each is a sound one with one thing changed, and must give
// exactly the codes that stand beside it.

import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { crc32 } from '../../../src/bytes/crc32.ts';
import { BPX } from '../../../src/diagnostics/codes/output/bpx.ts';
import { shortCrc } from '../../../src/formats/bpx/container/checksum.ts';
import { packZlib, unpackXz, unpackZlib } from '../../../src/formats/bpx/container/compress.ts';
import { openBpx } from '../../../src/formats/bpx/container/open.ts';
import { validateBpx } from '../../../src/formats/bpx/validate.ts';
import { Findings } from '../../../src/formats/findings.ts';
import { ascii, codesOf, container, crate, FIXTURE_NAMES, fixture, hex, resealed } from './files.ts';

type Case = [codes: string, what: string, file: () => Uint8Array];

const put = (name: string, at: number, bytes: string) => (): Uint8Array => {
  const file = fixture(name);
  file.set(hex(bytes), at);
  return resealed(name.includes('crate') ? 'crate' : 'spec', file);
};

/** A model of one triangle without indices; its material is at offset 0 of the strings, if there are any. */
const model = (more: readonly (readonly [number, Uint8Array])[] = [], format = '0c000100 31', vertices = 36) =>
  container('spec', 'model', '', [
    [1, hex(format)],
    [2, Uint8Array.from([...hex('00000000 03000000 00000000'), ...new Uint8Array(vertices)])],
    ...more,
  ]);
const bone = Uint8Array.from([...hex('0100'), ...new Uint8Array(64), ...hex('00000000')]);
const animation = (rate: string) => [6, hex(`01000000 00000000 00000000 00000000 ${rate}`)] as const;
const shader = (more: readonly (readonly [number, Uint8Array])[], typeExt = '0100000002') =>
  container('spec', 'shader', typeExt, [[1, ascii('vs')], ...more]);
const GL = [3, hex('1e000000 01000000 00000000 00000000 00000000')] as const;
const strings = [7, ascii('a\0')] as const;

/** The entry of section 0 of the crate's package, which holds its strings. */
const ENTRY = { size: 40 + 8, plain: 40 + 12, checksum: 40 + 16, flags: 40 + 21 };
const changed = (at: number, ...bytes: number[]) => {
  const file = crate();
  file.set(bytes, at);
  return resealed('crate', file);
};
const checksummed = (flags: number, checksum: number) =>
  changed(ENTRY.checksum, checksum, checksum >>> 8, checksum >>> 16, checksum >>> 24, 0xff, flags);

const cases: Case[] = [
  ['UC3600', 'an empty file', () => new Uint8Array(0)],
  ['UC3601', 'cut off inside the header', () => fixture('good_model.bpx').slice(0, 31)],
  ['UC3601', 'cut off inside the longer header of the crate', () => shortCrate()],
  ['UC3601', 'more sections than any file holds', put('good_model.bpx', 16, 'ffffffff')],
  ['UC3601', 'more sections than any package of the crate holds', put('good_crate.bpx', 16, 'ffffff7f')],
  ['UC3621 UC3607', 'a section in another', put('good_texture.bpx', 0, twoSections())],
  ['UC3601', 'a section of another size', () => changed(ENTRY.plain, 9)],
  ['UC3601', 'a packed section that goes on behind its size', put('good_crate.bpx', ENTRY.plain, '0d000000')],
  ['UC3601', 'a packed section that ends before its size', put('good_crate.bpx', ENTRY.plain, 'ffffffff')],
  ['UC3601', 'a section of xz that goes on behind its size', put('good_crate_xz.bpx', 40 + 48 + 12, '02000000')],
  ['UC3601', 'a section of zlib that says xz', put('good_crate.bpx', ENTRY.flags, '0a')],
  ['UC3617', 'the CRC of the crate', () => checksummed(4, shortCrc(ascii('a\0')))],
  ['UC3605', 'a CRC of other bytes', () => checksummed(4, crc32(ascii('b\0')))],
  ['UC3610', 'zlib and xz at once', () => changed(ENTRY.flags, 3)],
  ['UC3610', 'a CRC and a sum at once', () => changed(ENTRY.flags, 12)],
  ['UC3610', 'a flag that is none', () => changed(ENTRY.flags, 16)],
  ['UC3604', 'a model in the layout of the crate', () => container('crate', 'model', '', [])],
  ['UC3610', 'a fifth API', put('good_shader.bpx', 28, '12')],
  ['UC3610', 'a fifth API of a package', put('good_package.bpx', 28, '10')],
  ['UC3627', 'bytes between sections', () => betweenSections()],
  ['UC3627', 'bytes behind the last section', () => behindTheLast()],
  ['UC3610', 'the reserve of an assembly', put('good_shader.bpx', 100, '01')],
  ['UC3633', 'a string of Latin-1', () => model([[7, hex('e400')]])],
  ['UC3624', 'a material without strings', () => namedWithout()],
  ['UC3610', 'an eighth flag of a texture', put('good_texture.bpx', 27, '81')],
  ['UC3644 UC3601', 'a cube map that is not square', put('good_cube.bpx', 26, '10')],
  ['UC3601 UC3627', 'an index array without its count', () => model([[3, hex('0000')]])],
  ['UC3610', 'a component of no number', put('good_model.bpx', 100, '01')],
  ['UC3644', 'four vertices without indices', () => fourVertices()],
  ['UC3657', '1025 bones', () => model([strings, [4, hex('0104')]])],
  [
    'UC3656',
    'a bone that is not finite',
    () => model([strings, [4, bone.map((byte, i) => (i === 4 || i === 5 ? 0xff : byte))]]),
  ],
  ['UC3656', 'a frame that is not finite', () => model([strings, [4, bone], [5, frame('0000c07f')]])],
  [
    'UC3624',
    'an animation without frames',
    () => model([strings, [6, hex(`01000000 00000000 00000000 01000000 ${'0000f041'}`)]]),
  ],
  ['UC3656', 'an animation at no speed', () => model([strings, animation('00000000')])],
  ['UC3656', 'an animation at infinite speed', () => model([strings, animation('0000807f')])],
  ['UC3656', 'an animation at a speed that is no number', () => model([strings, animation('0000c07f')])],
  ['UC3665', 'vertices of two floats', () => model([], '08000100 21', 24)],
  ['UC3627', 'indices of nothing', () => model([[3, hex('00000000')]])],
  ['UC3672', 'an assembly for Vulkan', () => shader([GL, [4, ascii('?')]])],
  ['UC3624', 'a program without a vertex shader', () => shader([[3, hex('1e000000 00000000 00000000 00000000')]])],
  ['UC3624', 'a shader beyond the sections', () => shader([[3, hex('1e000000 01000000 09000000 00000000')]])],
  ['UC3644', 'an assembly of 17 bytes', () => shader([[3, new Uint8Array(17)]])],
  ['UC3644', 'an assembly for DirectX with a reserve', () => shader([GL, [2, new Uint8Array(20)]])],
  ['UC3644', 'half an asset more', () => oddRegistry()],
  ['UC3627', 'a file of no asset', () => extraFile()],
  ['UC3610', 'a fifth architecture', () => crate([], '05045048')],
  ['UC3610', 'a fifth platform', () => crate([], '04055048')],
  ['UC3601', 'half an object', () => objects('0300000000000000 00000000 02000000 00000000 00')],
  ['UC3601', 'an object of 16 exabytes', () => objects('ffffffffffffffff 00000000 02000000 00000000')],
  ['UC3601', 'an object that begins behind the data', () => objects('0100000000000000 00000000 02000000 03000000')],
  [
    'UC3621 UC3601',
    'two objects of the same bytes',
    () => objects('0300000000000000 00000000 02000000 00000000'.repeat(2)),
  ],
  ['UC3624', 'an object in the strings', () => objects('0100000000000000 00000000 00000000 00000000')],
  ['UC3601', 'metadata of no byte', () => crate([[0xfe, hex('')]])],
  ['UC3614', 'metadata 65 arrays deep', () => crate([[0xfe, hex(`01 0000000000000000 ${'0d01'.repeat(64)} 00`)]])],
  ['UC3601', 'metadata of a fifteenth type', () => crate([[0xfe, hex('01 0000000000000000 0f')]])],
  ['UC3644', 'metadata with a byte behind it', () => crate([[0xfe, hex('00 00')]])],
];

/** The header of the crate's layout in a file of 36 bytes. */
function shortCrate(): Uint8Array {
  const file = crate().slice(0, 36);
  new DataView(file.buffer).setUint32(8, 36, true);
  return file;
}

/** The first 64 bytes of a texture: a second section that is the last byte of the first. */
function twoSections(): string {
  return `42505854 00000000 2800000000000000 02000000 01000000 0000 00 03 00 000000
    4000000000000000 04000000 01 00 0000  4300000000000000 05000000 01 00 0000`;
}

function behindTheLast(): Uint8Array {
  const file = Uint8Array.from([...crate(), 0]);
  new DataView(file.buffer).setUint32(8, file.length, true);
  return resealed('crate', file);
}

/** A texture whose pixels begin four bytes behind the table. */
function betweenSections(): Uint8Array {
  const texture = fixture('good_texture.bpx');
  const file = Uint8Array.from([...texture.subarray(0, 48), 0, 0, 0, 0, ...texture.subarray(48)]);
  new DataView(file.buffer).setUint32(8, file.length - 32, true);
  new DataView(file.buffer).setUint32(32, 52, true);
  return resealed('spec', file);
}

/** Its vertex array begins behind 64 bytes of header and table and 5 of the format, with the material. */
function namedWithout(): Uint8Array {
  const file = model();
  file[69] = 5;
  return resealed('spec', file);
}

function fourVertices(): Uint8Array {
  return container('spec', 'model', '', [
    [1, hex('0c000100 31')],
    [2, Uint8Array.from([...hex('00000000 04000000 00000000'), ...new Uint8Array(48)])],
  ]);
}

function frame(first: string): Uint8Array {
  return Uint8Array.from([...hex(`01000000 ${first}`), ...new Uint8Array(60)]);
}

function oddRegistry(): Uint8Array {
  return container('spec', 'package', '01000000', [
    [1, hex('00000000 02000000 00000000')],
    [2, ascii('x')],
    [3, ascii('a\0')],
  ]);
}

function extraFile(): Uint8Array {
  return container('spec', 'package', '01000000', [
    [1, hex('00000000 02000000')],
    [2, ascii('x')],
    [2, ascii('y')],
    [3, ascii('a\0')],
  ]);
}

function objects(table: string): Uint8Array {
  return container('crate', 'package', '04045048', [
    [0xff, ascii('a\0')],
    [2, hex(table)],
    [1, ascii('xyz')],
  ]);
}

test.each([
  ['model', model()],
  ['model with strings', model([strings])],
  [
    'model with a bone, a frame and an animation',
    model([strings, [4, bone], [5, frame('00000000')], animation('0000f041')]),
  ],
  ['shader container', shader([GL])],
  ['package of the crate', crate()],
  ['section with a CRC of the standard', checksummed(4, crc32(ascii('a\0')))],
  ['section with no checksum', checksummed(0, 0)],
])('a %s that the cases change has nothing wrong with it', async (_, file) => {
  expect(await codesOf(file)).toEqual([]);
});

test('a bone array that a compiler padded is read as well', async () => {
  const padded = Uint8Array.from([...bone.subarray(0, 2), 0, 0, ...bone.subarray(2)]);
  expect(await codesOf(model([strings, [4, padded]]))).toEqual([]);
});

test.each<Case>(cases)('%s: %s', async (codes, _, file) => {
  expect(await codesOf(file())).toEqual(codes.split(' '));
});

describe('packed sections', () => {
  const plain = new Uint8Array(100_000);
  const zlib = packZlib(plain);
  const xz = fixture('good_crate_xz.bpx').slice(0x86);
  const codeOf = (unpacked: object) => ('fault' in unpacked ? (unpacked.fault as { code: string }).code : null);

  test('of zlib are read from any writer', () => {
    expect(unpackZlib(zlib, plain.length)).toEqual({ bytes: plain });
    expect(unpackZlib(new Uint8Array(deflateSync(plain)), plain.length)).toEqual({ bytes: plain });
    expect(unpackZlib(packZlib(new Uint8Array(0)), 0)).toEqual({ bytes: new Uint8Array(0) });
  });

  test('unpack to no more than is allowed', async () => {
    expect(codeOf(unpackZlib(zlib, plain.length - 1))).toBe('UC3614');
    expect(codeOf(unpackZlib(packZlib(Uint8Array.of(1)), 0))).toBe('UC3614');
    expect(codeOf(await unpackXz(xz, 2))).toBe('UC3614');
    // What was refused does not disturb the next one.
    expect(await unpackXz(xz, 3)).toEqual({ bytes: ascii('xyz') });
  });

  test('of a file share what is allowed', async () => {
    const limited = async (name: string, limit: number) => {
      const findings = new Findings(name);
      await openBpx(fixture(name), findings, limit);
      return findings.list().map(({ code }) => code);
    };
    // Its vertices unpack to 108 bytes and its indices to 16.
    expect(await limited('good_packed.bpx', 124)).toEqual([]);
    expect(await limited('good_packed.bpx', 123)).toEqual(['UC3614']);
    expect(await limited('good_packed.bpx', 0)).toEqual(['UC3614', 'UC3614']);
  });

  test('are one whole stream', async () => {
    const longer = (bytes: Uint8Array, more: number) => Uint8Array.from([...bytes, ...new Uint8Array(more).fill(1)]);
    for (const more of [1, 5]) {
      expect(codeOf(unpackZlib(longer(zlib, more), 1e6))).toBe('UC3601');
    }
    for (const more of [1, 40_000]) expect(codeOf(await unpackXz(longer(xz, more), 1e6))).toBe('UC3601');
    for (let length = 0; length < xz.length; length++) {
      expect(codeOf(await unpackXz(xz.slice(0, length), 1e6))).toBe('UC3601');
    }
    for (let length = 0; length < zlib.length; length++) {
      expect(codeOf(unpackZlib(zlib.slice(0, length), 1e6))).toBe('UC3601');
    }
  });
});

test('fixtures and cases show every code of the chapter', async () => {
  const shown = new Set(cases.flatMap(([codes]) => codes.split(' ')));
  for (const name of FIXTURE_NAMES) for (const { code } of await validateBpx(fixture(name), name)) shown.add(code);
  expect([...shown].sort()).toEqual(Object.keys(BPX).sort());
});
