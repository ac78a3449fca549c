// What the engine draws of a .untold file: its meshes in world space at each of their entities, with what of their materials
// decides a picture. For the renderer, which knows no format.

import { cofactor3, isIdentity } from '../../scene/matrix.ts';
import type { Mat4 } from '../../scene/types.ts';
import type { DrawnFile, DrawnFileMesh } from '../format.ts';
import { lightThroughStored } from './materialRecord.ts';
import { unpackVertices, wordsOf } from './mesh/vertexWords.ts';
import { openUntold } from './read.ts';
import { NONE } from './types.ts';
import { worldTransforms } from './worldTransforms.ts';

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

/** Throws what the reader throws. The engine draws no mesh without a material. */
export async function readDrawnFile(file: Uint8Array, name: string): Promise<DrawnFile> {
  const { scene, rootTransform } = await openUntold(file, name);
  const { entities, meshes, materials, textures } = scene;
  const worlds = worldTransforms(entities, rootTransform);
  const unpacked = new Map<Uint8Array, ReturnType<typeof unpackVertices>>();
  const drawn: DrawnFileMesh[] = [];
  for (const [i, { firstMesh, meshCount }] of entities.entries()) {
    for (const { vertices, indices, material } of meshes.slice(firstMesh, firstMesh + meshCount)) {
      if (material === NONE) continue;
      const known = unpacked.get(vertices) ?? unpackVertices(wordsOf(vertices));
      unpacked.set(vertices, known);
      const { normal, uv0 } = known.attributes;
      const { positions, normals } = placed(known.positions, normal as Float32Array, worlds[i]);
      drawn.push({ positions, normals, uv0: uv0 as Float32Array, indices: new Uint32Array(indices), material });
    }
  }
  return {
    meshes: drawn,
    materials: materials.map((material) => ({
      alphaMode: material.alphaMode,
      alphaCutoff: material.alphaCutoff,
      transmission: lightThroughStored(material),
      baseColor: material.baseColorFactor,
      emissive: material.emissiveFactor,
      baseColorTexture: material.baseColorTexture === NONE ? null : textures[material.baseColorTexture].uri,
      emissiveTexture: material.emissiveTexture === NONE ? null : textures[material.emissiveTexture].uri,
    })),
  };
}
