// HLODs that several far tiles share, through whole cooks: which tiles share one, what the manifest states of it and of
// them, and that neighbours meet.

import { describe, expect, test } from 'vitest';
import type { CookOutcome } from '../../src/cook/types.ts';
import { ground } from '../geometry/packed.ts';
import { describeClusters } from './clusterSuite.ts';
import { CELL, farTown, options, town } from './farTown.ts';

const farCooks = farTown();
const { cook, clustersOf } = farCooks;

describeClusters(farCooks, 2);

describe('clusters without a place are named once', () => {
  const reported = ({ diagnostics }: CookOutcome) => diagnostics.filter(({ code }) => code === 'UC2062');

  test('where one tile alone has levels', async () => {
    const things = town().filter(({ name = '' }) => name.endsWith('bare') || name.endsWith('_4_2'));
    const outcome = await cook('few', { values: { hlodLevels: 2 }, things });
    expect(reported(outcome)).toMatchObject([{ message: '1 of 1 clusters have fewer than two tiles with levels' }]);
    expect(clustersOf('few')).toEqual([]);
  });

  test('where no two tiles lie together', async () => {
    const outcome = await cook('single', {
      values: { hlodLevels: 4 },
      things: [{ mesh: ground(0, 0, CELL, 32), material: 0 }],
    });
    expect(reported(outcome)).toMatchObject([{ message: 'no two tiles with levels lie together' }]);
  });
});

test('levels of HLODs without an HLOD are refused', () => {
  const failure = () => options({ hlod: null, hlodLevels: 2 });
  expect(failure).toThrow(expect.objectContaining({ diagnostics: [expect.objectContaining({ code: 'UC1012' })] }));
  expect(options({ hlod: null, hlodLevels: 1 }).hlodLevels).toBe(1);
});
