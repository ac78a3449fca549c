// The pixels of a mip, for people and for measures: what a shader of the engine gets to see, in 8 bits a channel.

import { kernel } from '../../kernel/kernel.ts';
import type { Pixels } from '../../textures/decode/pixels.ts';
import { halfValue } from '../untold/mesh/halfFloat.ts';
import { UTEX_FLAGS } from './layout.ts';
import type { SoundUtex } from './read.ts';

/**
 * Mip `level` as RGBA, row by row from the top, in the colour space of the texture. 16-bit grey is rounded to 8 bits; half
 * floats are held within 0 and 1 first; packed normals are rebuilt as a normal map of X, Y and Z.
 */
export function decodeMip({ header, mips }: SoundUtex, level: number): Pixels {
  const { format, flags } = header;
  const { width, height, bytes } = mips[level];
  let data: Uint8Array;
  if (format.kind === 'r16Unorm') data = decodeGrey(bytes);
  else if (format.kind === 'rgba16Float') data = decodeHalves(bytes);
  else {
    data = kernel.within((memory) => {
      const blocks = memory.put(bytes);
      const to = memory.allocate(width * height * 4);
      const { blockWidth, blockHeight, colorSpace } = format;
      memory.calls.decodeAstc(blocks, width, height, blockWidth, blockHeight, colorSpace === 'srgb', to);
      return memory.uint8(to, width * height * 4).slice();
    });
  }
  if ((flags & UTEX_FLAGS.normalPackedXY) !== 0) rebuildNormals(data);
  return { width, height, data };
}

/** Numbers of two bytes, wherever in its buffer the mip begins. */
function words(bytes: Uint8Array): Uint16Array {
  const copy = bytes.slice();
  return new Uint16Array(copy.buffer, 0, copy.length / 2);
}

function decodeGrey(bytes: Uint8Array): Uint8Array {
  const grey = words(bytes);
  const data = new Uint8Array(grey.length * 4);
  for (let i = 0, at = 0; i < grey.length; i++, at += 4) {
    // 65535 is 255 times 257.
    const byte = Math.round(grey[i] / 257);
    data[at] = byte;
    data[at + 1] = byte;
    data[at + 2] = byte;
    data[at + 3] = 255;
  }
  return data;
}

/** Infinity is a number here, NaN is none. */
function isHalfNumber(bits: number): boolean {
  return (bits & 0x7fff) <= 0x7c00;
}

function decodeHalves(bytes: Uint8Array): Uint8Array {
  const halves = words(bytes);
  const data = new Uint8Array(halves.length);
  for (let i = 0; i < halves.length; i++) {
    const value = isHalfNumber(halves[i]) ? halfValue(halves[i]) : 0;
    data[i] = Math.round(Math.min(1, Math.max(0, value)) * 255);
  }
  return data;
}

/** As the engine's shader: X from green, Y from alpha, Z from both. */
function rebuildNormals(data: Uint8Array): void {
  for (let at = 0; at < data.length; at += 4) {
    const x = (data[at + 1] / 255) * 2 - 1;
    const y = (data[at + 3] / 255) * 2 - 1;
    const z = Math.sqrt(Math.max(0, 1 - x * x - y * y));
    data[at] = data[at + 1];
    data[at + 1] = data[at + 3];
    data[at + 2] = Math.round((z * 0.5 + 0.5) * 255);
    data[at + 3] = 255;
  }
}
