// Where images and plain colours lie in an atlas: on shelves, each with a border of its own texels. Pure numbers, for who
// paints an atlas (atlas.ts) and for who points UVs into it.

import { type PaletteLayout, paletteLayout, paletteUv } from '../../scene/palette.ts';

/** Pixels along an atlas's longer side at most. */
export const MAX_ATLAS_SIDE = 1024;

/** Sides that images are made smaller to, until all have room. */
const IMAGE_SIDES = [128, 64, 32];

/** Edge texels repeated around an image: no neighbour is seen in bilinear samples of the first three mips. */
export const GUTTER = 4;

/** Everything stands at whole cells of a palette, so that the centres of those are exact in half floats. */
const STEP = 8;

/** How images lie in an atlas. */
export interface AtlasRoom {
  /** Longer sides that images are made smaller to, until all have room. */
  readonly sides: readonly number[];
  /** Edge texels repeated around an image. */
  readonly gutter: number;
  /** Boxes of images with their gutters stand at multiples of this, a power of two: mips down to one texel a step mix none. */
  readonly step: number;
  /** Pixels along the atlas's longer side at most. */
  readonly most: number;
}

const FOR_TEXTURES: AtlasRoom = { sides: IMAGE_SIDES, gutter: GUTTER, step: STEP, most: MAX_ATLAS_SIDE };

/** Left, bottom, right and top in UVs, V up. */
export type UvRect = readonly [number, number, number, number];

export interface AtlasImage {
  /** Orders images of one height. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** In pixels from the top left. */
export interface PixelRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface AtlasLayout {
  /** Powers of two up to 1024. */
  readonly width: number;
  readonly height: number;
  /** One an image, without its gutter and not larger than the image was; null: there is no room for it. */
  readonly images: readonly (PixelRect | null)[];
  /** Plain colours; null: there are none. */
  readonly palette: { readonly x: number; readonly y: number; readonly layout: PaletteLayout } | null;
}

/** What takes room: an image with its gutter, or all colours. */
interface Box {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** -1: the colours. */
  readonly image: number;
  /** Of the image itself. */
  readonly inner: { readonly width: number; readonly height: number };
}

/**
 * The smallest atlas for some images and 0 to 256 colours. Images keep their shape, their longer side up to 128 pixels, or
 * 64 or 32 where they would not fit otherwise (or other `sides`); of the least side, the highest that fit are in.
 */
export function atlasLayout(images: readonly AtlasImage[], colors: number, room = FOR_TEXTURES): AtlasLayout {
  const { sides, gutter, most } = room;
  const palette = colors === 0 ? null : paletteLayout(colors);
  const placed = (boxes: readonly Box[], width: number, height: number, mayLeave: boolean): AtlasLayout | null => {
    const rects: (PixelRect | null)[] = images.map(() => null);
    let at = { x: 0, y: 0 };
    for (const [i, corner] of onShelves(boxes, width, height).entries()) {
      const { image, inner } = boxes[i];
      if (corner === null && !mayLeave) return null;
      if (corner === null) continue;
      if (image < 0) at = corner;
      else rects[image] = { x: corner.x + gutter, y: corner.y + gutter, ...inner };
    }
    return { width, height, images: rects, palette: palette && { ...at, layout: palette } };
  };
  for (const side of sides) {
    const boxes = boxesOf(images, side, palette, room);
    for (let width = STEP, height = STEP; width <= most; ) {
      const layout = placed(boxes, width, height, false);
      if (layout) return layout;
      if (width === height) width *= 2;
      else height *= 2;
    }
  }
  // Colours come first: they fit nowhere else.
  const boxes = boxesOf(images, sides[sides.length - 1], palette, room);
  boxes.sort((a, b) => Math.min(a.image, 0) - Math.min(b.image, 0));
  return placed(boxes, most, most, true) as AtlasLayout;
}

/** The UVs that an image fills. */
export function imageUv({ width, height }: AtlasLayout, rect: PixelRect): UvRect {
  return [rect.x / width, 1 - (rect.y + rect.height) / height, (rect.x + rect.width) / width, 1 - rect.y / height];
}

/** The centre of colour `i`, V up: exact in half floats. */
export function colorUv({ width, height, palette }: AtlasLayout, i: number): [number, number] {
  if (palette === null) throw new RangeError('an atlas without colours');
  const { x, y, layout } = palette;
  const [u, v] = paletteUv(layout, i);
  return [(x + u * layout.width) / width, 1 - (y + (1 - v) * layout.height) / height];
}

/** The size of an image with its longer side at most `side`. */
function sized({ width, height }: AtlasImage, side: number): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The highest first, then by name. */
function boxesOf(
  images: readonly AtlasImage[],
  side: number,
  palette: PaletteLayout | null,
  { gutter, step }: AtlasRoom,
): Box[] {
  const outer = (pixels: number) => Math.ceil((pixels + 2 * gutter) / step) * step;
  const boxes = images.map((image, i): Box => {
    const inner = sized(image, side);
    return { name: image.name, width: outer(inner.width), height: outer(inner.height), image: i, inner };
  });
  if (palette) {
    const { width, height } = palette;
    boxes.push({ name: '', width, height, image: -1, inner: { width, height } });
  }
  return boxes.sort((a, b) => b.height - a.height || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.image - b.image));
}

/** The top left corner of each box, from left to right on shelves from the top; null for what has no room. */
function onShelves(boxes: readonly Box[], width: number, height: number): ({ x: number; y: number } | null)[] {
  let x = 0;
  let top = 0;
  let bottom = 0;
  return boxes.map((box) => {
    const beside = x + box.width <= width && top + box.height <= bottom;
    const corner = beside ? { x, y: top } : { x: 0, y: bottom };
    if (corner.x + box.width > width || corner.y + box.height > height) return null;
    x = corner.x + box.width;
    top = corner.y;
    bottom = Math.max(bottom, top + box.height);
    return corner;
  });
}
