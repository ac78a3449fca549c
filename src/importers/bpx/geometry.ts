// The vertex arrays of a BPX model as primitives in engine space.

import { fail } from '../../diagnostics/diagnostic.ts';
import { reversed } from '../../formats/bpx/axes.ts';
import { boneColumn, columnsOf, floatColumn, INFLUENCES, type VertexColumns } from '../../formats/bpx/columns.ts';
import type { BpxModel, BpxVertexArray } from '../../formats/bpx/types.ts';
import { flippedUvs } from '../../formats/floatMesh.ts';
import { boundsOfPoints } from '../../scene/bounds.ts';
import type { Attribute, PolygonMesh, ScenePrimitive, SkinWeights } from '../../scene/types.ts';
import { areDirections, areTangents } from '../directions.ts';

/** The name of the texture coordinates in the Scene. */
export const UV_SET = 'TEXCOORD_0';
/** Y and Z change places. */
const SWAPPED = [0, 2, 1];
const SWAPPED_TANGENT = [0, 2, 1, 3];
const COLOR = [0, 1, 2, 3];
const UV = [0, 1];

const ofVertex = (data: Float32Array, size: number): Attribute => ({
  data,
  size,
  interpolation: 'vertex',
  indices: null,
});

interface Place {
  readonly path: string;
  /** What messages name: the file of the model, and which of its vertex arrays it is. */
  readonly file: string;
  readonly index: number;
  readonly material: number;
  /** Index of the skin that bones of the model make; null: there is none. */
  readonly skin: number | null;
}

/** Throws UC3624 for a vertex that a bone moves which the model does not have. */
export function primitiveOf(model: BpxModel, array: BpxVertexArray, place: Place): ScenePrimitive {
  const { path, material, skin } = place;
  // Models without a position have been refused.
  const columns = columnsOf(model.components) as VertexColumns;
  const { vertexCount, indices } = array;
  const skinning = skin === null ? null : weightsOf(model, array, columns, place);
  const read = async (weights: SkinWeights | null) => meshOf(model, array, columns, weights);
  return {
    path,
    type: 'vertex array',
    vertexCount,
    storedVertexCount: vertexCount,
    triangleCount: Math.floor((indices?.length ?? vertexCount) / 3),
    bounds: boundsOfPoints(floatColumn(model, array, columns.position, SWAPPED)),
    material,
    subsets: [],
    read: () => read(null),
    ...(skinning && skin !== null ? { bound: { skin, read: () => read(skinning) } } : {}),
  };
}

/** Null: no bone moves a vertex. */
function weightsOf(
  model: BpxModel,
  array: BpxVertexArray,
  { bones }: VertexColumns,
  { file, index }: Place,
): SkinWeights | null {
  if (bones === null) return null;
  const weights = floatColumn(model, array, bones.weights, COLOR).map((weight) => Math.max(0, weight));
  if (!weights.some((weight) => weight > 0)) return null;
  const count = model.bones?.length ?? 0;
  const joints = boneColumn(model, array, bones.joints);
  for (let i = 0; i < joints.length; i++) {
    if (joints[i] < count) continue;
    if (weights[i] > 0) {
      const message = `bone beyond those of a BPX model: bone ${joints[i]} of ${count} moves vertex ${Math.floor(i / INFLUENCES)}`;
      return fail('UC3624', file, `arrays/${index}`, message);
    }
    joints[i] = 0;
  }
  return { influences: INFLUENCES, joints, weights };
}

/** The normals and tangents that can be used; what is null is made anew of the triangles. */
function directionsOf(model: BpxModel, array: BpxVertexArray, { normal, tangent }: VertexColumns) {
  const normals = normal === null ? null : floatColumn(model, array, normal, SWAPPED);
  const tangents = tangent === null ? null : floatColumn(model, array, tangent, SWAPPED_TANGENT);
  return {
    normals: normals && areDirections(normals) ? normals : null,
    tangents: tangents && areTangents(tangents) ? tangents : null,
  };
}

/** Whether an array has normals, and tangents, that cannot be used. */
export function lostDirections(model: BpxModel, array: BpxVertexArray): { normals: boolean; tangents: boolean } {
  const columns = columnsOf(model.components) as VertexColumns;
  const { normals, tangents } = directionsOf(model, array, columns);
  return {
    normals: columns.normal !== null && normals === null,
    tangents: columns.tangent !== null && tangents === null,
  };
}

function meshOf(
  model: BpxModel,
  array: BpxVertexArray,
  columns: VertexColumns,
  skinning: SkinWeights | null,
): PolygonMesh {
  const { vertexCount, indices } = array;
  const values = (offset: number | null | undefined, order: readonly number[]) =>
    offset === null || offset === undefined ? null : floatColumn(model, array, offset, order);
  const { normals, tangents } = directionsOf(model, array, columns);
  const uvs = values(columns.uv, UV);
  const colors = values(columns.colors[0], COLOR);
  return {
    points: floatColumn(model, array, columns.position, SWAPPED),
    faceCounts: null,
    corners: reversed(indices ?? Uint32Array.from({ length: vertexCount }, (_, v) => v)),
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: normals && ofVertex(normals, 3),
    missingNormals: 'smooth',
    tangents: tangents && ofVertex(tangents, 4),
    uvs: uvs ? new Map([[UV_SET, ofVertex(flippedUvs(uvs), 2)]]) : new Map(),
    colors: colors && ofVertex(colors, 4),
    opacities: null,
    creases: null,
    skinning,
  };
}
