// Packs raw LZ4 blocks: in the kernel as small as its search finds them (kernel/assembly/lz4.ts), or with lz4-napi, which takes
// the first match that it comes across.

import { createRequire } from 'node:module';
import { requireLibrary } from '../../../diagnostics/environment.ts';
import { kernel } from '../../../kernel/kernel.ts';

export type Lz4 = typeof import('lz4-napi');
let lz4: Lz4 | null = null;

/** Throws UC1101. */
export function loadLz4(): Lz4 {
  // Required, not imported: the package is CommonJS around a native addon, and a bundle must leave it alone.
  lz4 ??= requireLibrary('lz4-napi', () => createRequire(import.meta.url)('lz4-napi') as Lz4);
  return lz4;
}

/** The u32 that lz4-napi puts before the block: the unpacked size. */
export const SIZE_PREFIX = 4;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Up to this many bytes, packing takes less time than handing the work to a thread. */
const SMALL_BYTES = 65536;

/** One raw LZ4 block in little time; a large one on a thread of its own. The input must not change until it is done. */
export async function packLz4Fast(raw: Uint8Array): Promise<Uint8Array> {
  const packed = raw.length <= SMALL_BYTES ? loadLz4().compressSync(bufferOf(raw)) : await loadLz4().compress(raw);
  return packed.subarray(SIZE_PREFIX);
}

/** The kernel's memory takes the block beside so many bytes. */
const MAX_SEARCHED_BYTES = 2 ** 30;

/** One raw LZ4 block that is never larger than the fast one: that of the kernel, or the fast one where it is smaller. */
export async function packLz4(raw: Uint8Array): Promise<Uint8Array> {
  if (raw.length > MAX_SEARCHED_BYTES) return packLz4Fast(raw);
  const searched = searchedBlock(raw);
  const fast = await packLz4Fast(raw);
  return fast.length < searched.length ? fast : searched;
}

/** The block of the kernel. */
export function searchedBlock(raw: Uint8Array): Uint8Array {
  return kernel.within((memory) => {
    const { calls } = memory;
    const beyond = calls.lz4Beyond();
    const input = memory.allocate(raw.length + beyond);
    const bytes = memory.uint8(input, raw.length + beyond);
    bytes.set(raw);
    bytes.fill(0, raw.length);
    const room = memory.allocate(calls.lz4RoomBytes(raw.length));
    const to = memory.allocate(calls.lz4MaxBytes(raw.length));
    return memory.uint8(to, calls.packLz4(input, raw.length, room, to)).slice();
  });
}
