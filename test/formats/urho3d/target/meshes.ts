// Meshes and surfaces built by hand, and what a model of Urho3D draws, back in engine space.

import { type FloatMesh, storeMesh } from '../../../../src/formats/floatMesh.ts';
import type { EncodedPayload, MeshMaterial, PayloadMesh } from '../../../../src/formats/format.ts';
import type { Model } from '../../../../src/formats/urho3d/model/layout.ts';
import { readModel } from '../../../../src/formats/urho3d/model/read.ts';
import { levelMesh } from '../../../../src/formats/urho3d/target/decode.ts';
import { encodePayload } from '../../../../src/formats/urho3d/target/encode.ts';
import { DEFAULT_FACTORS } from '../../../../src/scene/materialSlots.ts';
import type { NodeRig } from '../../../../src/scene/rig.ts';
import { NO_TEXTURES, type PreparedMaterial } from '../../../../src/textures/types.ts';

export const MATERIAL: PreparedMaterial = {
  name: 'Wall',
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  ...DEFAULT_FACTORS,
  baseColor: [1, 0.5, 0.25, 1],
  metallic: 0.25,
  roughness: 0.75,
  slots: NO_TEXTURES,
  roughnessChannel: 1,
  metallicChannel: 2,
  uv: { set: 'uv0', transform: null },
  tangentTurn: null,
  usesVertexColors: false,
};

export const surface = (of: Partial<PreparedMaterial> = {}): MeshMaterial => ({
  material: { ...MATERIAL, ...of },
  tint: null,
  palette: null,
});

/** A triangle that faces +Z, its image upright: U along +X, V up along +Y. */
export const triangle = (more: Partial<FloatMesh['attributes']> = {}): FloatMesh =>
  storeMesh({
    vertexCount: 3,
    positions: Float32Array.of(0, 0, 1, 2, 0, 1, 0, 3, 1),
    attributes: {
      normal: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
      uv0: Float32Array.of(0, 0, 1, 0, 0, 0.75),
      tangent: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1),
      ...more,
    },
    indices: Uint32Array.of(0, 1, 2),
  });

export const drawn = (stored: FloatMesh, of: MeshMaterial = surface(), rig?: NodeRig): PayloadMesh<FloatMesh> => ({
  naming: { entity: 'thing', mesh: 'thing' },
  surface: of,
  stored,
  ...(rig ? { rig } : {}),
});

export const encode = (...meshes: PayloadMesh<FloatMesh>[]): Promise<EncodedPayload> =>
  encodePayload({
    fileType: 'tile',
    meshes,
    textures: [],
    authored: {},
    options: { compression: 'none', file: 'scene' },
  });

/** A corner of a triangle: place and what the other target may round. */
interface Corner {
  readonly position: readonly number[];
  readonly values: readonly number[];
}

/** The triangles of one level of all geometries. */
export function trianglesOfLevel(model: Model, wanted: number): Corner[][] {
  const triangles: Corner[][] = [];
  for (const { levels } of model.geometries) {
    const level = levels[wanted];
    if (!level) continue;
    const { positions, attributes, indices } = levelMesh(model, level);
    const { normal, uv0 } = attributes;
    for (let i = 0; i < indices.length; i += 3) {
      triangles.push(
        [0, 1, 2].map((k) => {
          const at = indices[i + k];
          const uv = uv0 ? [...uv0.subarray(at * 2, at * 2 + 2)] : [0, 0];
          return {
            position: [...positions.subarray(at * 3, at * 3 + 3)],
            values: [...(normal as Float32Array).subarray(at * 3, at * 3 + 3), ...uv],
          };
        }),
      );
    }
  }
  return triangles;
}

export const trianglesOfModel = (bytes: Uint8Array): Corner[][] => trianglesOfLevel(readModel(bytes, 'model'), 0);
