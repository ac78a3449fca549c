// The sample town as a model, and as tiles with levels and clusters, beside .untold of the same cooks.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUntold } from '../../../../src/formats/untold/read.ts';
import { trianglesOf } from '../../../cook/cooked.ts';
import { bytesOf, expectAlike, ofUntold, SAMPLES, sorted, toUntold, useFolder } from '../../glb/cooking.ts';
import { trianglesOfModel } from './meshes.ts';
import { BAKE, expectNoHoles, expectSameSet, expectSound, toModel } from './sets.ts';

useFolder();

const TOWN = join(SAMPLES, 'usda/town.usda');

test('the town as one model', async () => {
  await toUntold(TOWN, 'town.untold', BAKE);
  await toModel(TOWN, 'town/town.mdl');
  const untold = await readUntold(bytesOf('town.untold'), 'town');
  expectAlike(sorted(trianglesOfModel(bytesOf('town/town.mdl'))), ofUntold(trianglesOf(untold)));
  expectSound('town');
});

test('the town as tiles with levels', async () => {
  const outcome = await expectSameSet('town', TOWN, { tileSize: 50, lods: [0.5], hlod: 0.1 }, 0.3);
  expect(outcome.totals?.levels.length).toBe(2);
});

test('the town as tiles with clusters', async () => {
  const settings = {
    tileSize: 50,
    lods: [0.5, 0.25],
    hlod: 0.1,
    hlodLevels: 2,
    hlodTextureSize: 256,
    lodCheck: 'pictures',
  } as const;
  await expectSameSet('clusters', TOWN, settings, 0.3);
  expectNoHoles('clusters-urho', 'scene');
});
