// Texels as encoders take them: four bytes a pixel.

import type { TexelImage } from '../types.ts';

export interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly deep?: Uint16Array;
}

/** Four bytes a pixel; alpha that does not count is 255. */
export function rgbaOf({ width, height, data, channels, alpha, deep }: TexelImage): Rgba {
  const more = deep && { deep };
  if (channels === 4 && alpha) return { width, height, data, ...more };
  const words = channels === 4 ? opaqueOfFour(wordsOf(data)) : opaqueOfThree(wordsOf(data), width * height);
  return { width, height, data: new Uint8Array(words.buffer), ...more };
}

const OPAQUE = 0xff000000;

/** Bytes as little-endian words; what is left at the end fills one more. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  if (bytes.byteOffset % 4 === 0 && bytes.length % 4 === 0)
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

function opaqueOfFour(from: Uint32Array): Uint32Array {
  const to = new Uint32Array(from.length);
  for (let i = 0; i < to.length; i++) to[i] = from[i] | OPAQUE;
  return to;
}

/** Three words are four pixels. */
function opaqueOfThree(from: Uint32Array, pixels: number): Uint32Array {
  const to = new Uint32Array(pixels);
  for (let at = 0, i = 0; i < pixels; at += 3, i += 4) {
    const a = from[at];
    const b = from[at + 1];
    const c = from[at + 2];
    // A typed array drops what is stored beyond its end.
    to[i] = a | OPAQUE;
    to[i + 1] = (a >>> 24) | (b << 8) | OPAQUE;
    to[i + 2] = (b >>> 16) | (c << 16) | OPAQUE;
    to[i + 3] = (c >>> 8) | OPAQUE;
  }
  return to;
}
