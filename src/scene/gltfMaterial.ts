// What a material of glTF says besides the factors and slots of materialSlots.ts: extensions, and how each texture is placed.
// Importers give it where the output is glTF too, which then says the same. The table has the properties of each extension
// under the names of glTF; importer and writer loop over it.

import type { TextureSlot } from './materialSlots.ts';

/** A number of an extension, or a list of `length` numbers, and the range that its specification gives. */
export interface LayerValue {
  readonly length?: 3;
  readonly min?: number;
  readonly max?: number;
  /** A number outside of the range that counts, too. */
  readonly also?: number;
  /** `min` itself is outside. */
  readonly isOpen?: boolean;
}

const ANY: LayerValue = {};
const UNIT: LayerValue = { min: 0, max: 1 };
const COLOR: LayerValue = { ...UNIT, length: 3 };
const POSITIVE: LayerValue = { min: 0 };

interface LayerKind {
  readonly values: Readonly<Record<string, LayerValue>>;
  /** Texture infos. 'scaled': those of normals, which have a scale. */
  readonly textures: Readonly<Record<string, 'plain' | 'scaled'>>;
}

/** By the names and in the order of the specifications of Khronos. */
export const GLTF_LAYERS = {
  KHR_materials_anisotropy: {
    values: { anisotropyStrength: UNIT, anisotropyRotation: ANY },
    textures: { anisotropyTexture: 'plain' },
  },
  KHR_materials_clearcoat: {
    values: { clearcoatFactor: UNIT, clearcoatRoughnessFactor: UNIT },
    textures: { clearcoatTexture: 'plain', clearcoatRoughnessTexture: 'plain', clearcoatNormalTexture: 'scaled' },
  },
  KHR_materials_diffuse_transmission: {
    values: { diffuseTransmissionFactor: UNIT, diffuseTransmissionColorFactor: COLOR },
    textures: { diffuseTransmissionTexture: 'plain', diffuseTransmissionColorTexture: 'plain' },
  },
  KHR_materials_dispersion: { values: { dispersion: POSITIVE }, textures: {} },
  KHR_materials_emissive_strength: { values: { emissiveStrength: POSITIVE }, textures: {} },
  // 0 means that all is reflected.
  KHR_materials_ior: { values: { ior: { min: 1, also: 0 } }, textures: {} },
  KHR_materials_iridescence: {
    values: {
      iridescenceFactor: UNIT,
      iridescenceIor: { min: 1 },
      iridescenceThicknessMinimum: POSITIVE,
      iridescenceThicknessMaximum: POSITIVE,
    },
    textures: { iridescenceTexture: 'plain', iridescenceThicknessTexture: 'plain' },
  },
  KHR_materials_sheen: {
    values: { sheenColorFactor: COLOR, sheenRoughnessFactor: UNIT },
    textures: { sheenColorTexture: 'plain', sheenRoughnessTexture: 'plain' },
  },
  KHR_materials_specular: {
    values: { specularFactor: UNIT, specularColorFactor: { ...POSITIVE, length: 3 } },
    textures: { specularTexture: 'plain', specularColorTexture: 'plain' },
  },
  KHR_materials_transmission: {
    values: { transmissionFactor: UNIT },
    textures: { transmissionTexture: 'plain' },
  },
  KHR_materials_unlit: { values: {}, textures: {} },
  KHR_materials_volume: {
    values: { thicknessFactor: POSITIVE, attenuationDistance: { min: 0, isOpen: true }, attenuationColor: COLOR },
    textures: { thicknessTexture: 'plain' },
  },
} as const satisfies Readonly<Record<string, LayerKind>>;

/** The number that a value out of its range becomes; null: it has to be left out. */
export function withinRange(value: number, { min, max, also, isOpen = false }: LayerValue): number | null {
  if (value === also) return value;
  if (isOpen && min !== undefined && value <= min) return null;
  return Math.min(Math.max(value, min ?? value), max ?? Number.POSITIVE_INFINITY);
}

export type GltfLayerName = keyof typeof GLTF_LAYERS;

export const GLTF_LAYER_NAMES = Object.keys(GLTF_LAYERS) as readonly GltfLayerName[];

export const layerKind = (name: GltfLayerName): LayerKind => GLTF_LAYERS[name];

/** How glTF samples a texture: the textureInfo, its KHR_texture_transform and the sampler, as the file has them. */
export interface TexturePlace {
  readonly texCoord: number;
  /** Of UVs with V down; null: they stay. */
  readonly transform: {
    readonly offset: readonly [number, number];
    readonly rotation: number;
    readonly scale: readonly [number, number];
  } | null;
  /** Numbers of the specification (5.26); null: the file does not say. */
  readonly wrapS: number | null;
  readonly wrapT: number | null;
  readonly magFilter: number | null;
  readonly minFilter: number | null;
}

/**
 * The transform as an affine map of V-up UVs, [a, b, c, d, tx, ty]; null for the identity. glTF scales, then rotates
 * counter-clockwise as seen with V down, then offsets:
 *   u' =  sx cos r · u + sy sin r · v + ox,   v' = -sx sin r · u + sy cos r · v + oy
 * (the matrix printed in the extension's text has the rotation the other way round, against its own examples, the
 * sample model and every viewer: KhronosGroup/glTF issue 1563). Substituting v = 1 - V on both sides gives the numbers
 * below.
 */
export function uvAffine(
  transform: TexturePlace['transform'],
): readonly [number, number, number, number, number, number] | null {
  if (transform === null) return null;
  const { offset, rotation, scale } = transform;
  const [ox, oy] = offset;
  const [sx, sy] = scale;
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  if (ox === 0 && oy === 0 && sx === 1 && sy === 1 && sin === 0 && cos === 1) return null;
  // `+ 0` turns a negative zero into zero.
  return [sx * cos + 0, sx * sin + 0, -sy * sin + 0, sy * cos + 0, ox + sy * sin + 0, 1 - sy * cos - oy + 0];
}

/** An extension of a material. `T` is what its textures are: images of the scene, or prepared textures. */
export interface GltfLayer<T = number> {
  readonly name: GltfLayerName;
  /** Those that the source states. */
  readonly values: Readonly<Record<string, number | readonly number[]>>;
  readonly textures: Readonly<Record<string, GltfLayerTexture<T>>>;
}

export interface GltfLayerTexture<T = number> {
  readonly image: T;
  readonly place: TexturePlace;
  /** Of normals; null: the file does not say. */
  readonly scale: number | null;
}

/** Of each slot with a texture, how it is sampled. */
export type SlotPlaces = { readonly [S in TextureSlot]?: TexturePlace };

/** The images of layers, in their order. */
export function layerImages(layers: readonly GltfLayer[] = []): number[] {
  return layers.flatMap(({ textures }) => Object.values(textures).map(({ image }) => image));
}

/** Layers with other textures; those for which there is none are left out. */
export function mapLayers<A, B>(
  layers: readonly GltfLayer<A>[],
  change: (texture: GltfLayerTexture<A>, key: string, layer: GltfLayer<A>) => B | null,
): GltfLayer<B>[] {
  return layers.map((layer) => ({
    ...layer,
    textures: Object.fromEntries(
      Object.entries(layer.textures).flatMap(([key, texture]) => {
        const image = change(texture, key, layer);
        return image === null ? [] : [[key, { ...texture, image }]];
      }),
    ),
  }));
}

/** The number of a set of texture coordinates as glTF names it; -1: it is none. */
export const texCoordOf = (set: string): number => Number(/^TEXCOORD_(\d+)$/.exec(set)?.[1] ?? -1);
