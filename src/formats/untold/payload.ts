// Encodes the cooked meshes of one payload as a .untold file, and decodes such a file into meshes.

import { featureEdges } from '../../geometry/mesh/featureEdges.ts';
import type { Float32Mesh } from '../../geometry/mesh/mesh.ts';
import { identity } from '../../scene/matrix.ts';
import type { Bounds } from '../../scene/types.ts';
import type { EncodedPayload, PayloadInput, PayloadMeasures, WriteOptions } from '../format.ts';
import { entityCount } from '../format.ts';
import { drawnMesh, type PackedMesh } from './mesh/packMesh.ts';
import { VERTEX_WORDS, wordsOf } from './mesh/vertexWords.ts';
import { readUntold } from './read.ts';
import { tileScene } from './tileScene.ts';
import { NONE, type UntoldMesh, type UntoldScene } from './types.ts';
import { writeUntold } from './write.ts';

/** The meshes with their feature edges; meshes that share vertices and indices share these. */
function withEdges(meshes: readonly UntoldMesh[]): UntoldMesh[] {
  const found = new Map<Uint8Array, Map<unknown, Uint16Array | Uint32Array>>();
  return meshes.map((mesh) => {
    const { vertices, indices } = mesh;
    const ofVertices = found.get(vertices) ?? new Map();
    found.set(vertices, ofVertices);
    let edges = ofVertices.get(indices);
    if (!edges) {
      const words = wordsOf(vertices);
      const pairs = featureEdges(new Float32Array(words.buffer, words.byteOffset, words.length), indices, VERTEX_WORDS);
      edges = indices instanceof Uint16Array ? Uint16Array.from(pairs) : pairs;
      ofVertices.set(indices, edges);
    }
    return { ...mesh, edges };
  });
}

/** Builds one .untold. Throws what the writer throws. */
export async function encodePayload(input: PayloadInput<PackedMesh>): Promise<EncodedPayload> {
  const { meshes } = input;
  const content = tileScene(
    input.fileType,
    meshes,
    input.textures,
    input.options.sharedTextures ?? null,
    input.authored,
    input.tree,
  );
  const hasEdges = input.options.edges === true && input.fileType !== 'hlod';
  const whole = hasEdges ? { ...content, meshes: withEdges(content.meshes) } : content;
  const file = await writeUntold(whole, input.options);
  let gpuBytes = whole.meshes.reduce((sum, { edges }) => sum + (edges?.byteLength ?? 0), 0);
  let vertices = 0;
  for (const mesh of meshes) {
    const { stored: packed } = mesh;
    gpuBytes += entityCount(mesh) * (packed.vertices.length + packed.indices.byteLength);
    vertices += entityCount(mesh) * packed.vertexCount;
  }
  return { file, bounds: content.worldBounds, gpuBytes, meshes: content.entities.length, vertices };
}

/**
 * Builds a .untold that draws nothing: one entity without meshes. The engine counts it as loaded and hides the level that it
 * replaces. Throws what the writer throws.
 */
export async function encodeBlank(name: string, options: WriteOptions): Promise<EncodedPayload> {
  const bounds: Bounds = { min: [0, 0, 0], max: [0, 0, 0] };
  const entity = { id: 0, parent: NONE, name, firstMesh: 0, meshCount: 0, localBounds: bounds, worldBounds: bounds };
  const content: UntoldScene = {
    fileType: 'tile',
    worldBounds: bounds,
    entities: [{ ...entity, localTransform: identity() }],
    meshes: [],
    materials: [],
    textures: [],
  };
  return { file: await writeUntold(content, options), bounds, gpuBytes: 0, meshes: 0, vertices: 0 };
}

/**
 * The meshes of an encoded payload in world space: one for each that was given to encodePayload and in that order, each
 * of which became as many entities as `entities` lists for it. A mesh of several placements is given as one mesh that holds
 * all of its copies. `name`: for messages.
 */
export async function decodePayload(
  file: Uint8Array,
  name: string,
  entities: readonly number[],
): Promise<Float32Mesh[]> {
  const content = await readUntold(file, name);
  const meshes: Float32Mesh[] = [];
  let first = 0;
  for (const count of entities) {
    const { vertexCount, vertices, indices, localBounds } = content.meshes[first];
    const placements = content.entities.slice(first, first + count).map(({ localTransform }) => localTransform);
    const packed = { vertexCount, vertices, indices, bounds: localBounds };
    meshes.push(await drawnMesh(packed, placements));
    first += count;
  }
  return meshes;
}

/** Measures a payload that an earlier cook wrote; `textures` are the files that it names. */
export async function measurePayload(
  file: Uint8Array,
  name: string,
): Promise<Pick<PayloadMeasures, 'meshes' | 'vertices'> & { readonly textures: readonly string[] }> {
  const { meshes, textures } = await readUntold(file, name);
  return {
    meshes: meshes.length,
    vertices: meshes.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
    textures: textures.map(({ uri }) => uri),
  };
}
