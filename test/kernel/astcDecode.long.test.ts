// The ASTC decoder on random blocks of every footprint, against two decoders of other hands.

import { expect, test } from 'vitest';
import { FOOTPRINTS } from './astcBlocks.ts';
import { compareWithAstcenc, compareWithBasis, legalImage } from './otherDecoders.ts';

await compareWithBasis(FOOTPRINTS);

test('every number of partitions, every mode of end points and both numbers of planes are among them', () => {
  const seen = { partitions: new Set<number>(), modes: new Set<number>(), planes: new Set<number>() };
  for (const footprint of FOOTPRINTS) {
    const { blocks } = legalImage(footprint, true);
    for (let at = 0; at < blocks.length; at += 16) {
      const bits = blocks[at] | (blocks[at + 1] << 8) | (blocks[at + 2] << 16);
      if ((bits & 0x1ff) === 0x1fc) continue;
      seen.partitions.add(((bits >> 11) & 3) + 1);
      if (((bits >> 11) & 3) === 0) seen.modes.add((bits >> 13) & 15);
      // Grids of 6 to 9 weights a side use bit 10 for their height.
      const isSquare = (bits & 3) === 0 && ((bits >> 7) & 3) === 2;
      seen.planes.add(isSquare ? 1 : ((bits >> 10) & 1) + 1);
    }
  }
  const sorted = (set: ReadonlySet<number>) => [...set].sort((a, b) => a - b);
  expect(sorted(seen.partitions)).toEqual([1, 2, 3, 4]);
  expect(sorted(seen.planes)).toEqual([1, 2]);
  expect(sorted(seen.modes)).toEqual([0, 1, 4, 5, 6, 8, 9, 10, 12, 13]);
});

compareWithAstcenc({ decoded: FOOTPRINTS, encoded: FOOTPRINTS });
