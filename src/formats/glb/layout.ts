// The numbers of glTF 2.0 that GLB files consist of, in the order of the specification: 4.4 the container, 3.6 accessors and
// views; and the JSON of what is written.

/** "glTF", "JSON" and "BIN\0" as little-endian words (4.4.1, 4.4.3). */
export const MAGIC = 0x46546c67;
export const JSON_CHUNK = 0x4e4f534a;
export const BIN_CHUNK = 0x004e4942;
export const VERSION = 2;
export const HEADER_BYTES = 12;
export const CHUNK_HEADER_BYTES = 8;
/** The length of the file is a word of 32 bits. */
export const MOST_BYTES = 2 ** 32 - 1;

/** What the JSON of our files begins with: by it they are told from files of other programs. */
export const GENERATOR = 'untold';
export const JSON_BEGIN = `{"asset":{"generator":"${GENERATOR}"`;

/** componentType (3.6.2.2): bytes and array of each. */
export const COMPONENTS = {
  5120: { bytes: 1, array: Int8Array },
  5121: { bytes: 1, array: Uint8Array },
  5122: { bytes: 2, array: Int16Array },
  5123: { bytes: 2, array: Uint16Array },
  5125: { bytes: 4, array: Uint32Array },
  5126: { bytes: 4, array: Float32Array },
} as const;
export type ComponentType = keyof typeof COMPONENTS;
export type ComponentArray = Float32Array | Uint32Array | Uint16Array | Uint8Array | Int16Array | Int8Array;

/** Numbers of each element by its type. */
export const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 } as const;
export type ElementType = keyof typeof SIZES;

/** bufferView.target (3.6.2.4). */
export const ARRAY_BUFFER = 34962;
export const ELEMENT_ARRAY_BUFFER = 34963;

/** Indices of 16 bits count to here: 65535 would restart the primitive (3.7.2.1). */
export const MOST_SHORT_VERTICES = 65_535;

export const MESHOPT = 'EXT_meshopt_compression';
export const LIGHTS = 'KHR_lights_punctual';
export const EMISSIVE_STRENGTH = 'KHR_materials_emissive_strength';

export interface View {
  readonly buffer: number;
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly byteStride?: number;
  readonly target?: number;
  readonly extensions?: { readonly [MESHOPT]?: CompressedView };
}

export interface CompressedView {
  readonly buffer: number;
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly byteStride: number;
  readonly count: number;
  readonly mode: 'ATTRIBUTES' | 'TRIANGLES' | 'INDICES';
}

export interface Accessor {
  readonly bufferView: number;
  readonly byteOffset?: number;
  readonly componentType: ComponentType;
  readonly count: number;
  readonly type: ElementType;
  readonly normalized?: boolean;
  readonly min?: readonly number[];
  readonly max?: readonly number[];
}

export interface Primitive {
  readonly attributes: Readonly<Record<string, number>>;
  readonly indices?: number;
  readonly material?: number;
  readonly mode?: number;
}

export interface TextureInfo {
  readonly index: number;
  readonly scale?: number;
  readonly strength?: number;
}

export interface Material {
  readonly name?: string;
  readonly pbrMetallicRoughness?: {
    readonly baseColorFactor?: readonly number[];
    readonly baseColorTexture?: TextureInfo;
    readonly metallicFactor?: number;
    readonly roughnessFactor?: number;
    readonly metallicRoughnessTexture?: TextureInfo;
  };
  readonly normalTexture?: TextureInfo;
  readonly occlusionTexture?: TextureInfo;
  readonly emissiveTexture?: TextureInfo;
  readonly emissiveFactor?: readonly number[];
  readonly alphaMode?: 'OPAQUE' | 'MASK' | 'BLEND';
  readonly alphaCutoff?: number;
  readonly doubleSided?: boolean;
  readonly extensions?: { readonly [EMISSIVE_STRENGTH]?: { readonly emissiveStrength: number } };
}

export interface GlbNode {
  readonly name?: string;
  readonly children?: readonly number[];
  readonly matrix?: readonly number[];
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly scale?: readonly number[];
  readonly mesh?: number;
  readonly skin?: number;
  readonly camera?: number;
  readonly extensions?: { readonly [LIGHTS]?: { readonly light: number } };
}

export interface Skin {
  readonly name?: string;
  readonly inverseBindMatrices?: number;
  readonly joints: readonly number[];
  readonly skeleton?: number;
}

export interface Sampler {
  readonly input: number;
  readonly output: number;
  readonly interpolation?: string;
}

export interface Animation {
  readonly name?: string;
  readonly channels: readonly {
    readonly sampler: number;
    readonly target: { readonly node: number; readonly path: string };
  }[];
  readonly samplers: readonly Sampler[];
}

export interface Light {
  readonly name?: string;
  readonly type: 'directional' | 'point' | 'spot';
  readonly color?: readonly number[];
  readonly intensity?: number;
  readonly range?: number;
  readonly spot?: { readonly innerConeAngle: number; readonly outerConeAngle: number };
}

/** The JSON of a file. A list without elements is left out. */
export interface GlbJson {
  readonly asset: { readonly generator?: string; readonly version: string };
  readonly extensionsUsed?: readonly string[];
  readonly extensionsRequired?: readonly string[];
  readonly scene?: number;
  readonly scenes?: readonly { readonly nodes?: readonly number[] }[];
  readonly nodes?: readonly GlbNode[];
  readonly meshes?: readonly { readonly name?: string; readonly primitives: readonly Primitive[] }[];
  readonly skins?: readonly Skin[];
  readonly animations?: readonly Animation[];
  readonly cameras?: readonly {
    readonly name?: string;
    readonly type: string;
    readonly perspective?: {
      readonly aspectRatio?: number;
      readonly yfov: number;
      readonly znear: number;
      readonly zfar?: number;
    };
  }[];
  readonly materials?: readonly Material[];
  readonly textures?: readonly { readonly source?: number; readonly name?: string }[];
  readonly images?: readonly {
    readonly name?: string;
    readonly mimeType?: string;
    readonly bufferView?: number;
    readonly uri?: string;
  }[];
  readonly accessors?: readonly Accessor[];
  readonly bufferViews?: readonly View[];
  readonly buffers?: readonly { readonly byteLength: number; readonly uri?: string; readonly extensions?: unknown }[];
  readonly extensions?: { readonly [LIGHTS]?: { readonly lights: readonly Light[] } };
}
