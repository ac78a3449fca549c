// A PNG whose texels are stored, not compressed: its bytes depend on no version of zlib. For small textures of the
// generated scenes.

import { crc32 } from '../src/bytes/crc32.ts';

/** Most bytes of one stored block of deflate (RFC 1951, 3.2.4). */
const MAX_STORED = 65535;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** The checksum of a zlib stream (RFC 1950, 8.2). */
function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let i = 0; i < bytes.length; i++) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}

/** A square of 8-bit RGBA, small enough for one block; `texel(x, y)` gives four bytes, y down from the top. */
export function storedPng(size: number, texel: (x: number, y: number) => readonly number[]): Buffer {
  const stride = size * 4 + 1;
  const raw = Buffer.alloc(stride * size);
  if (raw.length > MAX_STORED) throw new RangeError(`${size} texels a side are more than one stored block holds`);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) raw.set(texel(x, y), y * stride + 1 + x * 4);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const data = Buffer.alloc(raw.length + 11);
  data.set([0x78, 0x01, 0x01], 0);
  data.writeUInt16LE(raw.length, 3);
  data.writeUInt16LE(raw.length ^ 0xffff, 5);
  data.set(raw, 7);
  data.writeUInt32BE(adler32(raw), raw.length + 7);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
