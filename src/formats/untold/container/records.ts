// Every record of the .untold container as one table: field names, kinds, counts and the version that brought them, in
// the order in which they are stored. Writer, reader and validator all work from it. Sources: the .untold format text
// ("Encoding" sections) for header, chunk table, entities, meshes, materials, textures and vertices; the engine's own
// binary coder and exporter for what came later.

import type { SlotChannels } from '../../../scene/materialSlots.ts';
import { NONE } from '../types.ts';
import { added, many, one, type RecordKind, record } from './layout.ts';

const u32 = one('u32');
const u64 = one('u64');
const f32 = one('f32');
const vec2 = many('f32', 2);
const vec3 = many('f32', 3);
const vec4 = many('f32', 4);
const matrix = many('f32', 16, { kind: 'matrix' });
/** u32 offset into the string table, UInt32.max for no string. */
const string = one('u32', { kind: 'string' });
const index = (chunk: number) => one('u32', { kind: 'index', chunk });
const enumerated = (names: Readonly<Record<number, string>>) => one('u32', { kind: 'enum', names });

// Sizes and constants of the format text, "Header Encoding", "Core Rules" and "Vertex Layout V1".

/** "UNTOLD\0\0" */
export const MAGIC: readonly number[] = [0x55, 0x4e, 0x54, 0x4f, 0x4c, 0x44, 0, 0];
export const CHUNK_ALIGNMENT = 16;
export const VERTEX_LAYOUT_PBR_STATIC_V1 = 1;
export const VERTEX_STRIDE = 32;
/** Byte offsets inside a vertex: position 3 x f32, then these. */
export const VERTEX_OFFSETS = { position: 0, normal: 12, tangent: 16, uv0: 20, uv1: 24, color0: 28 } as const;

/** First version whose emissive factor the engine believes. */
export const VERSION_WITH_EMISSION = 2;
/** First version with the whole set of height-map fields. */
export const VERSION_WITH_HEIGHT = 4;

export const FILE_TYPES = { 1: 'tile', 2: 'lod', 3: 'hlod', 4: 'shared', 5: 'animation' } as const;
/** The number of a name. */
export function enumNumber(names: Readonly<Record<number, string>>, name: string): number {
  for (const [number, known] of Object.entries(names)) if (known === name) return Number(number);
  throw new Error(`no number for ${name}`);
}

export const COMPRESSIONS = { 0: 'none', 1: 'lz4', 2: 'zstd' } as const;
export const INDEX_TYPES = { 1: 'uint16', 2: 'uint32' } as const;
export const INDEX_TYPE_UINT16 = 1;
export const INDEX_TYPE_UINT32 = 2;
/** Material flags, low two bits; other bits are free for the runtime. */
export const ALPHA_MODES = { 0: 'opaque', 1: 'mask', 2: 'blend' } as const;
export const ALPHA_MODE_MASK = 0b11;
export const TEXTURE_FORMATS = {
  0: 'unknown',
  1: 'rgba8',
  2: 'bc7',
  3: 'bc5',
  4: 'astc4x4',
  5: 'astc5x5',
  6: 'astc6x6',
  7: 'astc8x8',
  8: 'rgba16Float',
  9: 'r16Unorm',
} as const;
/** From this one on the engine loads a texture as a .utex file, before as an image. */
export const FIRST_NATIVE_TEXTURE_FORMAT = 4;
export const TEXTURE_FORMAT_RGBA16_FLOAT = 8;
export const TEXTURE_FLAGS = { srgb: 1, normalMap: 2, lut: 4, height: 8, emissive: 64, occlusion: 128 } as const;
export const LIGHT_TYPES = { 1: 'directional', 2: 'point', 3: 'spot', 4: 'area' } as const;
/** With `radiometric` a light's falloff holds its influence range, which counts only with `customDistance`. */
export const LIGHT_FLAGS = { castsShadow: 1, radiometric: 2, customDistance: 4 } as const;
/** Material reserved0: roughness channel in bits 0-1, metallic channel in bits 2-3. */
export const CHANNEL_SHIFTS = { roughnessChannel: 0, metallicChannel: 2 } as const satisfies Readonly<
  Record<keyof SlotChannels, number>
