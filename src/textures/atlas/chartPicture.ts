// The picture of a chart: its texels as the means of the samples in them, in linear light, with a border of texels like its
// own. Coverage decides: a window smaller than a texel shows by its share of it.

import type { Address, Kernel } from '../../kernel/kernel.ts';
import { ENCODE_STEPS, LINEAR_OF_SRGB_BYTE, srgbEncodeTable } from '../bake/color.ts';
import type { Pixels } from '../decode/pixels.ts';
import type { Mips } from './mips.ts';

/** Linear: a colour from 0 to 1 each, or light that is given, from 0 on. */
export type Rgb = readonly [number, number, number];

/** A factor and the image that it is multiplied into. */
export interface Tinted {
  readonly factor: Rgb;
  /** Repeats in both directions; null: white. */
  readonly mips: Mips | null;
}

/** What a surface has its look from. */
export interface ColorSource {
  readonly color: Tinted;
  /** Null: it gives no light. */
  readonly emission: Tinted | null;
}

/** What each sample of a chart shows: addresses in the kernel's memory (kernel/assembly/layout.ts). */
export interface PictureSamples {
  readonly sampling: Address;
}

export interface PictureRequest {
  /** Texels without the border. */
  readonly width: number;
  readonly height: number;
  /** Samples along a texel's side. */
  readonly samples: number;
  /** Texels of the border. */
  readonly gutter: number;
}

export interface ChartPicture {
  /** Texels without the border. */
  readonly width: number;
  readonly height: number;
  /** sRGB bytes, three a texel, including the border; null: every texel has the mean colour. */
  readonly colors: Uint8Array | null;
  /** Linear; null: none, or all is as the mean. */
  readonly emission: Float32Array | null;
  /** Of the texels that have samples. */
  readonly mean: ColorAndEmission;
  /** The largest value of the emission of any texel. */
  readonly maxLight: number;
}

export interface ColorAndEmission {
  readonly color: Rgb;
  readonly emission: Rgb;
}

/** What the kernel's `paintPicture` gives. */
const NOTHING = 0;
const PLAIN = 1;
const MISSING = 3;

/** Bytes of a `Source` and of an `ImageLevel` in the kernel's memory, and words of a `Painting`. */
const SOURCE_BYTES = 64;
const LEVEL_BYTES = 12;
const PAINTING_WORDS = 15;
/** Where a `Painting` names the level that is missing. */
const MISSING_AT = 12 * 4;

/** Float64 numbers a texel while samples are added, and of a mean. */
const SUMS = 7;

/** Makes pictures in the kernel's memory: to be used within one call of `kernel.within`. */
export class ChartPainter {
  readonly #memory: Kernel;
  readonly #painting: Address;
  readonly #sums: Address;
  readonly #colors: Address;
  readonly #emission: Address;
  readonly #bytes: Address;
  readonly #mean: Address;
  /** Images by their mips, and the texels of each level by its address: they are copied when a picture first needs them. */
  readonly #images = new Map<Mips, Address>();
  readonly #levels = new Map<Address, Pixels>();

  /**
   * `counts`: how many triangles have each of the sources, one after the other. `maxTexels`: of a picture, with its border.
   */
  constructor(memory: Kernel, sources: readonly ColorSource[], counts: readonly number[], maxTexels: number) {
    this.#memory = memory;
    const placed = this.#placeSources(sources);
    const sourceOf = memory.allocate(counts.reduce((sum, count) => sum + count, 0) * 4);
    let at = sourceOf;
    for (const [source, count] of counts.entries()) {
      memory.uint32(at, count).fill(source);
      at += count * 4;
    }
    this.#sums = memory.allocate(maxTexels * SUMS * 8);
    this.#colors = memory.allocate(maxTexels * 12);
    this.#emission = memory.allocate(maxTexels * 12);
    this.#bytes = memory.allocate(maxTexels * 3);
    const ring = memory.allocate(maxTexels * 2);
    this.#mean = memory.allocate(SUMS * 8);
    const tables = [memory.put(LINEAR_OF_SRGB_BYTE), memory.put(srgbEncodeTable())];
    const texels = [this.#sums, this.#colors, this.#emission, this.#bytes, ring, this.#mean, 0];
    this.#painting = memory.words(placed, sourceOf, 0, 0, 0, 0, ...texels, ...tables);
  }

  /** Null where no sample shows anything. */
  picture({ sampling }: PictureSamples, request: PictureRequest): ChartPicture | null {
    const memory = this.#memory;
    const { width, height, samples, gutter } = request;
    const words = memory.uint32(this.#painting, PAINTING_WORDS);
    words[2] = width;
    words[3] = height;
    words[4] = samples;
    words[5] = gutter;
    let result = memory.calls.paintPicture(this.#painting, sampling);
    for (; result === MISSING; result = memory.calls.paintPicture(this.#painting, sampling)) this.#placeMissing();
    if (result === NOTHING) return null;
    const sums = memory.float64(this.#mean, SUMS);
    const mean: ColorAndEmission = { color: [sums[0], sums[1], sums[2]], emission: [sums[3], sums[4], sums[5]] };
    const size = { width, height, mean, maxLight: sums[6] };
    if (result === PLAIN) return { ...size, colors: null, emission: null };
    const count = (width + 2 * gutter) * (height + 2 * gutter) * 3;
    const isLit = mean.emission.some((light) => light > 0);
    const emission = isLit ? memory.float32(this.#emission, count).slice() : null;
    return { ...size, colors: memory.uint8(this.#bytes, count).slice(), emission };
  }

  #placeSources(sources: readonly ColorSource[]): Address {
    const memory = this.#memory;
    const images = sources.map(({ color, emission }) => [
      this.#placeImage(color.mips),
      this.#placeImage(emission?.mips ?? null),
    ]);
    const placed = memory.allocate(sources.length * SOURCE_BYTES);
    sources.forEach(({ color, emission }, i) => {
      const at = placed + i * SOURCE_BYTES;
      memory.float64(at, 6).set([...color.factor, ...(emission?.factor ?? [0, 0, 0])]);
      memory.uint32(at + 48, 3).set([...images[i], emission === null ? 0 : 1]);
    });
    return placed;
  }

  /** Lays out the sizes of an image's levels; 0: there is no image. */
  #placeImage(mips: Mips | null): Address {
    if (mips === null) return 0;
    let image = this.#images.get(mips);
    if (image === undefined) {
      image = this.#memory.words(mips.length, ...mips.flatMap(({ width, height }) => [width, height, 0]));
      this.#images.set(mips, image);
      for (const [i, level] of mips.entries()) this.#levels.set(image + 4 + i * LEVEL_BYTES, level);
    }
    return image;
  }

  /** Copies the level of an image that the kernel has asked for. */
  #placeMissing(): void {
    const memory = this.#memory;
    const [missing] = memory.uint32(this.#painting + MISSING_AT, 1);
    const { data } = this.#levels.get(missing) as Pixels;
    const texels = memory.put(data);
    memory.uint32(missing, LEVEL_BYTES / 4)[2] = texels;
  }
}

/** Linear to an sRGB byte. */
export function colorByte(linear: number): number {
  return srgbEncodeTable()[Math.round(Math.max(0, Math.min(1, linear)) * ENCODE_STEPS)];
}
