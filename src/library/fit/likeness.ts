// What is lost of a texture that got smaller: a part of the whole one is kept to be compared with, of a size that memory holds for all.

import { decodeMip } from '../../formats/utex/decode.ts';
import { readUtex } from '../../formats/utex/read.ts';
import { smallerUtex } from '../../formats/utex/smaller.ts';
import { compareBytes } from '../../raster/metrics.ts';
import type { Picture } from '../../raster/render.ts';
import type { Pixels } from '../../textures/decode/pixels.ts';
import type { OutputFacts } from '../check/facts.ts';
import type { TextureFamily } from './families.ts';

/** Texels of all textures that are kept to be compared with, at most. */
const MAX_TEXELS = 2 ** 26;
const MAX_SIDE = 1024;
const MIN_SIDE = 64;

export interface Likeness {
  /** Structural similarity, 1 for equal texels. */
  readonly ssim: number;
  /** Peak signal-to-noise ratio in decibels; null: the texels are equal. */
  readonly psnr: number | null;
}

function pictureOf({ width, height, data }: Pixels): Picture {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, from = 0; i < rgb.length; i += 3, from += 4) {
    rgb[i] = data[from];
    rgb[i + 1] = data[from + 1];
    rgb[i + 2] = data[from + 2];
  }
  return { width, height, rgb, coverage: new Uint8Array(width * height).fill(255) };
}

/** A picture as it is sampled between its texels, in another size. */
function enlarged({ width, height, rgb }: Picture, toWidth: number, toHeight: number): Picture {
  const to = new Uint8Array(toWidth * toHeight * 3);
  for (let y = 0; y < toHeight; y++) {
    const atY = Math.max(0, ((y + 0.5) * height) / toHeight - 0.5);
    const y0 = Math.floor(atY);
    const y1 = Math.min(height - 1, y0 + 1);
    for (let x = 0; x < toWidth; x++) {
      const atX = Math.max(0, ((x + 0.5) * width) / toWidth - 0.5);
      const x0 = Math.floor(atX);
      const x1 = Math.min(width - 1, x0 + 1);
      const [s, t] = [atX - x0, atY - y0];
      for (let c = 0; c < 3; c++) {
        const top = rgb[(y0 * width + x0) * 3 + c] * (1 - s) + rgb[(y0 * width + x1) * 3 + c] * s;
        const bottom = rgb[(y1 * width + x0) * 3 + c] * (1 - s) + rgb[(y1 * width + x1) * 3 + c] * s;
        to[(y * toWidth + x) * 3 + c] = Math.round(top * (1 - t) + bottom * t);
      }
    }
  }
  return { width: toWidth, height: toHeight, rgb: to, coverage: new Uint8Array(toWidth * toHeight).fill(255) };
}

export class Originals {
  readonly #files = new Map<TextureFamily, Uint8Array>();

  /** Keeps what is needed of the whole textures. */
  constructor(families: readonly TextureFamily[], facts: OutputFacts) {
    let side = MAX_SIDE;
    while (side > MIN_SIDE && families.length * side * side > MAX_TEXELS) side /= 2;
    for (const family of families) {
      const whole = facts.textureFile(family.path);
      const first = family.sizes.findIndex(({ width, height }) => Math.max(width, height) <= side);
      this.#files.set(family, first <= 0 ? whole : smallerUtex(whole)[first - 1].bytes);
    }
  }

  /**
   * How like the whole texture its smaller one looks where so many texels of the whole one's longer side are seen; of more than
   * were kept the kept ones are compared.
   */
  compare(family: TextureFamily, dropped: number, seenTexels: number): Likeness {
    const utex = readUtex(this.#files.get(family) as Uint8Array, family.path);
    const longer = utex.mips.map(({ width, height }) => Math.max(width, height));
    const shown = Math.max(
      0,
      longer.findLastIndex((side) => side >= seenTexels),
    );
    const { width, height } = family.sizes[dropped];
    const left = longer.findIndex((side) => side <= Math.max(width, height));
    if (left <= shown) return { ssim: 1, psnr: null };
    const whole = pictureOf(decodeMip(utex, shown));
    const small = pictureOf(decodeMip(utex, left));
    const { ssim, psnr } = compareBytes(whole, enlarged(small, whole.width, whole.height));
    return { ssim, psnr: Number.isFinite(psnr) ? psnr : null };
  }
}
