// Unpacks chunk payloads: raw LZ4 blocks (lz4-napi; lz4.ts packs them) and Zstandard frames; packs the latter (@hpcc-js/wasm-zstd, one
// pinned WASM on every machine, so that bytes never differ). Each library is loaded when a chunk first needs it. Sizes that a file
// declares are checked before anything is allocated.

import type { Code } from '../../../diagnostics/diagnostic.ts';
import { loadLibrary, requireWasmMemory } from '../../../diagnostics/environment.ts';
import { loadLz4, SIZE_PREFIX } from './lz4.ts';

/** Why a payload could not be unpacked. */
export interface UnpackFault {
  readonly code: Code;
  readonly message: string;
}

export type Unpacked = { readonly bytes: Uint8Array } | { readonly fault: UnpackFault };

/** All unpacked chunks of one file together. */
export const MAX_UNPACKED_BYTES = 2 ** 31 - 1;
/** One zstd chunk: packed and unpacked bytes have to fit the 32-bit memory of the WASM module together. */
export const MAX_ZSTD_BYTES = 2 ** 30;

const fault = (code: Code, message: string): Unpacked => ({ fault: { code, message } });

// LZ4 ---------------------------------------------------------------------------------------------------------------

/** An LZ4 sequence spends at least one byte for each 255 bytes of a match length (LZ4 block format). */
const LZ4_MAX_RATIO = 255;

/**
 * Unpacks a raw LZ4 block that must give exactly `size` bytes. The library tells all cases apart (measured on 2.10.0: a
 * shorter block gives a shorter result, a longer one the error "output is too small", anything else another error), and
 * decodes 30 MB in 40 ms, so no decoder of our own is needed; what it lacks is a bound on the size it believes.
 * Throws UC1101.
 */
