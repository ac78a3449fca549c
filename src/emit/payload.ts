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
  /** Relative to the set's base. */
  readonly path: string;
  /** Eight hex digits of the content's SHA-256 come before the path's ending. */
  readonly hashedName?: boolean;
  readonly fileType: FileType;
  readonly meshes: readonly TileMesh[];
  /** All staged textures; materials refer to them by index. */
  readonly textures: readonly StagedTexture[];
  /** Lights and cameras that the file itself carries. */
  readonly authored: Authored;
  readonly options: WriteOptions;
}

export interface EmittedPayload {
  /** Relative to the set's base. */
  readonly path: string;
  readonly bytes: number;
  /** Tight, of the stored vertices. */
  readonly bounds: Bounds;
  /** 32 bytes a vertex and the indices. */
  readonly gpuBytes: number;
  readonly meshes: number;
  readonly vertices: number;
}

/** Builds and stages one .untold. Throws what the writer and the set throw. */
export async function emitPayload(set: OutputSet, input: PayloadInput): Promise<EmittedPayload> {
  const { meshes } = input;
  const content = tileScene(input.fileType, meshes, input.textures, 'Textures/', input.authored);
  const file = await writeUntold(content, input.options);
  const path = input.hashedName ? hashedPath(input.path, file) : input.path;
  const { bytes } = set.write(path, file);
  let gpuBytes = 0;
  let vertices = 0;
  for (const { packed } of meshes) {
    gpuBytes += packed.vertices.length + packed.indices.byteLength;
    vertices += packed.vertexCount;
  }
  return { path, bytes, bounds: content.worldBounds, gpuBytes, meshes: meshes.length, vertices };
}

/** The engine never asks again for a URL that it has in its cache: a changed file needs a changed name. */
function hashedPath(path: string, bytes: Uint8Array): string {
  return path.replace(/(?=\.untold$)/, `_${sha256Hex(bytes).slice(0, 8)}`);
}

/** The meshes of a payload that stands in the set, as they were given to emitPayload and in that order. */
export async function readPayload(set: OutputSet, path: string): Promise<PackedMesh[]> {
  const { meshes } = await readUntold(set.readBack(path), path);
  return meshes.map(({ vertexCount, vertices, indices, localBounds }) => ({
    vertexCount,
    vertices,
    indices,
    bounds: localBounds,
  }));
}
