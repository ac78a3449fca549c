// Ground that spans a scene, cut at the planes of its tiles, through whole cooks. The long test of the same name has trees.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { ground } from '../geometry/packed.ts';
import { cook, describeCuts, drawn, EDGE, folder, MATERIALS, manifest, useGround } from './cutGround.ts';
import { gltf } from './things.ts';

useGround();

describeCuts('grid');

test('with never it stays whole, in the bucket', async () => {
  await cook('never', { split: 'never' }, false);
  const { shared_bucket } = manifest('never');
  const own = await drawn('never', shared_bucket?.path_relative_to_manifest ?? '');
  expect(own.length).toBe(2 * 64 * 64);
});

test('a mesh that is cut at several places keeps, at each, the part that lies in one cell', async () => {
  const patch = ground(10, 10, 4, 2);
  const { nodes, meshes, ...rest } = JSON.parse(
    gltf(
      [
        { mesh: ground(0, 0, EDGE, 96), material: 0, name: 'Ground' },
        { mesh: patch, material: 1 },
      ],
      MATERIALS,
    ),
  );
  const three = [0, 1, 2].map((i) => ({ mesh: 0, name: `Ground_${i}`, translation: [i * 150, 0, 0] }));
  const both = { primitives: [...meshes[0].primitives, ...meshes[1].primitives] };
  writeFileSync(
    join(folder, 'patched.gltf'),
    JSON.stringify({ ...rest, scenes: [{ nodes: [0, 1, 2] }], nodes: three, meshes: [both] }),
  );
  // Of two threads one cuts the mesh at two of the places.
  const two = new WorkerPool(2);
  const { totals } = await cook('patched', { split: 'always', minObjects: 1 }, false, two, 'patched.gltf');
  await two.close();
  expect(totals?.trianglesIn).toBe(3 * 2 * (96 * 96 + 4));
  let stone = 0;
  for (const { path_relative_to_manifest: path } of manifest('patched').tiles) {
    stone += (await drawn('patched', path)).filter(({ material }) => material === 'stone').length;
  }
  expect(stone).toBe(3 * 8);
});
