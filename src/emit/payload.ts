// Writes one payload into a set: the cooked meshes as a .untold, and what the manifest will say of it.

import type { PackedMesh } from '../cook/types.ts';
import type { Bounds } from '../scene/types.ts';
import type { StagedTexture } from '../textures/types.ts';
import { readUntold } from '../untold/read.ts';
import type { Compression, FileType, WriteOptions } from '../untold/types.ts';
import { writeUntold } from '../untold/write.ts';
import type { Authored } from './lightsAndCameras.ts';
import { type OutputSet, sha256Hex } from './outputSet.ts';
import { type TileMesh, tileScene } from './tile.ts';

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
  /** Tight, of the stored vertices. */
  readonly bounds: Bounds;
  /** 32 bytes a vertex and the indices. */
  readonly gpuBytes: number;
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
  for (const { packed } of meshes) {
    gpuBytes += packed.vertices.length + packed.indices.byteLength;
    vertices += packed.vertexCount;
  }
  return { file, bounds: content.worldBounds, gpuBytes, meshes: meshes.length, vertices };
}

/**
 * Stages an encoded payload under `path`, relative to the set's base; with `hashedName` eight hex digits of its
 * SHA-256 come before the path's ending. Throws what the set throws.
 */
export function emitPayload(
  set: OutputSet,
  { file, ...measures }: EncodedPayload,
  path: string,
  hashedName: boolean,
): EmittedPayload {
  const named = hashedName ? hashedPath(path, file) : path;
  const { bytes } = set.write(named, file);
  return { ...measures, path: named, bytes };
}

/** The engine never asks again for a URL that it has in its cache: a changed file needs a changed name. */
function hashedPath(path: string, bytes: Uint8Array): string {
  return path.replace(/(?=\.untold$)/, `_${sha256Hex(bytes).slice(0, 8)}`);
}

/** The meshes of an encoded payload, as they were given to encodePayload and in that order. `name`: for messages. */
export async function decodePayload(file: Uint8Array, name: string): Promise<PackedMesh[]> {
  const { meshes } = await readUntold(file, name);
  return meshes.map(({ vertexCount, vertices, indices, localBounds }) => ({
    vertexCount,
    vertices,
    indices,
    bounds: localBounds,
  }));
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
