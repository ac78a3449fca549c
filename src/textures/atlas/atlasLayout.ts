// Chooses the rectangles of images and plain colours in an atlas: images lie on shelves, each with a border of its own
// texels. Works on sizes alone; atlas.ts paints the pixels, and meshes get UVs into the rectangles.

import { type PaletteLayout, paletteLayout, paletteUv } from '../../scene/palette.ts';

/** Most pixels along a side of an atlas. */
export const MAX_ATLAS_SIDE = 1024;

/** Images are reduced until their longer side has this many pixels: to the first of these with which all have room. */
const IMAGE_SIDES = [128, 64, 32];

/** How often the edge texels are repeated around an image, so that bilinear samples of mips 0 to 2 see no neighbour. */
export const GUTTER = 4;

/** Positions are multiples of a palette cell's side, so that the centres of palette cells are exact in half floats. */
const STEP = 8;

/** How images are placed in an atlas. */
export interface AtlasRoom {
  /** Images are reduced until their longer side has this many pixels: to the first of these with which all have room. */
  readonly sides: readonly number[];
  /** How often the edge texels are repeated around an image. */
  readonly gutter: number;
  /**
   * Images with their gutters begin at multiples of this power of two, so that mips of at least one texel for each such
   * step mix no images.
   */
  readonly step: number;
  /** Most pixels along a side of the atlas. */
  readonly max: number;
}

const FOR_TEXTURES: AtlasRoom = { sides: IMAGE_SIDES, gutter: GUTTER, step: STEP, max: MAX_ATLAS_SIDE };

/** Left, bottom, right and top in UVs, V up. */
export type UvRect = readonly [number, number, number, number];

export interface AtlasImage {
  /** Decides the order of images of equal height. */
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
  /** For each image its rectangle, without its gutter and not larger than the image; null: there is no room for it. */
  readonly images: readonly (PixelRect | null)[];
  /** Plain colours; null: there are none. */
  readonly palette: { readonly x: number; readonly y: number; readonly layout: PaletteLayout } | null;
}

/** A rectangle to be placed: an image with its gutter, or the palette of all colours. */
interface Box {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Index of the image; -1: the palette. */
  readonly image: number;
  /** The size without the gutter. */
  readonly inner: { readonly width: number; readonly height: number };
}

/**
 * The smallest atlas for some images and 0 to 256 colours. Images keep their proportions. Their longer side has up to 128
 * pixels, or 64 or 32 (or the given `sides`) if they would not fit otherwise. If they do not fit with the least side
 * either, the highest ones get the room.
 */
export function atlasLayout(images: readonly AtlasImage[], colors: number, room = FOR_TEXTURES): AtlasLayout {
  const { sides, gutter, max } = room;
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
    const area = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
    for (let width = STEP, height = STEP; width <= max; ) {
      const layout = area <= width * height ? placed(boxes, width, height, false) : null;
      if (layout) return layout;
      if (width === height) width *= 2;
      else height *= 2;
    }
  }
  // Place the palette first: images may be left out, colours may not.
  const boxes = boxesOf(images, sides[sides.length - 1], palette, room);
  boxes.sort((a, b) => Math.min(a.image, 0) - Math.min(b.image, 0));
  return placed(boxes, max, max, true) as AtlasLayout;
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

/** The boxes to place, the highest first, then by name. */
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
    const [across, down] = [width, height].map((pixels) => Math.ceil(pixels / step) * step);
    boxes.push({ name: '', width: across, height: down, image: -1, inner: { width, height } });
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
