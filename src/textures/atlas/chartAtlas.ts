// The atlas of a proxy: the pictures of its charts, and one cell for each colour of charts that show nothing but it.

import { sha256Hex } from '../../bytes/sha256.ts';
import { MAX_PALETTE_COLORS } from '../../scene/palette.ts';
import { encodePng } from '../encode/png.ts';
import { textureName } from '../name.ts';
import type { PreparedTexture } from '../types.ts';
import { type AtlasLayout, type AtlasRoom, atlasLayout, colorUv, type PixelRect } from './atlasLayout.ts';
import { type ChartPicture, type ColorAndEmission, colorByte, type Rgb } from './chartPicture.ts';

/** Texture flags of the container: colours encoded as sRGB, emission. */
const FLAG_SRGB = 1;
const FLAG_EMISSIVE = 64;

/** Border of a chart in texels: bilinear samples of the first two mips stay inside. */
export const CHART_GUTTER = 2;
/** Charts with their borders stand at multiples of this, so that the first three mips mix no two charts. */
const CHART_STEP = 4;

/** No eye sees less emission than this. */
const LEAST_EMISSION = 0.004;

/** A picture whose bytes differ by no more from their mean is one colour, and two such colours are one. */
const UNSEEN_SPREAD = 2;
const SAME_COLOR = 1;

/** Where a chart's picture is. */
export type ChartPlace =
  /** The UV of all its corners. */
  | { readonly uv: readonly [number, number] }
  /** The pixels of its texels, without the border. */
  | { readonly rect: PixelRect };

export interface ChartAtlas {
  readonly texture: PreparedTexture;
  /** Emission in the same places, and the factor that its texels are multiplied by; null: nothing gives light. */
  readonly emission: { readonly texture: PreparedTexture; readonly factor: number } | null;
  /** One a picture. */
  readonly places: readonly ChartPlace[];
}

const roomOf = (most: number): AtlasRoom => ({ sides: [most], gutter: CHART_GUTTER, step: CHART_STEP, most });

/** The least side that holds all colours of a palette: where pictures are of one texel each, there is always room. */
export const LEAST_SIDE = 128;

/** Whether pictures of these sizes have room in an atlas with sides up to `most`, at least LEAST_SIDE. */
export function haveRoom(sizes: readonly PictureSize[], most: number): boolean {
  const largest = most - 2 * CHART_GUTTER;
  if (sizes.some(({ width, height }) => Math.max(width, height) > largest)) return false;
  const images = sizes.filter((size) => !isTexel(size)).map(({ width, height }) => ({ name: '', width, height }));
  const colors = Math.min(MAX_PALETTE_COLORS, sizes.length - images.length);
  return atlasLayout(images, colors, roomOf(most)).images.every((rect) => rect !== null);
}

type PictureSize = Pick<ChartPicture, 'width' | 'height'>;
const isTexel = ({ width, height }: PictureSize): boolean => width === 1 && height === 1;