>;
export const CHANNEL_MASK = 0b11;

/** Chunk types of the engine; 1 to 7 are the format text's. */
export const CHUNK = {
  string: 1,
  entity: 2,
  mesh: 3,
  material: 4,
  texture: 5,
  vertexData: 6,
  indexData: 7,
  skeleton: 8,
  skeletonJoint: 9,
  skin: 10,
  skinJointMapping: 11,
  animationClip: 12,
  animationChannel: 13,
  translationKeyframe: 14,
  rotationKeyframe: 15,
  jointIndexData: 16,
  jointWeightData: 17,
  edgeIndexData: 18,
  light: 19,
  camera: 20,
  colorManagement: 21,
  colorGradeLUT: 22,
  morphTarget: 23,
  morphTargetData: 24,
  gaussianAsset: 25,
  morphDriver: 26,
  muscle: 27,
} as const;

/** Types from here on belong to plugins and begin with an envelope. */
export const FIRST_PLUGIN_CHUNK = 0x8000;

export const REQUIRED_CHUNKS: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
export const REQUIRED_ANIMATION_CHUNKS: readonly number[] = [1, 12, 13, 14, 15];

export const HEADER = record('header', {
  magic: many('u8', 8),
  formatVersion: u32,
  fileType: u32,
  flags: u32,
  headerSize: u32,
  chunkCount: u32,
  meshCount: u32,
  materialCount: u32,
  textureRefCount: u32,
  entityCount: u32,
  vertexLayout: u32,
  reserved0: u32,
  worldBoundsMin: vec3,
  worldBoundsMax: vec3,
  rootTransform: matrix,
  contentHash: many('u8', 32),
  reserved1: many('u8', 32),
});

export const CHUNK_ENTRY = record('chunk entry', {
  chunkType: u32,
  compressionType: u32,
  fileOffset: u64,
  compressedSize: u64,
  uncompressedSize: u64,
  elementCount: u32,
  reserved0: u32,
});

export const ENTITY = record('entity', {
  entityId: u32,
  parentEntityId: u32,
  nameOffset: string,
  firstMeshRecordIndex: u32,
  meshRecordCount: u32,
  flags: u32,
  localBoundsMin: vec3,
  localBoundsMax: vec3,
  worldBoundsMin: vec3,
  worldBoundsMax: vec3,
  localTransform: matrix,
});

export const MESH = record('mesh', {
  entityId: u32,
  meshNameOffset: string,
  materialIndex: index(CHUNK.material),
  indexType: enumerated(INDEX_TYPES),
  vertexCount: u32,
  indexCount: u32,
  vertexStrideBytes: u32,
  flags: u32,
  vertexDataOffset: u64,
  indexDataOffset: u64,
  vertexDataSizeBytes: u64,
  indexDataSizeBytes: u64,
  estimatedGPUBytes: u64,
  // The format text's reserved0 (u64): the engine keeps the edges here, offset in the low and count in the high half.
  edgeIndexDataOffset: u32,
  edgeIndexCount: u32,
  localBoundsMin: vec3,
  localBoundsMax: vec3,
});

/** What the engine assumes of a material without a height map. */
export const HEIGHT_DEFAULTS = { texture: NONE, scale: 0.05, midlevel: 0.5, remapMin: 0, remapMax: 1 } as const;

const textureIndex = index(CHUNK.texture);

/** 88 bytes in versions 1 and 2, 100 in 3, 108 in 4. */
export const MATERIAL = record('material', {
  nameOffset: string,
  flags: u32,
  baseColorFactor: vec4,
  emissiveFactor: vec3,
  normalScale: f32,
  metallicFactor: f32,
  roughnessFactor: f32,
  occlusionStrength: f32,
  alphaCutoff: f32,
  baseColorTextureIndex: textureIndex,
  normalTextureIndex: textureIndex,
  metallicTextureIndex: textureIndex,
  roughnessTextureIndex: textureIndex,
  emissiveTextureIndex: textureIndex,
  occlusionTextureIndex: textureIndex,
  heightTextureIndex: added(textureIndex, 3, HEIGHT_DEFAULTS.texture),
  heightScale: added(f32, 3, HEIGHT_DEFAULTS.scale),
  heightMidlevel: added(f32, 3, HEIGHT_DEFAULTS.midlevel),
  heightRemapMin: added(f32, 4, HEIGHT_DEFAULTS.remapMin),
  heightRemapMax: added(f32, 4, HEIGHT_DEFAULTS.remapMax),
  // The format text's two words of reserved0: the channels of textures (CHANNEL_SHIFTS), and in every version the transmission.
  // Writers that do not know it leave 0, and older engines ignore it.
  reserved0: u32,
  transmissionFactor: f32,
});

