// Every record inside of the sections and of the eight or sixteen bytes of TypeExt as one table. Readers, writers and validators
// work from it. Where the text lost a table or never had one, the comment says that the record is ours.

import { many, one, type RecordKind, record, recordSize } from '../untold/container/layout.ts';
import { LAYOUT_VERSION } from './container/layout.ts';

const u8 = one('u8');
const u16 = one('u16');
const u32 = one('u32');
const u64 = one('u64');
const f32 = one('f32');
export const MATRIX_NUMBERS = 16;
const matrix = many('f32', MATRIX_NUMBERS);

export const bytesOf = (kind: RecordKind): number => recordSize(kind, LAYOUT_VERSION);

// TypeExt ---------------------------------------------------------------------------------------------------------------

/** The first named of two fields in a byte is in the low bits. */
export const TEXTURE_EXT = record('TypeExt', {
  array: u16,
  /** Exponents less one: width in the low, height in the high four bits. */
  sides: u8,
  /** Format in the low, flags in the high four bits. */
  formatAndFlags: u8,
  mips: u8,
  reserved: many('u8', 3),
});
export const MODEL_EXT = record('TypeExt', { reserved: many('u8', 8) });
/** The count is that of the shaders of a shader container, or of the assets of a package. */
export const COUNTED_EXT = record('TypeExt', { count: u32, compatibility: u8, reserved: many('u8', 3) });
export const CRATE_PACKAGE_EXT = record('TypeExt', {
  architecture: u8,
  platform: u8,
  typeCode: many('u8', 2),
  reserved: many('u8', 12),
});

// Textures --------------------------------------------------------------------------------------------------------------

export type TexelFormat = 'rgb8' | 'rgba8' | 'grey8' | 'float32';

/** Formats by their number, with the bytes of a texel. */
export const TEXEL_FORMATS: readonly (readonly [number, TexelFormat, number])[] = [
  [1, 'rgb8', 3],
  [2, 'rgba8', 4],
  [3, 'grey8', 1],
  [4, 'float32', 4],
];
export const TEXTURE_FLAGS = { array: 1, compressOnLoad: 2, cubeMap: 4 } as const;
export const CUBE_FACES = 6;
/** Sides are 2 to the power of 1 to 16. */
export const MAX_EXPONENT = 16;

// Models ----------------------------------------------------------------------------------------------------------------

export const VERTEX_FORMAT = record('vertex format', { vertexSize: u16, componentCount: u8, reserved: u8 });
/** Types of components; a component is a byte with its type in the low and its count in the high four bits. */
export type ComponentType = 'f32' | 'i32' | 'u32';
export const COMPONENT_TYPES: readonly (readonly [number, ComponentType])[] = [
  [1, 'f32'],
  [2, 'i32'],
  [3, 'u32'],
];
/** All types of components have 32 bits. */
export const COMPONENT_BYTES = 4;
export const MAX_COMPONENTS = 255;
export const MAX_COMPONENT_COUNT = 15;
/** References are an offset in the strings, and the number of a section, 0 for none. */
export const VERTEX_ARRAY = record('vertex array', { material: u32, vertexCount: u32, indexArray: u32 });
export const INDEX_ARRAY = record('index array', { indexCount: u32 });
export const BONE_ARRAY = record('bone array', { boneCount: u16 });
/** A compiler may put two bytes between the count and the first bone. */
export const PADDED_BONE_ARRAY = 4;
export const MAX_BONES = 1024;
/** The matrix is column-major and takes column vectors from model space: the text does not say. */
export const BONE = record('bone', { matrix, name: u32 });
/** Ours: of the text's own header only the formula of the size is left, and that is a matrix for each frame and bone. */
export const FRAME_ARRAY = record('frame array', { frameCount: u32 });
export const FRAME_MATRIX = record('frame', { matrix });
/** Ours: the text names this section and does not describe it. */
export const ANIMATION_ARRAY = record('animation array', { animationCount: u32 });
export const ANIMATION = record('animation', { name: u32, firstFrame: u32, frameCount: u32, framesPerSecond: f32 });

// Shaders ---------------------------------------------------------------------------------------------------------------

export const COMPATIBILITY = { DirectX: 1, OpenGL: 2, Vulkan: 4, Metal: 8 } as const;
export const KNOWN_COMPATIBILITY = 0b1111;
/** Shaders are numbers of sections, 0 for none. */
export const ASSEMBLY = record('assembly', { minVersion: u32, vertex: u32, geometry: u32, pixel: u32 });
/** OpenGL's has four reserved bytes more, which the text's figure leaves out. */
export const ASSEMBLY_RESERVE = 4;

// Packages --------------------------------------------------------------------------------------------------------------

export const ASSET = record('asset', { path: u32, file: u32 });
/** In the crate's layout; `section` counts from 0. */
export const OBJECT = record('object', { size: u64, name: u32, section: u32, offset: u32 });
export const ARCHITECTURES: readonly string[] = ['x86_64', 'aarch64', 'x86', 'armv7hl', 'any'];
export const PLATFORMS: readonly string[] = ['linux', 'mac', 'windows', 'android', 'any'];
export const ANY_ARCHITECTURE = 4;
export const ANY_PLATFORM = 4;
/** The type code that the crate gives packages: "PH". */
export const PACKAGE_TYPE_CODE: readonly number[] = [0x50, 0x48];
