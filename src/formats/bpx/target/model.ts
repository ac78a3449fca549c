// Meshes as a BPX model and back, in the space of BPX (axes.ts): triangles are turned round, and the sign of a tangent is copied.

import { COLOR_SETS } from '../../../geometry/mesh/attributes.ts';
import { type Float32Mesh, valuesOf } from '../../../geometry/mesh/mesh.ts';
import { type FloatMesh, flippedUvs } from '../../floatMesh.ts';
import type { PayloadMesh } from '../../format.ts';
import { reversed } from '../axes.ts';
import { boneColumn, columnsOf, floatColumn, INFLUENCES, ownComponents } from '../columns.ts';
import { vertexBytes } from '../kinds/model.ts';
import { COMPONENT_BYTES } from '../records.ts';
import type { BpxModel, BpxVertexArray } from '../types.ts';
import type { ModelBones } from './bones.ts';

/** Where the paths of materials begin: the engine's, of which the format says no more. */
const MATERIALS = 'Materials/';

export const materialPath = (name: string): string => `${MATERIALS}${name}`;

/** The name of a material by its path. */
export const materialName = (path: string): string =>
  path.startsWith(MATERIALS) ? path.slice(MATERIALS.length) : path;

/** Sets of colours of each vertex. */
const setsOf = (meshes: readonly PayloadMesh<FloatMesh>[]): number =>
  meshes.reduce((most, { stored }) => Math.max(most, COLOR_SETS.findLastIndex((set) => stored.attributes[set]) + 1), 0);

/** So many bytes the arrays of each mesh take. */
export function arrayBytes(meshes: readonly PayloadMesh<FloatMesh>[]): number[] {
  const stride = vertexBytes(ownComponents(setsOf(meshes), true));
  return meshes.map(({ stored }) => stored.vertexCount * stride + stored.indices.length * COMPONENT_BYTES);
}

/**
 * One vertex array for each mesh. All of a model have the same components: colours are white where a mesh has none, and weights are 0
 * where no bone moves one.
 */
export function modelOf(meshes: readonly PayloadMesh<FloatMesh>[], rig: ModelBones | null): BpxModel {
  const sets = setsOf(meshes);
  return {
    kind: 'model',
    components: ownComponents(sets, rig !== null),
    arrays: meshes.map((mesh) => ({
      ...arrayOf(mesh, sets, rig),
      material: materialPath(mesh.surface.material.name),
    })),
    bones: rig?.bones ?? null,
    frames: null,
    animations: null,
  };
}

function arrayOf(
  { stored: mesh, rig: moved }: PayloadMesh<FloatMesh>,
  sets: number,
  rig: ModelBones | null,
): Omit<BpxVertexArray, 'material'> {
  const { vertexCount, positions, indices } = mesh;
  const stride = vertexBytes(ownComponents(sets, rig !== null));
  const normals = mesh.attributes.normal;
  const tangents = valuesOf(mesh, 'tangent');
  const uvs = flippedUvs(valuesOf(mesh, 'uv0'));
  const colors = COLOR_SETS.slice(0, sets).map((set) => valuesOf(mesh, set));
  const { joints, weights } = moved ? mesh.attributes : {};
  const firstBone = rig?.first[moved?.skeleton ?? 0] ?? 0;
  const values = new DataView(new ArrayBuffer(vertexCount * stride));
  for (let v = 0, at = 0; v < vertexCount; v++) {
    const put = (value: number) => {
      values.setFloat32(at, value, true);
      at += COMPONENT_BYTES;
    };
    const putTurned = (from: Float32Array, i: number) => {
      put(from[i]);
      put(from[i + 2]);
      put(from[i + 1]);
    };
    putTurned(positions, v * 3);
    putTurned(normals, v * 3);
    putTurned(tangents, v * 4);
    put(tangents[v * 4 + 3]);
    put(uvs[v * 2]);
    put(uvs[v * 2 + 1]);
    for (const set of colors) for (let k = 0; k < 4; k++) put(set[v * 4 + k] / 255);
    if (rig === null) continue;
    for (let k = v * INFLUENCES; k < (v + 1) * INFLUENCES; k++, at += COMPONENT_BYTES) {
      const isMoved = joints && weights && weights[k] > 0;
      values.setUint32(at, isMoved ? firstBone + joints[k] : 0, true);
    }
    for (let k = v * INFLUENCES; k < (v + 1) * INFLUENCES; k++) put(weights?.[k] ?? 0);
  }
  return { vertexCount, vertices: new Uint8Array(values.buffer), indices: reversed(indices) };
}

/** The meshes of a model of ours, with the names of their materials. Joints are numbers of bones. */
export function meshesOf(model: BpxModel): { mesh: Float32Mesh; material: string }[] {
  const at = columnsOf(model.components);
  if (at === null) return [];
  return model.arrays.map((array) => {
    const { vertexCount, indices, material } = array;
    const column = (offset: number | null, order: readonly number[], fallback: readonly number[]): Float32Array =>
      offset === null
        ? Float32Array.from({ length: vertexCount * fallback.length }, (_, i) => fallback[i % fallback.length])
        : floatColumn(model, array, offset, order);
    const colors = at.colors.map(
      (offset, i) =>
        [
          COLOR_SETS[i],
          Uint8Array.from(floatColumn(model, array, offset, [0, 1, 2, 3]), (value) => Math.round(value * 255)),
        ] as const,
    );
    const weights = at.bones && floatColumn(model, array, at.bones.weights, [0, 1, 2, 3]);
    const mesh: Float32Mesh = {
      vertexCount,
      positions: floatColumn(model, array, at.position, [0, 2, 1]),
      attributes: {
        normal: column(at.normal, [0, 2, 1], [0, 0, 1]),
        ...(at.tangent === null ? {} : { tangent: floatColumn(model, array, at.tangent, [0, 2, 1, 3]) }),
        uv0: flippedUvs(column(at.uv, [0, 1], [0, 1])),
        ...Object.fromEntries(colors),
        ...(at.bones && weights?.some((weight) => weight > 0)
          ? { joints: Float32Array.from(boneColumn(model, array, at.bones.joints)), weights }
          : {}),
      },
      indices: reversed(indices ?? Uint32Array.from({ length: vertexCount }, (_, v) => v)),
    };
    return { mesh, material: materialName(material ?? '') };
  });
}
