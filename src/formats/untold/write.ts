// Writes a .untold file from packed meshes: the seven chunks of the format text in its recommended order, skeletons, skins,
// clips, lights and cameras, if any, before the geometry, and the joints and weights of vertices, the edges and morph targets after it. Geometry is compressed if that makes it smaller; the content hash is always set.
// Geometry is copied twice only: into a contiguous chunk for the compressor, and into the file. Meshes that share arrays
// are stored once: each has its own record and entity, and the records refer to the same range. The format text allows ranges
// to coincide, and the engine's loader copies slices.

import { type Diagnostic, diagnostic, fail } from '../../diagnostics/diagnostic.ts';
import type { CarriedChunk } from '../../scene/types.ts';
import { align, assemble, type FileFacts, geometryChunk } from './container/assemble.ts';
import { type Chunk, GeometryParts, plainChunk, StringTable, tableBytes } from './container/chunks.ts';
import { MAX_UNPACKED_BYTES } from './container/compress.ts';
import { MAX_VERSION, MIN_VERSION, type RecordOf } from './container/layout.ts';
import {
  CAMERA,
  CHUNK,
  COLOR_GRADE_LUT,
  ENTITY,
  enumNumber,
  INDEX_TYPE_UINT16,
  INDEX_TYPE_UINT32,
  LIGHT,
  LIGHT_FLAGS,
  LIGHT_TYPES,
  MATERIAL,
  MESH,
  TEXTURE,
  VERSION_WITH_EMISSION,
  VERSION_WITH_HEIGHT,
  VERTEX_STRIDE,
} from './container/records.ts';
import { materialRecord } from './materialRecord.ts';
import { morphChunks } from './morphChunks.ts';
import { clipChunks, rigChunks } from './rigChunks.ts';
import {
  type Compressor,
  NONE,
  type UntoldCamera,
  type UntoldEntity,
  type UntoldLight,
  type UntoldMesh,
  type UntoldScene,
  type UntoldTexture,
  type WriteOptions,
} from './types.ts';

/** Lowest version that holds the content faithfully: 1; 2 with any emission; 4 with height maps. */
export function neededVersion(scene: UntoldScene): number {
  if (scene.materials.some((m) => m.height !== null)) return VERSION_WITH_HEIGHT;
  if (scene.materials.some((m) => m.emissiveFactor.some((v) => v !== 0))) return VERSION_WITH_EMISSION;
  return MIN_VERSION;
}

/** Throws UC3150 when the asked version cannot hold the content. */
function chosenVersion(scene: UntoldScene, asked: number | undefined, file: string): number {
  const needed = neededVersion(scene);
  if (asked === undefined) return needed;
  if (!Number.isInteger(asked) || asked < MIN_VERSION || asked > MAX_VERSION) {
    return fail('UC3150', file, '', `format version ${asked} does not exist; ${MIN_VERSION} to ${MAX_VERSION} do`);
  }
  if (asked < needed) {
    return fail('UC3150', file, '', `format version ${asked} was asked for, the content needs ${needed}`);
  }
  return asked;
}

/** Warnings before a compression is used: today's engine cannot read zstd. */
export function compressionWarnings(compression: Compressor, file: string): Diagnostic[] {
  if (compression !== 'zstd') return [];
  return [diagnostic('UC3107', file, '', 'geometry is compressed with zstd')];
}

function entityRecord(entity: UntoldEntity, strings: StringTable): RecordOf<typeof ENTITY> {
  return {
    entityId: entity.id,
    parentEntityId: entity.parent,
    nameOffset: strings.add(entity.name),
    firstMeshRecordIndex: entity.firstMesh,
    meshRecordCount: entity.meshCount,
    flags: 0,
    localBoundsMin: entity.localBounds.min,
    localBoundsMax: entity.localBounds.max,
    worldBoundsMin: entity.worldBounds.min,
    worldBoundsMax: entity.worldBounds.max,
    localTransform: Array.from(entity.localTransform),
  };
}

