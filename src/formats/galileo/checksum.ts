// XXH3 of 64 bits with seed 0 and the default secret (xxHash specification), by hash-wasm, which is loaded when a file first
// needs it.

import type { IHasher } from 'hash-wasm';
import { loadLibrary, requireWasmMemory } from '../../diagnostics/environment.ts';

let hasher: Promise<IHasher> | null = null;

/** Eight bytes in the order in which files store them: the lowest first. Throws UC1101 and UC1102. */
export async function xxh3(bytes: Uint8Array): Promise<Uint8Array> {
  hasher ??= loadLibrary('hash-wasm', async () => {
    requireWasmMemory();
    const { createXXHash3 } = await import('hash-wasm');
    return createXXHash3(0, 0);
  });
  const state = await hasher;
  // Between these calls nothing else runs, so that one state serves all.
  return state.init().update(bytes).digest('binary').reverse();
}
