// Cooked meshes of one payload as the bytes of a .untold, and back.

import { bakePlacements } from '../../geometry/instances/bakePlacements.ts';
import type { PackedMesh } from '../../geometry/mesh/types.ts';
import { identity, isIdentity } from '../../scene/matrix.ts';
import type { Bounds } from '../../scene/types.ts';
import type { PreparedTexture } from '../../textures/types.ts';
import type { Authored } from './lightsAndCameras.ts';
import { readUntold } from './read.ts';
import { entityCount, type TileMesh, tileScene } from './tileScene.ts';
import { type Compression, type FileType, NONE, type UntoldScene, type WriteOptions } from './types.ts';
import { writeUntold } from './write.ts';

export { compressionWarnings } from './write.ts';
export type { Compression, FileType, WriteOptions };

export interface PayloadInput {
  readonly fileType: FileType;
  readonly meshes: readonly TileMesh[];
  /** All prepared textures; materials refer to them by index. */
  readonly textures: readonly PreparedTexture[];
  /** Lights and cameras that the file itself carries. */
  readonly authored: Authored;
  readonly options: WriteOptions;
}

export interface EmittedPayload extends PayloadMeasures {
  /** Relative to the set's base. */
  readonly path: string;
  readonly bytes: number;
}

/** What a payload holds. */
export interface PayloadMeasures {
  /** Tight, of the vertices where they are drawn. */
  readonly bounds: Bounds;
  /** 32 bytes a vertex and the indices, of each entity: the engine gives each mesh record buffers of its own. */
  readonly gpuBytes: number;
  /** Entities that are drawn, and their vertices: what the engine puts into batches. */
  readonly meshes: number;
  readonly vertices: number;
}

export interface EncodedPayload extends PayloadMeasures {
  /** The whole .untold. */
  readonly file: Uint8Array;
}

/** Builds one .untold. Throws what the writer throws. */
export async function encodePayload(input: PayloadInput): Promise<EncodedPayload> {
  const { meshes } = input;
  const content = tileScene(input.fileType, meshes, input.textures, 'Textures/', input.authored);
  const file = await writeUntold(content, input.options);
  let gpuBytes = 0;
  let vertices = 0;
  for (const mesh of meshes) {
    const { packed } = mesh;
    gpuBytes += entityCount(mesh) * (packed.vertices.length + packed.indices.byteLength);
    vertices += entityCount(mesh) * packed.vertexCount;
  }
  return { file, bounds: content.worldBounds, gpuBytes, meshes: content.entities.length, vertices };
}

/**
 * Builds a .untold that draws nothing: one entity without meshes. The engine takes it for loaded, and what it stands for
 * falls silent. Throws what the writer throws.
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
 * of which became so many `entities`. One of several placements comes as the mesh that all its entities draw. `name`:
 * for messages.
 */
export async function decodePayload(
  file: Uint8Array,
  name: string,
  entities: readonly number[],
): Promise<PackedMesh[]> {
  const content = await readUntold(file, name);
  const meshes: PackedMesh[] = [];
  let first = 0;
  for (const count of entities) {
    const { vertexCount, vertices, indices, localBounds } = content.meshes[first];
    const packed = { vertexCount, vertices, indices, bounds: localBounds };
    const placements = content.entities.slice(first, first + count).map(({ localTransform }) => localTransform);
    const isPlaced = count === 1 && isIdentity(placements[0]);
    meshes.push(isPlaced ? packed : await bakePlacements(packed, placements));
    first += count;
  }
  return meshes;
}

/** What an encoded payload holds, for those that an earlier cook wrote; `textures` are the files that it names. */
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