/** Throws for values that the engine cannot load. They are mistakes of the caller, not of a source. */
function checkMesh(mesh: UntoldMesh, index: number, scene: UntoldScene): void {
  const wrong = (what: string): never => {
    throw new Error(`mesh ${index} (${mesh.name}): ${what}`);
  };
  if (mesh.indices.length === 0) wrong('no indices; the engine crashes on such a mesh');
  if (mesh.indices.length % 3 !== 0) wrong(`${mesh.indices.length} indices are no triangles`);
  if (mesh.vertices.length !== mesh.vertexCount * VERTEX_STRIDE) wrong('vertex bytes are not 32 a vertex');
  if (mesh.edges && mesh.edges.BYTES_PER_ELEMENT !== mesh.indices.BYTES_PER_ELEMENT) wrong('edges are of another type');
  if (mesh.material !== NONE && mesh.material >= scene.materials.length) wrong(`no material ${mesh.material}`);
}

function meshRecord(
  mesh: UntoldMesh,
  strings: StringTable,
  vertexDataOffset: number,
  indexDataOffset: number,
  edgeIndexDataOffset: number,
): RecordOf<typeof MESH> {
  return {
    entityId: mesh.entity,
    meshNameOffset: strings.add(mesh.name),
    materialIndex: mesh.material,
    indexType: mesh.indices.BYTES_PER_ELEMENT === 2 ? INDEX_TYPE_UINT16 : INDEX_TYPE_UINT32,
    vertexCount: mesh.vertexCount,
    indexCount: mesh.indices.length,
    vertexStrideBytes: VERTEX_STRIDE,
    flags: 0,
    vertexDataOffset,
    indexDataOffset,
    vertexDataSizeBytes: mesh.vertices.length,
    indexDataSizeBytes: mesh.indices.byteLength,
    estimatedGPUBytes: mesh.vertices.length + mesh.indices.byteLength + (mesh.edges?.byteLength ?? 0),
    edgeIndexDataOffset,
    edgeIndexCount: mesh.edges?.length ?? 0,
    localBoundsMin: mesh.localBounds.min,
    localBoundsMax: mesh.localBounds.max,
  };
}

function textureRecord(texture: UntoldTexture, strings: StringTable): RecordOf<typeof TEXTURE> {
  return {
    nameOffset: strings.add(texture.name),
    uriOffset: strings.add(texture.uri),
    textureFormat: texture.format,
    flags: texture.flags,
    width: texture.width,
    height: texture.height,
    mipCount: texture.mipCount,
    reserved0: 0,
  };
}

function lightRecord(light: UntoldLight, strings: StringTable): RecordOf<typeof LIGHT> {
  return {
    entityId: light.entity,
    nameOffset: strings.add(light.name),
    lightType: enumNumber(LIGHT_TYPES, light.type),
    flags:
      (light.castsShadow ? LIGHT_FLAGS.castsShadow : 0) |
      (light.radiometric ? LIGHT_FLAGS.radiometric : 0) |
      (light.customDistance ? LIGHT_FLAGS.customDistance : 0),
    color: light.color,
    intensity: light.intensity,
    position: light.position,
    radius: light.radius,
    direction: light.direction,
    falloff: light.falloff,
    right: light.right,
    innerCone: light.innerCone,
    up: light.up,
    outerCone: light.outerCone,
    areaSize: light.areaSize,
    sourcePower: light.sourcePower,
    sourceExposure: light.sourceExposure,
    localTransform: Array.from(light.localTransform),
  };
}

function cameraRecord(camera: UntoldCamera, strings: StringTable): RecordOf<typeof CAMERA> {
  return {
    entityId: camera.entity,
    nameOffset: strings.add(camera.name),
    flags: 0,
    reserved0: 0,
    position: camera.position,
    fovYDegrees: camera.fovYDegrees,
    forward: camera.forward,
    nearClip: camera.nearClip,
    up: camera.up,
    farClip: camera.farClip,
    right: camera.right,
    aspectRatio: camera.aspectRatio,
    localTransform: Array.from(camera.localTransform),
  };
}

const carriedChunk = ({ stored, ...chunk }: CarriedChunk): Chunk => ({
  ...chunk,
  parts: [stored],
  size: stored.length,
});

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function factsOf({ fileType, worldBounds, meshes, materials, textures, entities, carried }: UntoldScene): FileFacts {
  return {
    fileType,
    flags: carried?.flags ?? 0,
    meshCount: meshes.length,
    materialCount: materials.length,
    textureRefCount: textures.length,
    entityCount: entities.length,
    worldBoundsMin: worldBounds.min,
    worldBoundsMax: worldBounds.max,
    rootTransform: IDENTITY,
  };
}

