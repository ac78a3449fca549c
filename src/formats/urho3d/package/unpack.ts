// The content of one entry of a .pak file. In a compressed package that is a row of LZ4 blocks; nothing is allocated before it
// is known that the blocks which are there can give it.

import { unpackLz4 } from '../../untold/container/compress.ts';
import { Cursor } from '../bytes/cursor.ts';
import { BLOCK_HEAD, MAX_RATIO } from './layout.ts';
import type { OpenPackage } from './open.ts';

interface Block {
  /** From the begin of the package. */
  readonly at: number;
  readonly plain: number;
  readonly packed: number;
}

/** Where an entry lies. */
export interface Extent {
  /** The first byte behind it, from the begin of the package. */
  readonly end: number;
  /** Null in a package that is not compressed. */
  readonly blocks: readonly Block[] | null;
}

/** Throws UC3902 and UC3951. Looks at the heads of blocks alone. */
export function entryExtent(open: OpenPackage, index: number): Extent {
  const { bytes, file, entries, dataBegin, dataEnd, format, start } = open;
  const { offset, size, name } = entries[index];
  const from = new Cursor(bytes, file, Math.min(offset, bytes.length));
  const where = start === 0 ? '' : ` of the package that begins at byte ${start}`;
  const stored = format === 'UPAK' ? size : 0;
  if (offset < dataBegin || offset + stored > dataEnd) {
    const data = `the data ends at ${dataEnd} and begins at ${dataBegin}${where}`;
    from.fail('UC3902', name, `entry outside of the data of its package: an entry of ${size} bytes; ${data}`, offset);
  }
  if (format === 'UPAK') return { end: offset + size, blocks: null };
  // The next entry ends the blocks of this one.
  const next = entries[index + 1]?.offset ?? dataEnd;
  const limit = next >= offset && next <= dataEnd ? next : dataEnd;
  const blocks: Block[] = [];
  for (let done = 0; done < size; ) {
    if (limit - from.at < BLOCK_HEAD.min)
      from.fail('UC3902', name, `compressed entry has another size: ${done} of ${size} bytes are there${where}`);
    const { plain, packed } = BLOCK_HEAD.read(from, name, {});
    const at = from.at;
    if (packed > limit - at)
      from.fail(
        'UC3902',
        name,
        `compressed entry has another size: a block of ${packed} bytes leads out of its entry${where}`,
      );
    if (plain === 0 || plain > packed * MAX_RATIO) {
      from.fail('UC3902', name, `damaged compressed block: a block of ${packed} bytes that states ${plain}${where}`);
    }
    const largest = blocks[0]?.plain ?? plain;
    if (plain > largest)
      from.fail(
        'UC3951',
        name,
        `compressed block larger than the first of its entry: a block of ${plain} bytes, the first has ${largest}${where}`,
      );
    done += plain;
    if (done > size)
      from.fail(
        'UC3902',
        name,
        `compressed entry has another size: its blocks give ${done} bytes or more, ${size} are stated${where}`,
      );
    blocks.push({ at, plain, packed });
    from.take(packed, name);
  }
  return { end: from.at, blocks };
}

/** A copy of the content. Throws what entryExtent throws, and UC1101. */
export function unpackEntry(open: OpenPackage, index: number, extent = entryExtent(open, index)): Uint8Array {
  const { bytes, file, entries } = open;
  const { offset, size, name } = entries[index];
  if (extent.blocks === null) return new Uint8Array(bytes.subarray(offset, offset + size));
  const content = new Uint8Array(size);
  let done = 0;
  for (const { at, plain, packed } of extent.blocks) {
    const unpacked = unpackLz4(bytes.subarray(at, at + packed), plain);
    if ('fault' in unpacked) {
      return new Cursor(bytes, file, at).fail('UC3902', name, `damaged compressed block: ${unpacked.fault.message}`);
    }
    content.set(unpacked.bytes, done);
    done += plain;
  }
  return content;
}
