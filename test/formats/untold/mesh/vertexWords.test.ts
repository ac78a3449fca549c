import { expect, test } from 'vitest';
import { halfBits, halfValue as storedHalf } from '../../../../src/formats/untold/mesh/halfFloat.ts';
import { packIndices, packMesh, unpackMesh } from '../../../../src/formats/untold/mesh/packMesh.ts';
import {
  packNormal,
  packTangent,
  roundValues,
  snorm10,
  unpackVertices,
  wordsOf,
} from '../../../../src/formats/untold/mesh/vertexWords.ts';
import { triangleMesh } from '../../../geometry/meshes.ts';
import { packInto } from './packedWords.ts';

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
    normal: Float32Array.of(0, 1, 0),
    tangent: Float32Array.of(0, 0, -1, -1),
    uv0: Float32Array.of(0.25, -1.5),
    color0: Uint8Array.of(1, 2, 3, 250),
  });
  const words = new Uint32Array(16);
  packInto(mesh, null, words, 1);
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
    { normal: Float32Array.of(0, 0, 1, 1, 0, 0, -1, 0, 0) },
  );
  const words = new Uint32Array(24);
  packInto(mesh, null, words, 0);
  const plusY = ((511 << 10) | (1 << 30)) >>> 0;
  expect([words[4], words[12], words[20]]).toEqual([0x400001ff, plusY, plusY]);
  expect(words[7]).toBe(0xffffffff);
});

test('UVs beyond the largest half float stay finite', () => {
  const mesh = triangleMesh([[0, 0, 0]], [], { uv0: Float32Array.of(1e6, -Infinity) });
  const words = new Uint32Array(8);
  packInto(mesh, null, words, 0);
  expect(words[5]).toBe(0xfbff7bff);
});

test('indices are uint16 up to 65535 vertices', () => {
  expect(packIndices(Uint32Array.of(0, 1, 65534), 65535)).toEqual(Uint16Array.of(0, 1, 65534));
  expect(packIndices(Uint32Array.of(0, 1, 65535), 65536)).toEqual(Uint32Array.of(0, 1, 65535));
});

test('every finite half float has its value', () => {
  const wrong: number[] = [];
  for (let bits = 0; bits < 0x10000; bits++) {
    if ((bits & 0x7c00) !== 0x7c00 && !Object.is(storedHalf(bits), halfValue(bits))) wrong.push(bits);
  }
  expect(wrong).toEqual([]);
  expect([storedHalf(0x3c00), storedHalf(0x3555), storedHalf(1)]).toEqual([1, 0.333251953125, 2 ** -24]);
});

/** Words of vertices that hold the given normals, tangents and UVs. */
function vertices(rows: readonly (readonly [normal: number, tangent: number, uv0: number])[]): Uint32Array {
  return Uint32Array.from(
    rows.flatMap(([normal, tangent, uv0], i) => [i, 0, 0, normal, tangent, uv0, 0, i * 0x010203]),
  );
}

/** That vertices are packed again as they are. */
function expectSameAgain(rows: Parameters<typeof vertices>[0]): void {
  const words = vertices(rows);
  const mesh = { ...unpackVertices(words), indices: new Uint32Array(0) };
  const packed = new Uint32Array(words.length);
  packInto(mesh, null, packed, 0);
  // Of so many words toEqual() takes a hundred times as long.
  expect(packed.findIndex((word, at) => word !== words[at])).toBe(-1);
}

test('what is unpacked packs into the same words: all values of ten bits, on each axis, with either sign', () => {
  const rows = [];
  for (let bits = 0; bits < 1024; bits++) {
    for (let axis = 0; axis < 3; axis++) {
      // The next axis is 1, so that the vector has a length and is longer than 1.
      const direction = (bits << (axis * 10)) | (511 << (((axis + 1) % 3) * 10));
      const sign = bits % 2 === 0 ? 1 : 3;
      rows.push([direction, (direction | (sign << 30)) >>> 0, 0] as const);
    }
  }
  expectSameAgain(rows);
});

test('what is unpacked packs into the same words: directions of all kinds that were packed before', () => {
  const rows = [];
  for (let i = 0; i < 20000; i++) {
    const [a, b] = [Math.acos(1 - (2 * (i + 0.5)) / 20000), i * 2.399963];
    const [x, y, z] = [Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a)];
    rows.push([packNormal(x, y, z), packTangent(y, z, x, i % 2 === 0 ? 1 : -1), 0] as const);
  }
  expectSameAgain(rows);
});

test('what is unpacked packs into the same words: all finite half floats', () => {
  const finite = Array.from({ length: 0x10000 }, (_, bits) => bits).filter((bits) => (bits & 0x7c00) !== 0x7c00);
  const rows = finite.map((u, i) => [511, 0x40000000 | (511 << 10), (u | (finite.at(-1 - i)! << 16)) >>> 0] as const);
  expectSameAgain(rows);
});

test('values are rounded as packing and unpacking rounds them', () => {
  const mesh = triangleMesh(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    [0, 1, 1],
    {
      normal: Float32Array.of(0.6, 0.8, 0, 0.36, 0.48, 0.8),
      tangent: Float32Array.of(0, 0, 1, -1, 0.8, -0.6, 0, 1),
      uv0: Float32Array.of(1 / 3, -0.1, 70000, 1e-9),
      color0: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    },
  );
  const { attributes } = unpackMesh(packMesh(mesh));
  expect(attributes.normal[0]).toBe(Math.fround(307 / 511));
  expect([...attributes.uv0!]).toEqual([0.333251953125, -0.0999755859375, 65504, 0]);
  for (const semantic of ['normal', 'tangent', 'uv0', 'color0'] as const) {
    expect(roundValues(semantic, mesh.attributes[semantic]!)).toEqual(attributes[semantic]);
  }
});

test('words are a view at multiples of 4, and a copy elsewhere, of a Buffer too', () => {
  const words = Uint32Array.of(1, 0x12345678);
  expect(wordsOf(new Uint8Array(words.buffer)).buffer).toBe(words.buffer);
  // A view 1 byte into memory that begins at a multiple of 4.
  const buffer = Buffer.from(new ArrayBuffer(9));
  buffer.set(new Uint8Array(words.buffer), 1);
  for (const bytes of [buffer.subarray(1), new Uint8Array(buffer.buffer, 1, 8)]) {
    expect([...wordsOf(bytes)]).toEqual([1, 0x12345678]);
  }
});
