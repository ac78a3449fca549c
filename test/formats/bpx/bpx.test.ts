// BPX files written and read back: each byte of a minimal file of each kind, the fixtures of another writer, and what no reader may do
// with a file that is cut off or changed.

import { describe, expect, test } from 'vitest';
import { crc32 } from '../../../src/bytes/crc32.ts';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { byteSum } from '../../../src/formats/bpx/container/checksum.ts';
import { positionOffset } from '../../../src/formats/bpx/kinds/model.ts';
import { readBpx } from '../../../src/formats/bpx/read.ts';
import { sdObject } from '../../../src/formats/bpx/structuredData.ts';
import type { BpxCratePackage, BpxModel, BpxPackage, BpxTexture } from '../../../src/formats/bpx/types.ts';
import { validateBpx } from '../../../src/formats/bpx/validate.ts';
import { writeBpxModel } from '../../../src/formats/bpx/write/model.ts';
import { writeBpxCratePackage, writeBpxPackage } from '../../../src/formats/bpx/write/package.ts';
import { storedSide, writeBpxTexture } from '../../../src/formats/bpx/write/texture.ts';
import { BROKEN_BPX } from '../fixtureCodes.ts';
import { ascii, codesOf, FIXTURE_NAMES, fixture, GOOD, hex, resealed, toHex } from './files.ts';

const content = async (bytes: Uint8Array) => (await readBpx(bytes, 'f')).content;

/** A u32 as files store it. */
const word = (value: number) => toHex(Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24));

/** Bytes of the layout of the text: CRC-32 of all but its own four bytes. */
function spec(text: string): string {
  const [before, after] = text.split('CHECKSUM').map(hex);
  return toHex(before) + word(crc32(after, crc32(before))) + toHex(after);
}

/** Bytes of the layout of the crate: the sum of header and table but for its own four bytes. */
function crate(text: string): string {
  const [before, table, rest] = text.split(/CHECKSUM|\|/).map(hex);
  return toHex(before) + word(byteSum(table, byteSum(before))) + toHex(table) + toHex(rest);
}

const TEXTURE: BpxTexture = {
  kind: 'texture',
  width: 2,
  height: 4,
  format: 'rgb8',
  isArray: false,
  isCubeMap: false,
  compressOnLoad: true,
  mips: 3,
  images: [Uint8Array.from({ length: 24 }, (_, i) => i)],
};

// A file of 72 bytes. Sides are 2 to the power of 0 + 1 and 1 + 1, the format is 1 and the flag 2.
const TEXTURE_BYTES = `
  425058 54 CHECKSUM 2800000000000000 01000000 01000000  0000 10 21 03 000000
  3000000000000000 18000000 01 00 0000
  000102030405 060708090a0b 0c0d0e0f1011 121314151617`;

const TRIANGLE = {
  material: 'red',
  vertexCount: 3,
  vertices: new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer),
  indices: Uint32Array.of(0, 1, 2),
};
const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
const MODEL: BpxModel = {
  kind: 'model',
  components: [{ type: 'f32', count: 3 }],
  arrays: [TRIANGLE],
  bones: [{ name: 'hip', matrix: IDENTITY }],
  frames: IDENTITY.map((value) => value * 2),
  animations: [{ name: 'go', firstFrame: 0, frameCount: 1, framesPerSecond: 30 }],
};

// Seven sections: the header and the table take 32 + 7 x 16 = 144 bytes. Strings are at 0, 4 and 8.
const ONE = '0000803f';
const NIL = '00000000';
const MODEL_BYTES = `
  425058 4d CHECKSUM 5e01000000000000 07000000 01000000 0000000000000000
  9000000000000000 05000000 01 00 0000
  9500000000000000 30000000 02 00 0000
  c500000000000000 10000000 03 00 0000
  d500000000000000 0b000000 07 00 0000
  e000000000000000 46000000 04 00 0000
  2601000000000000 44000000 05 00 0000
  6a01000000000000 14000000 06 00 0000
  0c00 01 00 31
  00000000 03000000 03000000
  ${NIL}${NIL}${NIL} ${ONE}${NIL}${NIL} ${NIL}${ONE}${NIL}
  03000000 00000000 01000000 02000000
  72656400 68697000 676f00
  0100
  ${ONE}${NIL}${NIL}${NIL} ${NIL}${ONE}${NIL}${NIL} ${NIL}${NIL}${ONE}${NIL} ${NIL}${NIL}${NIL}${ONE} 04000000
  01000000
  00000040${NIL}${NIL}${NIL} ${NIL}00000040${NIL}${NIL} ${NIL}${NIL}00000040${NIL} ${NIL}${NIL}${NIL}00000040
  01000000 08000000 00000000 01000000 0000f041`;

