// Reads .untold files: the strict reader, which gives a scene or throws, and a description for `untold inspect` of
// whatever can be read of any file. Geometry comes as views of the file (or of its unpacked chunks) where the
// alignment allows it: who keeps an array keeps the file. Records of the same range get the same array.

import { hexOf } from '../../bytes/hex.ts';
import { type Diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import {
  factorsFrom,
  fileSlots,
  LISTED_FACTORS,
  type ListedFactor,
  type MaterialFactors,
} from '../../scene/materialSlots.ts';
import type { Bounds, Mat4 } from '../../scene/types.ts';
import { indicesOf } from './check/geometry.ts';
import { checkUntold } from './check/validate.ts';
import type { RecordOf } from './container/layout.ts';
import {
  ALPHA_MODE_MASK,
  ALPHA_MODES,
  ANIMATION_CLIP,
  CAMERA,
  CHUNK,
  COLOR_GRADE_LUT,
  chunkKind,
  ENTITY,
  FIRST_PLUGIN_CHUNK,
  INDEX_TYPE_UINT16,
  INDEX_TYPES,
  LIGHT,
  LIGHT_FLAGS,
  LIGHT_TYPES,
  MATERIAL,
  MESH,
  MORPH_TARGET,
  SKELETON,
  SKIN,
  TEXTURE,
  TEXTURE_FORMATS,
} from './container/records.ts';
import type { Tables } from './container/tables.ts';
import { type ClipDescription, describeClips, describeSkins, type SkinDescription } from './describeRigs.ts';
import { factorsOfStored, materialOf, storedTexture } from './materialRecord.ts';
import { describeMorphs, type MorphDescription, readMorphs } from './morphChunks.ts';
import { readClips, readSkeletons, readSkins } from './readRigs.ts';
import {
  type FileType,
  NONE,
  type UntoldCamera,
  type UntoldEntity,
  type UntoldLight,
  type UntoldMesh,
  type UntoldScene,
  type UntoldTexture,
} from './types.ts';

const vec3 = (v: readonly number[]): readonly [number, number, number] => [v[0], v[1], v[2]];
const bounds = (min: readonly number[], max: readonly number[]): Bounds => ({ min: vec3(min), max: vec3(max) });
const nameOf = (names: Readonly<Record<number, string>>, value: number): string => names[value] ?? `unknown ${value}`;

function entityOf(record: RecordOf<typeof ENTITY>, { strings }: Tables): UntoldEntity {
  return {
    id: record.entityId,
    parent: record.parentEntityId,
    name: strings.at(record.nameOffset),
    firstMesh: record.firstMeshRecordIndex,
    meshCount: record.meshRecordCount,
    localBounds: bounds(record.localBoundsMin, record.localBoundsMax),
    worldBounds: bounds(record.worldBoundsMin, record.worldBoundsMax),
    localTransform: Float64Array.from(record.localTransform),
  };
}

/** Arrays of the geometry chunks. Records that refer to the same range share one array. */
class SharedArrays {
  readonly #vertexData: Uint8Array;
  readonly #indexData: Uint8Array;
  readonly #vertices = new Map<string, Uint8Array>();
  readonly #indices = new Map<string, Uint16Array | Uint32Array>();
  readonly #edgeData: Uint8Array;
  readonly #edges = new Map<string, Uint16Array | Uint32Array>();

  constructor(tables: Tables) {
    this.#edgeData = tables.payload(CHUNK.edgeIndexData);
    this.#vertexData = tables.payload(CHUNK.vertexData);
    this.#indexData = tables.payload(CHUNK.indexData);
  }

  vertices({ vertexDataOffset: at, vertexDataSizeBytes: size }: RecordOf<typeof MESH>): Uint8Array {
    const key = `${at} ${size}`;
    const array = this.#vertices.get(key) ?? this.#vertexData.subarray(at, at + size);
    this.#vertices.set(key, array);
    return array;
  }

  indices({ indexDataOffset: at, indexDataSizeBytes: size, indexType }: RecordOf<typeof MESH>) {
    const key = `${at} ${size} ${indexType}`;
    const array = this.#indices.get(key) ?? indicesOf(this.#indexData.subarray(at, at + size), indexType);
    this.#indices.set(key, array);
    return array;
  }

  edges({ edgeIndexDataOffset: at, edgeIndexCount: count, indexType }: RecordOf<typeof MESH>) {
    if (count === 0) return {};
    const key = `${at} ${count} ${indexType}`;
    const size = count * (indexType === INDEX_TYPE_UINT16 ? 2 : 4);
    const edges = this.#edges.get(key) ?? indicesOf(this.#edgeData.slice(at, at + size), indexType);
    this.#edges.set(key, edges);
    return { edges };
  }
}

function meshOf(record: RecordOf<typeof MESH>, { strings }: Tables, arrays: SharedArrays): UntoldMesh {
  return {
    entity: record.entityId,
    name: strings.at(record.meshNameOffset),
    material: record.materialIndex,
    vertexCount: record.vertexCount,
    vertices: arrays.vertices(record),
    indices: arrays.indices(record),
    ...arrays.edges(record),
    localBounds: bounds(record.localBoundsMin, record.localBoundsMax),
  };
}

function textureOf(record: RecordOf<typeof TEXTURE>, { strings }: Tables): UntoldTexture {
  return {
    name: strings.at(record.nameOffset),
    uri: strings.at(record.uriOffset),
    format: record.textureFormat,
    flags: record.flags,
    width: record.width,
    height: record.height,
    mipCount: record.mipCount,
  };
}

function lightOf(record: RecordOf<typeof LIGHT>, { strings }: Tables): UntoldLight {
  const types: Readonly<Record<number, UntoldLight['type']>> = LIGHT_TYPES;
  const has = (flag: number) => (record.flags & flag) !== 0;
  return {
    entity: record.entityId,
    name: strings.at(record.nameOffset),
    type: types[record.lightType],
    castsShadow: has(LIGHT_FLAGS.castsShadow),
    radiometric: has(LIGHT_FLAGS.radiometric),
    customDistance: has(LIGHT_FLAGS.customDistance),
    color: vec3(record.color),
    intensity: record.intensity,
    position: vec3(record.position),
    radius: record.radius,
    direction: vec3(record.direction),
    falloff: record.falloff,
    right: vec3(record.right),
    innerCone: record.innerCone,
    up: vec3(record.up),
    outerCone: record.outerCone,
    areaSize: [record.areaSize[0], record.areaSize[1]],
    sourcePower: record.sourcePower,
    sourceExposure: record.sourceExposure,
    localTransform: Float64Array.from(record.localTransform),
  };
}

function cameraOf(record: RecordOf<typeof CAMERA>, { strings }: Tables): UntoldCamera {
  return {
    entity: record.entityId,
    name: strings.at(record.nameOffset),
    position: vec3(record.position),
    fovYDegrees: record.fovYDegrees,
    forward: vec3(record.forward),
    nearClip: record.nearClip,
    up: vec3(record.up),
    farClip: record.farClip,
    right: vec3(record.right),
    aspectRatio: record.aspectRatio,
    localTransform: Float64Array.from(record.localTransform),
  };
}

/** A file that was read, with what the header alone says and all warnings. */
export interface ReadUntold {
  readonly scene: UntoldScene;
  readonly formatVersion: number;
  readonly rootTransform: Mat4;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The scene of a file of version 1 to 4; baked view transforms and muscles are checked, but no part of the scene.
 * Throws a SourceError with every error that the validator finds; zstd is accepted.
 */
export async function readUntold(bytes: Uint8Array, file: string): Promise<UntoldScene> {
  return (await openUntold(bytes, file)).scene;
}

/** Like readUntold. */
export async function openUntold(bytes: Uint8Array, file: string): Promise<ReadUntold> {
  const { tables, diagnostics } = await checkUntold(bytes, file, { engine: false });
  const errors = diagnostics.filter((d) => d.severity === 'error');
  if (errors.length > 0 || !tables?.container.fileType) throw new SourceError(errors);
  const { header, fileType } = tables.container;
  const scene = sceneOf(tables, fileType);
  const { formatVersion } = header;
  return { scene, formatVersion, rootTransform: Float64Array.from(header.rootTransform), diagnostics };
}

function gradeOf(tables: Tables): Pick<UntoldScene, 'colorGrade'> {
  const [grade] = tables.table(COLOR_GRADE_LUT, CHUNK.colorGradeLUT).map((record) => ({
    uri: tables.strings.at(record.lutUriOffset),
    size: record.lutSize,
    domainMin: vec3(record.domainMin),
    domainMax: vec3(record.domainMax),
  }));
  return grade ? { colorGrade: grade } : {};
}

/** Bits of the header and chunks that are not known here. Those of plugins are known as such, and their places in other files are not. */
function carriedIn({ container: { header, entries, bytes } }: Tables): Pick<UntoldScene, 'carried'> {
  const chunks = entries
    .filter(({ type }) => chunkKind(type) === undefined && type < FIRST_PLUGIN_CHUNK)
    .map(({ type, compression, fileOffset, compressedSize, uncompressedSize, elementCount }) => ({
      type,
      compression: compression ?? 'none',
      stored: bytes.subarray(fileOffset, fileOffset + compressedSize),
      uncompressedSize,
      elementCount,
    }));
  return header.flags === 0 && chunks.length === 0 ? {} : { carried: { flags: header.flags, chunks } };
}

function sceneOf(tables: Tables, fileType: FileType): UntoldScene {
  const { header } = tables.container;
  const lights = tables.table(LIGHT, CHUNK.light).map((record) => lightOf(record, tables));
  const cameras = tables.table(CAMERA, CHUNK.camera).map((record) => cameraOf(record, tables));
  const skeletons = readSkeletons(tables);
  const skins = readSkins(tables);
  const clips = readClips(tables);
  const morphs = readMorphs(tables);
  const arrays = new SharedArrays(tables);
  return {
    fileType,
    worldBounds: bounds(header.worldBoundsMin, header.worldBoundsMax),
    entities: tables.table(ENTITY, CHUNK.entity).map((record) => entityOf(record, tables)),
    meshes: tables.table(MESH, CHUNK.mesh).map((record) => meshOf(record, tables, arrays)),
    materials: tables.table(MATERIAL, CHUNK.material).map((record) => materialOf(record, tables.strings)),
    textures: tables.table(TEXTURE, CHUNK.texture).map((record) => textureOf(record, tables)),
    ...(lights.length > 0 ? { lights } : {}),
    ...(cameras.length > 0 ? { cameras } : {}),
    ...gradeOf(tables),
    ...carriedIn(tables),
    ...(skeletons.length > 0 ? { skeletons } : {}),
    ...(skins.length > 0 ? { skins } : {}),
    ...(morphs.length > 0 ? { morphs } : {}),
    ...(clips.length > 0 ? { clips } : {}),
  };
}

/** Rows a list of the description has at most; the totals count all. A small file can declare millions of records. */
const LISTED = 100_000;

/** What `untold inspect` shows of a file; plain values in a fixed order, ready for JSON. */
export interface UntoldDescription {
  readonly formatVersion: number;
  readonly fileType: FileType | null;
  readonly bytes: number;
  /** Hex; null when it was not computed. */
  readonly contentHash: string | null;
  readonly bounds: Bounds;
  readonly rootTransform: readonly number[];
  readonly chunks: readonly {
    readonly type: number;
    readonly name: string;
    readonly compression: string;
    readonly offset: number;
    readonly compressedSize: number;
    readonly uncompressedSize: number;
    readonly elementCount: number;
  }[];
  readonly totals: {
    readonly entities: number;
    readonly meshes: number;
    readonly triangles: number;
    readonly vertices: number;
    readonly materials: number;
    readonly textures: number;
    readonly lights: number;
    readonly cameras: number;
    readonly skeletons: number;
    readonly skins: number;
    readonly morphs: number;
    readonly clips: number;
  };
  readonly entities: readonly { id: number; parent: number | null; name: string; meshes: number; bounds: Bounds }[];
  readonly meshes: readonly {
    name: string;
    entity: number;
    material: number | null;
    triangles: number;
    vertices: number;
    indexType: string;
    /** That a wireframe shows. */
    edges: number;
    bounds: Bounds;
    /** The first mesh with the same vertices and indices, which are stored once; absent: it is the first. */
    same?: number;
  }[];
  readonly materials: readonly (Pick<MaterialFactors, ListedFactor> & {
    name: string;
    alphaMode: string;
    /** Slot to texture index. */
    textures: Readonly<Record<string, number>>;
  })[];
  readonly textures: readonly {
    name: string;
    uri: string;
    format: string;
    flags: number;
    width: number;
    height: number;
  }[];
  readonly lights: readonly { name: string; type: string; position: readonly number[] }[];
  readonly cameras: readonly { name: string; position: readonly number[] }[];
  readonly skeletons: readonly { name: string; entity: number; joints: number }[];
  readonly skins: readonly SkinDescription[];
  readonly morphs: readonly MorphDescription[];
  readonly clips: readonly ClipDescription[];
  readonly plugins: readonly { type: number; id: string; kind: number; version: number }[];
}

function describeMaterial(record: RecordOf<typeof MATERIAL>, tables: Tables): UntoldDescription['materials'][number] {
  const material = materialOf(record, tables.strings);
  const factors = factorsOfStored(material);
  const slots: Readonly<Record<string, number>> = fileSlots((slot) => storedTexture(material, slot));
  return {
    name: material.name,
    alphaMode: nameOf(ALPHA_MODES, record.flags & ALPHA_MODE_MASK),
    ...factorsFrom((factor) => factors[factor], LISTED_FACTORS),
    textures: Object.fromEntries(Object.entries(slots).filter(([, texture]) => texture !== NONE)),
  };
}

/** `stored`: by where meshes lie, the first that lies there. */
function sameAsFirst(stored: Map<string, number>, mesh: RecordOf<typeof MESH>, index: number): { same?: number } {
  const place = [mesh.vertexDataOffset, mesh.vertexCount, mesh.indexDataOffset, mesh.indexCount].join(' ');
  const same = stored.get(place);
  if (same !== undefined) return { same };
  stored.set(place, index);
  return {};
}

function describe(tables: Tables): UntoldDescription {
  const { header, entries, fileType, bytes, plugins } = tables.container;
  const { strings } = tables;
  const meshes = tables.table(MESH, CHUNK.mesh);
  const entities = tables.table(ENTITY, CHUNK.entity);
  const materials = tables.table(MATERIAL, CHUNK.material);
  const textures = tables.table(TEXTURE, CHUNK.texture);
  const lights = tables.table(LIGHT, CHUNK.light);
  const cameras = tables.table(CAMERA, CHUNK.camera);
  const skeletons = tables.table(SKELETON, CHUNK.skeleton);
  const clips = tables.table(ANIMATION_CLIP, CHUNK.animationClip);
  const sum = (count: (index: number) => number): number => {
    let total = 0;
    for (let i = 0; i < meshes.length; i++) total += count(i);
    return total;
  };
  const indexCount = meshes.column('indexCount');
  const stored = new Map<string, number>();
  const hash = hexOf(header.contentHash);
  return {
    formatVersion: header.formatVersion,
    fileType,
    bytes: bytes.length,
    contentHash: /^0+$/.test(hash) ? null : hash,
    bounds: bounds(header.worldBoundsMin, header.worldBoundsMax),
    rootTransform: header.rootTransform,
    chunks: entries.map((entry) => ({
      type: entry.type,
      name: entry.name,
      compression: entry.compression ?? 'unknown',
      offset: entry.fileOffset,
      compressedSize: entry.compressedSize,
      uncompressedSize: entry.uncompressedSize,
      elementCount: entry.elementCount,
    })),
    totals: {
      entities: entities.length,
      meshes: meshes.length,
      triangles: sum((i) => Math.floor(indexCount(i) / 3)),
      vertices: sum(meshes.column('vertexCount')),
      materials: materials.length,
      textures: textures.length,
      lights: lights.length,
      cameras: cameras.length,
      skeletons: skeletons.length,
      skins: tables.table(SKIN, CHUNK.skin).length,
      morphs: tables.table(MORPH_TARGET, CHUNK.morphTarget).length,
      clips: clips.length,
    },
    entities: entities.map(
      (entity) => ({
        id: entity.entityId,
        parent: entity.parentEntityId === NONE ? null : entity.parentEntityId,
        name: strings.at(entity.nameOffset),
        meshes: entity.meshRecordCount,
        bounds: bounds(entity.worldBoundsMin, entity.worldBoundsMax),
      }),
      LISTED,
    ),
    meshes: meshes.map(
      (mesh, i) => ({
        name: strings.at(mesh.meshNameOffset),
        entity: mesh.entityId,
        material: mesh.materialIndex === NONE ? null : mesh.materialIndex,
        triangles: Math.floor(mesh.indexCount / 3),
        vertices: mesh.vertexCount,
        indexType: nameOf(INDEX_TYPES, mesh.indexType),
        edges: Math.floor(mesh.edgeIndexCount / 2),
        bounds: bounds(mesh.localBoundsMin, mesh.localBoundsMax),
        ...sameAsFirst(stored, mesh, i),
      }),
      LISTED,
    ),
    materials: materials.map((record) => describeMaterial(record, tables), LISTED),
    textures: textures.map(
      (texture) => ({
        name: strings.at(texture.nameOffset),
        uri: strings.at(texture.uriOffset),
        format: nameOf(TEXTURE_FORMATS, texture.textureFormat),
        flags: texture.flags,
        width: texture.width,
        height: texture.height,
      }),
      LISTED,
    ),
    lights: lights.map(
      (light) => ({
        name: strings.at(light.nameOffset),
        type: nameOf(LIGHT_TYPES, light.lightType),
        position: light.position,
      }),
      LISTED,
    ),
    cameras: cameras.map((camera) => ({ name: strings.at(camera.nameOffset), position: camera.position }), LISTED),
    skeletons: skeletons.map(
      (skeleton) => ({
        name: strings.at(skeleton.nameOffset),
        entity: skeleton.entityId,
        joints: skeleton.jointRecordCount,
      }),
      LISTED,
    ),
    skins: describeSkins(tables, LISTED),
    morphs: describeMorphs(tables, LISTED),
    clips: describeClips(tables, LISTED),
    plugins,
  };
}

/**
 * The description of a file with everything that is wrong with it (engine rules included). Throws a SourceError only
 * when not even the chunk table can be read.
 */
export async function describeUntold(
  bytes: Uint8Array,
  file: string,
): Promise<{ readonly description: UntoldDescription; readonly diagnostics: readonly Diagnostic[] }> {
  const { tables, diagnostics } = await checkUntold(bytes, file, { engine: true });
  if (!tables) throw new SourceError(diagnostics);
  return { description: describe(tables), diagnostics };
}
