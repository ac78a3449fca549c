// Materials of a GLB. glTF keeps roughness in green and metalness in blue of one image, and occlusion in red: textures that
// are packed otherwise are packed anew.

import type { Document, Extension, ExtensionProperty, Material, Texture } from '@gltf-transform/core';
import { KHRMaterialsEmissiveStrength, KHRMaterialsTransmission, KHRMaterialsUnlit } from '@gltf-transform/extensions';
import type { FileSlot } from '../../scene/materialSlots.ts';
import type { Pixels } from '../../textures/decode/pixels.ts';
import { decodeImageFile, encodePng } from '../../textures/encode/png.ts';
import type { PreparedMaterial, PreparedTexture } from '../../textures/types.ts';
import { type MeshMaterial, slotTexture } from '../format.ts';
import { UniqueNames } from '../uniqueNames.ts';
import { mimeTypeOf } from './images.ts';

const GREEN = 1;
const BLUE = 2;

const ALPHA_MODES = { opaque: 'OPAQUE', mask: 'MASK', blend: 'BLEND' } as const;
const clamp01 = (value: number): number => Math.min(Math.max(value, 0), 1);

/** emissiveFactor ends at 1: what is brighter is a multiple of it. */
const strengthOf = ({ emissive }: PreparedMaterial): number => Math.max(1, ...emissive);

interface Layer {
  readonly extension: typeof Extension;
  /** What the extension says of a material; null: it says nothing. */
  readonly of: (document: Document, material: PreparedMaterial) => ExtensionProperty | null;
}

const LAYERS: readonly Layer[] = [
  {
    extension: KHRMaterialsEmissiveStrength,
    of: (document, material) => {
      const strength = strengthOf(material);
      if (strength === 1) return null;
      return document
        .createExtension(KHRMaterialsEmissiveStrength)
        .createEmissiveStrength()
        .setEmissiveStrength(strength);
    },
  },
  {
    extension: KHRMaterialsTransmission,
    of: (document, { transmission }) =>
      transmission === 0
        ? null
        : document
            .createExtension(KHRMaterialsTransmission)
            .createTransmission()
            .setTransmissionFactor(clamp01(transmission)),
  },
  {
    extension: KHRMaterialsUnlit,
    of: (document, { unlit }) => (unlit === 'kept' ? document.createExtension(KHRMaterialsUnlit).createUnlit() : null),
  },
];

export const MATERIAL_EXTENSIONS = LAYERS.map(({ extension }) => extension);

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
    if (mimeType === null) throw new Error(`${name} is neither PNG nor JPEG`);
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
    for (const { of } of LAYERS) {
      const layer = of(this.#document, material);
      if (layer) written.setExtension(layer.extensionName, layer);
    }
    this.#materials.set(key, written);
    return written;
  }
}

/** Green and blue of a new image from a channel of each; what is not there is 1, whatever the factor. */
async function packed(
  rough: PreparedTexture | undefined,
  roughnessChannel: number,
  metal: PreparedTexture | undefined,
  metallicChannel: number,
): Promise<Uint8Array> {
  const read = async (texture: PreparedTexture | undefined): Promise<Pixels | null> => {
    if (!texture) return null;
    const pixels = texture.bytes && (await decodeImageFile(texture.bytes));
    if (!pixels) throw new Error(`${texture.fileName} cannot be read back`);
    return pixels;
  };
  const sources = [
    { pixels: await read(rough), from: roughnessChannel, to: GREEN },
    { pixels: await read(metal), from: metallicChannel, to: BLUE },
  ];
  const width = Math.max(...sources.map(({ pixels }) => pixels?.width ?? 1));
  const height = Math.max(...sources.map(({ pixels }) => pixels?.height ?? 1));
  const data = new Uint8Array(width * height * 3).fill(255);
  for (const { pixels, from, to } of sources) {
    if (!pixels) continue;
    for (let y = 0; y < height; y++) {
      const row = Math.floor((y * pixels.height) / height) * pixels.width;
      for (let x = 0; x < width; x++) {
        const texel = row + Math.floor((x * pixels.width) / width);
        data[(y * width + x) * 3 + to] = pixels.data[texel * 4 + from];
      }
    }
  }
  return encodePng(data, width, height, false);
}
