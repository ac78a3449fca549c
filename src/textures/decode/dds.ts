// DDS files (Microsoft's programming guide for DDS): blocks of BC1 to BC5 and BC7, and plain texels of up to 32 bits. The
// largest level of the first image counts; further faces of a cube, layers and slices are counted as pages.

import { addNormalZ, decodeBc1, decodeBc2, decodeBc3, decodeBc4, decodeBc5, hasAlphaBc1 } from './blocks/bc.ts';
import { decodeBc7, hasAlphaBc7 } from './blocks/bc7.ts';
import { ImageFault } from './fault.ts';
import { type CheckedImage, hasMagic, type ImageFormat } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';
import { sizeFault } from './sizeLimit.ts';

/** Magic number and header; a header of Direct3D 10 follows where the pixel format says so. */
const HEADER_BYTES = 128;
const HEADER_10_BYTES = 20;
const HEADER_SIZE = 124;
const FORMAT_SIZE = 32;
/** Flags of a pixel format. */
const HAS_ALPHA = 0x1;
const IS_ALPHA = 0x2;
const HAS_FOUR_CC = 0x4;
const IS_RGB = 0x40;
const IS_LUMINANCE = 0x20000;
/** Second word of capabilities. */
const IS_CUBE = 0x200;
const IS_VOLUME = 0x200000;
/** Values of fields of the Direct3D 10 header: miscFlag, resourceDimension and the alpha mode in miscFlags2. */
const IS_CUBE_10 = 0x4;
const DIMENSION_3D = 4;
const PREMULTIPLIED = 2;

type Decode = (bytes: Uint8Array, at: number, out: Uint8Array) => void;

/** A kind of block. */
interface Blocks {
  readonly bytes: 8 | 16;
  readonly decode: Decode;
  /** Whether the block may have alpha below 255; absent: none has. */
  readonly hasAlpha?: (bytes: Uint8Array, at: number) => boolean;
  readonly grey?: true;
}

/** Bits of red, green, blue and alpha in a texel; 0: it has none. A grey has its bits in `red`. */
interface Texels {
  readonly bits: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
  readonly grey: boolean;
}

const BC1: Blocks = { bytes: 8, decode: decodeBc1, hasAlpha: hasAlphaBc1 };
const BC2: Blocks = { bytes: 16, decode: decodeBc2, hasAlpha: () => true };
const BC3: Blocks = { bytes: 16, decode: decodeBc3, hasAlpha: () => true };
const BC7: Blocks = { bytes: 16, decode: decodeBc7, hasAlpha: hasAlphaBc7 };
const bc4 = (isSigned: boolean): Blocks => ({
  bytes: 8,
  decode: (bytes, at, out) => decodeBc4(bytes, at, out, isSigned),
  grey: true,
});
const bc5 = (isSigned: boolean): Blocks => ({
  bytes: 16,
  decode: (bytes, at, out) => decodeBc5(bytes, at, out, isSigned),
});

/** By four characters. */
const FOUR_CC: Readonly<Record<string, Blocks>> = {
  DXT1: BC1,
  DXT3: BC2,
  DXT5: BC3,
  ATI1: bc4(false),
  BC4U: bc4(false),
  BC4S: bc4(true),
  ATI2: bc5(false),
  BC5U: bc5(false),
  BC5S: bc5(true),
};

const texels = (bits: number, red: number, green: number, blue: number, alpha: number): Texels => ({
  bits,
  red,
  green,
  blue,
  alpha,
  grey: false,
});
const RGBA = texels(32, 0xff, 0xff00, 0xff0000, 0xff000000);
const BGRA = texels(32, 0xff0000, 0xff00, 0xff, 0xff000000);
const BGRX = texels(32, 0xff0000, 0xff00, 0xff, 0);
const GREY: Texels = { ...texels(8, 0xff, 0, 0, 0), grey: true };

/** By DXGI_FORMAT. A slot of a material says whether it is read as sRGB, so that both kinds are one. */
const DXGI: Readonly<Record<number, Blocks | Texels>> = {
  28: RGBA,
  29: RGBA,
  49: texels(16, 0xff, 0xff00, 0, 0),
  61: GREY,
  71: BC1,
  72: BC1,
  74: BC2,
  75: BC2,
  77: BC3,
  78: BC3,
  80: bc4(false),
  81: bc4(true),
  83: bc5(false),
  84: bc5(true),
  85: texels(16, 0xf800, 0x7e0, 0x1f, 0),
  86: texels(16, 0x7c00, 0x3e0, 0x1f, 0x8000),
  87: BGRA,
  88: BGRX,
  91: BGRA,
  93: BGRX,
  98: BC7,
  99: BC7,
  115: texels(16, 0xf00, 0xf0, 0xf, 0xf000),
};

