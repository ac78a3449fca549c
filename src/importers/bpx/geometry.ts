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
  readonly material: number;
  /** Index of the skin that bones of the model make; null: there is none. */
  readonly skin: number | null;
}

/** Throws UC3624 for a vertex that a bone moves which the model does not have. */
export function primitiveOf(model: BpxModel, array: BpxVertexArray, { path, material, skin }: Place): ScenePrimitive {
  // Models without a position have been refused.
  const columns = columnsOf(model.components) as VertexColumns;
  const { vertexCount, indices } = array;
  const skinning = skin === null ? null : weightsOf(model, array, columns, path);
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
function weightsOf(model: BpxModel, array: BpxVertexArray, { bones }: VertexColumns, path: string): SkinWeights | null {
  if (bones === null) return null;
  const weights = floatColumn(model, array, bones.weights, COLOR).map((weight) => Math.max(0, weight));
  if (!weights.some((weight) => weight > 0)) return null;
  const count = model.bones?.length ?? 0;
  const joints = boneColumn(model, array, bones.joints);
  for (let i = 0; i < joints.length; i++) {
    if (joints[i] < count) continue;
    if (weights[i] > 0) {
      const message = `bone beyond those of a BPX model: bone ${joints[i]} of ${count} moves vertex ${Math.floor(i / INFLUENCES)}`;
      return fail('UC3624', path, '', message);
    }
    joints[i] = 0;
  }
  return { influences: INFLUENCES, joints, weights };
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
  const normals = values(columns.normal, SWAPPED);
  const tangents = values(columns.tangent, SWAPPED_TANGENT);
  const uvs = values(columns.uv, UV);
  const colors = values(columns.colors[0], COLOR);
  return {
    points: floatColumn(model, array, columns.position, SWAPPED),
    faceCounts: null,
    corners: reversed(indices ?? Uint32Array.from({ length: vertexCount }, (_, v) => v)),
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: normals && areDirections(normals) ? ofVertex(normals, 3) : null,
    missingNormals: 'smooth',
    tangents: tangents && areTangents(tangents) ? ofVertex(tangents, 4) : null,
    uvs: uvs ? new Map([[UV_SET, ofVertex(flippedUvs(uvs), 2)]]) : new Map(),
    colors: colors && ofVertex(colors, 4),
    opacities: null,
    creases: null,
    skinning,
  };
}
