// Textures of the set on the GPU, each file once, for as long as a payload uses it.

import {
  ClampToEdgeWrapping,
  type CompressedPixelFormat,
  CompressedTexture,
  type CompressedTextureMipmap,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  NoColorSpace,
  RepeatWrapping,
  RGBA_ASTC_4x4_Format,
  RGBA_ASTC_5x4_Format,
  RGBA_ASTC_5x5_Format,
  RGBA_ASTC_6x5_Format,
  RGBA_ASTC_6x6_Format,
  RGBA_ASTC_8x5_Format,
  RGBA_ASTC_8x6_Format,
  RGBA_ASTC_8x8_Format,
  RGBA_ASTC_10x5_Format,
  RGBA_ASTC_10x6_Format,
  RGBA_ASTC_10x8_Format,
  RGBA_ASTC_10x10_Format,
  RGBA_ASTC_12x10_Format,
  RGBA_ASTC_12x12_Format,
  RGBAFormat,
  SRGBColorSpace,
  Texture,
  UnsignedByteType,
  type WebGLRenderer,
} from 'three';
import { placesOf } from '../../texturePlaces.ts';
import { ReadFault, type Reading } from '../reading/client.ts';
import type { ReadMip, ReadTexture } from '../reading/protocol.ts';

const ASTC_FORMATS: Readonly<Record<string, CompressedPixelFormat>> = {
  '4x4': RGBA_ASTC_4x4_Format,
  '5x4': RGBA_ASTC_5x4_Format,
  '5x5': RGBA_ASTC_5x5_Format,
  '6x5': RGBA_ASTC_6x5_Format,
  '6x6': RGBA_ASTC_6x6_Format,
  '8x5': RGBA_ASTC_8x5_Format,
  '8x6': RGBA_ASTC_8x6_Format,
  '8x8': RGBA_ASTC_8x8_Format,
  '10x5': RGBA_ASTC_10x5_Format,
  '10x6': RGBA_ASTC_10x6_Format,
  '10x8': RGBA_ASTC_10x8_Format,
  '10x10': RGBA_ASTC_10x10_Format,
  '12x10': RGBA_ASTC_12x10_Format,
  '12x12': RGBA_ASTC_12x12_Format,
};

/** A texture with what its file says. */
export interface ShownTexture {
  readonly path: string;
  readonly texture: Texture;
  readonly read: Omit<ReadTexture, 'mips' | 'image'> & { readonly mips: readonly Omit<ReadMip, 'data'>[] };
  readonly gpuBytes: number;
}

interface Entry {
  users: number;
  readonly loading: Promise<ShownTexture | null>;
  shown: ShownTexture | null;
}

export class TextureStore {
  readonly #reading: Reading;
  readonly #entries = new Map<string, Entry>();
  readonly #onFault: (fault: ReadFault) => void;
  readonly #astc: boolean;
  /** Samples of a texture that is seen at a flat angle. */
  readonly anisotropy: number;

  constructor(renderer: WebGLRenderer, reading: Reading, onFault: (fault: ReadFault) => void) {
    this.#reading = reading;
    this.#onFault = onFault;
    this.#astc = renderer.extensions.has('WEBGL_compressed_texture_astc');
    this.anisotropy = Math.min(4, renderer.capabilities.getMaxAnisotropy());
  }

  /** Whether the GPU takes blocks as they are. */
  get takesBlocks(): boolean {
    return this.#astc;
  }

  get bytes(): number {
    let sum = 0;
    for (const { shown } of this.#entries.values()) sum += shown?.gpuBytes ?? 0;
    return sum;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** A texture for one more user; null where there is none. `isColor`: its slot is one of sRGB colours. */
  async take(uri: string, payload: string, isColor: boolean): Promise<ShownTexture | null> {
    const key = keyOf(uri, payload, isColor);
    let entry = this.#entries.get(key);
    if (!entry) {
      const loading = this.#load(placesOf(uri, payload), isColor, () => made.users > 0);
      const made: Entry = { users: 0, loading, shown: null };
      entry = made;
      this.#entries.set(key, entry);
    }
    entry.users++;
    const shown = await entry.loading;
    // All users may have gone meanwhile.
    if (this.#entries.get(key) === entry) entry.shown = shown;
    else shown?.texture.dispose();
    return shown;
  }

  /** One user less. */
  release(uri: string, payload: string, isColor: boolean): void {
    const key = keyOf(uri, payload, isColor);
    const entry = this.#entries.get(key);
    if (!entry || --entry.users > 0) return;
    this.#entries.delete(key);
    entry.shown?.texture.dispose();
  }

  async #load(places: readonly string[], isColor: boolean, isWanted: () => boolean): Promise<ShownTexture | null> {
    for (const [i, path] of places.entries()) {
      try {
        const read = await this.#reading.texture(path, this.#astc, isWanted);
        const texture = this.#textureOf(read, isColor);
        const { mips, image: _, ...rest } = read;
        const gpuBytes =
          read.stored === 'image'
            ? Math.round((read.width * read.height * 16) / 3)
            : mips.reduce((sum, { data }) => sum + data.byteLength, 0);
        return { path, texture, gpuBytes, read: { ...rest, mips: mips.map(({ data: _data, ...mip }) => mip) } };
      } catch (error) {
        if (!(error instanceof ReadFault)) throw error;
        if (i === places.length - 1) this.#onFault(error);
      }
    }
    return null;
  }

  #textureOf(read: ReadTexture, isColor: boolean): Texture {
    const { stored, mips, width, height, image } = read;
    let texture: Texture;
    if (stored === 'image') {
      texture = new Texture(image as unknown as HTMLImageElement);
      texture.colorSpace = isColor ? SRGBColorSpace : NoColorSpace;
    } else {
      // The file decides, whatever the slot.
      const colorSpace = read.format.endsWith(' srgb') ? SRGBColorSpace : NoColorSpace;
      if (stored === 'astc') {
        const format = ASTC_FORMATS[`${read.blockWidth}x${read.blockHeight}`];
        texture = new CompressedTexture(mips as unknown as CompressedTextureMipmap[], width, height, format);
      } else {
        texture = new DataTexture(mips[0].data as Uint8Array<ArrayBuffer>, width, height, RGBAFormat, UnsignedByteType);
        texture.mipmaps = mips as unknown as CompressedTextureMipmap[];
      }
      texture.colorSpace = colorSpace;
      texture.generateMipmaps = false;
    }
    const wrapping = stored !== 'image' && read.format.startsWith('rgba16Float') ? ClampToEdgeWrapping : RepeatWrapping;
    texture.wrapS = wrapping;
    texture.wrapT = wrapping;
    texture.magFilter = LinearFilter;
    texture.minFilter = mips.length > 1 || stored === 'image' ? LinearMipmapLinearFilter : LinearFilter;
    texture.anisotropy = this.anisotropy;
    // Rows come from the top, and so do texture coordinates.
    texture.flipY = false;
    texture.needsUpdate = true;
    return texture;
  }
}

function keyOf(uri: string, payload: string, isColor: boolean): string {
  return `${placesOf(uri, payload)[0] ?? uri}|${isColor}`;
}