export const TEXTURE = record('texture', {
  nameOffset: string,
  uriOffset: string,
  textureFormat: enumerated(TEXTURE_FORMATS),
  flags: u32,
  width: u32,
  height: u32,
  mipCount: u32,
  reserved0: u32,
});

export const LIGHT = record('light', {
  entityId: u32,
  nameOffset: string,
  lightType: enumerated(LIGHT_TYPES),
  flags: u32,
  color: vec3,
  intensity: f32,
  position: vec3,
  radius: f32,
  direction: vec3,
  falloff: f32,
  right: vec3,
  /** Half-angle in degrees, as outerCone. */
  innerCone: f32,
  up: vec3,
  outerCone: f32,
  areaSize: vec2,
  sourcePower: f32,
  sourceExposure: f32,
  localTransform: matrix,
});

export const CAMERA = record('camera', {
  entityId: u32,
  nameOffset: string,
  flags: u32,
  reserved0: u32,
  position: vec3,
  fovYDegrees: f32,
  forward: vec3,
  nearClip: f32,
  up: vec3,
  farClip: f32,
  right: vec3,
  aspectRatio: f32,
  localTransform: matrix,
});

export const COLOR_MANAGEMENT = record('colour management', {
  lutTextureIndex: textureIndex,
  viewTransformNameOffset: string,
  lookNameOffset: string,
  exposure: f32,
  gamma: f32,
  shaperMinStops: f32,
  shaperMaxStops: f32,
  lutSize: u32,
});

export const COLOR_GRADE_LUT = record('colour grade LUT', {
  lutUriOffset: string,
  lutSize: u32,
  domainMin: vec3,
  domainMax: vec3,
});

export const SKELETON = record('skeleton', {
  entityId: u32,
  nameOffset: string,
  firstJointRecordIndex: u32,
  jointRecordCount: u32,
  reserved0: many('u32', 2),
});

export const SKELETON_JOINT = record('joint', {
  /** Counted from the skeleton's first joint; UInt32.max for a root. */
  parentJointIndex: u32,
  jointPathOffset: string,
  flags: u32,
  reserved0: u32,
  bindTransform: matrix,
  restTransform: matrix,
});

export const SKIN = record('skin', {
  entityId: u32,
  meshRecordIndex: u32,
  skeletonEntityId: u32,
  jointCount: u32,
  firstJointMappingIndex: u32,
  vertexCount: u32,
  jointIndexDataOffset: u64,
  jointWeightDataOffset: u64,
  reserved0: many('u32', 2),
});

/** Bytes a vertex in the joint chunks: 4 x u16 indices into the skin's mapping, 4 x f32 weights. */
export const JOINT_INDEX_BYTES = 8;
export const JOINT_WEIGHT_BYTES = 16;

export const SKIN_JOINT_MAPPING = record('skin mapping', { skeletonJointIndex: u32 });

export const ANIMATION_CLIP = record('clip', {
  nameOffset: string,
  duration: f32,
  firstChannelRecordIndex: u32,
  channelRecordCount: u32,
  flags: u32,
  reserved0: many('u32', 2),
});

export const ANIMATION_CHANNEL = record('channel', {
  jointPathOffset: string,
  firstTranslationKeyframeIndex: u32,
  translationKeyframeCount: u32,
  firstRotationKeyframeIndex: u32,
  rotationKeyframeCount: u32,
  flags: u32,
  reserved0: u32,
});

export const TRANSLATION_KEYFRAME = record('translation key', { time: f32, value: vec3, reserved0: u32 });
export const ROTATION_KEYFRAME = record('rotation key', { time: f32, value: vec4 });

