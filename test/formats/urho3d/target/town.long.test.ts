// The sample town as a model and as tiles with levels, and a town of few triangles as tiles with clusters, beside .untold of the
// same cooks.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUntold } from '../../../../src/formats/untold/read.ts';
import { trianglesOf } from '../../../cook/cooked.ts';
import { CELL, town, townGltf } from '../../../cook/farTown.ts';
import { bytesOf, expectAlike, fileOf, ofUntold, SAMPLES, sorted, toUntold, useFolder } from '../../glb/cooking.ts';
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

test('a town as tiles with clusters', async () => {
  const source = fileOf('far.gltf');
  // Two by two clusters, of four cells each.
  writeFileSync(source, townGltf(town().filter(({ name = '' }) => /_[0-3]_[0-3]$/.test(name))));
  const settings = {
    tileSize: CELL,
    maxTileVertices: 6000,
    lods: [0.5, 0.25],
    hlod: 0.1,
    hlodLevels: 2,
    hlodTextureSize: 256,
    lodCheck: 'pictures',
  } as const;
  await expectSameSet('clusters', source, settings, 0.3);
  expectNoHoles('clusters-urho', 'scene');
});