/** The atlas, with sides up to `most`; null where that is too small. At least one picture, all made with CHART_GUTTER. */
export async function chartAtlas(pictures: readonly ChartPicture[], most: number): Promise<ChartAtlas | null> {
  // 1. Colours and pictures.
  let factor = 0;
  for (const { emission } of pictures) for (const light of emission ?? []) if (light > factor) factor = light;
  const light = factor < LEAST_EMISSION ? 0 : 1 / factor;
  const colors = new Colors(light);
  const cells = pictures.map((picture) =>
    picture.spread <= UNSEEN_SPREAD || isTexel(picture) ? colors.add(picture.mean) : -1,
  );
  const pictured = pictures.filter((_, i) => cells[i] < 0);
  const images = pictured.map(({ width, height }) => ({ name: '', width, height }));
  const layout = atlasLayout(images, colors.count, roomOf(most));
  if (layout.images.some((rect) => rect === null)) return null;

  // 2. Texels.
  const mean = meanOf(pictures);
  const color = paint(layout, pictured, colors, mean, { layer: 'color', scale: 1 });
  const texture = await textureOf('atlas', color, layout, FLAG_SRGB);
  const glow = light > 0 ? paint(layout, pictured, colors, mean, { layer: 'emission', scale: light }) : null;
  const emission = glow && {
    texture: await textureOf('atlas_emission', glow, layout, FLAG_SRGB | FLAG_EMISSIVE),
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
  const background = mean[layer].map((value) => colorByte(value * scale));
  for (let i = 0; i < data.length; i++) data[i] = background[i % 3];
  pictured.forEach((picture, i) => {
    const { x, y } = images[i] as PixelRect;
    const values = layer === 'color' ? picture.colors : picture.emission;
    const across = (picture.width + 2 * CHART_GUTTER) * 3;
    for (let row = 0, from = 0; row < picture.height + 2 * CHART_GUTTER; row++) {
      const to = ((y - CHART_GUTTER + row) * width + x - CHART_GUTTER) * 3;
      for (let k = 0; k < across; k++) data[to + k] = values === null ? 0 : colorByte(values[from++] * scale);
    }
  });
  if (palette) {
    const { columns, cell, width: across, height: down } = palette.layout;
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        const i = Math.min(colors.count - 1, Math.floor(y / cell) * columns + Math.floor(x / cell));
        data.set(colors.bytes(i)[layer], ((palette.y + y) * width + palette.x + x) * 3);
      }
    }
  }
  return data;
}

async function textureOf(
  stem: string,
  data: Uint8Array,
  { width, height }: AtlasLayout,
  flags: number,
): Promise<PreparedTexture> {
  const bytes = await encodePng(data, width, height, false);
  const sha256 = sha256Hex(bytes);
  return { fileName: textureName(stem, sha256, 'png', new Set()), bytes, sha256, width, height, flags };
}

function meanOf(pictures: readonly ChartPicture[]): ColorAndEmission {
  const sums = new Float64Array(6);
  let weight = 0;
  for (const { mean, width, height } of pictures) {
    weight += width * height;
    [...mean.color, ...mean.emission].forEach((value, k) => {
      sums[k] += value * width * height;
    });
  }
  const [r, g, b, er, eg, eb] = sums.map((sum) => sum / weight);
  return { color: [r, g, b], emission: [er, eg, eb] };
}

type Bytes = readonly [number, number, number];

interface ColorBytes {
  readonly color: Bytes;
  readonly emission: Bytes;
}

/** Colours with their emission that differ by more than SAME_COLOR; beyond those that a palette holds, the nearest one is taken. */
class Colors {
  readonly #bytes: ColorBytes[] = [];
  readonly #light: number;

  /** `light`: what emission is multiplied by. */
  constructor(light: number) {
    this.#light = light;
  }

  get count(): number {
    return this.#bytes.length;
  }

  bytes(i: number): ColorBytes {
    return this.#bytes[i];
  }

  /** The number of a linear colour. */
  add({ color, emission }: ColorAndEmission): number {
    const own = { color: bytesOf(color, 1), emission: bytesOf(emission, this.#light) };
    let nearest = -1;
    let least = Infinity;
    for (const [i, other] of this.#bytes.entries()) {
      const apart = Math.max(difference(own.color, other.color), difference(own.emission, other.emission));
      if (apart >= least) continue;
      least = apart;
      nearest = i;
    }
    if (least <= SAME_COLOR || this.#bytes.length === MAX_PALETTE_COLORS) return nearest;
    this.#bytes.push(own);
    return this.#bytes.length - 1;
  }
}

const bytesOf = ([r, g, b]: Rgb, scale: number): Bytes => [
  colorByte(r * scale),
  colorByte(g * scale),
  colorByte(b * scale),
];

const difference = (a: Bytes, b: Bytes): number =>
  Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
