// What the engine draws of a .untold file: its meshes in world space at each of their entities, with what of their materials
// decides a picture. For the renderer, which knows no format.

import { cofactor3, isIdentity } from '../../scene/matrix.ts';
import type { Mat4 } from '../../scene/types.ts';
import type { DrawnFile, DrawnFileMesh } from '../format.ts';
import { lightThroughStored } from './materialRecord.ts';
import { unpackVertices, wordsOf } from './mesh/vertexWords.ts';
import { openUntold } from './read.ts';
import { deltasOf, morphsByMesh } from './storedMorphs.ts';
import { NONE, type UntoldMorph } from './types.ts';
import { worldTransforms } from './worldTransforms.ts';

interface Unpacked {
  readonly positions: Float32Array;
  readonly normal: Float32Array;
  readonly uv0: Float32Array;
}

function unpackedOf(vertices: Uint8Array): Unpacked {
  const { positions, attributes } = unpackVertices(wordsOf(vertices));
  return { positions, normal: attributes.normal, uv0: attributes.uv0 as Float32Array };
}

type Placed = Pick<DrawnFileMesh, 'positions' | 'normals'>;

function placed(positions: Float32Array, normals: Float32Array, world: Mat4): Placed {
  if (isIdentity(world)) return { positions, normals };
  const normalMatrix = cofactor3(world);
  const to = new Float32Array(positions.length);
  const turned = new Float32Array(positions.length);
  for (let at = 0; at < positions.length; at += 3) {
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    const nx = normals[at];
    const ny = normals[at + 1];
    const nz = normals[at + 2];
    for (let k = 0; k < 3; k++) {
      to[at + k] = world[k] * x + world[4 + k] * y + world[8 + k] * z + world[12 + k];
      turned[at + k] = normalMatrix[k] * nx + normalMatrix[3 + k] * ny + normalMatrix[6 + k] * nz;
    }
  }
  return { positions: to, normals: turned };
}

/** The vertices of a mesh with its targets at these weights, as the kernel of the engine adds them up. */
function morphed(vertices: Unpacked, targets: readonly UntoldMorph[], weights: ReadonlyMap<string, number>): Unpacked {
  const positions = vertices.positions.slice();
  const normal = vertices.normal.slice();
  for (const target of targets) {
    const weight = weights.get(target.name) ?? 0;
    const { vertices: moved, positions: deltas, normals } = deltasOf(target);
    for (let e = 0; e < moved.length; e++) {
      for (let k = 0; k < 3; k++) {
        positions[moved[e] * 3 + k] += weight * deltas[e * 3 + k];
        if (normals) normal[moved[e] * 3 + k] += weight * normals[e * 3 + k];
      }
    }
  }
  return { ...vertices, positions, normal };
}

/**
 * Throws what the reader throws. The engine draws no mesh without a material. `weights`: of morph targets, on top of the stored
 * shape.
 */
export async function readDrawnFile(
  file: Uint8Array,
  name: string,
  weights: ReadonlyMap<string, number> = new Map(),
): Promise<DrawnFile> {
  const { scene, rootTransform } = await openUntold(file, name);
  const { entities, meshes, materials, textures, morphs = [] } = scene;
  const worlds = worldTransforms(entities, rootTransform);
  const morphsOf = morphsByMesh(morphs.filter((morph) => weights.has(morph.name)));
  const unpacked = new Map<Uint8Array, Unpacked>();
  const drawn: DrawnFileMesh[] = [];
  for (const [i, { firstMesh, meshCount }] of entities.entries()) {
    for (const [m, { vertices, indices, material }] of meshes.slice(firstMesh, firstMesh + meshCount).entries()) {
      if (material === NONE) continue;
      const known = unpacked.get(vertices) ?? unpackedOf(vertices);
      unpacked.set(vertices, known);
      const asked = morphsOf.get(firstMesh + m);
      const { uv0, ...shape } = asked ? morphed(known, asked, weights) : known;
      const { positions, normals } = placed(shape.positions, shape.normal, worlds[i]);
      drawn.push({ positions, normals, uv0, indices: new Uint32Array(indices), material });
    }
  }
  const uriOf = (texture: number) => (texture === NONE ? null : textures[texture].uri);
  return {
    ...(morphs.length > 0 ? { morphs: [...new Set(morphs.map((morph) => morph.name))] } : {}),
    meshes: drawn,
    materials: materials.map((material) => ({
      alphaMode: material.alphaMode,
      alphaCutoff: material.alphaCutoff,
      transmission: lightThroughStored(material),
      baseColor: material.baseColorFactor,
      emissive: material.emissiveFactor,
      baseColorTexture: uriOf(material.baseColorTexture),
      emissiveTexture: uriOf(material.emissiveTexture),
      finish: {
        metallic: material.metallicFactor,
        roughness: material.roughnessFactor,
        metallicTexture: uriOf(material.metallicTexture),
        roughnessTexture: uriOf(material.roughnessTexture),
        metallicChannel: material.metallicChannel,
        roughnessChannel: material.roughnessChannel,
      },
    })),
  };
}