const PACKAGE: BpxPackage = {
  kind: 'package',
  compatibility: 3,
  assets: [
    { path: 'a.bin', bytes: ascii('AAAA') },
    { path: 'b/c.bin', bytes: ascii('BB') },
  ],
};
const PACKAGE_BYTES = `
  425058 50 CHECKSUM 6400000000000000 04000000 01000000 02000000 03 000000
  6000000000000000 10000000 01 00 0000
  7000000000000000 04000000 02 00 0000
  7400000000000000 02000000 02 00 0000
  7600000000000000 0e000000 03 00 0000
  00000000 02000000 06000000 03000000
  41414141 4242
  612e62696e00 622f632e62696e00`;

const CRATE: BpxCratePackage = {
  kind: 'cratePackage',
  architecture: 4,
  platform: 2,
  typeCode: [0x50, 0x48],
  objects: [
    { name: 'a', parts: [ascii('xyz')] },
    { name: 'b', parts: [ascii('w')] },
  ],
  metadata: null,
};
// Header and table take 40 + 3 x 24 = 112 bytes. Sums: 61 + 62 = c3; 3 + 2 and 1 + 2 + 2 + 3 = 0d; 78 + 79 + 7a + 77 = 1e2.
const CRATE_BYTES = `
  425058 50 CHECKSUM a000000000000000 03000000 02000000 04 02 5048 000000000000000000000000
  7000000000000000 04000000 04000000 c3000000 ff 08 0000
  7400000000000000 28000000 28000000 0d000000 02 08 0000
  9c00000000000000 04000000 04000000 e2010000 01 08 0000 |
  61006200
  0300000000000000 00000000 02000000 00000000  0100000000000000 02000000 02000000 03000000
  78797a77`;

describe('a minimal file is written byte by byte as its layout says, and read to every field of it', () => {
  test.each([
    ['a texture', spec(TEXTURE_BYTES), () => writeBpxTexture(TEXTURE), TEXTURE],
    ['a model', spec(MODEL_BYTES), () => writeBpxModel(MODEL), MODEL],
    ['a package', spec(PACKAGE_BYTES), () => writeBpxPackage(PACKAGE), PACKAGE],
    ['a package of the crate', crate(CRATE_BYTES), () => writeBpxCratePackage(CRATE), CRATE],
  ])('%s', async (_, bytes, write, value) => {
    expect(toHex(write())).toBe(bytes);
    expect(await validateBpx(hex(bytes), 'f')).toEqual([]);
    expect(await content(hex(bytes))).toEqual(value);
  });

  test('in a Buffer that begins anywhere', async () => {
    const buffer = Buffer.from(`00${spec(MODEL_BYTES)}`, 'hex').subarray(1);
    expect(await content(buffer)).toEqual(MODEL);
  });

  test('of shaders, which are read alone', async () => {
    const bytes = spec(`
      425058 53 CHECKSUM 6800000000000000 04000000 01000000 02000000 03 000000
      6000000000000000 02000000 01 00 0000
      6200000000000000 02000000 01 00 0000
      6400000000000000 10000000 02 00 0000
      7400000000000000 14000000 03 00 0000
      7673 7073
      0b000000 01000000 00000000 02000000
      2d000000 01000000 00000000 00000000 00000000`);
    expect(await content(hex(bytes))).toEqual({
      kind: 'shader',
      compatibility: 3,
      shaders: [ascii('vs'), ascii('ps')],
      assemblies: [
        { api: 'DirectX', minVersion: 11, vertex: 0, geometry: null, pixel: 1 },
        { api: 'OpenGL', minVersion: 45, vertex: 0, geometry: null, pixel: null },
      ],
    });
  });
});

