// PNG files of few colours (W3C PNG, colour type 3, 8 bits an index) that have the same bytes on every machine: fflate packs
// them. For small pictures inside of text files.

import { crc32 } from './crc32.ts';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

function chunk(type: string, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}

/**
 * `indices`: one a pixel, rows from the top. `palette`: RGB of each colour, 256 at most. Pixels of colour 0 are transparent,
 * all others opaque.
 */
export async function palettePng(
  indices: Uint8Array,
  width: number,
  height: number,
  palette: Uint8Array,
): Promise<Uint8Array> {
  const { zlibSync } = await import('fflate');
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  // Bit depth and colour type; compression, filter and interlace methods are 0.
  header.setUint8(8, 8);
  header.setUint8(9, 3);
  // Filter type 0, "None", before each row: indices are no values that filters help.
  const rows = new Uint8Array(height * (width + 1));
  for (let y = 0; y < height; y++) rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const parts = [
    SIGNATURE,
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('PLTE', palette),
    chunk('tRNS', Uint8Array.of(0)),
    chunk('IDAT', zlibSync(rows, { level: 6 })),
    chunk('IEND', new Uint8Array(0)),
  ];
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
