// How often the tables of a cooked file are looked through.

import { expect, test } from 'vitest';
import { packMesh } from '../../../src/formats/untold/mesh/packMesh.ts';
import { tileScene } from '../../../src/formats/untold/tileScene.ts';
import type { UntoldMorph } from '../../../src/formats/untold/types.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import { SceneParts } from '../../../src/importers/untold/parts.ts';
import { identity } from '../../../src/scene/matrix.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { ground } from '../../geometry/packed.ts';

test('targets are looked through once, however many meshes there are', () => {
  const count = 300;
  const surface = { material: DEFAULT_MATERIAL, tint: null, palette: null };
  const mesh = { naming: { entity: 'land', mesh: 'land' }, surface, stored: packMesh(ground(0, 0, 8, 4)) };
  const content = tileScene('tile', Array(count).fill(mesh), [], null);
  expect(content.meshes).toHaveLength(count);
  let looks = 0;
  const morphs = content.meshes.map(
    (_, m): UntoldMorph => ({
      get mesh() {
        looks++;
        return m;
      },
      name: `target ${m}`,
      hasNormals: false,
      positionScale: 1,
      vertices: Uint32Array.of(0),
      deltas: new Uint16Array(6),
      drivers: [],
    }),
  );
  const parts = new SceneParts('tile', memoryFiles({}), true);
  parts.add({ ...content, morphs }, identity(), 'tile.untold');
  const targets = parts
    .scene()
    .meshes.flatMap(({ primitives }) => primitives.map((one) => one.morphs?.targets[0]?.name));
  expect(targets).toEqual(morphs.map(({ name }) => name));
  expect(looks).toBe(count);
});
