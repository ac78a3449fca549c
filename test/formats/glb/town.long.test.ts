// The sample town as GLB, as .untold, and as GLB of that.

import { join } from 'node:path';
import { test } from 'vitest';
import { expectSameTriangles, SAMPLES, useFolder } from './cooking.ts';

useFolder();

test('the town has the same triangles in all three, and the same bytes twice', async () => {
  await expectSameTriangles('town', join(SAMPLES, 'usda/town.usda'));
});
