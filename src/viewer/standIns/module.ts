// Stands for node:module in the browser: `require` gives what stands for lz4-napi. The build puts it in its place
// (viewer.config.mjs).

import { unpackLz4Block } from './lz4Block.ts';

/** lz4-napi as far as reading needs it: the first four bytes state the unpacked size, and errors have its words. */
const lz4 = {
  uncompressSync(prefixed: Uint8Array): Uint8Array {
    const size = new DataView(prefixed.buffer, prefixed.byteOffset).getUint32(0, true);
    const bytes = unpackLz4Block(prefixed.subarray(4), size);
    if (bytes === 'too long') throw new Error('output is too small');
    if (bytes === 'malformed') throw new Error('malformed block');
    return bytes;
  },
};

export function createRequire(): (name: string) => unknown {
  return (name) => {
    if (name !== 'lz4-napi') throw new Error(`no ${name} in the browser`);
    return lz4;
  };
}