export const MORPH_TARGET = record('morph target', {
  meshRecordIndex: index(CHUNK.mesh),
  nameOffset: string,
  flags: u32,
  firstEntryIndex: u32,
  entryCount: u32,
  positionScale: f32,
});

/** Entries have deltas of normals; the other bits are 0. */
export const MORPH_FLAGS = { normals: 1 } as const;

export const MORPH_ENTRY = record('morph entry', {
  vertex: u32,
  positionDelta: many('u16', 3, { kind: 'half' }),
  normalDelta: many('u16', 3, { kind: 'half' }),
});

export const MORPH_DRIVER = record('morph driver', {
  targetIndex: index(CHUNK.morphTarget),
  jointPathOffset: string,
  kernel: u32,
  poseRotation: vec4,
  radius: f32,
  reserved0: u32,
});

export const MUSCLE = record('muscle', {
  skeletonEntityId: u32,
  nameOffset: string,
  flags: u32,
  forwardJointOffset: string,
  forwardTipJointOffset: string,
  originJointOffset: string,
  originTipJointOffset: string,
  originFraction: f32,
  originOffset: vec3,
  insertionJointOffset: string,
  insertionTipJointOffset: string,
  insertionFraction: f32,
  insertionOffset: vec3,
  bellyRadius: f32,
  tendonRadius: f32,
  maxContraction: f32,
  fiberCompliance: f32,
  crossCompliance: f32,
  volumeCompliance: f32,
  damping: f32,
  boneRadius: f32,
  skinInfluence: f32,
  rings: u32,
  segments: u32,
  driverJointOffset: string,
  driverStartAngle: f32,
  driverFullAngle: f32,
  reserved0: u32,
});

export interface ChunkKind {
  readonly type: number;
  readonly name: string;
  /** Null: plain bytes, or records whose layout is not published (gaussianAsset). */
  readonly record: RecordKind | null;
  /** At most one record. */
  readonly single: boolean;
}

const RECORD_BY_CHUNK: Readonly<Record<number, RecordKind>> = {
  [CHUNK.entity]: ENTITY,
  [CHUNK.mesh]: MESH,
  [CHUNK.material]: MATERIAL,
  [CHUNK.texture]: TEXTURE,
  [CHUNK.skeleton]: SKELETON,
  [CHUNK.skeletonJoint]: SKELETON_JOINT,
  [CHUNK.skin]: SKIN,
  [CHUNK.skinJointMapping]: SKIN_JOINT_MAPPING,
  [CHUNK.animationClip]: ANIMATION_CLIP,
  [CHUNK.animationChannel]: ANIMATION_CHANNEL,
  [CHUNK.translationKeyframe]: TRANSLATION_KEYFRAME,
  [CHUNK.rotationKeyframe]: ROTATION_KEYFRAME,
  [CHUNK.light]: LIGHT,
  [CHUNK.camera]: CAMERA,
  [CHUNK.colorManagement]: COLOR_MANAGEMENT,
  [CHUNK.colorGradeLUT]: COLOR_GRADE_LUT,
  [CHUNK.morphTarget]: MORPH_TARGET,
  [CHUNK.morphTargetData]: MORPH_ENTRY,
  [CHUNK.morphDriver]: MORPH_DRIVER,
  [CHUNK.muscle]: MUSCLE,
};

/** Every known type of chunk, in ascending order. */
export const CHUNKS: readonly ChunkKind[] = Object.entries(CHUNK).map(([name, type]) => ({
  type,
  name,
  record: RECORD_BY_CHUNK[type] ?? null,
  single: type === CHUNK.colorManagement || type === CHUNK.colorGradeLUT,
}));

const CHUNK_BY_TYPE: ReadonlyMap<number, ChunkKind> = new Map(CHUNKS.map((kind) => [kind.type, kind]));

export function chunkKind(type: number): ChunkKind | undefined {
  return CHUNK_BY_TYPE.get(type);
}

/** `vertexData`, `plugin 0x8007`, `unknown 99`: for messages and reports. */
export function chunkName(type: number): string {
  const kind = CHUNK_BY_TYPE.get(type);
  if (kind) return kind.name;
  return type >= FIRST_PLUGIN_CHUNK ? `plugin 0x${type.toString(16)}` : `unknown ${type}`;
}
