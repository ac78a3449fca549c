// The content of a file, or of a part of one, which is read range by range. Nobody who reads one knows whether it lies in
// memory or on disk, so a source may be larger than the memory is.

import { fail } from '../diagnostics/diagnostic.ts';

export interface Content {
  /** Bytes that it has. */
  readonly size: number;
  /** All bytes, where they lie in memory already; null: they are on disk. */
  readonly whole: Uint8Array | null;
  /**
   * The `length` bytes from offset `from` on, which must lie inside. Not to be written to: they may be a view of `whole`,
   * or else begin at offset 0 of a buffer of their own, so that arrays over them align.
   */
  range(from: number, length: number): Uint8Array;
  /**
   * Bytes around offset `at`, which must lie inside, without a copy: what is in memory of them anyway. For reading a few
   * numbers at once; a reader keeps one of them at a time, because each may hold a larger part of the file in memory.
   */
  around(at: number): Around;
}

/** `bytes[0]` is at offset `from` of the content. */
export interface Around {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** More bytes do not fit one buffer of every Node that is supported. */
export const MAX_BUFFER_BYTES = 2 ** 31 - 1;

/** A range that reaches beyond the content is a bug: readers check every size of a file before they ask. */
export function checkRange(size: number, from: number, length: number): void {
  if (!(from >= 0 && length >= 0 && from + length <= size)) {
    throw new RangeError(`bytes ${from} to ${from + length} of ${size}`);
  }
}

/** Content that lies in memory. */
export function memoryContent(bytes: Uint8Array): Content {
  return {
    size: bytes.length,
    whole: bytes,
    range(from, length) {
      checkRange(bytes.length, from, length);
      return bytes.subarray(from, from + length);
    },
    around: () => ({ from: 0, bytes }),
  };
}

/** A part of a content, which stays where it lies. */
export function partOf(content: Content, from: number, size: number): Content {
  checkRange(content.size, from, size);
  return {
    size,
    whole: content.whole?.subarray(from, from + size) ?? null,
    range(start, length) {
      checkRange(size, start, length);
      return content.range(from + start, length);
    },
    around(at) {
      checkRange(size, at, 1);
      const { from: first, bytes } = content.around(from + at);
      // No byte of what lies before or behind the part.
      const start = Math.max(first, from);
      return { from: start - from, bytes: bytes.subarray(start - first, from + size - first) };
    },
  };
}

/** The first bytes, by which a format is recognised: `max` of them, or all that lie in memory. */
export function headOf(content: Content, max: number): Uint8Array {
  return content.whole ?? content.range(0, Math.min(max, content.size));
}

/** A range of any size. UC1207, with `file` and `element`, for one that is not in memory and does not fit one buffer. */
export function rangeOf(content: Content, from: number, length: number, file: string, element: string): Uint8Array {
  if (content.whole === null && length > MAX_BUFFER_BYTES) {
    fail('UC1207', file, element, `${length} bytes are needed at once, the limit is 2 GiB`);
  }
  return content.range(from, length);
}

/** All bytes, for readers that need them at once. Throws as rangeOf does. */
export function wholeOf(content: Content, file: string, element = ''): Uint8Array {
  return content.whole ?? rangeOf(content, 0, content.size, file, element);
}