export interface CheckedDds extends CheckedImage {
  readonly layout: Blocks | Texels;
  readonly dataAt: number;
}

const isBlocks = (layout: Blocks | Texels): layout is Blocks => 'decode' in layout;

const READABLE = 'only BC1 to BC5, BC7 and plain texels of 8 to 32 bits can be read';
const unsupported = (what: string) => new ImageFault('unsupported', `DDS image ${what}: ${READABLE}`);

/** What the texels are, by the header. */
function layoutOf(bytes: Uint8Array, view: DataView): Blocks | Texels | ImageFault {
  const flags = view.getUint32(80, true);
  if ((flags & HAS_FOUR_CC) !== 0) {
    const word = String.fromCharCode(...bytes.subarray(84, 88));
    if (word === 'DX10') {
      const format = view.getUint32(HEADER_BYTES, true);
      if ((view.getUint32(HEADER_BYTES + 16, true) & 7) === PREMULTIPLIED) {
        return unsupported('whose colours are multiplied by alpha');
      }
      return DXGI[format] ?? unsupported(`of DXGI format ${format}`);
    }
    if (Object.hasOwn(FOUR_CC, word)) return FOUR_CC[word];
    return unsupported(/^[\x21-\x7e]{4}$/.test(word) ? `of format ${word}` : `of format ${view.getUint32(84, true)}`);
  }
  const bits = view.getUint32(88, true);
  if (bits !== 8 && bits !== 16 && bits !== 24 && bits !== 32) return unsupported(`with ${bits} bits a texel`);
  const [red, green, blue, alpha] = [92, 96, 100, 104].map((at) => view.getUint32(at, true));
  const ownAlpha = (flags & (HAS_ALPHA | IS_ALPHA)) !== 0 ? alpha : 0;
  const within = (mask: number) => bits === 32 || mask < 2 ** bits;
  if (![red, green, blue, ownAlpha].every((mask) => within(mask) && isRun(mask))) {
    return new ImageFault('damaged', 'DDS image has channels that no texel of its bits has');
  }
  if (![red, green, blue, ownAlpha].some((mask) => mask !== 0)) {
    return new ImageFault('damaged', 'DDS image has no channel');
  }
  if ((flags & IS_RGB) !== 0) return texels(bits, red, green, blue, ownAlpha);
  if ((flags & IS_LUMINANCE) !== 0) return { ...texels(bits, red, 0, 0, ownAlpha), grey: true };
  if ((flags & IS_ALPHA) !== 0) return texels(bits, 0, 0, 0, ownAlpha);
  return unsupported('without RGB, luminance or alpha');
}

/** Whether the ones of a mask follow each other. */
function isRun(mask: number): boolean {
  if (mask === 0) return true;
  const run = mask / 2 ** lowestBit(mask);
  return ((run + 1) & run) === 0;
}

const lowestBit = (mask: number): number => 31 - Math.clz32(mask & -mask);

/** Bytes of the largest level. */
function dataBytes(layout: Blocks | Texels, width: number, height: number): number {
  if (isBlocks(layout)) return Math.ceil(width / 4) * Math.ceil(height / 4) * layout.bytes;
  return width * height * (layout.bits / 8);
}

function pagesOf(view: DataView, is10: boolean): number {
  const caps = view.getUint32(112, true);
  const depth = Math.max(1, view.getUint32(24, true));
  if (!is10) return (caps & IS_VOLUME) !== 0 ? depth : (caps & IS_CUBE) !== 0 ? 6 : 1;
  const [dimension, misc, layers] = [4, 8, 12].map((at) => view.getUint32(HEADER_BYTES + at, true));
  if (dimension === DIMENSION_3D) return depth;
  return Math.max(1, layers) * ((misc & IS_CUBE_10) !== 0 ? 6 : 1);
}

