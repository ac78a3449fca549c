// Materials and textures of cooked files. Images are taken as they are; cooked textures become PNG of their largest mip.

import { basename, dirname, join } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { factorsOfStored, storedTexture } from '../../formats/untold/materialRecord.ts';
import { NONE, type UntoldMaterial, type UntoldTexture } from '../../formats/untold/types.ts';
import { isUtex } from '../../formats/utex/layout.ts';
import { utexTexels } from '../../formats/utex/texels.ts';
import { channelOf, channelsOf, isSrgbSlot, type TextureSlot, texturesFrom } from '../../scene/materialSlots.ts';
import type { SceneImage, SceneMaterial, TextureUse } from '../../scene/types.ts';
import { encodePng } from '../../textures/encode/png.ts';
import type { SourceFiles } from '../files.ts';
import { resolveReference } from '../files.ts';
import { UV_SET } from './geometry.ts';

const CHANNELS = ['r', 'g', 'b', 'a'] as const;

/** The name of an image without the hash and extension that a cook has given it. */
const stemOf = (uri: string): string => basename(uri).replace(/([._][0-9a-f]{8,64})?\.[A-Za-z0-9]+$/, '');

async function imageBytes(bytes: Uint8Array, file: string, path: string): Promise<Uint8Array> {
  if (!isUtex(bytes)) return bytes;
  const pixels = utexTexels(bytes);
  if (pixels === null) return fail('UC2403', file, path, `${file} cannot be decoded`);
  const { width, height, data } = pixels;
  let isOpaque = true;
  for (let at = 3; at < data.length && isOpaque; at += 4) isOpaque = data[at] === 255;
  if (!isOpaque) return encodePng(data, width, height, true);
  const colors = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) for (let k = 0; k < 3; k++) colors[i * 3 + k] = data[i * 4 + k];
  return encodePng(colors, width, height, false);
}

/** The images of all files, each once. */
export class Images {
  readonly list: SceneImage[] = [];
  readonly #files: SourceFiles;
  readonly #known = new Map<string, number>();

  constructor(files: SourceFiles) {
    this.#files = files;
  }

  /** The index of a texture's image. The engine looks at the path that is stated, then for its last part beside the file. */
  index({ uri }: UntoldTexture, from: string): number {
    const plain = join(dirname(from), uri.replace(/^\/+/, ''));
    const beside = join(dirname(from), basename(uri));
    const place = !this.#files.exists(plain) && this.#files.exists(beside) ? beside : plain;
    const known = this.#known.get(place) ?? this.list.length;
    if (known < this.list.length) return known;
    const path = `images/${known}`;
    const read = async () => {
      const found = place === plain ? resolveReference(from, uri.replace(/^\/+/, ''), path) : place;
      return imageBytes(this.#files.read(found, from, path), place, path);
    };
    this.list.push({ path, uri, stem: stemOf(uri), file: place, read });
    this.#known.set(place, known);
    return known;
  }
}

/** A material as it is: factors multiply texels, as in the Scene. */
export function materialOf(
  material: UntoldMaterial,
  textures: readonly UntoldTexture[],
  images: Images,
  from: string,
  path: string,
): SceneMaterial {
  const { alphaMode } = material;
  const channels = channelsOf(material);
  const use = (slot: TextureSlot): TextureUse | null => {
    if (slot === 'opacity' && alphaMode === 'opaque') return null;
    const texture = storedTexture(material, slot === 'opacity' ? 'baseColor' : slot);
    if (texture === NONE) return null;
    const channel = slot === 'opacity' ? 3 : channelOf(slot, channels);
    return {
      image: images.index(textures[texture], from),
      uvSet: UV_SET,
      transform: null,
      wrapS: 'repeat',
      wrapT: 'repeat',
      channel: channel === null ? 'rgb' : CHANNELS[channel],
      scale: [1, 1, 1, 1],
      bias: [0, 0, 0, 0],
      colorSpace: isSrgbSlot(slot) ? 'srgb' : 'linear',
    };
  };
  return {
    name: material.name,
    path,
    alphaMode,
    alphaCutoff: material.alphaCutoff,
    // The engine draws both sides.
    doubleSided: true,
    ...factorsOfStored(material),
    ...(material.height && { height: material.height }),
    textures: texturesFrom(use),
    usesVertexColors: true,
  };
}
