// The textures of an output: as they are where Urho3D reads them so, else painted anew for its shaders. Each has its
// settings beside it, a sibling .xml.

import { sha256Hex } from '../../../bytes/sha256.ts';
import type { Pixels } from '../../../textures/decode/pixels.ts';
import { decodeImageFile, encodePng } from '../../../textures/encode/png.ts';
import { textureName } from '../../../textures/name.ts';
import type { OutputFile } from '../../format.ts';
import { repackMetallicRoughness } from '../xml/pbr.ts';
import { writeTextureSettings } from '../xml/textureSettings.ts';
import type { PieceMaterial } from './piece.ts';

const stemOf = (fileName: string): string => fileName.replace(/[_.][0-9a-f]{8,}\.[^.]*$/, '').replace(/\.[^.]*$/, '');

/** The texel of an image at a place of a larger one. */
function texelAt({ width, height }: Pixels, x: number, y: number, of: Pick<Pixels, 'width' | 'height'>): number {
  return (Math.floor((y * height) / of.height) * width + Math.floor((x * width) / of.width)) * 4;
}

/** RGBA of the size of the largest image; `paint` gives the four channels of a texel from those of the images. */
function painted(
  images: readonly Pixels[],
  paint: (to: Uint8Array, at: number, texels: readonly number[]) => void,
): Pixels {
  const width = Math.max(...images.map((image) => image.width));
  const height = Math.max(...images.map((image) => image.height));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      paint(
        data,
        (y * width + x) * 4,
        images.map((image) => texelAt(image, x, y, { width, height })),
      );
    }
  }
  return { width, height, data };
}

/** Alpha so that what the source leaves out has less than half: the shader knows no other limit. */
export function maskedAlpha(image: Pixels, factor: number, cutoff: number): Pixels {
  const data = image.data.slice();
  for (let at = 3; at < data.length; at += 4) {
    // 128 is the least byte of at least half.
    const isDrawn = (data[at] / 255) * factor >= cutoff;
    const scaled = cutoff > 0 ? Math.round(((data[at] * factor) / cutoff) * 0.5) : 255;
    data[at] = Math.min(255, isDrawn ? Math.max(128, scaled) : Math.min(127, scaled));
  }
  return { ...image, data };
}

/** Normals whose slopes are so much steeper. */
export function steeperNormals(image: Pixels, scale: number): Pixels {
  const data = image.data.slice();
  for (let at = 0; at < data.length; at += 4) {
    const x = ((data[at] / 255) * 2 - 1) * scale;
    const y = ((data[at + 1] / 255) * 2 - 1) * scale;
    const z = (data[at + 2] / 255) * 2 - 1;
    const length = Math.hypot(x, y, z) || 1;
    for (const [k, value] of [x, y, z].entries()) data[at + k] = Math.round(((value / length + 1) / 2) * 255);
  }
  return { ...image, data };
}

/** Grey texels of the red channel, weaker by `strength`: the shader multiplies the ambient light by all three. */
export function greyOcclusion(image: Pixels, strength: number): Pixels {
  return painted([image], (to, at, [texel]) => {
    const value = Math.round(255 * (1 + strength * (image.data[texel] / 255 - 1)));
    to.set([value, value, value, 255], at);
  });
}

export class TextureWriter {
  readonly #folder: string;
  readonly #read: (fileName: string) => Uint8Array;
  readonly #known = new Map<string, string>();
  /** Paths of painted textures, by their content and how it is read. */
  readonly #painted = new Map<string, string>();
  /** In lower case. */
  readonly #taken = new Set<string>();
  #files: OutputFile[] = [];

  /** `folder`: of textures, as resource names have it, with `/` at its end. `read`: the bytes of a texture of the cook. */
  constructor(folder: string, read: (fileName: string) => Uint8Array) {
    this.#folder = folder;
    this.#read = read;
  }

  /** The files since the last call. */
  take(): readonly OutputFile[] {
    const files = this.#files;
    this.#files = [];
    return files;
  }

