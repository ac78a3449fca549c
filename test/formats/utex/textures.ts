// Small .utex textures for tests, made with the writer.

import { fullMipCount, mipBytes, mipSide, PIXEL_FORMATS, UTEX_FLAGS } from '../../../src/formats/utex/layout.ts';
import { writeUtex } from '../../../src/formats/utex/write.ts';

/** Raw values of MTLPixelFormat. */
export const FORMAT = {
  r16Unorm: 20,
  rgba16Float: 115,
  astc4x4Srgb: 186,
  astc4x4Linear: 204,
  astc6x6Linear: 208,
} as const;

/** An ASTC block of one colour of 8 bits a channel. */
export function solidBlock(red: number, green: number, blue: number, alpha: number): number[] {
  const channels = [red, green, blue, alpha].flatMap((value) => [value, value]);
  return [0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, ...channels];
}

export interface Wanted {
  readonly width?: number;
  readonly height?: number;
  readonly flags?: number;
  /** The whole chain unless given. */
  readonly mips?: number;
  /** What each block or texel holds; zeros for uncompressed formats and grey blocks otherwise. */
  readonly unit?: readonly number[];
}

export function texture(pixelFormat: number, wanted: Wanted = {}): Uint8Array {
  const format = PIXEL_FORMATS.get(pixelFormat)!;
  const { width = 20, height = 12, flags = 0, mips = fullMipCount(width, height) } = wanted;
  const unit =
    wanted.unit ?? (format.kind === 'astc' ? solidBlock(128, 128, 128, 255) : Array(format.blockBytes).fill(0));
  return writeUtex({
    pixelFormat,
    flags,
    mips: Array.from({ length: mips }, (_, level) => {
      const size = { width: mipSide(width, level), height: mipSide(height, level) };
      const bytes = new Uint8Array(mipBytes(format, size.width, size.height));
      for (let at = 0; at < bytes.length; at += unit.length) bytes.set(unit, at);
      return { ...size, bytes };
    }),
  });
}

/** What the engine's own baker writes for each slot. */
export const BAKED: readonly (readonly [slot: string, file: Uint8Array])[] = [
  ['base color', texture(FORMAT.astc4x4Srgb, { width: 64, height: 2048, flags: UTEX_FLAGS.hasAlpha })],
  ['normal', texture(FORMAT.astc4x4Linear, { width: 99, height: 72, flags: UTEX_FLAGS.normalPackedXY })],
  ['roughness', texture(FORMAT.astc6x6Linear, { width: 452, height: 155 })],
  ['height', texture(FORMAT.r16Unorm, { width: 37, height: 11 })],
  ['LUT', texture(FORMAT.rgba16Float, { width: 1024, height: 32, flags: UTEX_FLAGS.hasAlpha, mips: 1 })],
];
