// What the engine draws of a .mdl: the first level of each geometry, in engine space, for the renderer.

import type { DrawnFile, DrawnFileMesh } from '../../format.ts';
import { NAMED_ONLY } from '../../wholeOutput.ts';
import { TRIANGLE_LIST } from '../model/layout.ts';
import { readModel } from '../model/read.ts';
import { levelMesh } from './decode.ts';

/** Throws what the reader throws. */
export async function drawnFile(file: Uint8Array, name: string): Promise<DrawnFile> {
  const model = readModel(file, name);
  const meshes = model.geometries.flatMap(({ levels: [level] }): DrawnFileMesh[] => {
    if (level.indexCount === 0 || level.primitive !== TRIANGLE_LIST) return [];
    const { positions, attributes, indices, vertexCount } = levelMesh(model, level);
    const { normal = new Float32Array(vertexCount * 3), uv0 = new Float32Array(vertexCount * 2) } = attributes;
    return [{ positions, normals: normal as Float32Array, uv0: uv0 as Float32Array, indices, material: 0 }];
  });
  return { meshes, materials: [NAMED_ONLY] };
}