  #add(key: string, name: string, bytes: Uint8Array, srgb: boolean): string {
    const path = `${this.#folder}${name}`;
    this.#taken.add(name.toLowerCase());
    this.#known.set(key, path);
    const settings = writeTextureSettings({ u: 'wrap', v: 'wrap', srgb });
    this.#files.push({ path, bytes }, { path: path.replace(/\.[^.]*$/, '.xml'), bytes: settings });
    return path;
  }

  /** The resource name of a texture as it is. Colours and data have names of their own: their settings differ. */
  #plain(fileName: string, srgb: boolean): string {
    const key = `${fileName}|${srgb}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const bytes = this.#read(fileName);
    const stem = stemOf(fileName);
    const name = srgb ? fileName : textureName(`${stem}_data`, sha256Hex(bytes), 'png', this.#taken);
    return this.#add(key, name, bytes, srgb);
  }

  async #paint(
    suffix: string,
    sources: readonly string[],
    parameters: readonly number[],
    srgb: boolean,
    paint: (images: readonly Pixels[]) => Pixels,
    alpha = false,
  ): Promise<string> {
    const key = JSON.stringify([suffix, sources, parameters]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const images: Pixels[] = [];
    for (const source of sources) {
      const pixels = await decodeImageFile(this.#read(source));
      if (pixels === null) throw new Error(`${source} cannot be read back`);
      images.push(pixels);
    }
    const { data, width, height } = paint(images);
    const rgb = alpha ? data : data.filter((_, i) => i % 4 !== 3);
    const bytes = await encodePng(rgb, width, height, alpha);
    const sha256 = sha256Hex(bytes);
    // Equal texels of other sources are the same file, if they are read alike.
    const content = JSON.stringify([sha256, srgb]);
    const path =
      this.#painted.get(content) ??
      this.#add(key, textureName(`${stemOf(sources[0])}_${suffix}`, sha256, 'png', this.#taken), bytes, srgb);
    this.#painted.set(content, path);
    this.#known.set(key, path);
    return path;
  }

  async baseColor({ textures, alphaMode, alphaCutoff, baseColor }: PieceMaterial): Promise<string | undefined> {
    const { baseColor: name } = textures;
    if (name === null) return undefined;
    if (alphaMode !== 'mask' || (alphaCutoff === 0.5 && baseColor[3] === 1)) return this.#plain(name, true);
    const mask = ([image]: readonly Pixels[]) => maskedAlpha(image, baseColor[3], alphaCutoff);
    return this.#paint('mask', [name], [alphaCutoff, baseColor[3]], true, mask, true);
  }

  async normal({ textures: { normal }, normalScale }: PieceMaterial): Promise<string | undefined> {
    if (normal === null) return undefined;
    if (normalScale === 1) return this.#plain(normal, false);
    return this.#paint('normal', [normal], [normalScale], false, ([image]) => steeperNormals(image, normalScale));
  }

  async emissive({ textures: { emissive } }: PieceMaterial): Promise<string | undefined> {
    return emissive === null ? undefined : this.#plain(emissive, true);
  }

  async occlusion({ textures: { occlusion }, occlusionStrength }: PieceMaterial): Promise<string | undefined> {
    if (occlusion === null) return undefined;
    const grey = ([image]: readonly Pixels[]) => greyOcclusion(image, occlusionStrength);
    return this.#paint('occlusion', [occlusion], [occlusionStrength], false, grey);
  }

  /** Roughness in red and metalness in green, with the factors: the shader can only add to them. */
  async metallicRoughness(material: PieceMaterial): Promise<string | undefined> {
    const { metallic: metal, roughness: rough } = material.textures;
    const sources = [...new Set([rough, metal].filter((name) => name !== null))];
    if (sources.length === 0) return undefined;
    const { metallic, roughness, metallicChannel, roughnessChannel } = material;
    const pack = (images: readonly Pixels[]): Pixels => {
      const channel = (name: string | null, of: number, texels: readonly number[]): number => {
        const i = name === null ? -1 : sources.indexOf(name);
        return i < 0 ? 255 : images[i].data[texels[i] + of];
      };
      const orm = painted(images, (to, at, texels) => {
        to[at + 1] = channel(rough, roughnessChannel, texels);
        to[at + 2] = channel(metal, metallicChannel, texels);
      });
      return { ...orm, data: repackMetallicRoughness(orm.data, roughness, metallic) };
    };
    // Which of two slots an image is in decides what is packed.
    const slots = [sources.indexOf(rough ?? ''), sources.indexOf(metal ?? '')];
    const parameters = [roughness, metallic, roughnessChannel, metallicChannel, ...slots];
    return this.#paint('metallicRough', sources, parameters, false, pack);
  }
}
