// What counts as covered when the streamed set is looked at for holes: glass covers nothing, for what is behind it is seen.

import { expect, test } from 'vitest';
import type { DrawnFileMaterial } from '../../../src/formats/format.ts';
import { NAMED_ONLY } from '../../../src/formats/wholeOutput.ts';
import { coverageOf } from '../../../src/workers/jobs/coverage.ts';
import { pixelCamera } from '../../raster/shapes.ts';

/** Whether a payload of one square before the camera covers anything: in pictures of all surfaces, and of opaque ones. */
async function covers(more: Partial<DrawnFileMaterial>): Promise<boolean[]> {
  const positions = Float32Array.of(0, 0, -1, 4, 0, -1, 4, 4, -1, 0, 4, -1);
  const square = {
    positions,
    normals: new Float32Array(12),
    uv0: new Float32Array(8),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  };
  const format = {
    drawnFile: async () => ({ meshes: [{ ...square, material: 0 }], materials: [{ ...NAMED_ONLY, ...more }] }),
  };
  const views = [false, true].map((opaque) => ({ eye: 0, camera: pixelCamera(4, 4), opaque }));
  const bounds = { min: [0, 0, -1], max: [4, 4, -1] } as const;
  const { covered, triangles } = await coverageOf(format, { name: 'a', file: new Uint8Array(), bounds, views });
  expect(triangles).toBe(2);
  return covered.map(({ coverage }) => coverage.some((value) => value > 0));
}

test('glass covers nothing, a blended surface no opaque picture', async () => {
  expect(await covers({})).toEqual([true, true]);
  expect(await covers({ alphaMode: 'blend' })).toEqual([true, false]);
  expect(await covers({ transmission: 0.1 })).toEqual([false, false]);
});