export function unpackLz4(block: Uint8Array, size: number): Unpacked {
  if (size > block.length * LZ4_MAX_RATIO) {
    return fault('UC3001', `declared size impossible: ${block.length} bytes of LZ4 cannot unpack to ${size}`);
  }
  const prefixed = new Uint8Array(SIZE_PREFIX + block.length);
  new DataView(prefixed.buffer).setUint32(0, size, true);
  prefixed.set(block, SIZE_PREFIX);
  // Loading fails outside of the try block below: a missing library must not count as a damaged file.
  const library = loadLz4();
  let bytes: Uint8Array;
  try {
    bytes = library.uncompressSync(prefixed);
  } catch (error) {
    const reason = (error as Error).message;
    if (reason.includes('too small'))
      return fault('UC3001', `compressed chunk longer than declared: unpacks to more than the ${size} bytes declared`);
    return fault('UC3001', `LZ4 data malformed: no raw LZ4 block: ${reason}`);
  }
  if (bytes.length < size)
    return fault(
      'UC3001',
      `compressed chunk shorter than declared: unpacks to ${bytes.length} of the ${size} bytes declared`,
    );
  // The library gives a Buffer, whose slice() is a view. Give a plain Uint8Array, as the other compressions do.
  return { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
}

// Zstandard ---------------------------------------------------------------------------------------------------------

/**
 * What is used of the library's insides. Its public compress and decompress spread every output byte into an array
 * (4 s for 32 MB, out of memory at 300 MB), print on errors and guess the size of frames that do not state it; the
 * same functions on its WASM memory do none of that. The version is pinned, and `loadZstd` checks the shape.
 */
interface ZstdInside {
  readonly _mainModule: {
    readonly _module: { readonly HEAPU8: Uint8Array; _malloc(size: number): number; _free(at: number): void };
  };
  readonly _zstdClass: {
    compress(to: number, toSize: number, from: number, fromSize: number, level: number): number;
    decompress(to: number, toSize: number, from: number, fromSize: number): number;
    compressBound(size: number): number;
    isError(result: number): number;
    getErrorName(result: number): string;
  };
}

/** The library's own default; higher levels gain little on vertices. */
const ZSTD_LEVEL = 3;

let zstd: Promise<ZstdInside> | null = null;

/** Throws UC1101 and UC1102. */
async function loadZstd(): Promise<ZstdInside> {
  zstd ??= loadLibrary('@hpcc-js/wasm-zstd', async () => {
    requireWasmMemory();
    const { Zstd } = await import('@hpcc-js/wasm-zstd');
    const inside = (await Zstd.load()) as unknown as ZstdInside;
    if (typeof inside._mainModule?._module?._malloc !== 'function' || !inside._zstdClass?.decompress) {
      throw new Error('it has another inside than version 1.12.5');
    }
    return inside;
  });
  return zstd;
}

/** Runs `work` on the WASM memory with `from` copied in and `room` bytes for its output; copies the output out. */
function onHeap(
  { _mainModule: { _module: module } }: ZstdInside,
  from: Uint8Array,
  room: number,
  work: (to: number, at: number) => number,
  isError: (result: number) => boolean,
): Uint8Array | number | null {
  const at = module._malloc(from.length + room);
  if (at === 0) return null;
  try {
    module.HEAPU8.set(from, at);
    const result = work(at + from.length, at) >>> 0;
    if (isError(result)) return result;
    return module.HEAPU8.slice(at + from.length, at + from.length + result);
  } finally {
    module._free(at);
  }
}

/** One Zstandard frame that states its content size; null for more than MAX_ZSTD_BYTES. */
export async function packZstd(raw: Uint8Array): Promise<Uint8Array | null> {
  if (raw.length > MAX_ZSTD_BYTES) return null;
  const inside = await loadZstd();
  const { _zstdClass: codec } = inside;
  const room = codec.compressBound(raw.length);
  const packed = onHeap(
    inside,
    raw,
    room,
    (to, from) => codec.compress(to, room, from, raw.length, ZSTD_LEVEL),
    (result) => codec.isError(result) !== 0,
  );
  if (packed === null) return null;
  if (typeof packed === 'number') throw new Error(`zstd: ${codec.getErrorName(packed)}`);
  return packed;
}

const ZSTD_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAX_BLOCK_BYTES = 128 * 1024;

/**
 * The most that Zstandard frames can unpack to, found by walking frame and block headers (RFC 8878, 3.1.1) without
 * unpacking; null when they are malformed or cut off.
 */
export function zstdBound(frames: Uint8Array): number | null {
  const view = new DataView(frames.buffer, frames.byteOffset, frames.length);
  let at = 0;
  let bound = 0;
  if (frames.length === 0) return null;
  while (at < frames.length) {
    if (at + 8 > frames.length) return null;
    const magic = view.getUint32(at, true);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      at += 8 + view.getUint32(at + 4, true);
      if (at > frames.length) return null;
      continue;
    }
    if (magic !== ZSTD_MAGIC) return null;
    const descriptor = view.getUint8(at + 4);
    const sizeFlag = descriptor >>> 6;
    const singleSegment = (descriptor & 0x20) !== 0;
    const checksum = (descriptor & 0x04) !== 0;
    const dictionaryBytes = [0, 1, 2, 4][descriptor & 3];
    const sizeBytes = sizeFlag === 0 ? (singleSegment ? 1 : 0) : 1 << sizeFlag;
    at += 5 + (singleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
    for (let last = false; !last; ) {
      if (at + 3 > frames.length) return null;
      const head = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      at += 3;
      last = (head & 1) !== 0;
      const type = (head >>> 1) & 3;
      const size = head >>> 3;
      if (type === 3) return null;
      bound += type === 2 ? MAX_BLOCK_BYTES : size;
      at += type === 1 ? 1 : size;
      if (at > frames.length) return null;
    }
    if (checksum) at += 4;
    if (at > frames.length) return null;
  }
  return bound;
}

/** Unpacks Zstandard frames that must give exactly `size` bytes together. */
export async function unpackZstd(frames: Uint8Array, size: number): Promise<Unpacked> {
  const bound = zstdBound(frames);
  if (bound === null) return fault('UC3001', 'zstd data malformed: no whole Zstandard frames');
  if (size > bound)
    return fault('UC3001', `declared size impossible: these frames unpack to at most ${bound} bytes, not ${size}`);
  if (size > MAX_ZSTD_BYTES) return fault('UC3024', `a zstd chunk of ${size} bytes is more than 1 GiB`);
  const inside = await loadZstd();
  const { _zstdClass: codec } = inside;
  const bytes = onHeap(
    inside,
    frames,
    size,
    (to, from) => codec.decompress(to, size, from, frames.length),
    (result) => codec.isError(result) !== 0,
  );
  if (bytes === null) return fault('UC3024', `no memory to unpack ${size} bytes`);
  if (typeof bytes === 'number') {
    const reason = codec.getErrorName(bytes);
    if (/too small/i.test(reason))
      return fault('UC3001', `compressed chunk longer than declared: unpacks to more than the ${size} bytes declared`);
    return fault('UC3001', `zstd data malformed: ${reason}`);
  }
  if (bytes.length < size)
    return fault(
      'UC3001',
      `compressed chunk shorter than declared: unpacks to ${bytes.length} of the ${size} bytes declared`,
    );
  return { bytes };
}
