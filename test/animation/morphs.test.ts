// What of a primitive its targets share.

import { expect, test } from 'vitest';
import { nodeMorphs } from '../../src/animation/morphs.ts';
import { identity } from '../../src/scene/matrix.ts';
import type { PolygonMesh, ScenePrimitive } from '../../src/scene/types.ts';

test('the normals of a primitive are measured once for all of its targets', async () => {
  let measured = 0;
  const polygons: PolygonMesh = {
    points: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    faceCounts: null,
    get corners() {
      measured++;
      return Uint32Array.of(0, 1, 2);
    },
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: { data: Float32Array.of(0, 0, 2, 0, 0, 2, 0, 0, 2), size: 3, interpolation: 'vertex', indices: null },
    missingNormals: 'flat',
    tangents: null,
    uvs: new Map(),
    colors: null,
    opacities: null,
    creases: null,
    skinning: null,
  };
  const deltas = (x: number) => ({
    vertices: Uint32Array.of(1),
    positions: Float32Array.of(0, 0, 1),
    normals: Float32Array.of(x, 0, 0),
  });
  const primitive: ScenePrimitive = {
    path: 'meshes/0/primitives/0',
    type: 'Mesh',
    vertexCount: 3,
    triangleCount: 1,
    bounds: null,
    material: -1,
    subsets: [],
    read: async () => polygons,
    morphs: {
      targets: ['a', 'b', 'c'].map((name) => ({ name, weight: 0 })),
      read: async () => [deltas(1), deltas(2), deltas(3)],
    },
  };
  const found = await nodeMorphs([{ primitive, polygons, place: identity() }], 1, (code) => {
    throw new Error(code);
  });
  // Normals of length 2 become unit ones, so that their deltas are halved.
  expect(found?.morphs.map(({ normals }) => [...normals!])).toEqual([
    [0.5, 0, 0],
    [1, 0, 0],
    [1.5, 0, 0],
  ]);
  expect(measured).toBe(1);
});
