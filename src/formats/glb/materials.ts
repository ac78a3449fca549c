// Materials of a GLB. glTF keeps roughness in green and metalness in blue of one image, and occlusion in red: textures that
// are packed otherwise are packed anew.

import type { Document, Material, Texture } from '@gltf-transform/core';
import type { GltfLayer, GltfLayerName, SlotPlaces } from '../../scene/gltfMaterial.ts';
import type { FileSlot } from '../../scene/materialSlots.ts';
import { BLUE, GREEN, packSurface, type SurfacePart } from '../../textures/bake/packSurface.ts';
import { decodeImageFile, encodePng } from '../../textures/encode/png.ts';
import type { PreparedMaterial, PreparedTexture } from '../../textures/types.ts';
import { type MeshMaterial, slotTexture } from '../format.ts';
import { UniqueNames } from '../uniqueNames.ts';
import { mimeTypeOf } from './images.ts';
import { layerProperty, placeTexture, stateImageType } from './layers.ts';

const ALPHA_MODES = { opaque: 'OPAQUE', mask: 'MASK', blend: 'BLEND' } as const;
const clamp01 = (value: number): number => Math.min(Math.max(value, 0), 1);

/** emissiveFactor ends at 1: what is brighter is a multiple of it. A material that is written as it is states its own strength. */
const strengthOf = ({ emissive, places }: PreparedMaterial): number => (places ? 1 : Math.max(1, ...emissive));

/** The extensions that factors of a prepared material ask for, besides those that it states itself. */
function layersOf(material: PreparedMaterial): GltfLayer[] {
  const { transmission, unlit, layers = [], places } = material;
  const strength = strengthOf(material);
  const layer = (name: GltfLayerName, values: GltfLayer['values']): GltfLayer => ({ name, values, textures: {} });
  return [
    ...(strength > 1 ? [layer('KHR_materials_emissive_strength', { emissiveStrength: strength })] : []),
    ...(transmission > 0 ? [layer('KHR_materials_transmission', { transmissionFactor: clamp01(transmission) })] : []),
    ...(unlit === 'kept' && !places ? [layer('KHR_materials_unlit', {})] : []),
    ...layers,
  ];
}

export class MaterialWriter {
  readonly #document: Document;
  readonly #prepared: readonly PreparedTexture[];
  readonly #names = new UniqueNames();
  readonly #materials = new Map<string, Material>();
  readonly #textures = new Map<string, Texture>();
  readonly #numbers = new Map<unknown, number>();

  constructor(document: Document, prepared: readonly PreparedTexture[]) {
    this.#document = document;
    this.#prepared = prepared;
  }

