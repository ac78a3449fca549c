// Morph targets of a scene: what has them, and polygons with them at given weights.

import type { Attribute, MorphDeltas, PolygonMesh, SceneMesh } from './types.ts';

/** Whether a mesh has morph targets: levels of detail would lose them. */
export const hasMorphs = ({ primitives }: SceneMesh): boolean =>
  primitives.some(({ morphs }) => morphs !== undefined && morphs.targets.length > 0);

/** A target and how much of it is added; `vertices` are those of the polygons. */
export interface WeightedDeltas extends MorphDeltas {
  readonly weight: number;
}

/** Normals with deltas of points, where each value belongs to one point; others as they are. */
function turnedNormals(normals: Attribute, corners: Uint32Array, all: readonly WeightedDeltas[]): Attribute {
  const { data, size, interpolation, indices } = normals;
  const isOfCorners = interpolation === 'faceVarying';
  if (size !== 3 || indices !== null || !(interpolation === 'vertex' || isOfCorners)) return normals;
  const turned = data.slice();
  for (const { weight, vertices, normals: deltas } of all) {
    if (deltas === null || weight === 0) continue;
    if (!isOfCorners) {
      for (let i = 0; i < vertices.length; i++) {
        for (let k = 0; k < 3; k++) turned[vertices[i] * 3 + k] += weight * deltas[i * 3 + k];
      }
      continue;
    }
    const rowOf = new Map([...vertices].map((vertex, row) => [vertex, row]));
    for (let c = 0; c < corners.length; c++) {
      const row = rowOf.get(corners[c]);
      if (row === undefined) continue;
      for (let k = 0; k < 3; k++) turned[c * 3 + k] += weight * deltas[row * 3 + k];
    }
  }
  return { ...normals, data: turned };
}

/** Polygons with the deltas of targets added to points and normals; normals keep no length. */
export function morphedPolygons(mesh: PolygonMesh, all: readonly WeightedDeltas[]): PolygonMesh {
  const points = Float64Array.from(mesh.points);
  for (const { weight, vertices, positions } of all) {
    if (weight === 0) continue;
    for (let i = 0; i < vertices.length; i++) {
      for (let k = 0; k < 3; k++) points[vertices[i] * 3 + k] += weight * positions[i * 3 + k];
    }
  }
  return { ...mesh, points, normals: mesh.normals && turnedNormals(mesh.normals, mesh.corners, all) };
}
