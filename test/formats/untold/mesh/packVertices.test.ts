// The kernel packs vertices; here it is held against the functions for one value and against placeVertices.

import { describe, expect, test } from 'vitest';
import { finiteHalfBits } from '../../../../src/formats/untold/mesh/halfFloat.ts';
import { packNormal, packTangent, VERTEX_WORDS } from '../../../../src/formats/untold/mesh/vertexWords.ts';
import { placementOf, placeVertices, vertexTarget } from '../../../../src/geometry/mesh/transform.ts';
import { packInto } from './packedWords.ts';

const NO_INDICES = new Uint32Array(0);

describe('the packing loop', () => {
  // Values at which rounding, clamping and fallbacks decide; every vertex takes the next three of them.
  const odd = [0, -0, 1, -1, 0.5, 1e-9, -1e-9, 511.5 / 511, 1 / 511, -0.3, 0.6, 2, -3, 1e30, Infinity, NaN];
  const count = odd.length * 5;
  const cycle = (length: number, step: number) => Float32Array.from({ length }, (_, i) => odd[(i * step) % odd.length]);
  const uvs = [0, -0, 1, -1, 2 ** -24, 2 ** -25, 3 * 2 ** -25, 65504, 65519, 65520, -1e9, Infinity, NaN, 0.1, 1 / 3];

  test('gives the words of the functions for one value', () => {
    const normal = cycle(count * 3, 7);
    const tangent = cycle(count * 4, 11);
    const uv0 = Float32Array.from({ length: count * 2 }, (_, i) => uvs[(i * 4) % uvs.length]);
    const color0 = Uint8Array.from({ length: count * 4 }, (_, i) => i);
    const positions = Float32Array.from({ length: count * 3 }, (_, i) => i / 7);
    const words = new Uint32Array(count * VERTEX_WORDS);
    const mesh = { vertexCount: count, positions, attributes: { normal, tangent, uv0, color0 }, indices: NO_INDICES };
    packInto(mesh, null, words, 0);
    const wanted: number[] = [];
    const bits = new Uint32Array(positions.buffer);
    const uvBits = new Uint32Array(uv0.buffer);
    const colors = new Uint32Array(color0.buffer);
    for (let v = 0; v < count; v++) {
      wanted.push(bits[v * 3], bits[v * 3 + 1], bits[v * 3 + 2]);
      wanted.push(packNormal(normal[v * 3], normal[v * 3 + 1], normal[v * 3 + 2]));
      wanted.push(packTangent(tangent[v * 4], tangent[v * 4 + 1], tangent[v * 4 + 2], tangent[v * 4 + 3]));
      wanted.push((finiteHalfBits(uvBits[v * 2]) | (finiteHalfBits(uvBits[v * 2 + 1]) << 16)) >>> 0, 0, colors[v]);
    }
    expect([...words]).toEqual(wanted.map((word) => word >>> 0));
  });

  test('places vertices as placeVertices does, and packs what that gives', () => {
    const normal = Float32Array.from({ length: 60 }, (_, i) => Math.fround(((i * 37) % 19) / 9 - 1));
    const tangent = Float32Array.from({ length: 80 }, (_, i) =>
      i % 4 === 3 ? 1 : Math.fround(((i * 29) % 23) / 11 - 1),
    );
    const positions = Float64Array.from({ length: 60 }, (_, i) => i / 3);
    const mesh = { vertexCount: 20, positions, attributes: { normal, tangent }, indices: NO_INDICES };
    // Mirrored; the second one leaves no direction along y.
    for (const height of [2, 0]) {
      const to = placementOf(
        Float64Array.of(-1.1, 0.2, 0.3, 0, 0.1 * height, height, 0, 0, 0.3, 0.4, 1.7, 0, 5, 6, 7, 1),
      );
      const placed = vertexTarget(mesh, 20);
      placeVertices(mesh, to, 0, 20, placed);
      const there = { ...mesh, positions: placed.positions, attributes: { ...mesh.attributes, ...placed.attributes } };
      const words = new Uint32Array(20 * VERTEX_WORDS);
      packInto(mesh, to, words, 0);
      const wanted = new Uint32Array(20 * VERTEX_WORDS);
      packInto(there, null, wanted, 0);
      expect([...words]).toEqual([...wanted]);
    }
  });
});
