// The atlas of a proxy: the pictures of its charts, and one cell for each colour of charts that show nothing but it.

import { sha256Hex } from '../../bytes/sha256.ts';
import { MAX_PALETTE_COLORS } from '../../scene/palette.ts';
import { encodePng } from '../encode/png.ts';
import { textureName } from '../name.ts';
import type { PreparedTexture } from '../types.ts';
import { type AtlasRoom, atlasLayout, colorUv, type PixelRect } from './atlasLayout.ts';
import { type ChartPicture, colorByte, type Rgb } from './chartPicture.ts';

/** Texture flag of the container: colours encoded as sRGB. */
const FLAG_SRGB = 1;

/** Border of a chart in texels: bilinear samples of the first two mips stay inside. */
export const CHART_GUTTER = 2;
/** Charts with their borders stand at multiples of this, so that the first three mips mix no two charts. */
const CHART_STEP = 4;

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
  const colors = new Colors();
  const cells = pictures.map((picture) =>
    picture.spread <= UNSEEN_SPREAD || isTexel(picture) ? colors.add(picture.mean) : -1,
  );
  const pictured = pictures.filter((_, i) => cells[i] < 0);
  const images = pictured.map(({ width, height }) => ({ name: '', width, height }));
  const layout = atlasLayout(images, colors.count, roomOf(most));
  if (layout.images.some((rect) => rect === null)) return null;

  // 2. Texels. What nobody reads has the mean of all, which far mips show.
  const { width, height, palette } = layout;
  const data = new Uint8Array(width * height * 3);
  const background = meanOf(pictures).map(colorByte);
  for (let i = 0; i < data.length; i++) data[i] = background[i % 3];
  pictured.forEach((picture, i) => {
    const { x, y } = layout.images[i] as PixelRect;
    const across = (picture.width + 2 * CHART_GUTTER) * 3;
    for (let row = 0; row < picture.height + 2 * CHART_GUTTER; row++) {
      const to = ((y - CHART_GUTTER + row) * width + x - CHART_GUTTER) * 3;
      data.set(picture.data.subarray(row * across, (row + 1) * across), to);
    }
  });
  if (palette) {
    const { columns, cell, width: across, height: down } = palette.layout;
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        const i = Math.min(colors.count - 1, Math.floor(y / cell) * columns + Math.floor(x / cell));
        data.set(colors.bytes(i), ((palette.y + y) * width + palette.x + x) * 3);
      }
    }
  }

  // 3. Places.
  let next = 0;
  const places = cells.map(
    (cell): ChartPlace =>
      cell < 0 ? { rect: layout.images[next++] as PixelRect } : { uv: colorUv(layout, cell) },
  );
  const bytes = await encodePng(data, width, height, false);
  const sha256 = sha256Hex(bytes);
  const fileName = textureName('atlas', sha256, 'png', new Set());
  return { texture: { fileName, bytes, sha256, width, height, flags: FLAG_SRGB }, places };
}

function meanOf(pictures: readonly ChartPicture[]): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  let weight = 0;
  for (const { mean, width, height } of pictures) {
    weight += width * height;
    for (let c = 0; c < 3; c++) sums[c] += mean[c] * width * height;
  }
  return [sums[0] / weight, sums[1] / weight, sums[2] / weight];
}

/** sRGB colours that differ by more than SAME_COLOR; beyond those that a palette holds, the nearest one is taken. */
class Colors {
  readonly #bytes: (readonly [number, number, number])[] = [];

  get count(): number {
    return this.#bytes.length;
  }

  bytes(i: number): readonly [number, number, number] {
    return this.#bytes[i];
  }

  /** The number of a linear colour. */
  add([r, g, b]: Rgb): number {
    const color = [colorByte(r), colorByte(g), colorByte(b)] as const;
    let nearest = -1;
    let least = Infinity;
    for (const [i, other] of this.#bytes.entries()) {
      const difference = Math.max(...color.map((byte, c) => Math.abs(byte - other[c])));
      if (difference >= least) continue;
      least = difference;
      nearest = i;
    }
    if (least <= SAME_COLOR || this.#bytes.length === MAX_PALETTE_COLORS) return nearest;
    this.#bytes.push(color);
    return this.#bytes.length - 1;
  }
}
