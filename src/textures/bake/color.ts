// Texel values and linear light: tables for 8-bit sRGB (IEC 61966-2-1), for the baker and the palette.

/** sRGB 0..1 to linear 0..1. */
export function srgbToLinear(s: number): number {
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

/** Linear 0..1 to sRGB 0..1. */
export function linearToSrgb(l: number): number {
  return l <= 0.0031308 ? l * 12.92 : 1.055 * l ** (1 / 2.4) - 0.055;
}

function clamp01(x: number): number {
  return x > 0 ? Math.min(x, 1) : 0;
}

/** Linear to an sRGB byte, clamped, rounded to nearest. */
export function srgbByte(l: number): number {
  return Math.round(linearToSrgb(clamp01(l)) * 255);
}

/** 0..1 to a byte, clamped, rounded to nearest. */
export function unitByte(x: number): number {
  return Math.round(clamp01(x) * 255);
}

/** Byte to 0..1. */
export const UNIT_OF_BYTE = Float64Array.from({ length: 256 }, (_, i) => i / 255);

/** sRGB byte to linear. */
export const LINEAR_OF_SRGB_BYTE = Float64Array.from({ length: 256 }, (_, i) => srgbToLinear(i / 255));

/** Steps of the encoding table. Even the darkest sRGB bytes are 19 steps apart, so that decoding and encoding a byte gives it back. */
export const ENCODE_STEPS = 65535;

let encodeTable: Uint8Array | null = null;

/** Index round(linear * ENCODE_STEPS) to sRGB byte, for loops over texels; made when first asked for. */
export function srgbEncodeTable(): Uint8Array {
  encodeTable ??= Uint8Array.from({ length: ENCODE_STEPS + 1 }, (_, i) => srgbByte(i / ENCODE_STEPS));
  return encodeTable;
}
