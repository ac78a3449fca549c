// Some triangles of a subset as a PolygonMesh of their own, whose values are those of the whole mesh.

import type { Attribute, PolygonMesh } from '../../scene/types.ts';
import { colorFields } from '../mesh/attributes.ts';
import { makeNormals } from '../shading/normals.ts';
import { triangulate } from './triangulate.ts';

/** For each picked triangle its corners and its face, as numbers of the whole mesh. */
interface Picked {
  readonly corners: Uint32Array;
  readonly faces: Uint32Array;
}

function picked(mesh: PolygonMesh, subset: number, kept: Uint8Array): Picked {
  const { corners, faces, count } = triangulate(mesh, subset);
  let number = 0;
  for (let t = 0; t < count; t++) number += kept[t];
  const own = { corners: new Uint32Array(number * 3), faces: new Uint32Array(number) };
  for (let t = 0, to = 0; t < count; t++) {
    if (kept[t] === 0) continue;
    for (let k = 0; k < 3; k++) own.corners[to * 3 + k] = corners ? corners[t * 3 + k] : t * 3 + k;
    own.faces[to++] = faces ? faces[t] : t;
  }
  return own;
}

function ofPicked(attribute: Attribute, { corners, faces }: Picked): Attribute {
  const { indices, interpolation } = attribute;
  const numbers = interpolation === 'faceVarying' ? corners : interpolation === 'uniform' ? faces : null;
  if (numbers === null) return attribute;
  return { ...attribute, indices: indices ? numbers.map((number) => indices[number]) : numbers };
}

/**
 * The triangles of a subset (-1: the faces that none claims) whose flag is 1, in their order, without subsets, holes, creases and
 * skin. `kept`: one flag for each triangle that triangulate() gives. Where normals are missing, they are made of the whole mesh.
 */
export function pickPolygons(mesh: PolygonMesh, subset: number, kept: Uint8Array): PolygonMesh {
  const from = picked(mesh, subset, kept);
  const pick = (attribute: Attribute | null | undefined) => (attribute ? ofPicked(attribute, from) : null);
  const { points, missingNormals } = mesh;
  return {
    points,
    faceCounts: null,
    corners: from.corners.map((corner) => mesh.corners[corner]),
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: pick(mesh.normals ?? makeNormals(mesh)),
    missingNormals,
    tangents: mesh.normals ? pick(mesh.tangents) : null,
    uvs: new Map([...mesh.uvs].map(([name, uvs]) => [name, ofPicked(uvs, from)])),
    ...colorFields((field) => pick(mesh[field])),
    creases: null,
  };
}
