// Level files of the models of packs. The engine carries the materials of a model over to its levels where both have the same
// entities, meshes, materials and textures: a level repeats these tables byte for byte, and only its geometry is its own. The
// meshes may come from anywhere; simplified ones are made in workers/jobs/chain.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import { inverse } from '../../scene/inverse.ts';
import type { Bounds, Mat4 } from '../../scene/types.ts';
import { Findings } from '../findings.ts';
import { assemble, geometryChunk } from './container/assemble.ts';
import { type Chunk, GeometryParts, plainChunk, tableBytes } from './container/chunks.ts';
import { type ChunkEntry, type Container, entryOf, readContainer } from './container/container.ts';
import { CHUNK, INDEX_TYPE_UINT16, INDEX_TYPE_UINT32, MESH, REQUIRED_CHUNKS } from './container/records.ts';
import { openTables } from './container/tables.ts';
import type { PackedMesh } from './mesh/packMesh.ts';
import { openUntold } from './read.ts';
import type { Compressor, UntoldMaterial, UntoldScene } from './types.ts';
import { worldTransforms } from './worldTransforms.ts';

/** The chunks that a level file repeats. */
export const COPIED_CHUNKS: readonly number[] = [CHUNK.string, CHUNK.entity, CHUNK.material, CHUNK.texture];

/** Why a model has no levels, by a chunk in its file: levels would stand still, or splats have levels of their own. */
const OBSTACLES = {
  [CHUNK.skeleton]: 'a skeleton moves it',
  [CHUNK.skin]: 'a skeleton moves it',
  [CHUNK.animationClip]: 'it holds an animation',
  [CHUNK.morphTarget]: 'it has morph targets',
  [CHUNK.gaussianAsset]: 'it is linked with gaussian splats, which have levels of their own',
} as const satisfies Readonly<Record<number, string>>;

/** In words why a file with these chunks has no levels; null: it may have some. */
export function levelObstacle(entries: readonly Pick<ChunkEntry, 'type'>[]): string | null {
  const types = new Set(entries.map(({ type }) => type));
  for (const [type, why] of Object.entries(OBSTACLES)) if (types.has(Number(type))) return why;
  return null;
}

/** A mesh of a model, stored once, and where entities draw it. */
export interface ModelPart {
  readonly packed: PackedMesh;
  /** Number of the material. */
  readonly material: number;
  /** Of the mesh records that hold it, ascending. */
  readonly records: readonly number[];
  /** World matrices in the space of the model, one for each record. */
  readonly placements: readonly Mat4[];
}

export interface Model {
  readonly bounds: Bounds;
  /** In words why it has no levels; null: it may have some. */
  readonly obstacle: string | null;
  readonly parts: readonly ModelPart[];
  /** By the number that parts have. */
  readonly materials: readonly UntoldMaterial[];
  /** Of all records: what is drawn. */
  readonly triangles: number;
}

/** The triangles that are drawn of meshes, one for each part of a model. */
export function drawnTriangles(
  parts: readonly Pick<ModelPart, 'records'>[],
  meshes: readonly { readonly indices: { readonly length: number } }[],
): number {
  return parts.reduce((sum, { records }, i) => sum + (records.length * meshes[i].indices.length) / 3, 0);
}

function partsOf(scene: UntoldScene, root: Mat4): ModelPart[] {
  const worlds = worldTransforms(scene.entities, root);
  const worldOf = new Map(scene.entities.map(({ id }, i) => [id, worlds[i]]));
  const parts = new Map<
    string,
    Omit<ModelPart, 'records' | 'placements'> & { readonly records: number[]; readonly placements: Mat4[] }
  >();
  const numbers = new Map<unknown, number>();
  const numberOf = (array: unknown): number => {
    const number = numbers.get(array) ?? numbers.size;
    numbers.set(array, number);
    return number;
  };
  for (const [i, { vertices, indices, material, vertexCount, localBounds, entity }] of scene.meshes.entries()) {
    const key = `${numberOf(vertices)} ${numberOf(indices)} ${material}`;
    const packed = { vertexCount, vertices, indices, bounds: localBounds };
    const part = parts.get(key) ?? { packed, material, records: [] as number[], placements: [] as Mat4[] };
    parts.set(key, part);
    part.records.push(i);
    part.placements.push(worldOf.get(entity) as Mat4);
  }
  return [...parts.values()];
}

