import { expect, test } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';

const NAMES = ['tile-size', 'scene', 'strict', 'compress', 'fail-fast', 'format-version'];

test.each([
  ['tile-sise', 'tile-size'],
  ['tilesize', 'tile-size'],
  ['Tile_Size', 'tile-size'],
  ['stirct', 'strict'],
  ['format', 'format-version'],
  ['compression', 'compress'],
  ['zzz', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('%s is probably meant to be %s', (asked, expected) => {
  expect(nearest(asked, NAMES)).toBe(expected);
});