describe('the fixtures', () => {
  /** What follows from the fault: a table that runs on over the sections, pointers that are all the same, numbers that are shifted. */
  const also: Readonly<Record<string, readonly string[]>> = {
    bad_count: ['UC3610', 'UC3601'],
    bad_pointer_high: ['UC3607'],
    bad_twice: ['UC3624'],
  };

  test.each(Object.entries(BROKEN_BPX))('%s is refused with %s', async (name, [code, fault]) => {
    const list = await validateBpx(fixture(`${name}.bpx`), name);
    const errors = new Set(list.filter(({ severity }) => severity === 'error').map((item) => item.code as string));
    expect([...errors].sort()).toEqual([code, ...(also[name] ?? [])].sort());
    expect(list.some((item) => item.code === code && item.message.includes(fault))).toBe(true);
    await expect(readBpx(fixture(`${name}.bpx`), name)).rejects.toThrow(SourceError);
  });

  test('are all named here', () => {
    expect(Object.keys(BROKEN_BPX).map((name) => `${name}.bpx`)).toEqual(
      FIXTURE_NAMES.filter((name) => name.startsWith('bad_')),
    );
  });

  test.each(GOOD)('%s has nothing wrong with it', async (name) => {
    expect(await validateBpx(fixture(name), name)).toEqual([]);
  });

  // Others have strings that nothing names, or are packed by another version of zlib.
  test.each(['good_animated.bpx', 'good_texture.bpx'])('%s is written again byte by byte', async (name) => {
    expect(toHex(rewritten(await content(fixture(name)), false))).toBe(toHex(fixture(name)));
  });

  test.each(GOOD.filter((name) => name !== 'good_shader.bpx'))(
    '%s is written again with the same content',
    async (name) => {
      const read = await content(fixture(name));
      for (const isPacked of [false, true]) expect(await content(rewritten(read, isPacked))).toEqual(read);
    },
  );

  test('of the crate have objects in sections packed with zlib and xz', async () => {
    const text = async (name: string) => {
      const read = (await content(fixture(name))) as BpxCratePackage;
      return read.objects.map((object) => [object.name, Buffer.concat(object.parts).toString()]);
    };
    expect(await text('good_crate.bpx')).toEqual([
      ['a.bin', 'AAAA'],
      ['b/c.bin', 'BB'],
    ]);
    expect(await text('good_crate_xz.bpx')).toEqual([['a', 'xyz']]);
  });

  test.each(GOOD)('%s cut off anywhere is an error with a code', async (name) => {
    const bytes = fixture(name);
    const wrong: unknown[] = [];
    for (let length = 0; length < bytes.length; length++) {
      await readBpx(bytes.subarray(0, length), name).then(
        () => wrong.push(length),
        (error) => error instanceof SourceError || wrong.push(error),
      );
    }
    expect(wrong).toEqual([]);
  });

  test.each(GOOD)('%s with any byte changed is sound or an error with a code', async (name) => {
    const bytes = fixture(name);
    const layout = name.includes('crate') ? 'crate' : 'spec';
    const wrong: unknown[] = [];
    for (let at = 8; at < bytes.length; at++) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = bytes.slice();
        changed[at] = value;
        await readBpx(resealed(layout, changed), name).catch(
          (error) => error instanceof SourceError || wrong.push(error),
        );
      }
    }
    expect(wrong).toEqual([]);
  });
});

function rewritten(read: Awaited<ReturnType<typeof content>>, isPacked: boolean): Uint8Array {
  switch (read.kind) {
    case 'texture':
      return writeBpxTexture(read, { isPacked });
    case 'model':
      return writeBpxModel(read, { isPacked });
    case 'package':
      return writeBpxPackage(read, { isPacked });
    case 'cratePackage':
      return writeBpxCratePackage(read);
    case 'shader':
      throw new Error('shaders are read alone');
  }
}

describe('textures', () => {
  test('have sides of powers of two from 2 to 65536', () => {
    expect([2, 4, 65536].map(storedSide)).toEqual([0, 1, 15]);
    expect([1, 3, 0, 131072].map(storedSide)).toEqual([null, null, null, null]);
  });

  test('of every format, as arrays and as cube maps, come back', async () => {
    for (const [format, texel] of [
      ['rgb8', 3],
      ['rgba8', 4],
      ['grey8', 1],
      ['float32', 4],
    ] as const) {
      const images = Array.from({ length: 6 }, (_, i) => new Uint8Array(4 * texel).fill(i));
      const square = { ...TEXTURE, format, width: 2, height: 2, mips: 0 };
      for (const texture of [
        { ...square, images: images.slice(0, 1) },
        { ...square, images, isCubeMap: true },
        { ...square, images: images.slice(0, 3), isArray: true },
        { ...square, images, isArray: true, isCubeMap: true, compressOnLoad: false },
      ]) {
        expect(await content(writeBpxTexture(texture))).toEqual(texture);
      }
    }
  });

  test.each([
    ['a side of three', { ...TEXTURE, width: 3 }],
    ['too many mips', { ...TEXTURE, mips: 4 }],
    ['two images', { ...TEXTURE, images: [TEXTURE.images[0], TEXTURE.images[0]] }],
    ['a cube map that is not square', { ...TEXTURE, isCubeMap: true, images: Array(6).fill(TEXTURE.images[0]) }],
    ['too few texels', { ...TEXTURE, images: [new Uint8Array(23)] }],
  ])('with %s are not written', (_, texture) => {
    expect(() => writeBpxTexture(texture)).toThrow(Error);
  });
});

