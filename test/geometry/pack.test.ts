import { expect, test } from 'vitest';
import { halfBits, packIndices, packNormal, packTangent, packVertices, snorm10 } from '../../src/geometry/mesh/pack.ts';
import { triangleMesh } from './meshes.ts';

/** Value of half-precision bits by the definition of IEEE 754 binary16. */
function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

test('known half floats', () => {
  expect(halfBits(1)).toBe(0x3c00);
  expect(halfBits(0)).toBe(0);
  expect(halfBits(-0)).toBe(0x8000);
  expect(halfBits(-2)).toBe(0xc000);
  expect(halfBits(65504)).toBe(0x7bff);
  expect(halfBits(65519.996)).toBe(0x7bff);
  expect(halfBits(65520)).toBe(0x7c00);
  expect(halfBits(-Infinity)).toBe(0xfc00);
  expect(halfBits(Number.NaN) & 0x7fff).toBeGreaterThan(0x7c00);
  expect(halfBits(2 ** -24)).toBe(1);
  expect(halfBits(2 ** -25)).toBe(0);
  expect(halfBits(2 ** -25 * 1.0001)).toBe(1);
  expect(halfBits(2 ** -14)).toBe(0x0400);
  expect(halfBits(1 / 3)).toBe(0x3555);
});

test('every finite half float survives, and a tie between two goes to the even one', () => {
  const wrong: number[] = [];
  const check = (value: number, bits: number) => {
    if (halfBits(value) !== bits) wrong.push(value);
  };
  for (let bits = 0; bits < 0x7c00; bits++) {
    check(halfValue(bits), bits);
    check(-halfValue(bits), bits | 0x8000);
    if (bits === 0x7bff) continue;
    const tie = (halfValue(bits) + halfValue(bits + 1)) / 2;
    check(tie, bits % 2 === 0 ? bits : bits + 1);
    // The float32 next to the tie on either side.
    check(Math.fround(tie * (1 - 2 ** -23)), bits);
    check(Math.fround(tie * (1 + 2 ** -23)), bits + 1);
  }
  expect(wrong).toEqual([]);
});

test('snorm of ten bits has scale 511, clamps, and rounds half to even', () => {
  expect(snorm10(1)).toBe(511);
  expect(snorm10(2)).toBe(511);
  expect(snorm10(-2)).toBe(513);
  expect(snorm10(0)).toBe(0);
  // 0.5 * 511 = 255.5 goes up to 256, 254.5 / 511 * 511 down to 254.
  expect(snorm10(0.5)).toBe(256);
  expect(snorm10(-0.5)).toBe(1024 - 256);
  expect(snorm10(254.5 / 511)).toBe(254);
  expect(snorm10(-254.5 / 511)).toBe(1024 - 254);
});

test('normals are normalised, W is 0, and a zero one is +Z', () => {
  expect(packNormal(0, 0, 1)).toBe(0x1ff00000);
  expect(packNormal(0, 0, -7)).toBe(513 << 20);
  expect(packNormal(3, 4, 0)).toBe(307 | (409 << 10)); // 0.6 * 511 = 306.6, 0.8 * 511 = 408.8
  expect(packNormal(0, 0, 0)).toBe(0x1ff00000);
  expect(packNormal(1e-9, 0, 0)).toBe(0x1ff00000);
});

test('tangents carry their sign in the two highest bits: 01 from 0 up, 11 below', () => {
  expect(packTangent(1, 0, 0, 1)).toBe(0x400001ff);
  expect(packTangent(1, 0, 0, -1)).toBe(0xc00001ff);
  expect(packTangent(1, 0, 0, 0)).toBe(0x400001ff);
  expect(packTangent(1, 0, 0, -0.1)).toBe(0xc00001ff);
  expect(packTangent(0, -1, 0, 1)).toBe(((513 << 10) | (1 << 30)) >>> 0);
  expect(packTangent(0, 0, 0, 1)).toBe(0x400001ff);
});

test('a vertex is 32 bytes: position, normal, tangent, uv0, uv1, colour', () => {
  const mesh = triangleMesh([[1, -2, 0.5]], [], {
    normals: Float32Array.of(0, 1, 0),
    tangents: Float32Array.of(0, 0, -1, -1),
    uv0: Float32Array.of(0.25, -1.5),
    colors: Uint8Array.of(1, 2, 3, 250),
  });
  const words = new Uint32Array(16);
  packVertices(mesh, null, words, 1);
  const bytes = Buffer.from(words.buffer).toString('hex');
  expect(bytes.slice(0, 64)).toBe('0'.repeat(64));
  expect(bytes.slice(64)).toBe(
    '0000803f' + // 1
      '000000c0' + // -2
      '0000003f' + // 0.5
      '00fc0700' + // 511 << 10
      '000010e0' + // 513 << 20 | 3 << 30
      '0034' + // 0.25
      '00be' + // -1.5
      '00000000' + // uv1
      '010203fa',
  );
});

test('without tangents +X is stored, +Y under a normal along X; without colours white', () => {
  const mesh = triangleMesh(
    [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
    [],
    { normals: Float32Array.of(0, 0, 1, 1, 0, 0, -1, 0, 0) },
  );
  const words = new Uint32Array(24);
  packVertices(mesh, null, words, 0);
  const plusY = ((511 << 10) | (1 << 30)) >>> 0;
  expect([words[4], words[12], words[20]]).toEqual([0x400001ff, plusY, plusY]);
  expect(words[7]).toBe(0xffffffff);
});

test('UVs beyond the largest half float stay finite', () => {
  const mesh = triangleMesh([[0, 0, 0]], [], { uv0: Float32Array.of(1e6, -Infinity) });
  const words = new Uint32Array(8);
  packVertices(mesh, null, words, 0);
  expect(words[5]).toBe(0xfbff7bff);
});

test('indices are uint16 up to 65535 vertices', () => {
  expect(packIndices(Uint32Array.of(0, 1, 65534), 65535)).toEqual(Uint16Array.of(0, 1, 65534));
  expect(packIndices(Uint32Array.of(0, 1, 65535), 65536)).toEqual(Uint32Array.of(0, 1, 65535));
});
