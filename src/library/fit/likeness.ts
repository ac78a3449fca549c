// What is lost of a texture that got smaller: it is compared with the whole one in the size that is seen of it. The whole one lies on
// the disk while the first output is judged; for what is decided later a part of its mips is kept.

import { decodeMip } from '../../formats/utex/decode.ts';
import { readUtex, type SoundUtex } from '../../formats/utex/read.ts';
import { smallerUtex } from '../../formats/utex/smaller.ts';
import { compareBytes } from '../../raster/metrics.ts';
import type { Picture } from '../../raster/render.ts';
import type { Pixels } from '../../textures/decode/pixels.ts';
import type { OutputFacts } from '../check/facts.ts';
import type { TextureFamily } from './families.ts';

/** Texels of all textures that are kept, at most, and of the longer side of one. */
const MAX_TEXELS = 2 ** 26;
const MAX_SIDE = 1024;
const MIN_SIDE = 64;
/** Of a larger picture its middle is compared. */
const COMPARED_SIDE = 2048;
/** Texels of a mip that its middle has: the mip has less than twice as many as are seen. */
const CUT_SIDE = 2 * COMPARED_SIDE + 64;

export interface Likeness {
  /** Structural similarity, 1 for equal texels; null: it was not compared. */
  readonly ssim: number | null;
  /** Peak signal-to-noise ratio in decibels; null: the texels are equal, or were not compared. */
  readonly psnr: number | null;
}

const EQUAL: Likeness = { ssim: 1, psnr: null };
const UNKNOWN: Likeness = { ssim: null, psnr: null };

const opaque = (pixels: number): Uint8Array => new Uint8Array(pixels).fill(255);

function pictureOf({ width, height, data }: Pixels): Picture {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, from = 0; i < rgb.length; i += 3, from += 4) {
    rgb[i] = data[from];
    rgb[i + 1] = data[from + 1];
    rgb[i + 2] = data[from + 2];
  }
  return { width, height, rgb, coverage: opaque(width * height) };
}

/** A part of a mip, in texels of the mip. */
interface Part {
  readonly picture: Picture;
  readonly x: number;
  readonly y: number;
}

/** The middle blocks of a mip, or all of one that is not large. */
function middle(utex: SoundUtex, level: number): Part {
  const { width, height, bytes } = utex.mips[level];
  const { blockWidth, blockHeight, blockBytes } = utex.header.format;
  const span = (length: number, block: number) => {
    const all = Math.ceil(length / block);
    const some = Math.floor(CUT_SIDE / block);
    return length <= CUT_SIDE
      ? { first: 0, blocks: all, length }
      : { first: Math.floor((all - some) / 2), blocks: some, length: some * block };
  };
  const across = span(width, blockWidth);
  const down = span(height, blockHeight);
  const row = Math.ceil(width / blockWidth) * blockBytes;
  const cut = new Uint8Array(across.blocks * down.blocks * blockBytes);
  for (let i = 0; i < down.blocks; i++) {
    const from = (down.first + i) * row + across.first * blockBytes;
    cut.set(bytes.subarray(from, from + across.blocks * blockBytes), i * across.blocks * blockBytes);
  }
  const mip = { ...utex.mips[level], width: across.length, height: down.length, bytes: cut };
  const picture = pictureOf(decodeMip({ ...utex, mips: [mip] }, 0));
  return { picture, x: across.first * blockWidth, y: down.first * blockHeight };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The middle of a texture as it is seen in a size, from a mip that is sampled between its texels. */
function sampled({ picture, x: left, y: top }: Part, mip: Size, seen: Size): Picture {
  const width = Math.min(seen.width, COMPARED_SIDE);
  const height = Math.min(seen.height, COMPARED_SIDE);
  const [firstX, firstY] = [(seen.width - width) >> 1, (seen.height - height) >> 1];
  const { rgb } = picture;
  const to = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const atY = ((firstY + y + 0.5) * mip.height) / seen.height - 0.5 - top;
    const heldY = Math.max(0, Math.min(picture.height - 1, atY));
    const y0 = Math.floor(heldY);
    const y1 = Math.min(picture.height - 1, y0 + 1);
    for (let x = 0; x < width; x++) {
      const atX = ((firstX + x + 0.5) * mip.width) / seen.width - 0.5 - left;
      const heldX = Math.max(0, Math.min(picture.width - 1, atX));
      const x0 = Math.floor(heldX);
      const x1 = Math.min(picture.width - 1, x0 + 1);
      const [s, t] = [heldX - x0, heldY - y0];
      for (let c = 0; c < 3; c++) {
        const above = rgb[(y0 * picture.width + x0) * 3 + c] * (1 - s) + rgb[(y0 * picture.width + x1) * 3 + c] * s;
        const below = rgb[(y1 * picture.width + x0) * 3 + c] * (1 - s) + rgb[(y1 * picture.width + x1) * 3 + c] * s;
        to[(y * width + x) * 3 + c] = Math.round(above * (1 - t) + below * t);
      }
    }
  }
  return { width, height, rgb: to, coverage: opaque(width * height) };
}

