// The header of Draco data (Draco bitstream 2.2), as far as the sizes of the mesh. It is read here and not by the decoder,
// so that counts are known without decoding, and so that sizes out of proportion to the data are refused before the
// decoder allocates memory for them.

import type { Code } from '../../diagnostics/diagnostic.ts';

const MAGIC = [0x44, 0x52, 0x41, 0x43, 0x4f]; // "DRACO"
const TRIANGULAR_MESH = 1;
const SEQUENTIAL = 0;
const METADATA_FLAG = 0x8000;
/** Draco's own decoder refuses metadata that is nested deeper. */
const MAX_METADATA_DEPTH = 1000;
/** Faces or vertices that one byte may encode. Real meshes stay far below; a crafted entropy stream could encode any number. */
const ELEMENTS_PER_BYTE = 256;
const FREE_ELEMENTS = 65536;

/** Reads parts of varying length. It does not throw at the end: `overrun` then tells that the data is cut off. */
class HeaderCursor {
  at = 0;
  readonly #bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  get overrun(): boolean {
    return this.at > this.#bytes.length;
  }
  byte(): number {
    const value = this.at < this.#bytes.length ? this.#bytes[this.at] : 0;
    this.at++;
    return value;
  }
  skip(count: number): void {
    this.at += count;
  }
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  }
}

/** Skips the metadata ("Metadata Decoder" of the bitstream specification); false when it is damaged. */
function skipMetadata(cursor: HeaderCursor): boolean {
  const roots = cursor.varint() + 1;
  for (let i = 0; i < roots; i++) {
    if (i < roots - 1) cursor.varint();
    // Elements still to read at each depth of nesting.
    const open = [1];
    while (open.length > 0) {
      if (open[open.length - 1] === 0) {
        open.pop();
        continue;
      }
      open[open.length - 1]--;
      if (open.length > 1) cursor.skip(cursor.byte());
      const entries = cursor.varint();
      for (let e = 0; e < entries; e++) {
        cursor.skip(cursor.byte());
        cursor.skip(cursor.varint());
        if (cursor.overrun) return false;
      }
      open.push(cursor.varint());
      if (cursor.overrun || open.length > MAX_METADATA_DEPTH) return false;
    }
    if (cursor.overrun) return false;
  }
  return true;
}

export interface DracoSize {
  readonly faces: number;
  /** Sequential data declares its vertices. Edgebreaker data has at most three for each face. */
  readonly maxVertices: number;
}

/**
 * The sizes that compressed data declares. UC1318 when it is not a Draco 2.2 mesh, UC1316 when they are out of proportion
 * to the data.
 */
export function dracoSize(bytes: Uint8Array, broken: (code: Code, message: string) => never): DracoSize {
  const cursor = new HeaderCursor(bytes);
  if (MAGIC.some((byte) => cursor.byte() !== byte)) broken('UC1318', 'the data does not start as Draco data');
  const major = cursor.byte();
  const minor = cursor.byte();
  if (major !== 2 || minor !== 2) broken('UC1318', `Draco bitstream ${major}.${minor}, but glTF allows only 2.2`);
  if (cursor.byte() !== TRIANGULAR_MESH) broken('UC1318', 'the Draco data is not a triangle mesh');
  const method = cursor.byte();
  const flags = cursor.byte() + cursor.byte() * 256;
  if ((flags & METADATA_FLAG) !== 0 && !skipMetadata(cursor)) broken('UC1318', 'the Draco metadata is damaged');
  const edgebreaker = method !== SEQUENTIAL;
  if (edgebreaker) {
    cursor.byte(); // traversal type
    cursor.varint(); // vertices before they are split along seams
  }
  const faces = cursor.varint();
  const maxVertices = edgebreaker ? faces * 3 : cursor.varint();
  if (cursor.overrun) broken('UC1318', `the Draco data is cut off after ${bytes.length} bytes`);
  const limit = FREE_ELEMENTS + bytes.length * ELEMENTS_PER_BYTE;
  if (faces > limit) broken('UC1316', `${faces} faces are declared in ${bytes.length} bytes of Draco data`);
  if (!edgebreaker && maxVertices > limit) {
    broken('UC1316', `${maxVertices} vertices are declared in ${bytes.length} bytes of Draco data`);
  }
  return { faces, maxVertices };
}
