// What is reported of a tile that breaks a budget.

import { expect, test } from 'vitest';
import { reportBudget } from '../../../src/cook/steps/plan/reportBudget.ts';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import type { Scene } from '../../../src/scene/types.ts';
import { DEFAULT_BUDGETS } from '../../../src/tiling/partition/budgets.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import { box, object } from '../../tiling/objects.ts';

const SCENE = { source: 'town.usda', nodes: [{ path: '/Ground' }, { path: '/House' }] } as unknown as Scene;

test('a piece that holds more than was expected of it is named as one', () => {
  const ground = object(0, box(0, -125, 125, 0), { vertices: 50_000, triangles: 50_000 });
  const house = object(1, box(1, -2, 2, -1));
  const reported = (tileId: string) => {
    const diagnostics = new Diagnostics();
    const tile = planScene([ground, house], 25, 's').tiles.find(({ id }) => id === tileId);
    if (!tile) throw new Error(`no ${tileId}`);
    reportBudget(tile, { bytes: 1, meshes: 1, vertices: 170_000 }, DEFAULT_BUDGETS, SCENE, diagnostics);
    return diagnostics.list.map(({ code, path, message }) => `${code} ${path} ${message}`);
  };
  expect(reported('tile_1_0_1')).toEqual([
    'UC2204 /Ground tile_1_0_1 holds 170,000 vertices of 160,000: it is one piece of an object',
  ]);
  expect(reported('tile_0_0_0')[0]).toContain(': by its counts it was expected to hold 3000 vertices');
});
