// Radiance pictures as surroundings of the page: which side lights which texel, and what is said of broken ones.

import { describe, expect, test } from 'vitest';
import type { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { LIGHT_MIPS } from '../../src/viewer/page/lightMips.ts';
import { readEnvironment } from '../../src/viewer/page/reading/environment.ts';

/** A picture of one row whose pixels, from the south over the west, have these RGBE bytes. */
function picture(...pixels: readonly (readonly number[])[]): Uint8Array {
  const head = new TextEncoder().encode(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X ${pixels.length}\n`);
  return Uint8Array.from([...head, ...pixels.flat()]);
}

describe('surroundings of a picture', () => {
  test('the mips are those that three.js asks for', () => {
    expect(LIGHT_MIPS.map(({ size }) => size)).toEqual([128, 64, 32, 16, 8, 4]);
    // lod = 4 r (2 - r)
    for (const [lod, { roughness }] of LIGHT_MIPS.slice(0, 5).entries()) {
      expect(4 * roughness * (2 - roughness)).toBeCloseTo(lod, 12);
    }
  });

  test('east and west change places, as cube maps are looked at from outside; north and south do not', () => {
    // South-west red, north-west green, north-east blue, south-east white.
    const { mips, sun } = readEnvironment(
      picture([128, 0, 0, 129], [0, 128, 0, 129], [0, 0, 128, 129], [128, 128, 128, 129]),
      'sky.hdr',
    );
    expect(sun).toBe(null);
    expect(mips.map(({ length }) => length)).toEqual(LIGHT_MIPS.map(({ size }) => 6 * size * size * 3));
    const colors = (face: number, column: number) => {
      const at = ((face * 128 + 64) * 128 + column) * 3;
      return Array.from(mips[0].subarray(at, at + 3), (value) => Math.sign(value));
    };
    // +X of the texture, columns from +Z to -Z: what lies in the west, from south to north.
    expect([colors(0, 10), colors(0, 117)]).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ]);
    // -X: the east, from north to south.
    expect([colors(1, 10), colors(1, 117)]).toEqual([
      [0, 0, 1],
      [1, 1, 1],
    ]);
    // +Z, columns from -X to +X: the south, from its east to its west. -Z: the north, from its west to its east.
    expect([colors(4, 10), colors(4, 117), colors(5, 10), colors(5, 117)]).toEqual([
      [1, 1, 1],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });

  test('the same light from everywhere is the same in every mip, and as bright as a clear day', () => {
    const { mips } = readEnvironment(picture([128, 128, 128, 129], [128, 128, 128, 129]), 'even.hdr');
    const texels = mips.flatMap((mip) => [...mip]);
    expect(Math.min(...texels.slice(0, 9))).toBeCloseTo(1.05, 2);
    expect(texels.reduce((most, value) => Math.max(most, Math.abs(value - texels[0])), 0)).toBeLessThan(0.02);
  });

  test('what is no sound picture has the code of its fault', () => {
    const codeOf = (bytes: Uint8Array) => {
      try {
        readEnvironment(bytes, 'sky.hdr');
        return null;
      } catch (error) {
        return (error as SourceError).diagnostics.map(({ code, file }) => `${code} ${file}`).join();
      }
    };
    expect(codeOf(new TextEncoder().encode('PNG'))).toBe('UC2100 sky.hdr');
    expect(codeOf(picture([1, 1, 1, 1]).subarray(0, -1))).toBe('UC2101 sky.hdr');
    expect(codeOf(new TextEncoder().encode('#?RADIANCE\n\n-Y 2 +X 99999\n....'))).toBe('UC2103 sky.hdr');
  });
});
