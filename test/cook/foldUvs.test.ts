// UVs into the texture of all: literal values, and which UVs may go there.

import { describe, expect, test } from 'vitest';
import { foldUvs, uvSquare, uvWord } from '../../src/cook/foldUvs.ts';
import { halfBits, halfValue } from '../../src/cook/pack.ts';
import type { PackedMesh } from '../../src/cook/types.ts';
import { pack, surface } from './packed.ts';

/** A plate with UVs of its own. */
const plate = (uvs: (u: number, v: number) => [number, number], at = 0): Promise<PackedMesh> => {
  const mesh = surface(2, 2, (u, v) => [u + at, 0, -v]);
  const uv0 = mesh.uv0.slice();
  for (let i = 0; i < uv0.length; i += 2) uv0.set(uvs(uv0[i], uv0[i + 1]), i);
  return pack({ ...mesh, uv0 });
};

const uvsAt = ({ vertices, vertexCount }: PackedMesh) => {
  const view = new DataView(vertices.slice().buffer);
  return new Map(
    Array.from({ length: vertexCount }, (_, v) => [
      [view.getFloat32(v * 32, true), -view.getFloat32(v * 32 + 8, true)].join(),
      [halfValue(view.getUint16(v * 32 + 20, true)), halfValue(view.getUint16(v * 32 + 22, true))],
    ]),
  );
};

test('halves there and back', () => {
  for (let bits = 0; bits < 0x7c00; bits++) {
    if (halfBits(halfValue(bits)) !== bits || halfValue(bits | 0x8000) !== -halfValue(bits)) throw new Error(`${bits}`);
  }
  expect([halfValue(0x3c00), halfValue(0x3555), halfValue(1)]).toEqual([1, 0.333251953125, 2 ** -24]);
});

describe('the square that UVs lie in', () => {
  test.each([
    ['all of one', (u: number, v: number) => [u, v], [0, 0]],
    ['the middle of another', (u: number, v: number) => [u / 2 + 3.25, v / 2 - 1.75], [3, -2]],
    ['a little outside', (u: number, v: number) => [u * 1.0018 - 0.0009, v], [0, 0]],
    ['more outside', (u: number, v: number) => [u, v * 1.002], null],
    ['below', (u: number, v: number) => [u, v - 0.01], null],
    ['two', (u: number, v: number) => [u * 2, v], null],
    ['a line between two', (_: number, v: number) => [1, v], [1, 0]],
  ] as [string, (u: number, v: number) => [number, number], number[] | null][])('%s', async (_, uvs, square) => {
    expect(uvSquare(await plate(uvs))).toEqual(square);
  });
});

test('UVs become what they are in the whole, rounded to half floats', async () => {
  const textured = await plate((u, v) => [u + 2, v - 1]);
  const plain = await plate((u, v) => [u * 7, v * 3], 5);
  const folded = await foldUvs(
    [textured, plain],
    [{ square: [2, -1], rect: [0.0625, 0.375, 0.3125, 0.875] }, [0.1875, 0.125]],
  );
  const uvs = uvsAt(folded);
  expect(uvs.get('0,0')).toEqual([0.0625, 0.375]);
  expect(uvs.get('1,0')).toEqual([0.3125, 0.375]);
  expect(uvs.get('0,1')).toEqual([0.0625, 0.875]);
  expect(uvs.get('0.5,0.5')).toEqual([0.1875, 0.625]);
  expect(uvs.get('5.5,0.5')).toEqual([0.1875, 0.125]);
  expect(uvWord(0.1875, 0.125)).toBe(0x30003200);
  expect([folded.vertexCount, folded.indices.length]).toEqual([18, 48]);
});

test('UVs outside by less than a texel end at the edge', async () => {
  const folded = await foldUvs(
    [await plate((u, v) => [u * 1.0018 - 0.0009, v])],
    [{ square: [0, 0], rect: [0.25, 0.25, 0.5, 0.5] }],
  );
  const us = [...uvsAt(folded).values()].map(([u]) => u);
  expect([Math.min(...us), Math.max(...us)]).toEqual([0.25, 0.5]);
});
