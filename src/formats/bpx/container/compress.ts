// Packs and unpacks sections: zlib (RFC 1950) by Node and, for packing, by the kernel, whose bytes are the same on every machine;
// xz by xz-decompress, which is loaded when a section first needs it. Nothing is allocated by a declared size.

import { inflateSync } from 'node:zlib';
import type { Code } from '../../../diagnostics/diagnostic.ts';
import { isOutOfMemory, loadLibrary, requireWasmMemory } from '../../../diagnostics/environment.ts';
import { kernel } from '../../../kernel/kernel.ts';

export type Unpacked =
  | { readonly bytes: Uint8Array }
  | { readonly fault: { readonly code: Code; readonly message: string } };

const fault = (code: Code, message: string): Unpacked => ({ fault: { code, message } });
const tooMuch = (limit: number) =>
  fault('UC3614', `sections of a BPX file unpack to too much: unpacks to more than ${limit} bytes`);

/** One zlib stream that fills the section, of at most `limit` bytes. */
export function unpackZlib(stored: Uint8Array, limit: number): Unpacked {
  let result: { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
  try {
    // With `info` Node gives an object; its types do not say so.
    result = inflateSync(stored, { maxOutputLength: Math.max(1, limit), info: true }) as unknown as typeof result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooMuch(limit);
    if (isOutOfMemory(error)) throw error;
    return fault('UC3601', `packed section is damaged: no zlib stream: ${(error as Error).message}`);
  }
  const { buffer, engine } = result;
  if (buffer.length > limit) return tooMuch(limit);
  if (engine.bytesWritten < stored.length) {
    return fault(
      'UC3601',
      `packed section is damaged: the zlib stream ends after ${engine.bytesWritten} of ${stored.length} bytes`,
    );
  }
  return { bytes: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length) };
}

/** Bytes that the kernel packs in one call, and those before them that it may refer to. */
const PIECE = 2 ** 22;
const WINDOW = 2 ** 15;
/** Deflate with a window of 32 KiB, by a fast algorithm (RFC 1950, 2.2). */
const ZLIB_HEADER = [0x78, 0x5e];
const ADLER_BYTES = 4;

/** A zlib stream. */
export function packZlib(plain: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.from(ZLIB_HEADER)];
  let adler = 1;
  kernel.within((memory) => {
    const { calls } = memory;
    const most = Math.min(PIECE, plain.length);
    const input = memory.allocate(WINDOW + most + 1);
    const room = memory.allocate(calls.deflateRoomBytes());
    const to = memory.allocate(calls.deflateMaxBytes(most));
    let bits = 0;
    let start = 0;
    do {
      const end = Math.min(start + PIECE, plain.length);
      const before = Math.min(start, WINDOW);
      memory.uint8(input, before + end - start).set(plain.subarray(start - before, end));
      adler = calls.adler32(input + before, end - start, adler);
      const isLast = end === plain.length ? 1 : 0;
      const written = calls.packDeflate(input, before, before + end - start, isLast, room, to, bits);
      const whole = isLast ? Math.ceil(written / 8) : written >>> 3;
      const out = memory.uint8(to, whole + 1);
      parts.push(out.slice(0, whole));
      // What does not fill a byte is where the next piece begins.
      out[0] = out[whole];
      bits = written & 7;
      start = end;
    } while (start < plain.length);
  });
  const sum = new Uint8Array(ADLER_BYTES);
  new DataView(sum.buffer).setUint32(0, adler);
  return Buffer.concat([...parts, sum]);
}

/** What the decoder takes at once. */
const XZ_CHUNK = 16384;

type Xz = Pick<typeof import('xz-decompress'), 'XzReadableStream'>;

const loadXz = () =>
  loadLibrary('xz-decompress', async () => {
    requireWasmMemory();
    // A CommonJS module: in a bundle its names lie under `default` alone.
    const library: Xz & { readonly default?: Xz } = await import('xz-decompress');
    return (library.default ?? library).XzReadableStream;
  });

/**
 * One xz stream that fills the section, of at most `limit` bytes. The decoder takes dictionaries of up to 64 MB and checks
 * CRC-32, CRC-64 and index. Throws UC1101 and UC1102.
 */
export async function unpackXz(stored: Uint8Array, limit: number): Promise<Unpacked> {
  const Xz = await loadXz();
  if (stored.length === 0) return fault('UC3601', 'packed section is damaged: no xz stream: it is empty');
  let taken = 0;
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(stored.subarray(taken, taken + XZ_CHUNK));
        taken += XZ_CHUNK;
        if (taken >= stored.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const reader = new Xz(source).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      parts.push(value);
      if (size <= limit) continue;
      await reader.cancel();
      return tooMuch(limit);
    }
  } catch (error) {
    if (isOutOfMemory(error)) throw error;
    return fault('UC3601', `packed section is damaged: no xz stream: ${(error as Error).message}`);
  }
  if (taken < stored.length)
    return fault('UC3601', `packed section is damaged: the xz stream ends before byte ${taken} of ${stored.length}`);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes };
}
