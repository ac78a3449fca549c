// The layout of a .utex file, version 1: a cooked texture of UntoldEngine. A header of 64 bytes, a table of mips, then the
// mips from the largest to the smallest, each followed by zeros up to a multiple of 16 bytes. All numbers are
// little-endian. The engine's NativeTexFormat.swift decides what is loaded; its baker, texbake.py, what is usual.

export const MAGIC = 'UTEX\0\0\0\0';
export const VERSION = 1;
export const HEADER_BYTES = 64;
export const MIP_RECORD_BYTES = 16;
/** Mips begin at multiples of so many bytes. */
export const ALIGNMENT = 16;

/** Where each field of the header is. All are uint32 but the two of the block, which are uint8. */
export const HEADER = {
  version: 8,
  flags: 12,
  width: 16,
  height: 20,
  mipCount: 24,
  pixelFormat: 28,
  blockWidth: 32,
  blockHeight: 33,
  /** Two bytes, 0. */
  reservedBytes: 34,
  payloadOffset: 36,
  payloadSize: 40,
  /** Five words, 0. */
  reservedWords: 44,
} as const;

/** Where each field of a mip's record is: uint32. The offset counts from the payload's. */
export const MIP_RECORD = { offset: 0, size: 4, width: 8, height: 12 } as const;

export const UTEX_FLAGS = { hasAlpha: 1, premultipliedAlpha: 2, normalPackedXY: 4 } as const;
export const KNOWN_FLAGS = 0b111;

/** More texels along a side no GPU of the engine takes (Metal feature set tables, Apple3 and later). */
export const MAX_SIDE = 16384;

/** How texels are stored. */
export interface PixelFormat {
  /** As the engine's .untold format calls it; of ASTC the footprint. */
  readonly name: string;
  readonly kind: 'astc' | 'rgba16Float' | 'r16Unorm';
  /** What the GPU makes of colours when it samples them. */
  readonly colorSpace: 'srgb' | 'linear';
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly blockBytes: number;
  /** The texture format that a record of a .untold file has for it; null for none. */
  readonly recordFormat: number | null;
}

/** Footprints by their distance from ASTC 4x4 in MTLPixelFormat; one number between them is not used. */
const FOOTPRINTS: readonly (readonly [width: number, height: number, recordFormat?: number] | null)[] = [
  [4, 4, 4],
  [5, 4],
  [5, 5, 5],
  [6, 5],
  [6, 6, 6],
  null,
  [8, 5],
  [8, 6],
  [8, 8, 7],
  [10, 5],
  [10, 6],
  [10, 8],
  [10, 10],
  [12, 10],
  [12, 12],
];
const ASTC_4X4_SRGB = 186;
const ASTC_4X4_LINEAR = 204;

function astcFormats(first: number, colorSpace: 'srgb' | 'linear'): [number, PixelFormat][] {
  return FOOTPRINTS.flatMap((footprint, i): [number, PixelFormat][] => {
    if (footprint === null) return [];
    const [blockWidth, blockHeight, recordFormat = null] = footprint;
    const name = `astc${blockWidth}x${blockHeight}`;
    return [[first + i, { name, kind: 'astc', colorSpace, blockWidth, blockHeight, blockBytes: 16, recordFormat }]];
  });
}

/** By the raw value of MTLPixelFormat, which is what a .utex file states. */
export const PIXEL_FORMATS: ReadonlyMap<number, PixelFormat> = new Map<number, PixelFormat>([
  [
    20,
    {
      name: 'r16Unorm',
      kind: 'r16Unorm',
      colorSpace: 'linear',
      blockWidth: 1,
      blockHeight: 1,
      blockBytes: 2,
      recordFormat: 9,
    },
  ],
  [
    115,
    {
      name: 'rgba16Float',
      kind: 'rgba16Float',
      colorSpace: 'linear',
      blockWidth: 1,
      blockHeight: 1,
      blockBytes: 8,
      recordFormat: 8,
    },
  ],
  ...astcFormats(ASTC_4X4_SRGB, 'srgb'),
  ...astcFormats(ASTC_4X4_LINEAR, 'linear'),
]);

/** The bytes of a mip without padding. */
export function mipBytes(format: PixelFormat, width: number, height: number): number {
  return Math.ceil(width / format.blockWidth) * Math.ceil(height / format.blockHeight) * format.blockBytes;
}

/** The mips of a whole chain, down to one texel. Sides from 1 to 2^32 - 1. */
export function fullMipCount(width: number, height: number): number {
  return 32 - Math.clz32(Math.max(width, height));
}

/** A side of mip `level`. */
export function mipSide(side: number, level: number): number {
  return Math.max(1, Math.floor(side / 2 ** level));
}

export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Whether bytes begin as every .utex file does. */
export function isUtex(bytes: Uint8Array): boolean {
  if (bytes.length < MAGIC.length) return false;
  for (let i = 0; i < MAGIC.length; i++) if (bytes[i] !== MAGIC.charCodeAt(i)) return false;
  return true;
}
