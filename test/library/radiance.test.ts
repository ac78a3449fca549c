// Radiance pictures, by literal bytes: plain rows, and rows in either of the two run-length encodings.

import { expect, test } from 'vitest';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { readRadiance } from '../../src/library/render/radiance.ts';

const HEAD = '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n';
const file = (head: string, ...bytes: number[]): Uint8Array =>
  Buffer.concat([Buffer.from(head), Uint8Array.from(bytes)]);

function codeOf(bytes: Uint8Array): string {
  try {
    readRadiance(bytes, 'sky.hdr');
    return 'none';
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics[0].code;
  }
}

test('plain pixels', () => {
  const bytes = file('#?RGBE\r\n# made by hand\nEXPOSURE=2\nEXPOSURE= 0.5\n\n-Y 2 +X 1\n', 9, 8, 7, 128, 1, 2, 3, 129);
  const { width, height, rgbe, exposure } = readRadiance(bytes, 'sky.hdr');
  expect([width, height, exposure, [...rgbe]]).toEqual([1, 2, 1, [9, 8, 7, 128, 1, 2, 3, 129]]);
});

test('the older runs repeat the pixel before them; several in turn are digits to the base 256', () => {
  const bytes = file(`${HEAD}-Y 1 +X 5\n`, 9, 8, 7, 128, 1, 1, 1, 3, 4, 4, 4, 127);
  expect([...readRadiance(bytes, 'sky.hdr').rgbe]).toEqual([
    ...[9, 8, 7, 128],
    ...[9, 8, 7, 128],
    ...[9, 8, 7, 128],
    ...[9, 8, 7, 128],
    ...[4, 4, 4, 127],
  ]);
  const long = file(`${HEAD}-Y 1 +X 261\n`, 9, 8, 7, 128, 1, 1, 1, 4, 1, 1, 1, 1);
  const { rgbe } = readRadiance(long, 'sky.hdr');
  expect([...rgbe.subarray(260 * 4)]).toEqual([9, 8, 7, 128]);
});

test('the newer runs go channel by channel', () => {
  // Red: 8 times 5. Green: 1 to 8. Blue: 3 literal, 5 times 9. Exponent: 8 times 128.
  const row = [2, 2, 0, 8, 136, 5, 8, 1, 2, 3, 4, 5, 6, 7, 8, 3, 1, 1, 2, 133, 9, 136, 128];
  const { rgbe } = readRadiance(file(`${HEAD}-Y 1 +X 8\n`, ...row), 'sky.hdr');
  expect([...rgbe.subarray(0, 4)]).toEqual([5, 1, 1, 128]);
  expect([...rgbe.subarray(28)]).toEqual([5, 8, 9, 128]);
  const whole = file(`${HEAD}-Y 1 +X 8\n`, ...row);
  for (let length = 0; length < whole.length; length++) {
    expect(['UC2440', 'UC2442']).toContain(codeOf(whole.subarray(0, length)));
  }
});

test.each<[string, string, readonly number[], string]>([
  ['something else', 'PNG', [], 'UC2440'],
  ['XYZ', '#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n', [1, 2, 3, 4], 'UC2440'],
  ['other axes', `${HEAD}+X 1 -Y 1\n`, [1, 2, 3, 4], 'UC2440'],
  ['no pixels', `${HEAD}-Y 0 +X 1\n`, [], 'UC2440'],
  ['no exposure', '#?RADIANCE\nEXPOSURE=0\n\n-Y 1 +X 1\n', [1, 2, 3, 4], 'UC2440'],
  ['too wide', `${HEAD}-Y 1 +X 16385\n`, [], 'UC2441'],
  ['too many pixels', `${HEAD}-Y 16384 +X 16384\n`, [], 'UC2441'],
  ['fewer bytes than rows', `${HEAD}-Y 9000 +X 3000\n`, [1, 2, 3, 4], 'UC2442'],
  ['a run without a pixel before it', `${HEAD}-Y 1 +X 2\n`, [1, 1, 1, 2], 'UC2442'],
  ['a run beyond its row', `${HEAD}-Y 1 +X 2\n`, [3, 1, 1, 2, 1, 1, 1, 9], 'UC2442'],
  ['a newer run beyond its row', `${HEAD}-Y 1 +X 8\n`, [2, 2, 0, 8, 137, 5, 0, 0, 0, 0, 0, 0], 'UC2442'],
  ['a newer run of nothing', `${HEAD}-Y 1 +X 8\n`, [2, 2, 0, 8, 0, 5, 0, 0, 0, 0, 0, 0], 'UC2442'],
])('%s is refused', (_, head, bytes, code) => {
  expect(codeOf(file(head, ...bytes))).toBe(code);
});