function checkDds(bytes: Uint8Array): CheckedDds | ImageFault {
  if (bytes.length < HEADER_BYTES) return new ImageFault('cut', 'DDS ends within its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(4, true) !== HEADER_SIZE || view.getUint32(76, true) !== FORMAT_SIZE) {
    return new ImageFault('damaged', 'DDS header does not have its size');
  }
  const is10 = (view.getUint32(80, true) & HAS_FOUR_CC) !== 0 && hasMagic(bytes, 'DX10', 84);
  const dataAt = HEADER_BYTES + (is10 ? HEADER_10_BYTES : 0);
  if (bytes.length < dataAt) return new ImageFault('cut', 'DDS ends within its second header');
  const layout = layoutOf(bytes, view);
  if (layout instanceof ImageFault) return layout;
  const [height, width] = [view.getUint32(12, true), view.getUint32(16, true)];
  const size = sizeFault(width, height);
  if (size) return size;
  const length = dataBytes(layout, width, height);
  if (dataAt + length > bytes.length) {
    return new ImageFault('cut', `DDS of ${width} x ${height} pixels ends at byte ${bytes.length}`);
  }
  return {
    width,
    height,
    grey: layout.grey === true,
    alpha: mayHaveAlpha(bytes, layout, dataAt, length),
    deep: false,
    pages: pagesOf(view, is10),
    copyable: false,
    layout,
    dataAt,
  };
}

function mayHaveAlpha(bytes: Uint8Array, layout: Blocks | Texels, dataAt: number, length: number): boolean {
  if (!isBlocks(layout)) return layout.alpha !== 0;
  if (!layout.hasAlpha) return false;
  for (let at = dataAt; at < dataAt + length; at += layout.bytes) if (layout.hasAlpha(bytes, at)) return true;
  return false;
}

function decodeBlocks(
  bytes: Uint8Array,
  { layout, width, height, dataAt }: CheckedDds & { layout: Blocks },
): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  const block = new Uint8Array(64);
  let at = dataAt;
  for (let y = 0; y < height; y += 4) {
    for (let x = 0; x < width; x += 4) {
      layout.decode(bytes, at, block);
      at += layout.bytes;
      const row = Math.min(4, width - x) * 4;
      for (let r = 0; r < 4 && y + r < height; r++) {
        data.set(block.subarray(r * 16, r * 16 + row), ((y + r) * width + x) * 4);
      }
    }
  }
  return data;
}

/** Eight bits of each value that a channel can have in a texel of up to 16 bits a channel. */
function widen(mask: number): { readonly shift: number; readonly values: Uint8Array } {
  const shift = lowestBit(mask);
  const most = mask / 2 ** shift;
  // Of more than eight bits the highest ones count.
  const drop = Math.max(0, Math.round(Math.log2(most + 1)) - 8);
  const top = Math.floor(most / 2 ** drop);
  return { shift: shift + drop, values: Uint8Array.from({ length: top + 1 }, (_, v) => Math.round((v * 255) / top)) };
}

function decodeTexels(
  bytes: Uint8Array,
  { layout, width, height, dataAt }: CheckedDds & { layout: Texels },
): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  const { bits, red, green, blue, alpha, grey } = layout;
  const step = bits / 8;
  const masks = grey ? [red, red, red, alpha] : [red, green, blue, alpha];
  for (const [c, mask] of masks.entries()) {
    if (mask === 0) {
      // A channel that is not there is 0, but alpha is 1.
      if (c === 3) for (let to = 3; to < data.length; to += 4) data[to] = 255;
      continue;
    }
    const { shift, values } = widen(mask);
    const top = values.length - 1;
    for (let from = dataAt, to = c; to < data.length; from += step, to += 4) {
      let value = bytes[from];
      for (let i = 1; i < step; i++) value |= bytes[from + i] << (i * 8);
      data[to] = values[(value >>> shift) & top];
    }
  }
  if (!grey && red !== 0 && green !== 0 && blue === 0 && alpha === 0) addNormalZ(data);
  return data;
}

async function decodeDds(bytes: Uint8Array, checked: CheckedDds): Promise<Pixels> {
  const { width, height, layout } = checked;
  const data = isBlocks(layout)
    ? decodeBlocks(bytes, { ...checked, layout })
    : decodeTexels(bytes, { ...checked, layout });
  return { width, height, data };
}

export const DDS: ImageFormat<CheckedDds> = {
  names: ['dds', 'vnd-ms.dds'],
  recognises: (bytes) => hasMagic(bytes, 'DDS '),
  check: checkDds,
  decode: decodeDds,
};
