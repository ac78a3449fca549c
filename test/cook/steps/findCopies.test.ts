// findCopies(): which meshes of a scene are read, compared and found.

import { describe, expect, test } from 'vitest';
import { findCopies } from '../../../src/cook/steps/copies/findCopies.ts';
import { diagnostic, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { scaling, translation } from '../../../src/scene/matrix.ts';
import type { PolygonMesh, Scene, SceneMaterial, ScenePrimitive } from '../../../src/scene/types.ts';
import { type Part, stone } from '../../support/partsGltf.ts';

function polygons({ positions, indices }: Part): PolygonMesh {
  return {
    points: positions,
    faceCounts: null,
    corners: indices,
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: null,
    missingNormals: 'flat',
    tangents: null,
    uvs: new Map(),
    colors: null,
    opacities: null,
    creases: null,
  };
}

/** A scene of meshes of one primitive, and how often each is read. */
function sceneOf(
  parts: readonly Part[],
  more: (i: number) => Partial<ScenePrimitive> = () => ({}),
  materials: readonly SceneMaterial[] = [],
): { readonly scene: Scene; readonly reads: number[] } {
  const reads = parts.map(() => 0);
  const meshes = parts.map((part, i) => ({
    name: '',
    path: `meshes/${i}`,
    primitives: [
      {
        path: `meshes/${i}/primitives/0`,
        type: 'primitive',
        vertexCount: part.positions.length / 3,
        triangleCount: part.indices.length / 3,
        bounds: null,
        material: -1,
        subsets: [],
        read: async () => {
          reads[i]++;
          return polygons(part);
        },
        ...more(i),
      } satisfies ScenePrimitive,
    ],
  }));
  const scene: Scene = {
    source: 's',
    kind: 'glb',
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes: [],
    meshes,
    materials,
    images: [],
  };
  return { scene, reads };
}

const found = async (scene: Scene, order: Iterable<number> = scene.meshes.keys()) =>
  [...(await findCopies(scene, order))].map(([mesh, { of }]) => [mesh, of]);

const moved = (x: number) => stone(3, translation(x, 0, 0));

describe('copies of a scene', () => {
  test('are of the first, never of another copy', async () => {
    const { scene } = sceneOf([
      moved(0),
      stone(3, undefined, 0.1),
      moved(5),
      moved(9),
      stone(3, translation(0, 4, 0), 0.1),
    ]);
    expect(await found(scene)).toEqual([
      [2, 0],
      [3, 0],
      [4, 1],
    ]);
    expect(await found(scene, [3, 2, 0])).toEqual([
      [2, 3],
      [0, 3],
    ]);
  });

  test('are looked for among meshes of equal counts and materials alone, and each is read once', async () => {
    const { scene, reads } = sceneOf([moved(0), stone(4), moved(2), moved(3)], (i) => (i === 3 ? { material: 2 } : {}));
    expect(await found(scene)).toEqual([[2, 0]]);
    expect(reads).toEqual([1, 0, 1, 0]);
  });

  test('are given up where more than half of the meshes of equal counts are none, one after the other', async () => {
    const different = Array.from({ length: 200 }, (_, i) => stone(2, undefined, 0.3 + i / 100));
    const { scene, reads } = sceneOf(different);
    expect(await found(scene)).toEqual([]);
    expect(reads.reduce((sum, count) => sum + count, 0)).toBe(101);
    // All of them again: the copies begin in the middle.
    const { scene: twice } = sceneOf([...different, ...different]);
    expect((await found(twice)).length).toBe(200);
  });

  test('are none that a skeleton or morph targets move, and none that cannot be read', async () => {
    const { scene } = sceneOf([moved(0), moved(1), moved(2), moved(3)], (i) => {
      if (i === 1) return { bound: { skin: 0, read: async () => polygons(moved(1)) } };
      if (i === 2) return { morphs: { targets: [{ name: 'Smile', weight: 0 }], read: async () => [] } };
      const fail = async (): Promise<PolygonMesh> => {
        throw new SourceError(diagnostic('UC1203', 's', '', 'damaged'));
      };
      return i === 3 ? { read: fail } : {};
    });
    expect(await found(scene)).toEqual([]);
  });

  test('are not scaled where a material has heights', async () => {
    const use = { image: 0 } as never;
    const materials = [{ textures: { height: use } } as unknown as SceneMaterial];
    const { scene } = sceneOf([moved(0), stone(3, scaling(2, 2, 2)), moved(7)], () => ({ material: 0 }), materials);
    expect(await found(scene)).toEqual([[2, 0]]);
  });
});
