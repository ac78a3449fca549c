// The atlas of a proxy: the pictures of its charts, and one cell for each colour of charts that show nothing but it.

import { MAX_PALETTE_COLORS } from '../../scene/palette.ts';
import type { PaintedTexture, TexelImage, TextureFiles } from '../types.ts';
import { type AtlasLayout, type AtlasRoom, atlasLayout, colorUv, type PixelRect } from './atlasLayout.ts';
import { type ChartPicture, type ColorAndEmission, colorByte } from './chartPicture.ts';
import { madeTexture } from './madeTexture.ts';

/** Texture flags of the container: colours encoded as sRGB, emission. */
const FLAG_SRGB = 1;
const FLAG_EMISSIVE = 64;

/** Border of a chart in texels: bilinear samples of the first two mips stay inside. */
export const CHART_GUTTER = 2;
/** Charts with their borders stand at multiples of this, so that the first three mips mix no two charts. */
const CHART_STEP = 4;

/** No eye sees less emission than this. */
const MIN_EMISSION = 0.004;

/** Two colours whose bytes differ by no more are one. */
const SAME_COLOR = 1;

/** Where a chart's picture is. */
export type ChartPlace =
  /** The UV of all its corners. */
  | { readonly uv: readonly [number, number] }
  /** The pixels of its texels, without the border. */
  | { readonly rect: PixelRect };

export interface ChartAtlas {
  readonly texture: PaintedTexture;
  /** Emission in the same places, and the factor that its texels are multiplied by; null: nothing gives light. */
  readonly emission: { readonly texture: PaintedTexture; readonly factor: number } | null;
  /** One a picture. */
  readonly places: readonly ChartPlace[];
}

const roomOf = (max: number): AtlasRoom => ({ sides: [max], gutter: CHART_GUTTER, step: CHART_STEP, max });

/** The least side that holds all colours of a palette: where pictures are of one texel each, there is always room. */
export const MIN_SIDE = 128;

/** Whether pictures of these sizes have room in an atlas with sides up to `max`, at least MIN_SIDE. */
export function haveRoom(sizes: readonly PictureSize[], max: number): boolean {
  const largest = max - 2 * CHART_GUTTER;
  let area = 0;
  for (const size of sizes) {
    const { width, height } = size;
    if (Math.max(width, height) > largest) return false;
    if (!isTexel(size)) area += (width + 2 * CHART_GUTTER) * (height + 2 * CHART_GUTTER);
  }
  if (area > max * max) return false;
  const images = sizes.filter((size) => !isTexel(size)).map(({ width, height }) => ({ name: '', width, height }));
  const colors = Math.min(MAX_PALETTE_COLORS, sizes.length - images.length);
  return atlasLayout(images, colors, roomOf(max)).images.every((rect) => rect !== null);
}

type PictureSize = Pick<ChartPicture, 'width' | 'height'>;
const isTexel = ({ width, height }: PictureSize): boolean => width === 1 && height === 1;

/** The atlas, with sides up to `max`; null where that is too small. At least one picture, all made with CHART_GUTTER. */
export async function chartAtlas(
  pictures: readonly ChartPicture[],
  max: number,
  files: TextureFiles,
  stem = 'atlas',
): Promise<ChartAtlas | null> {
  // 1. Colours and pictures.
  let factor = 0;
  for (const { maxLight } of pictures) if (maxLight > factor) factor = maxLight;
  const light = factor < MIN_EMISSION ? 0 : 1 / factor;
  const colors = new Colors(light);
  const cells = pictures.map((picture) =>
    picture.colors === null || isTexel(picture) ? colors.add(picture.mean) : -1,
  );
  const pictured = pictures.filter((_, i) => cells[i] < 0);
  const images = pictured.map(({ width, height }) => ({ name: '', width, height }));
  const layout = atlasLayout(images, colors.count, roomOf(max));
  if (layout.images.some((rect) => rect === null)) return null;

  // 2. Texels.
  const mean = meanOf(pictures);
  const color = paint(layout, pictured, colors, mean, { layer: 'color', scale: 1 });
  const texture = await madeTexture(imageOf(color, layout), stem, FLAG_SRGB, files);
  const glow = light > 0 ? paint(layout, pictured, colors, mean, { layer: 'emission', scale: light }) : null;
  const emission = glow && {
    texture: await madeTexture(imageOf(glow, layout), `${stem}_emission`, FLAG_SRGB | FLAG_EMISSIVE, files),
    factor,
  };

  // 3. Places.
  let next = 0;
  const places = cells.map(
    (cell): ChartPlace => (cell < 0 ? { rect: layout.images[next++] as PixelRect } : { uv: colorUv(layout, cell) }),
  );
  return { texture, emission, places };
}