/**
 * The bytes of a file. Equal scenes and options give equal bytes; meshes share geometry where their `vertices` or
 * `indices` are the same array, not where arrays hold the same. Throws UC3150 when `formatVersion` is lower than the
 * content needs, UC3151 when the content is more than 2 GiB; a mesh that the engine could not load is an exception.
 */
export async function writeUntold(scene: UntoldScene, options: WriteOptions): Promise<Uint8Array> {
  const version = chosenVersion(scene, options.formatVersion, options.file ?? '');
  const strings = new StringTable();
  const entities = scene.entities.map((entity) => entityRecord(entity, strings));
  const vertices = new GeometryParts<Uint8Array>();
  const indices = new GeometryParts<Uint16Array | Uint32Array>();
  const edges = new GeometryParts<Uint16Array | Uint32Array>();
  const meshes = scene.meshes.map((mesh, i) => {
    checkMesh(mesh, i, scene);
    const edgesAt = mesh.edges ? edges.place(mesh.edges) : 0;
    return meshRecord(mesh, strings, vertices.place(mesh.vertices), indices.place(mesh.indices), edgesAt);
  });
  const materials = scene.materials.map((material) => materialRecord(material, strings));
  const textures = scene.textures.map((texture) => textureRecord(texture, strings));
  const lights = (scene.lights ?? []).map((light) => lightRecord(light, strings));
  const cameras = (scene.cameras ?? []).map((camera) => cameraRecord(camera, strings));
  const rigs = rigChunks(scene, version, strings);
  const clips = clipChunks(scene, version, strings);
  const morphs = morphChunks(scene, version, strings);
  // The engine reads nothing else of a file of animation, and needs these even where they are empty.
  if (scene.fileType === 'animation') {
    return assemble(factsOf(scene), version, [plainChunk(CHUNK.string, [strings.bytes()]), ...clips]);
  }
  const metadata = [
    plainChunk(CHUNK.string, [strings.bytes()]),
    plainChunk(CHUNK.entity, [tableBytes(ENTITY, version, entities)], entities.length),
    plainChunk(CHUNK.mesh, [tableBytes(MESH, version, meshes)], meshes.length),
    plainChunk(CHUNK.material, [tableBytes(MATERIAL, version, materials)], materials.length),
    plainChunk(CHUNK.texture, [tableBytes(TEXTURE, version, textures)], textures.length),
  ];
  metadata.push(...rigs.tables, ...((scene.clips ?? []).length > 0 ? clips : []));
  if (lights.length > 0) {
    metadata.push(plainChunk(CHUNK.light, [tableBytes(LIGHT, version, lights)], lights.length));
  }
  if (cameras.length > 0) {
    metadata.push(plainChunk(CHUNK.camera, [tableBytes(CAMERA, version, cameras)], cameras.length));
  }
  const { colorGrade } = scene;
  if (colorGrade) {
    const { uri, size, domainMin, domainMax } = colorGrade;
    const record = { lutUriOffset: strings.add(uri), lutSize: size, domainMin, domainMax };
    metadata[0] = plainChunk(CHUNK.string, [strings.bytes()]);
    metadata.push(plainChunk(CHUNK.colorGradeLUT, [tableBytes(COLOR_GRADE_LUT, version, [record])], 1));
  }
  const total =
    metadata.reduce((sum, chunk) => sum + align(chunk.size), 0) +
    vertices.bytes +
    indices.bytes +
    rigs.bytes +
    edges.bytes +
    morphs.reduce((sum, chunk) => sum + align(chunk.size), 0);
  // Header, chunk table and padding stay far under 4 KiB.
  if (total + 4096 > MAX_UNPACKED_BYTES) fail('UC3151', options.file ?? '', '', `${total} bytes`);
  const geometry = await Promise.all([
    geometryChunk(CHUNK.vertexData, vertices.parts, options.compression),
    geometryChunk(CHUNK.indexData, indices.parts, options.compression),
  ]);
  // Every exporter leaves the edges uncompressed.
  const wireframe = edges.bytes > 0 ? [plainChunk(CHUNK.edgeIndexData, edges.parts)] : [];
  const carried = (scene.carried?.chunks ?? []).map(carriedChunk);
  const chunks = [...metadata, ...geometry, ...rigs.weights, ...wireframe, ...morphs, ...carried];
  return assemble(factsOf(scene), version, chunks);
}
