// Unpacks the chunks of an OpenEXR file (ImfRleCompressor.cpp, ImfZipCompressor.cpp, ImfPxr24Compressor.cpp) to rows of
// samples: in each row channel after channel, little-endian.

import { inflateSync } from 'node:zlib';
import { type ExrChannel, HALF, NO_COMPRESSION, PIZ, PXR24, RLE, UINT } from './header.ts';
import { unpackPiz } from './piz.ts';

/**
 * The samples of a chunk of `width` by `height` pixels; null if the chunk is broken. A chunk that compression would have made
 * larger is stored as it is.
 */
export function unpackChunk(
  stored: Uint8Array,
  compression: number,
  width: number,
  height: number,
  channels: readonly ExrChannel[],
): Uint8Array | null {
  const size = width * height * channels.reduce((sum, { bytes }) => sum + bytes, 0);
  if (stored.length === size) return stored;
  if (stored.length > size || compression === NO_COMPRESSION) return null;
  if (compression === PIZ)
    return unpackPiz(
      stored,
      width,
      height,
      channels.map(({ bytes }) => bytes / 2),
    );
  if (compression === PXR24) return unpackPxr24(stored, width, height, channels);
  const bytes = compression === RLE ? unpackRuns(stored, size) : inflate(stored, size);
  return bytes && interleave(bytes);
}

/** Exactly `size` bytes out of a zlib stream, or null. */
function inflate(stored: Uint8Array, size: number): Uint8Array | null {
  try {
    const bytes = inflateSync(stored, { maxOutputLength: size });
    return bytes.length === size ? bytes : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

function unpackRuns(stored: Uint8Array, size: number): Uint8Array | null {
  const out = new Uint8Array(size);
  let at = 0;
  let to = 0;
  while (at < stored.length) {
    const head = (stored[at++] << 24) >> 24;
    const count = head < 0 ? -head : head + 1;
    const length = head < 0 ? count : 1;
    if (at + length > stored.length || to + count > size) return null;
    if (head < 0) out.set(stored.subarray(at, at + count), to);
    else out.fill(stored[at], to, to + count);
    at += length;
    to += count;
  }
  return to === size ? out : null;
}

/** Takes back the differences of neighbouring bytes; then bytes at even places stand in the first half, others in the second. */
function interleave(bytes: Uint8Array): Uint8Array {
  for (let i = 1; i < bytes.length; i++) bytes[i] = bytes[i - 1] + bytes[i] - 128;
  const out = new Uint8Array(bytes.length);
  const half = Math.ceil(bytes.length / 2);
  for (let i = 0; i < bytes.length; i++) out[i] = bytes[(i & 1) === 0 ? i >> 1 : half + (i >> 1)];
  return out;
}

/** Differences of neighbouring samples, their bytes in planes from the highest; of 32-bit floats the lowest byte is left out. */
function unpackPxr24(
  stored: Uint8Array,
  width: number,
  height: number,
  channels: readonly ExrChannel[],
): Uint8Array | null {
  const planes = channels.map(({ type }) => (type === HALF ? 2 : type === UINT ? 4 : 3));
  const bytes = inflate(stored, width * height * planes.reduce((sum, n) => sum + n, 0));
  if (!bytes) return null;
  const out = new Uint8Array(width * height * channels.reduce((sum, channel) => sum + channel.bytes, 0));
  let from = 0;
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let c = 0; c < channels.length; c++) {
      const size = channels[c].bytes;
      let sample = 0;
      for (let x = 0; x < width; x++) {
        let difference = 0;
        for (let plane = 0; plane < planes[c]; plane++)
          difference = (difference << 8) | bytes[from + plane * width + x];
        if (planes[c] === 3) difference <<= 8;
        sample = (sample + difference) | 0;
        for (let i = 0; i < size; i++) out[to++] = sample >>> (8 * i);
      }
      from += planes[c] * width;
    }
  }
  return out;
}