interface Layer {
  readonly layer: 'color' | 'emission';
  /** Values are multiplied by it and then 0 to 1. */
  readonly scale: number;
}

/** sRGB bytes of one layer. What nobody reads has the mean of all, which far mips show. */
function paint(
  { width, height, palette, images }: AtlasLayout,
  pictured: readonly ChartPicture[],
  colors: Colors,
  mean: ColorAndEmission,
  { layer, scale }: Layer,
): Uint8Array {
  const data = new Uint8Array(width * height * 3);
  for (let k = 0; k < 3; k++) data[k] = colorByte(mean[layer][k] * scale);
  for (let filled = 3; filled < data.length; filled *= 2) data.copyWithin(filled, 0, filled);
  pictured.forEach((picture, i) => {
    const { x, y } = images[i] as PixelRect;
    const across = (picture.width + 2 * CHART_GUTTER) * 3;
    for (let row = 0, from = 0; row < picture.height + 2 * CHART_GUTTER; row++, from += across) {
      const to = ((y - CHART_GUTTER + row) * width + x - CHART_GUTTER) * 3;
      if (layer === 'color') data.set((picture.colors as Uint8Array).subarray(from, from + across), to);
      else paintLight(picture.emission, from, scale, data.subarray(to, to + across));
    }
  });
  if (palette) {
    const { columns, cell, width: across, height: down } = palette.layout;
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        const i = Math.min(colors.count - 1, Math.floor(y / cell) * columns + Math.floor(x / cell));
        data.set(colors.bytes(i, layer), ((palette.y + y) * width + palette.x + x) * 3);
      }
    }
  }
  return data;
}

/** sRGB bytes of a row of emission. */
function paintLight(values: Float32Array | null, from: number, scale: number, to: Uint8Array): void {
  for (let k = 0; k < to.length; k++) to[k] = values === null ? 0 : colorByte(values[from + k] * scale);
}

function imageOf(data: Uint8Array, { width, height }: AtlasLayout): TexelImage {
  return { width, height, data, channels: 3, alpha: false };
}

function meanOf(pictures: readonly ChartPicture[]): ColorAndEmission {
  const sums = new Float64Array(6);
  let weight = 0;
  for (const { mean, width, height } of pictures) {
    weight += width * height;
    for (let k = 0; k < 3; k++) {
      sums[k] += mean.color[k] * width * height;
      sums[3 + k] += mean.emission[k] * width * height;
    }
  }
  const [r, g, b, er, eg, eb] = sums.map((sum) => sum / weight);
  return { color: [r, g, b], emission: [er, eg, eb] };
}

/** Bytes of a colour: its own and those of its emission. */
const BYTES = 6;

/** Colours with their emission that differ by more than SAME_COLOR; beyond those that a palette holds, the nearest one is taken. */
class Colors {
  readonly #bytes = new Uint8Array(MAX_PALETTE_COLORS * BYTES);
  readonly #own = new Uint8Array(BYTES);
  readonly #light: number;
  #count = 0;

  /** `light`: what emission is multiplied by. */
  constructor(light: number) {
    this.#light = light;
  }

  get count(): number {
    return this.#count;
  }

  bytes(i: number, layer: Layer['layer']): Uint8Array {
    const first = i * BYTES + (layer === 'color' ? 0 : 3);
    return this.#bytes.subarray(first, first + 3);
  }

  /** The number of a linear colour. */
  add({ color, emission }: ColorAndEmission): number {
    const own = this.#own;
    for (let k = 0; k < 3; k++) {
      own[k] = colorByte(color[k]);
      own[3 + k] = colorByte(emission[k] * this.#light);
    }
    const all = this.#bytes;
    let nearest = -1;
    let min = Infinity;
    for (let i = 0; i < this.#count && min > 0; i++) {
      let apart = 0;
      for (let k = 0; k < BYTES; k++) {
        const difference = Math.abs(own[k] - all[i * BYTES + k]);
        if (difference > apart) apart = difference;
      }
      if (apart >= min) continue;
      min = apart;
      nearest = i;
    }
    if (min <= SAME_COLOR || this.#count === MAX_PALETTE_COLORS) return nearest;
    all.set(own, this.#count * BYTES);
    return this.#count++;
  }
}