  #numberOf(thing: unknown): number {
    const known = this.#numbers.get(thing) ?? this.#numbers.size;
    this.#numbers.set(thing, known);
    return known;
  }

  /** A texture with the given bytes; equal `key`s are one. */
  #texture(key: string, name: string, bytes: Uint8Array): Texture {
    const known = this.#textures.get(key);
    if (known) return known;
    const mimeType = mimeTypeOf(bytes);
    if (mimeType === null) throw new Error(`${name} is no image that a GLB holds`);
    stateImageType(this.#document, mimeType);
    const texture = this.#document
      .createTexture(name)
      .setMimeType(mimeType)
      .setImage(bytes as Uint8Array<ArrayBuffer>);
    this.#textures.set(key, texture);
    return texture;
  }

  #prepare(texture: PreparedTexture | null | undefined): Texture | null {
    if (!texture) return null;
    if (texture.bytes === null) throw new Error(`the bytes of ${texture.fileName} are not at hand`);
    return this.#texture(texture.sha256, texture.fileName.replace(/\.[^.]*$/, ''), texture.bytes);
  }

  /** Roughness in green and metalness in blue; null for neither. */
  async #metallicRoughness({ slots, metallic, metallicChannel, roughnessChannel }: PreparedMaterial) {
    const [rough, metal] = [this.#prepared[slots.roughness], this.#prepared[slots.metallic]];
    if (!rough && !metal) return null;
    const fitsRough = !rough || roughnessChannel === GREEN;
    const fitsMetal = !metal || metallicChannel === BLUE;
    // A channel that no slot reads is multiplied by its factor all the same: only without metal blue may be anything.
    if (rough && fitsRough && (metal === rough ? fitsMetal : !metal && metallic === 0)) return this.#prepare(rough);
    const key = `${rough?.sha256 ?? ''} ${roughnessChannel} ${metal?.sha256 ?? ''} ${metallicChannel}`;
    const known = this.#textures.get(key);
    if (known) return known;
    const file = await packed(rough, roughnessChannel, metal, metallicChannel);
    const stem = (rough ?? metal).fileName.replace(/[_.][0-9a-f]+\.[^.]*$/, '');
    return this.#texture(key, `${stem}_metallicRoughness`, file);
  }

  /** The material of a surface. */
  async add(surface: MeshMaterial): Promise<Material> {
    const { material, tint, palette, emission } = surface;
    const made = [palette, emission].map((texture) => (texture ? this.#numberOf(texture) : '')).join('|');
    const key = `${this.#numberOf(material)}|${tint?.join(',') ?? ''}|${made}`;
    const known = this.#materials.get(key);
    if (known) return known;
    const texture = (slot: FileSlot) => this.#prepare(slotTexture(surface, slot, this.#prepared));
    const [r, g, b, a] = material.baseColor.map((value, k) => clamp01(value * (tint?.[k] ?? 1)));
    const [red, green, blue] = material.emissive.map((value) => value / strengthOf(material));
    const written = this.#document
      .createMaterial(this.#names.take(material.name, 'material'))
      .setAlphaMode(ALPHA_MODES[material.alphaMode])
      .setAlphaCutoff(material.alphaCutoff)
      .setDoubleSided(material.doubleSided ?? false)
      .setBaseColorFactor([r, g, b, a])
      .setBaseColorTexture(texture('baseColor'))
      .setMetallicFactor(clamp01(material.metallic))
      .setRoughnessFactor(clamp01(material.roughness))
      .setMetallicRoughnessTexture(await this.#metallicRoughness(material))
      .setNormalTexture(texture('normal'))
      .setNormalScale(material.normalScale)
      .setOcclusionTexture(texture('occlusion'))
      .setOcclusionStrength(clamp01(material.occlusionStrength))
      .setEmissiveTexture(texture('emissive'))
      .setEmissiveFactor([red, green, blue]);
    placeTextures(this.#document, written, material.places ?? {});
    const textureOf = (index: number) => this.#prepare(this.#prepared[index]) as Texture;
    for (const layer of layersOf(material)) {
      written.setExtension(layer.name, layerProperty(this.#document, layer, textureOf));
    }
    this.#materials.set(key, written);
    return written;
  }
}

/** Says how the textures of a material are sampled. Metalness and roughness are of one texture. */
function placeTextures(document: Document, material: Material, places: SlotPlaces): void {
  const infos = [
    [places.baseColor, material.getBaseColorTextureInfo()],
    [places.roughness, material.getMetallicRoughnessTextureInfo()],
    [places.normal, material.getNormalTextureInfo()],
    [places.occlusion, material.getOcclusionTextureInfo()],
    [places.emissive, material.getEmissiveTextureInfo()],
  ] as const;
  for (const [place, info] of infos) if (place && info) placeTexture(document, info, place);
}

/** Packs channels of files that are images. */
async function packed(
  rough: PreparedTexture | undefined,
  roughnessChannel: number,
  metal: PreparedTexture | undefined,
  metallicChannel: number,
): Promise<Uint8Array> {
  const read = async (texture: PreparedTexture | undefined, channel: number): Promise<SurfacePart | null> => {
    if (!texture) return null;
    const pixels = texture.bytes && (await decodeImageFile(texture.bytes));
    if (!pixels) throw new Error(`${texture.fileName} cannot be read back`);
    return { image: { ...pixels, channels: 4 }, channel };
  };
  const image = packSurface(await read(rough, roughnessChannel), await read(metal, metallicChannel));
  return encodePng(image.data, image.width, image.height, false);
}
