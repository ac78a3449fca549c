// What formats have in common whose one file is the whole output, with no tiles and no files beside it.

import { unite } from '../scene/bounds.ts';
import type { Bounds } from '../scene/types.ts';
import type { FloatMesh } from './floatMesh.ts';
import type { DrawnFileMaterial, FormatCode, PayloadMeasures, PayloadMesh } from './format.ts';

export const WHOLE_OUTPUT = {
  encodeBlank: () => Promise.reject(new Error('only sets of tiles have blank payloads')),
  // Clips and textures lie in the file, or nowhere.
  clips: null,
  assembly: null,
  compressionWarnings: () => [],
  decodeDrawn: () => Promise.reject(new Error('only sets of tiles have HLOD clusters')),
  textureNames: async () => [],
  textureUris: async () => [],
  checkTextures: async () => ({ diagnostics: [], cooked: [] }),
  isTileOfSet: () => false,
} satisfies Partial<FormatCode>;

/** Files without nodes: every placement is baked. */
export const BAKED: FormatCode['instances'] = {
  choose: (candidates) => candidates.map(() => false),
  isWorth: () => false,
};

/** A material of which a file has the name, or not even that: it is white. */
export const NAMED_ONLY: DrawnFileMaterial = {
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  baseColor: [1, 1, 1, 1],
  emissive: [0, 0, 0],
  baseColorTexture: null,
  emissiveTexture: null,
};

/** What a payload of baked meshes holds; it has at least one. */
export function bakedMeasures(meshes: readonly PayloadMesh<FloatMesh>[]): PayloadMeasures {
  let bounds: Bounds | null = null;
  let gpuBytes = 0;
  let vertices = 0;
  for (const { stored } of meshes) {
    bounds = unite(bounds, stored.bounds);
    vertices += stored.vertexCount;
    const arrays = [stored.positions, stored.indices, ...Object.values(stored.attributes)];
    gpuBytes += arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
  if (bounds === null) throw new Error('a payload without a mesh');
  return { bounds, gpuBytes, meshes: meshes.length, vertices };
}
