// Materials of a BPX model: the name, and the textures that a package of ours has for it. Texels become PNG.

import { basename, extname } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { HEADER_OFFSETS, LAYOUTS } from '../../formats/bpx/container/layout.ts';
import { recordAt } from '../../formats/bpx/kinds/sections.ts';
import { readBpx } from '../../formats/bpx/read.ts';
import { TEXEL_FORMATS, TEXTURE_EXT, TEXTURE_FLAGS } from '../../formats/bpx/records.ts';
import { materialName } from '../../formats/bpx/target/model.ts';
import { foundSlot } from '../../formats/bpx/target/slotPaths.ts';
import type { BpxAsset, BpxTexture } from '../../formats/bpx/types.ts';
import { DEFAULT_FACTORS, type FileSlot, isSrgbSlot, slotKind, texturesFrom } from '../../scene/materialSlots.ts';
import type { Channel, SceneImage, SceneMaterial, TextureUse } from '../../scene/types.ts';
import { encodeDeepPng, encodePng } from '../../textures/encode/png.ts';
import { UV_SET } from './geometry.ts';

const CHANNELS = ['r', 'g', 'b', 'a'] as const;

/** What a texture states of itself. Nothing is believed that reading it would not find. */
function statedOf(bytes: Uint8Array): { readonly hasAlpha: boolean; readonly isSeveral: boolean } {
  if (bytes.length < LAYOUTS.spec.headerBytes) return { hasAlpha: false, isSeveral: false };
  const { formatAndFlags, array } = recordAt(TEXTURE_EXT, bytes, HEADER_OFFSETS.typeExt);
  return {
    hasAlpha: TEXEL_FORMATS.some(([number, format]) => number === (formatAndFlags & 15) && format === 'rgba8'),
    isSeveral: ((formatAndFlags >>> 4) & (TEXTURE_FLAGS.array | TEXTURE_FLAGS.cubeMap)) !== 0 && array > 1,
  };
}

/** The texels of a texture's first image as PNG. */
async function pngOf({ format, width, height, images: [texels] }: BpxTexture): Promise<Uint8Array> {
  if (format === 'rgba8' || format === 'rgb8') return encodePng(texels, width, height, format === 'rgba8');
  if (format === 'float32') {
    const view = new DataView(texels.buffer, texels.byteOffset, texels.byteLength);
    const deep = Uint16Array.from({ length: width * height }, (_, i) => {
      const value = view.getFloat32(i * 4, true);
      return Math.round(Math.min(Math.max(value, 0), 1) * 65535) || 0;
    });
    return encodeDeepPng(deep, width, height);
  }
  const colors = new Uint8Array(texels.length * 3);
  for (let i = 0; i < colors.length; i++) colors[i] = texels[Math.floor(i / 3)];
  return encodePng(colors, width, height, false);
}

/** The materials of all models of a file, each once, and the images that they use. */
export class Materials {
  readonly list: SceneMaterial[] = [];
  readonly images: SceneImage[] = [];
  /** Those without a texture. */
  bare = 0;
  /** Those with a height map, of which no file says how deep it is. */
  heights = 0;
  /** Textures of several images, of which the first is read. */
  several = 0;
  readonly #file: string;
  readonly #assets: ReadonlyMap<string, Uint8Array>;
  readonly #known = new Map<string, number>();
  readonly #imageOf = new Map<Uint8Array, number>();

  /** `assets`: the files of the package; none for a model alone. */
  constructor(file: string, assets: readonly BpxAsset[]) {
    this.#file = file;
    this.#assets = new Map(assets.map(({ path, bytes }) => [path, bytes]));
  }

  /** The index of a material by its path; null and -1: none. */
  index(path: string | null): number {
    if (path === null) return -1;
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    this.#known.set(path, this.list.length);
    return this.list.push(this.#material(path)) - 1;
  }

  #image(path: string): number {
    const bytes = this.#assets.get(path) as Uint8Array;
    const known = this.#imageOf.get(bytes);
    if (known !== undefined) return known;
    const file = `${this.#file}/${path}`;
    const read = async () => {
      const { content } = await readBpx(bytes, file);
      return content.kind === 'texture' ? pngOf(content) : fail('UC2496', file, '', 'it is no texture');
    };
    if (statedOf(bytes).isSeveral) this.several++;
    this.#imageOf.set(bytes, this.images.length);
    return this.images.push({ path, uri: path, stem: basename(path, extname(path)), file, read }) - 1;
  }

  #material(path: string): SceneMaterial {
    const use = (slot: FileSlot): TextureUse | null => {
      const found = foundSlot(path, slot, (wanted) => this.#assets.has(wanted));
      if (found === null) return null;
      const channel: Channel =
        found.channel === null ? (slotKind(slot).stored === 'red' ? 'r' : 'rgb') : CHANNELS[found.channel];
      return {
        image: this.#image(found.path),
        uvSet: UV_SET,
        transform: null,
        wrapS: 'repeat',
        wrapT: 'repeat',
        channel,
        scale: [1, 1, 1, 1],
        bias: [0, 0, 0, 0],
        colorSpace: isSrgbSlot(slot) ? 'srgb' : 'linear',
      };
    };
    const color = foundSlot(path, 'baseColor', (wanted) => this.#assets.has(wanted));
    // Nothing says how alpha is drawn. A cook drops the alpha of opaque materials: "mask" keeps it, and texels of alpha 1 look
    // the same.
    const hasAlpha = color !== null && statedOf(this.#assets.get(color.path) as Uint8Array).hasAlpha;
    const textures = texturesFrom((slot): TextureUse | null => {
      if (slot === 'height') return null;
      if (slot !== 'opacity') return use(slot);
      const whole = hasAlpha ? use('baseColor') : null;
      return whole && { ...whole, channel: 'a', colorSpace: 'linear' };
    });
    if (Object.keys(textures).length === 0) this.bare++;
    if (foundSlot(path, 'height', (wanted) => this.#assets.has(wanted))) this.heights++;
    return {
      name: materialName(path),
      path,
      alphaMode: hasAlpha ? 'mask' : 'opaque',
      alphaCutoff: 0.5,
      doubleSided: false,
      ...DEFAULT_FACTORS,
      // A factor multiplies its texture; without one a surface is rough and no metal.
      metallic: textures.metallic ? 1 : 0,
      roughness: 1,
      emissive: textures.emissive ? [1, 1, 1] : [0, 0, 0],
      textures,
      usesVertexColors: false,
    };
  }
}
