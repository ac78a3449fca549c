// Polygon meshes for the cook's tests, built from plain lists.

import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import type { Attribute, Interpolation, PolygonMesh } from '../../src/scene/types.ts';

export function attribute(
  values: readonly (readonly number[])[],
  interpolation: Interpolation,
  indices?: readonly number[],
): Attribute {
  return {
    data: Float32Array.from(values.flat()),
    size: values[0]?.length ?? 1,
    interpolation,
    indices: indices ? Uint32Array.from(indices) : null,
  };
}

/** A mesh of the given points and faces; everything else absent unless given. */
export function polygons(
  points: readonly (readonly number[])[],
  faces: readonly (readonly number[])[],
  more: Partial<PolygonMesh> = {},
): PolygonMesh {
  return {
    points: Float32Array.from(points.flat()),
    faceCounts: faces.every((f) => f.length === 3) ? null : Uint32Array.from(faces.map((f) => f.length)),
    corners: Uint32Array.from(faces.flat()),
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
    ...more,
  };
}

/** The unit square in the XY plane seen from +Z, with UVs equal to its positions. */
export const SQUARE_POINTS = [
  [0, 0, 0],
  [1, 0, 0],
  [1, 1, 0],
  [0, 1, 0],
] as const;

export function square(more: Partial<PolygonMesh> = {}): PolygonMesh {
  const st = attribute(
    SQUARE_POINTS.map(([x, y]) => [x, y]),
    'vertex',
  );
  return polygons(SQUARE_POINTS, [[0, 1, 2, 3]], { uvs: new Map([['st', st]]), ...more });
}

/** A cube of edge 2 around the origin, six quads seen from outside. */
export const CUBE_POINTS = [
  [-1, -1, -1],
  [1, -1, -1],
  [1, 1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
  [1, -1, 1],
  [1, 1, 1],
  [-1, 1, 1],
] as const;
export const CUBE_FACES = [
  [0, 3, 2, 1],
  [4, 5, 6, 7],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [1, 2, 6, 5],
  [0, 4, 7, 3],
] as const;

export function triangleMesh(
  positions: readonly (readonly number[])[],
  indices: readonly number[],
  more: Partial<Float32Mesh['attributes']> = {},
): Float32Mesh {
  return {
    vertexCount: positions.length,
    positions: Float32Array.from(positions.flat()),
    attributes: { normal: Float32Array.from(positions.flatMap(() => [0, 0, 1])), ...more },
    indices: Uint32Array.from(indices),
  };
}

/** Numbers in [0, 1) from a seed (mulberry32): the same ones on every run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
