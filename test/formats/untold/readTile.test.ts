// What HLODs of clusters are made from: the meshes of files where their entities draw them.

import { expect, test } from 'vitest';
import { encodePayload } from '../../../src/formats/untold/payload.ts';
import { readDrawnMeshes } from '../../../src/formats/untold/readTile.ts';
import { multiply, translation } from '../../../src/scene/matrix.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { triangleMesh } from '../../geometry/meshes.ts';
import { pack } from '../../geometry/packed.ts';

test('instances are read where their entities place them', async () => {
  const corner = await pack(
    triangleMesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 2, 0],
      ],
      [0, 1, 2],
    ),
  );
  // A quarter turn about Z, then 8 m along X: (x, y) goes to (8 - y, x).
  const turned = multiply(translation(8, 0, 0), Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
  const surface = { material: DEFAULT_MATERIAL, tint: null, palette: null };
  const { file } = await encodePayload({
    fileType: 'tile',
    meshes: [
      { naming: { entity: 'a', mesh: 'corner' }, surface, stored: corner, placements: [translation(5, 0, 0), turned] },
      { naming: { entity: 'b', mesh: 'corner' }, surface, stored: corner },
    ],
    textures: [],
    authored: {},
    options: { compression: 'none' },
  });
  const meshes = await readDrawnMeshes([{ name: 'tile', file }], [], new Map());
  const points = ({ mesh }: (typeof meshes)[number]) =>
    Array.from({ length: 3 }, (_, i) => [...mesh.positions.subarray(3 * i, 3 * i + 3)]).sort(
      (p, q) => p[0] - q[0] || p[1] - q[1],
    );
  expect(meshes.map(points)).toEqual([
    [
      [5, 0, 0],
      [5, 2, 0],
      [6, 0, 0],
    ],
    [
      [6, 0, 0],
      [8, 0, 0],
      [8, 1, 0],
    ],
    [
      [0, 0, 0],
      [0, 2, 0],
      [1, 0, 0],
    ],
  ]);
});
