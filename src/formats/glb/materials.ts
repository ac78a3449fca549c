// Materials of a GLB. glTF keeps roughness in green and metalness in blue of one image, and occlusion in red: textures that
// are packed otherwise are packed anew.

import {
  FACTORS,
  FILE_SLOTS,
  type FileSlot,
  factorKind,
  type MaterialFactors,
  slotKind,
} from '../../scene/materialSlots.ts';
import type { Vec4 } from '../../scene/types.ts';
import type { Pixels } from '../../textures/decode/pixels.ts';
import { decodeImageFile, encodePng } from '../../textures/encode/png.ts';
import type { PreparedMaterial, PreparedTexture } from '../../textures/types.ts';
import { type MeshMaterial, slotTexture } from '../format.ts';
import { UniqueNames } from '../uniqueNames.ts';
import type { GlbBuilder } from './builder.ts';
import { EMISSIVE_STRENGTH, type GlbJson, type Material, type TextureInfo } from './layout.ts';

const GREEN = 1;
const BLUE = 2;

const MIME_TYPES: readonly (readonly [mimeType: string, begin: readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
];

/** The type of an image by its first bytes; null: it is neither PNG nor JPEG. */
export function mimeTypeOf(bytes: Uint8Array): string | null {
  return MIME_TYPES.find(([, begin]) => begin.every((byte, i) => bytes[i] === byte))?.[0] ?? null;
}

const ALPHA_MODES = { opaque: 'OPAQUE', mask: 'MASK', blend: 'BLEND' } as const;
const clamp01 = (value: number): number => Math.min(Math.max(value, 0), 1);

/** Slots whose textures a material itself holds, in the order in which glTF lists them (3.9). */
const OWN_SLOTS = FACTORS.flatMap((factor) =>
  FILE_SLOTS.filter((slot) => slotKind(slot).factor === factor && slotKind(slot).gltf?.holder === 'material'),
);

/** What the textureInfo of a slot says besides its index: the factor, where glTF keeps it there. */
function factorInInfo(slot: FileSlot, material: MaterialFactors): Readonly<Record<string, number>> {
  const { factor, gltf } = slotKind(slot);
  const stated = factorKind(factor).gltf;
  const value = material[factor];
  if (stated === null || stated.holder !== gltf?.key || typeof value !== 'number') return {};
  return { [stated.key]: stated.isUnit ? clamp01(value) : value };
}

export class MaterialWriter {
  readonly #builder: GlbBuilder;
  readonly #prepared: readonly PreparedTexture[];
  readonly #names = new UniqueNames();
  readonly #materials: Material[] = [];
  readonly #images: NonNullable<GlbJson['images']>[number][] = [];
  readonly #textures: { readonly source: number }[] = [];
  readonly #known = new Map<string, number>();
  readonly #numbers = new Map<unknown, number>();

  constructor(builder: GlbBuilder, prepared: readonly PreparedTexture[]) {
    this.#builder = builder;
    this.#prepared = prepared;
  }

  get used(): readonly string[] {
    return this.#materials.some(({ extensions }) => extensions) ? [EMISSIVE_STRENGTH] : [];
  }

  get lists(): Pick<GlbJson, 'materials' | 'textures' | 'images'> {
    return { materials: this.#materials, textures: this.#textures, images: this.#images };
  }

  nameOf(material: number): string {
    return this.#materials[material].name ?? '';
  }

  #numberOf(thing: unknown): number {
    const known = this.#numbers.get(thing) ?? this.#numbers.size;
    this.#numbers.set(thing, known);
    return known;
  }

  /** The index of a texture with the given bytes; equal `key`s are one. */
  #texture(key: string, name: string, bytes: Uint8Array): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const mimeType = mimeTypeOf(bytes);
    if (mimeType === null) throw new Error(`${name} is neither PNG nor JPEG`);
    this.#images.push({ name, mimeType, bufferView: this.#builder.view(bytes) });
    this.#textures.push({ source: this.#images.length - 1 });
    this.#known.set(key, this.#textures.length - 1);
    return this.#textures.length - 1;
  }

  #info(texture: PreparedTexture | null | undefined): TextureInfo | null {
    if (!texture) return null;
    if (texture.bytes === null) throw new Error(`the bytes of ${texture.fileName} are not at hand`);
    const name = texture.fileName.replace(/\.[^.]*$/, '');
    return { index: this.#texture(texture.sha256, name, texture.bytes) };
  }

  /** Roughness in green and metalness in blue; null for neither. */
  async #metallicRoughness({ slots, metallic, metallicChannel, roughnessChannel }: PreparedMaterial) {
    const [rough, metal] = [this.#prepared[slots.roughness], this.#prepared[slots.metallic]];
    if (!rough && !metal) return null;
    const fitsRough = !rough || roughnessChannel === GREEN;
    const fitsMetal = !metal || metallicChannel === BLUE;
    // A channel that no slot reads is multiplied by its factor all the same: only without metal blue may be anything.
    if (rough && fitsRough && (metal === rough ? fitsMetal : !metal && metallic === 0)) return this.#info(rough);
    const key = `${rough?.sha256 ?? ''} ${roughnessChannel} ${metal?.sha256 ?? ''} ${metallicChannel}`;
    const known = this.#known.get(key);
    if (known !== undefined) return { index: known };
    const file = await packed(rough, roughnessChannel, metal, metallicChannel);
    const stem = (rough ?? metal).fileName.replace(/[_.][0-9a-f]+\.[^.]*$/, '');
    return { index: this.#texture(key, `${stem}_metallicRoughness`, file) };
  }

  /** The index of the material of a surface. */
  async add(surface: MeshMaterial): Promise<number> {
    const { material, tint, palette, emission } = surface;
    const made = [palette, emission].map((texture) => (texture ? this.#numberOf(texture) : '')).join('|');
    const key = `material ${this.#numberOf(material)}|${tint?.join(',') ?? ''}|${made}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { alphaMode, alphaCutoff, emissive } = material;
    const factor = material.baseColor.map((value, k) => clamp01(value * ((tint as Vec4 | null)?.[k] ?? 1)));
    const baseColor = this.#info(slotTexture(surface, 'baseColor', this.#prepared));
    const packedInfo = await this.#metallicRoughness(material);
    const textures: Record<string, TextureInfo> = {};
    for (const slot of OWN_SLOTS) {
      const { gltf } = slotKind(slot);
      const info = this.#info(slotTexture(surface, slot, this.#prepared));
      if (gltf && info) textures[gltf.key] = { ...info, ...factorInInfo(slot, material) };
    }
    const strength = Math.max(1, ...emissive);
    this.#materials.push({
      name: this.#names.take(material.name, 'material'),
      pbrMetallicRoughness: {
        baseColorFactor: factor,
        ...(baseColor && { baseColorTexture: baseColor }),
        metallicFactor: clamp01(material.metallic),
        roughnessFactor: clamp01(material.roughness),
        ...(packedInfo && { metallicRoughnessTexture: packedInfo }),
      },
      ...textures,
      emissiveFactor: emissive.map((value) => value / strength),
      alphaMode: ALPHA_MODES[alphaMode],
      ...(alphaMode === 'mask' ? { alphaCutoff } : {}),
      ...(material.doubleSided ? { doubleSided: true } : {}),
      ...(strength > 1 ? { extensions: { [EMISSIVE_STRENGTH]: { emissiveStrength: strength } } } : {}),
    });
    this.#known.set(key, this.#materials.length - 1);
    return this.#materials.length - 1;
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
