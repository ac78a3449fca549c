// The images of an atlas in which the materials of a zone's surroundings lie: one for each slot that they fill, all with one layout.
// Factors are in the texels, so that each material keeps its own.

import type { Scene, SceneMaterial, TextureUse, Vec3 } from '../../../scene/types.ts';
import type { AtlasLayout, PixelRect } from '../../../textures/atlas/atlasLayout.ts';
import { bake, type SampledImage } from '../../../textures/bake/bake.ts';
import { srgbByte, unitByte } from '../../../textures/bake/color.ts';
import { decodeImage } from '../../../textures/decode/decode.ts';
import { ImageFault } from '../../../textures/decode/fault.ts';
import type { Pixels } from '../../../textures/decode/pixels.ts';
import type { InfoOf, Member } from './members.ts';

/** Images of an atlas. `surface` has occlusion in red, roughness in green and metallic in blue. */
export const SHEETS = ['baseColor', 'surface', 'emissive', 'normal'] as const;
export type Sheet = (typeof SHEETS)[number];

/** What one channel of a sheet has of a material: texels of an image or none, times a scale, and a bias. */
interface Source {
  readonly use: TextureUse | undefined;
  /** Of the texel. */
  readonly channel: number;
  /** Where there is no image: the value itself. */
  readonly scale: number;
  readonly bias: number;
}

const CHANNELS = 'rgba';

/** A colour of a material, or its normals: the texel times a factor. */
function colorSource(use: TextureUse | undefined, c: number, factor: number): Source {
  const channel = use === undefined || use.channel === 'rgb' ? c : CHANNELS.indexOf(use.channel);
  return { use, channel, scale: (use?.scale[channel] ?? 1) * factor, bias: (use?.bias[channel] ?? 0) * factor };
}

function scalarSource(use: TextureUse | undefined, factor: number): Source {
  const channel = use === undefined || use.channel === 'rgb' ? 0 : CHANNELS.indexOf(use.channel);
  return { use, channel, scale: (use?.scale[channel] ?? 1) * factor, bias: (use?.bias[channel] ?? 0) * factor };
}

/** The three channels of a sheet for a material. `peak`: what white of the emission stands for. */
function sourcesOf({ textures, ...material }: SceneMaterial, sheet: Sheet, peak: Vec3): Source[] {
  switch (sheet) {
    case 'baseColor':
      return [0, 1, 2].map((c) => colorSource(textures.baseColor, c, material.baseColor[c]));
    case 'emissive':
      return [0, 1, 2].map((c) =>
        colorSource(textures.emissive, c, peak[c] === 0 ? 0 : material.emissive[c] / peak[c]),
      );
    case 'normal':
      return [0, 1, 2].map((c) => colorSource(textures.normal, c, 1));
    case 'surface':
      return [
        scalarSource(textures.occlusion, 1),
        scalarSource(textures.roughness, material.roughness),
        scalarSource(textures.metallic, material.metallic),
      ];
  }
}

const isSrgb = (sheet: Sheet): boolean => sheet === 'baseColor' || sheet === 'emissive';

/** Decodes images, a few at a time. Null: it cannot be decoded. */
export class DecodedImages {
  readonly #scene: Scene;
  readonly #infoOf: InfoOf;
  readonly #decoded = new Map<number, Pixels | null>();
  #pixels = 0;

  constructor(scene: Scene, infoOf: InfoOf) {
    this.#scene = scene;
    this.#infoOf = infoOf;
  }

  /** Pixels that are kept at most, besides the last image. */
  static readonly #KEPT = 2 ** 24;

  async of(image: number): Promise<Pixels | null> {
    const known = this.#decoded.get(image);
    if (known !== undefined) return known;
    const info = await this.#infoOf(image);
    if (info === null) return null;
    const decoded = await decodeImage(await this.#scene.images[image].read(), info, 'color', info.width * info.height);
    const pixels = decoded instanceof ImageFault ? null : decoded;
    if (this.#pixels + info.width * info.height > DecodedImages.#KEPT) {
      this.#decoded.clear();
      this.#pixels = 0;
    }
    this.#decoded.set(image, pixels);
    this.#pixels += info.width * info.height;
    return pixels;
  }
}

/** What a sheet has of a material where no image lies. */
const plainByte = (sheet: Sheet, { scale, bias }: Source): number =>
  (isSrgb(sheet) ? srgbByte : unitByte)(Math.max(0, Math.min(1, scale + bias)));

/** The texels of a member in a sheet with a border, rgb; null: an image cannot be decoded. */
export async function paintedMember(
  { material, picture }: Member,
  rect: PixelRect,
  border: number,
  sheet: Sheet,
  peak: Vec3,
  images: DecodedImages,
): Promise<Uint8Array | null> {
  const sources = sourcesOf(material, sheet, peak);
  const [width, height] = [rect.width + 2 * border, rect.height + 2 * border];
  const uses = [...new Set(sources.flatMap(({ use }) => use ?? []))];
  const data = new Uint8Array(width * height * 3);
  if (uses.length > 0) {
    const decoded: Pixels[] = [];
    for (const { image } of uses) {
      const pixels = await images.of(image);
      if (pixels === null) return null;
      decoded.push(pixels);
    }
    // From the rectangle with its border to the repeats of the image.
    const [u, v] = [(picture?.repeats[0] ?? 1) / rect.width, (picture?.repeats[1] ?? 1) / rect.height];
    const map = [width * u, 0, 0, height * v, -border * u, -border * v] as const;
    const channels = sources.map(({ use, channel, scale, bias }) =>
      use === undefined ? null : { part: uses.indexOf(use), channel, scale, bias },
    );
    const parts = uses.map(({ image, wrapS, wrapT, colorSpace }): SampledImage => {
      return { image, map, wrapS, wrapT, srgb: colorSpace === 'srgb' };
    });
    data.set(bake({ parts, channels, srgb: isSrgb(sheet), normals: false, width, height }, decoded, null).data);
  }
  for (const [c, source] of sources.entries()) {
    if (source.use !== undefined) continue;
    const byte = plainByte(sheet, source);
    for (let at = c; at < data.length; at += 3) data[at] = byte;
  }
  return data;
}

/** Copies texels with a border into an atlas. `rect`: without the border. */
export function place(
  atlas: Uint8Array,
  { width }: AtlasLayout,
  rect: PixelRect,
  border: number,
  data: Uint8Array,
): void {
  const across = rect.width + 2 * border;
  for (let y = 0; y < rect.height + 2 * border; y++) {
    const to = ((rect.y - border + y) * width + rect.x - border) * 3;
    atlas.set(data.subarray(y * across * 3, (y + 1) * across * 3), to);
  }
}

/** What white of the emission stands for, so that the brightest of some materials fits in a byte. */
export function peakOf(members: readonly Member[]): Vec3 {
  const most = (c: number) =>
    members.reduce((peak, { material: { emissive, textures } }) => {
      const { use, scale, bias } = colorSource(textures.emissive, c, emissive[c]);
      return Math.max(peak, use === undefined ? emissive[c] : Math.max(bias, scale + bias));
    }, 0);
  return [most(0), most(1), most(2)];
}
