// All ways to cut that the quick test of the same name leaves out, and objects cut into just as many pieces as may be.

import { expect, test } from 'vitest';
import { planScene } from '../../../src/tiling/plan.ts';
import { box, object } from '../objects.ts';
import { describeCuts } from './cutPlans.ts';

test('262,144 pieces of all objects together are not too many', () => {
  const grounds = Array.from({ length: 16 }, (_, i) => object(i, box(0, -128, 128, 0), { triangles: 1e6 }));
  const { cut } = planScene(grounds, 1, 's');
  expect(cut.map(({ pieces }) => pieces)).toEqual(new Array(16).fill(16_384));
});

describeCuts({ partition: 'grid', split: 'always' });
describeCuts({ partition: 'quadtree', split: 'auto' });
describeCuts({ partition: 'kdtree', split: 'auto' });
describeCuts({ partition: 'kdtree', split: 'always' });