/**
 * Whether a matrix moves meshes so that they cannot be moved back with all their triangles: its axes span no volume, or those
 * of its inverse. Files of other programs may have such entities.
 */
function flattens(world: Mat4): boolean {
  const back = inverse(world);
  return back === null || inverse(back) === null;
}

/** A model as its file has it. Throws SourceError with what is wrong with the file. */
export async function openModel(file: Uint8Array, name: string): Promise<Model> {
  const { scene, rootTransform } = await openUntold(file, name);
  const parts = partsOf(scene, rootTransform);
  const { entries } = await openContainer(file, name, []);
  const triangles = drawnTriangles(
    parts,
    parts.map(({ packed }) => packed),
  );
  const isFlattened = parts.some(({ placements }) => placements.some(flattens));
  const obstacle = levelObstacle(entries) ?? (isFlattened ? 'an entity is flattened' : null);
  return { bounds: scene.worldBounds, obstacle, parts, materials: scene.materials, triangles };
}

async function openContainer(file: Uint8Array, name: string, only: readonly number[]): Promise<Container> {
  const findings = new Findings(name);
  const container = await readContainer(file, findings, { engine: false, only });
  if (container === null) throw new SourceError(findings.list());
  return container;
}

/** A chunk as the file has it, packed or not. */
function copied(container: Container, type: number): Chunk {
  const entry = entryOf(container, type);
  if (!entry || entry.compression === null) throw new Error(`the model has no chunk ${type}`);
  const { fileOffset, compressedSize, uncompressedSize, compression, elementCount } = entry;
  const parts = [container.bytes.subarray(fileOffset, fileOffset + compressedSize)];
  return { type, compression, parts, size: compressedSize, uncompressedSize, elementCount };
}

/**
 * The file of a level: the model's tables byte for byte, and `meshes`, one for each part of openModel, in place of its own. They
 * lie within the model's bounds and have at least a triangle. `compressor`: of geometry; absent: what the model is packed with. Throws SourceError with what is wrong
 * with the model.
 */
export async function encodeLevel(
  model: Uint8Array,
  name: string,
  parts: readonly Pick<ModelPart, 'records'>[],
  meshes: readonly PackedMesh[],
  compressor?: Compressor,
): Promise<Uint8Array> {
  const container = await openContainer(model, name, [CHUNK.mesh]);
  const { header } = container;
  const { formatVersion } = header;
  const ofRecord = new Map(parts.flatMap(({ records }, i) => records.map((record) => [record, meshes[i]] as const)));
  const vertices = new GeometryParts<Uint8Array>();
  const indices = new GeometryParts<Uint16Array | Uint32Array>();
  const records = openTables(container)
    .table(MESH, CHUNK.mesh)
    .map((record, i) => {
      const mesh = ofRecord.get(i);
      if (mesh === undefined || mesh.indices.length === 0) throw new Error(`mesh ${i} of ${name} has no level`);
      return {
        ...record,
        indexType: mesh.indices.BYTES_PER_ELEMENT === 2 ? INDEX_TYPE_UINT16 : INDEX_TYPE_UINT32,
        vertexCount: mesh.vertexCount,
        indexCount: mesh.indices.length,
        vertexDataOffset: vertices.place(mesh.vertices),
        indexDataOffset: indices.place(mesh.indices),
        vertexDataSizeBytes: mesh.vertices.length,
        indexDataSizeBytes: mesh.indices.byteLength,
        estimatedGPUBytes: mesh.vertices.length + mesh.indices.byteLength,
        edgeIndexDataOffset: 0,
        edgeIndexCount: 0,
        localBoundsMin: mesh.bounds.min,
        localBoundsMax: mesh.bounds.max,
      };
    });
  const compression = compressor ?? entryOf(container, CHUNK.vertexData)?.compression ?? 'none';
  const chunks = await Promise.all(
    REQUIRED_CHUNKS.map(async (type) => {
      if (type === CHUNK.mesh) return plainChunk(type, [tableBytes(MESH, formatVersion, records)], records.length);
      if (type === CHUNK.vertexData) return geometryChunk(type, vertices.parts, compression);
      if (type === CHUNK.indexData) return geometryChunk(type, indices.parts, compression);
      return copied(container, type);
    }),
  );
  // The engine's own cook sets a bit of the flags whose value is not published; none is invented here.
  return assemble({ ...header, fileType: 'lod' }, formatVersion, chunks);
}
