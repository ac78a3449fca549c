// Subdivision surfaces for the tests, and ways to look at what becomes of them.

import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { subdivide } from '../../src/geometry/polygons/subdivide.ts';
import type { Creases, PolygonMesh, Subdivision } from '../../src/scene/types.ts';
import { CUBE_FACES, CUBE_POINTS, polygons } from './meshes.ts';

export const PLACE = { file: 'town.usda', path: '/Town/Roof' };

export const CATMULL_CLARK: Subdivision = {
  scheme: 'catmullClark',
  boundary: 'edgeAndCorner',
  faceVarying: 'cornersPlus1',
  triangles: 'catmullClark',
  corners: null,
};

export const LOOP: Subdivision = { ...CATMULL_CLARK, scheme: 'loop' };

export const OCTAHEDRON_POINTS = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];
export const OCTAHEDRON_FACES = [
  [0, 2, 4],
  [2, 1, 4],
  [1, 3, 4],
  [3, 0, 4],
  [2, 0, 5],
  [1, 2, 5],
  [3, 1, 5],
  [0, 3, 5],
];

export function cage(
  points: readonly (readonly number[])[],
  faces: readonly (readonly number[])[],
  more: Partial<PolygonMesh> = {},
): PolygonMesh {
  return polygons(points, faces, { missingNormals: 'smooth', subdivision: CATMULL_CLARK, ...more });
}

export function cube(more: Partial<PolygonMesh> = {}): PolygonMesh {
  return cage(CUBE_POINTS, CUBE_FACES, more);
}

/** Crease runs with one sharpness a run. */
export function creases(...runs: readonly (readonly [readonly number[], number])[]): Creases {
  return {
    vertices: Uint32Array.from(runs.flatMap(([vertices]) => vertices)),
    lengths: Uint32Array.from(runs.map(([vertices]) => vertices.length)),
    sharpnesses: Float32Array.from(runs.map(([, sharpness]) => sharpness)),
  };
}

export function corners(...list: readonly (readonly [number, number])[]): Subdivision['corners'] {
  return {
    vertices: Uint32Array.from(list.map(([vertex]) => vertex)),
    sharpnesses: Float32Array.from(list.map(([, sharpness]) => sharpness)),
  };
}

export interface Outcome {
  readonly mesh: PolygonMesh;
  readonly said: readonly string[];
}

export function outcome(mesh: PolygonMesh, levels: 0 | 1 | 2 | 3 = 1): Outcome {
  const diagnostics = new Diagnostics();
  const refined = subdivide(mesh, levels, diagnostics, PLACE);
  return { mesh: refined, said: diagnostics.list.map((d) => `${d.code} ${d.path} ${d.message}`) };
}

export function refined(mesh: PolygonMesh, levels: 0 | 1 | 2 | 3 = 1): PolygonMesh {
  return outcome(mesh, levels).mesh;
}

/** Rows of `size` numbers; -0 reads as 0. */
export function rows(data: ArrayLike<number>, size = 3): number[][] {
  return Array.from({ length: data.length / size }, (_, i) =>
    Array.from({ length: size }, (_, k) => data[i * size + k] + 0),
  );
}

export function point(mesh: PolygonMesh, vertex: number): number[] {
  return rows(mesh.points.subarray(vertex * 3, vertex * 3 + 3))[0];
}

/** The vertices of each face. */
export function faces(mesh: PolygonMesh): number[][] {
  return rows(mesh.corners, mesh.faceCounts ? 4 : 3);
}

/** The vertex that stands at a place, within 1e-6. */
export function vertexAt(mesh: PolygonMesh, [x, y, z]: readonly number[]): number {
  return rows(mesh.points).findIndex(
    (p) => Math.max(Math.abs(p[0] - x), Math.abs(p[1] - y), Math.abs(p[2] - z)) < 1e-6,
  );
}

/** Each undirected edge as 'a b' with the number of faces along it. */
export function edgeUse(list: readonly (readonly number[])[]): Map<string, number> {
  const use = new Map<string, number>();
  for (const face of list) {
    face.forEach((a, k) => {
      const b = face[(k + 1) % face.length];
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      use.set(key, (use.get(key) ?? 0) + 1);
    });
  }
  return use;
}