/**
 * How like a texture a smaller one looks that has `side` texels along its longer side, where so many of the whole one's are seen.
 * `isWhole`: the file has all mips of the texture.
 */
function compareSizes(file: Uint8Array, path: string, side: number, seenTexels: number, isWhole: boolean): Likeness {
  const utex = readUtex(file, path);
  const longer = utex.mips.map((mip) => Math.max(mip.width, mip.height));
  const enough = Math.max(
    0,
    longer.findLastIndex((one) => one >= seenTexels),
  );
  const left = longer.findIndex((one) => one <= side);
  // Every mip that is kept may be smaller than what is seen.
  if (left <= enough) return isWhole || longer[enough] >= seenTexels ? EQUAL : UNKNOWN;
  const [finer, coarser] = [utex.mips[enough], utex.mips[left]];
  const share = Math.min(1, seenTexels / longer[enough]);
  const seen = {
    width: Math.max(1, Math.round(finer.width * share)),
    height: Math.max(1, Math.round(finer.height * share)),
  };
  const whole = sampled(middle(utex, enough), finer, seen);
  const { ssim, psnr } = compareBytes(whole, sampled(middle(utex, left), coarser, seen));
  return { ssim, psnr: Number.isFinite(psnr) ? psnr : null };
}

export class Originals {
  readonly #kept = new Map<TextureFamily, Uint8Array>();
  readonly #facts: OutputFacts;
  readonly #families: readonly TextureFamily[];
  readonly #known = new Map<TextureFamily, { readonly dropped: number; readonly likeness: Likeness }>();

  /** `facts`: of the output with whole textures. */
  constructor(families: readonly TextureFamily[], facts: OutputFacts) {
    this.#facts = facts;
    this.#families = families;
  }

  /** Compares what is decided while the whole textures are there, and keeps what later decisions need. */
  leave(decided: ReadonlyMap<TextureFamily, number>, seenTexels: (family: TextureFamily) => number): void {
    let kept = MAX_SIDE;
    while (kept > MIN_SIDE && this.#families.length * kept * kept > MAX_TEXELS) kept /= 2;
    for (const family of this.#families) {
      const whole = this.#facts.textureFile(family.path);
      const dropped = decided.get(family);
      if (dropped !== undefined) {
        const likeness = compareSizes(whole, family.path, sideOf(family, dropped), seenTexels(family), true);
        this.#known.set(family, { dropped, likeness });
      }
      const first = family.sizes.findIndex((_, i) => sideOf(family, i) <= kept);
      this.#kept.set(family, first <= 0 ? whole : smallerUtex(whole)[first - 1].bytes);
    }
  }

  /** How like the whole texture its smaller one looks where so many texels of the whole one's longer side are seen. */
  compare(family: TextureFamily, dropped: number, seenTexels: number): Likeness {
    const known = this.#known.get(family);
    if (known?.dropped === dropped) return known.likeness;
    const kept = this.#kept.get(family);
    if (kept === undefined) throw new Error(`${family.path} was not kept`);
    return compareSizes(kept, family.path, sideOf(family, dropped), seenTexels, false);
  }
}

const sideOf = ({ sizes }: TextureFamily, dropped: number): number =>
  Math.max(sizes[dropped].width, sizes[dropped].height);
