// Larger sources, and one of another program, as bpx: compared with their .untold.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'vitest';
import { SAMPLES, useFolder } from '../glb/cooking.ts';
import { expectSame } from './sameAsUntold.ts';

useFolder();

test('the town is the same as .untold', () => expectSame(join(SAMPLES, 'usda/town.usda'), 'town'));

const ASSET = resolve(import.meta.dirname, '../../../../shared/assets/usd/mcusd/McUsd.usda');
test.skipIf(!existsSync(ASSET))('an asset of another program is the same as .untold', async () => {
  await expectSame(ASSET, 'asset');
});