describe('models', () => {
  const bare: BpxModel = { ...MODEL, bones: null, frames: null, animations: null };

  test('share indices, leave them out, and have no material', async () => {
    const unindexed = { ...TRIANGLE, indices: null, material: null };
    const model = { ...bare, arrays: [TRIANGLE, { ...TRIANGLE, material: 'blue' }, unindexed] };
    const read = (await content(writeBpxModel(model))) as BpxModel;
    expect(read).toEqual(model);
    expect(read.arrays[1].indices).toBe(read.arrays[0].indices);
    const plain = { ...bare, arrays: [unindexed] };
    const file = writeBpxModel(plain);
    expect(new DataView(file.buffer).getUint32(16, true)).toBe(2);
    expect(await content(file)).toEqual(plain);
  });

  test('of many vertices get smaller when they are packed, the same bytes each time', async () => {
    const many = { ...TRIANGLE, vertexCount: 3000, vertices: new Uint8Array(36000) };
    const model = { ...bare, arrays: [many] };
    const packed = writeBpxModel(model, { isPacked: true });
    expect(packed.length).toBeLessThan(1000);
    expect(writeBpxModel(model, { isPacked: true })).toEqual(packed);
    expect(await content(packed)).toEqual(model);
  });

  test('are placed by their first component of three floats', () => {
    const uv = { type: 'f32', count: 2 } as const;
    const ids = { type: 'u32', count: 3 } as const;
    expect(positionOffset([uv, ids, MODEL.components[0]])).toBe(20);
    expect(positionOffset([uv, ids])).toBeNull();
  });

  test.each([
    ['no vertices', { ...bare, arrays: [] }],
    ['a component of 16 numbers', { ...bare, components: [{ type: 'f32', count: 16 } as const] }],
    ['half a vertex', { ...bare, arrays: [{ ...TRIANGLE, vertexCount: 2 }] }],
    ['two indices', { ...bare, arrays: [{ ...TRIANGLE, indices: Uint32Array.of(0, 1) }] }],
    ['no bone', { ...MODEL, bones: [] }],
    ['frames without bones', { ...MODEL, bones: null }],
    ['an animation beyond its frames', { ...MODEL, frames: null }],
    ['a name with a NUL', { ...bare, arrays: [{ ...TRIANGLE, material: 'a\0b' }] }],
  ])('with %s are not written', (_, model) => {
    expect(() => writeBpxModel(model)).toThrow(Error);
  });
});

describe('packages', () => {
  test('share the bytes of assets that have the same', async () => {
    const [first] = PACKAGE.assets;
    const shared = { ...PACKAGE, assets: [first, { path: 'b', bytes: first.bytes }] };
    const file = writeBpxPackage(shared);
    expect(file.length).toBe(32 + 3 * 16 + 16 + 4 + 8);
    expect(await content(file)).toEqual(shared);
  });

  test.each(['', '/a', '../a', 'a/../b', 'a//b', './a', 'C:a', 'a\\b', 'a\0b'])('hold no file %j', (path) => {
    expect(() => writeBpxPackage({ ...PACKAGE, assets: [{ path, bytes: ascii('a') }] })).toThrow(Error);
    expect(() => writeBpxCratePackage({ ...CRATE, objects: [{ name: path, parts: [] }] })).toThrow(Error);
  });

  test('hold something, and each path once', () => {
    expect(() => writeBpxPackage({ ...PACKAGE, assets: [] })).toThrow(Error);
    expect(() => writeBpxPackage({ ...PACKAGE, assets: [PACKAGE.assets[0], PACKAGE.assets[0]] })).toThrow(Error);
  });

  test('of the crate have objects that run on from section to section', async () => {
    const texts = ['', 'abcd', 'efg', '', 'hijklmnop', 'q', ''];
    const objects = texts.map((text, i) => ({ name: `o${i}`, parts: [ascii(text)] }));
    for (const size of [1, 2, 3, 4, 5, 17, 100]) {
      const file = writeBpxCratePackage({ ...CRATE, objects }, size);
      expect(await codesOf(file)).toEqual([]);
      const read = (await content(file)) as BpxCratePackage;
      expect(read.objects.map(({ name }) => name)).toEqual(objects.map(({ name }) => name));
      expect(read.objects.map(({ parts }) => Buffer.concat(parts).toString())).toEqual(texts);
      expect(new DataView(file.buffer).getUint32(16, true)).toBe(2 + Math.ceil(17 / size));
    }
  });

  test('of the crate have metadata, and may be empty', async () => {
    const metadata = sdObject({ author: { type: 'string', value: 'me' } });
    const value = { ...CRATE, metadata };
    expect(await content(writeBpxCratePackage(value))).toEqual(value);
    const empty = { ...CRATE, objects: [] };
    expect(await content(writeBpxCratePackage(empty))).toEqual(empty);
    const hollow = { ...CRATE, objects: [{ name: 'a', parts: [] }] };
    expect(await content(writeBpxCratePackage(hollow))).toEqual(hollow);
  });
});
