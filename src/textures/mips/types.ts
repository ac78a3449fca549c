// Levels of a texture and how they are made.

import type { Address } from '../../kernel/kernel.ts';
import type { Pixels } from '../decode/pixels.ts';

/**
 * What texels stand for. 'color': sRGB and straight alpha. 'normal': unit vectors, red, green and blue are x, y and z, a byte
 * of 0 is -1. 'data', 'opacity': up to four numbers that are not colours. 'height': one number of 16 bits.
 */
export type MipRole = 'color' | 'normal' | 'data' | 'opacity' | 'height';

/** One uint16 a pixel, rows from the top. */
export interface GreyPixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint16Array;
}

/** 'height' takes GreyPixels; all other roles take Pixels. */
export type MipImage = Pixels | GreyPixels;

export interface MipOptions {
  /**
   * 'linear': Lanczos, in linear light for colours, with normals of unit length. 'engine': what the engine's baker makes,
   * Lanczos on stored numbers for every role. It knows neither cutoffs nor roughness, so the other options do not count.
   */
  readonly filter: 'linear' | 'engine';
  /** Of a 'color': texels with less alpha than this are not drawn, and the share of the others stays the same. Null: no cut-out. */
  readonly alphaCutoff: number | null;
  /** Of 'data': a channel holds perceptual roughness, which takes up what the normal map of the same surface loses. */
  readonly roughness: { readonly channel: 0 | 1 | 2 | 3; readonly normals: NormalLengths } | null;
}

/** Rows from the top, 4 bytes a texel; 2 for 'height', little-endian. */
export interface MipLevel {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * For each level of a normal map how long the average of its normals is, before it is made unit length: 65535 for 1, where
 * all normals are equal. Null in the first level, whose normals are no averages.
 */
export type NormalLengths = readonly {
  readonly width: number;
  readonly height: number;
  readonly lengths: Uint16Array | null;
}[];

export interface MipChain {
  /** From the image down to 1 x 1. */
  readonly levels: readonly MipLevel[];
  /** Of a 'normal' made by the filter 'linear'; otherwise null. */
  readonly normals: NormalLengths | null;
}

/** An image or a level in the kernel's memory, laid out as the bytes of a MipLevel. */
export interface PlacedLevel {
  readonly width: number;
  readonly height: number;
  readonly address: Address;
}
