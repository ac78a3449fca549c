// The numbers of glTF 2.0 that writer and check share, in the order of the specification: 4.4 the container, 3.6 accessors
// and views; and by what files of ours are known.

/** "glTF", "JSON" and "BIN\0" as little-endian words (4.4.1, 4.4.3). */
export const MAGIC = 0x46546c67;
export const JSON_CHUNK = 0x4e4f534a;
export const BIN_CHUNK = 0x004e4942;
export const VERSION = 2;
export const HEADER_BYTES = 12;
export const CHUNK_HEADER_BYTES = 8;
/** The length of the file is a word of 32 bits. */
export const MAX_BYTES = 2 ** 32 - 1;

/** What the JSON of our files begins with: by it they are told from files of other programs. */
export const GENERATOR = 'untold';
export const JSON_BEGIN = `{"asset":{"generator":"${GENERATOR}"`;

/** componentType (3.6.2.2): the array of each. */
export const COMPONENTS = {
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
} as const;
export type ComponentArray = Float32Array | Uint32Array | Uint16Array | Uint8Array | Int16Array | Int8Array;

/** Numbers of each element by its type. */
export const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 } as const;
export type ElementType = keyof typeof SIZES;

export const MESHOPT = 'EXT_meshopt_compression';
export const DRACO = 'KHR_draco_mesh_compression';
/** Bits of each number that Draco stores, by the longest side of the box of an attribute's values. Normals lie on an octahedron. */
export const DRACO_BITS = { POSITION: 14, NORMAL: 10, COLOR: 8, TEX_COORD: 14, GENERIC: 14 } as const;
export const QUANTIZATION = 'KHR_mesh_quantization';
export const LIGHTS = 'KHR_lights_punctual';
export const VARIANTS = 'KHR_materials_variants';
export const TRANSMISSION = 'KHR_materials_transmission';
/** Extensions by which a texture names an image of another kind. */
export const IMAGE_EXTENSIONS = ['EXT_texture_webp', 'EXT_texture_avif', 'KHR_texture_basisu'] as const;
