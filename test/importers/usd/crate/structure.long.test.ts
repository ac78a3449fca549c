// A tree of paths whose names would not fit memory.

import { expect, it } from 'vitest';
import { memoryContent } from '../../../../src/importers/content.ts';
import { CrateBytes } from '../../../../src/importers/usd/crate/coding/crateBytes.ts';
import { Cursor } from '../../../../src/importers/usd/crate/coding/cursor.ts';
import { readPaths } from '../../../../src/importers/usd/crate/paths.ts';

it('path trees end in a limit when all names together would not fit memory', () => {
  const none = new Cursor(new CrateBytes(memoryContent(new Uint8Array())), 0, 0);
  const count = 200_001;
  // Each path is below the one before.
  const jumps = new Int32Array(count).fill(-1);
  jumps[count - 1] = -2;
  const tree = { indexes: Uint32Array.from(jumps, (_, i) => i), elements: new Int32Array(count).fill(1), jumps };
  expect(() => readPaths(none, count, ['', 'A'], 0, tree)).toThrow(expect.objectContaining({ code: 'UC1406' }));
});
