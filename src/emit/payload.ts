// Writes one payload into a set: the cooked meshes as a .untold, and what the manifest will say of it.

import { bakePlacements } from '../cook/bakePlacements.ts';
import type { PackedMesh } from '../cook/types.ts';
import { identity, isIdentity } from '../scene/matrix.ts';
import type { Bounds } from '../scene/types.ts';
import type { StagedTexture } from '../textures/types.ts';
import { readUntold } from '../untold/read.ts';
import { type Compression, type FileType, NONE, type UntoldScene, type WriteOptions } from '../untold/types.ts';
import { writeUntold } from '../untold/write.ts';
import type { Authored } from './lightsAndCameras.ts';
import { type OutputSet, sha256Hex } from './outputSet.ts';
import { entityCount, type TileMesh, tileScene } from './tile.ts';
import { verifyPayload } from './verify.ts';

export { compressionWarnings } from '../untold/write.ts';
export type { Compression, FileType, WriteOptions };

export interface PayloadInput {
  readonly fileType: FileType;
  readonly meshes: readonly TileMesh[];
  /** All staged textures; materials refer to them by index. */
  readonly textures: readonly StagedTexture[];
  /** Lights and cameras that the file itself carries. */
  readonly authored: Authored;
  readonly options: WriteOptions;
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

export interface EmittedPayload extends PayloadMeasures {
  /** Relative to the set's base. */
  readonly path: string;
  readonly bytes: number;
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
 * Stages an encoded payload under `path`, relative to the set's base; with `hashedName` digits of its SHA-256 come
 * before the path's ending. It is checked at once, while others are cooked. Throws what the set and the check throw.
 */
export async function emitPayload(
  set: OutputSet,
  { file, ...measures }: EncodedPayload,
  path: string,
  hashedName: boolean,
): Promise<EmittedPayload> {
  const sha256 = sha256Hex(file);
  const named = hashedName ? hashedPath(path, sha256, set.earlier) : path;
  const { bytes } = set.write(named, file, sha256);
  await verifyPayload(set, named);
  return { ...measures, path: named, bytes };
}

/**
 * The path with digits of the content's hash before its ending: eight, or more where the earlier set has another file
 * of that name. So a new payload never stands where the old set needs its own, and the engine, which never asks again for
 * a URL that it has in its cache, asks for a file that has changed.
 */
function hashedPath(path: string, sha256: string, earlier: ReadonlyMap<string, string | null>): string {
  for (let digits = 8; ; digits += 8) {
    const named = path.replace(/(?=\.untold$)/, `_${sha256.slice(0, digits)}`);
    const stated = earlier.get(named);
    if (stated === undefined || stated === sha256 || digits >= sha256.length) return named;
  }
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
