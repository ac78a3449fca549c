// UVs into the texture of all: literal values, and which UVs may go there.

import { describe, expect, test } from 'vitest';
import { rounded } from '../../src/formats/rounded.ts';
import { roundValues } from '../../src/formats/untold/mesh/vertexWords.ts';
import { type AtlasedUv, atlasUvs } from '../../src/geometry/hlod/atlasUvs.ts';
import { type Float32Mesh, valuesOf } from '../../src/geometry/mesh/mesh.ts';
import { uvWindow } from '../../src/geometry/uv/uvWindow.ts';
import { stored, surface } from './packed.ts';

/** A plate with UVs of its own. */
const plate = (uvs: (u: number, v: number) => [number, number], at = 0): Promise<Float32Mesh> => {
  const mesh = surface(2, 2, (u, v) => [u + at, 0, -v]);
  const uv0 = valuesOf(mesh, 'uv0').slice();
  for (let i = 0; i < uv0.length; i += 2) uv0.set(uvs(uv0[i], uv0[i + 1]), i);
  return stored({ ...mesh, attributes: { ...mesh.attributes, uv0 } });
};

const uvsAt = (mesh: Float32Mesh) => {
  const { positions, vertexCount } = mesh;
  const uv0 = valuesOf(mesh, 'uv0');
  return new Map(
    Array.from({ length: vertexCount }, (_, v) => [
      [positions[v * 3], -positions[v * 3 + 2]].join(),
      [uv0[v * 2], uv0[v * 2 + 1]],
    ]),
  );
};

/** Folded, and rounded as a file holds it. */
const fold = (meshes: readonly Float32Mesh[], uvs: readonly AtlasedUv[]) => rounded(atlasUvs(meshes, uvs), roundValues);

describe('the repeats that hold each triangle', () => {
  // Two quads along each axis, so that a triangle reaches over half of what the plate does.
  test.each([
    ['all of one', (u: number, v: number) => [u, v], [1, 1]],
    ['the middle of another', (u: number, v: number) => [u / 2 + 3.25, v / 2 - 1.75], [1, 1]],
    ['a little outside', (u: number, v: number) => [u * 1.0018 - 0.0009, v], [1, 1]],
    ['more outside', (u: number, v: number) => [u, v * 1.002], [1, 2]],
    ['below', (u: number, v: number) => [u, v - 0.01], [1, 2]],
    ['two, a triangle in each', (u: number, v: number) => [u * 2, v], [1, 1]],
    ['two, each triangle in both', (u: number, v: number) => [u * 2 + 0.5, v], [2, 1]],
    ['five', (u: number, v: number) => [u, v * 5], [1, 3]],
    ['a line between two', (_: number, v: number) => [1, v], [1, 1]],
  ] as [string, (u: number, v: number) => [number, number], number[]][])('%s', async (_, uvs, repeats) => {
    expect(uvWindow(await plate(uvs)).repeats).toEqual(repeats);
  });
});

describe('the metres that a repeat covers', () => {
  test.each([
    ['once', (u: number, v: number) => [u, v], [1, 1]],
    ['four times and half', (u: number, v: number) => [u * 4, v / 2], [0.25, 2]],
    ['turned', (u: number, v: number) => [v * 4, -u], [0.25, 1]],
    ['a line', (_: number, v: number) => [0.5, v], [Infinity, Infinity]],
  ] as [string, (u: number, v: number) => [number, number], number[]][])('%s', async (_, uvs, metres) => {
    expect(uvWindow(await plate(uvs)).metres).toEqual(metres);
  });

  test('is the mean over the area', async () => {
    // The left half of the plate once, the right half four times along u.
    const bent = await plate((u, v) => [u <= 0.5 ? u : 0.5 + (u - 0.5) * 4, v]);
    expect(uvWindow(bent).metres).toEqual([(1 + 0.25) / 2, 1]);
  });
});

test('UVs become what they are in the whole, rounded to half floats', async () => {
  const textured = await plate((u, v) => [u + 2, v - 1]);
  const plain = await plate((u, v) => [u * 7, v * 3], 5);
  const folded = await fold(
    [textured, plain],
    [{ repeats: [1, 1], rect: [0.0625, 0.375, 0.3125, 0.875] }, [0.1875, 0.125]],
  );
  const uvs = uvsAt(folded);
  expect(uvs.get('0,0')).toEqual([0.0625, 0.375]);
  expect(uvs.get('1,0')).toEqual([0.3125, 0.375]);
  expect(uvs.get('0,1')).toEqual([0.0625, 0.875]);
  expect(uvs.get('0.5,0.5')).toEqual([0.1875, 0.625]);
  expect(uvs.get('5.5,0.5')).toEqual([0.1875, 0.125]);
  expect([folded.vertexCount, folded.indices.length]).toEqual([18, 48]);
});

test('UVs outside by less than a texel end at the edge', async () => {
  const folded = await fold(
    [await plate((u, v) => [u * 1.0018 - 0.0009, v])],
    [{ repeats: [1, 1], rect: [0.25, 0.25, 0.5, 0.5] }],
  );
  const us = [...uvsAt(folded).values()].map(([u]) => u);
  expect([Math.min(...us), Math.max(...us)]).toEqual([0.25, 0.5]);
});

test('triangles move into the window of repeats, each by its own whole numbers, and part where they move apart', async () => {
  // u from 3 to 7 over two quads: two repeats each, from 3 to 5 and from 5 to 7.
  const mesh = await plate((u, v) => [3 + u * 4, v - 2]);
  expect(uvWindow(mesh).repeats).toEqual([2, 1]);
  const folded = await fold([mesh], [{ repeats: [2, 1], rect: [0.25, 0.5, 0.75, 1] }]);
  expect([mesh.vertexCount, folded.vertexCount, folded.indices.length]).toEqual([9, 12, 24]);
  const uv0 = valuesOf(folded, 'uv0');
  const found = Array.from({ length: folded.vertexCount }, (_, v) =>
    [folded.positions[v * 3], uv0[v * 2], uv0[v * 2 + 1]].join(),
  );
  // At x = 0.5 the left quad ends at the right edge, and the right one begins at the left edge.
  expect([...found].sort()).toEqual(
    [0.5, 0.75, 1].flatMap((v) => [`0,0.25,${v}`, `0.5,0.25,${v}`, `0.5,0.75,${v}`, `1,0.75,${v}`]).sort(),
  );
});
