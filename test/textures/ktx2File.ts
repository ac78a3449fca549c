// KTX2 files written by hand: UASTC blocks of one colour each, which need no encoder.

/** A UASTC block of one colour (mode 8): a five bit mode, then red, green, blue and alpha from the lowest bit up. */
export function solidBlock(r: number, g: number, b: number, a: number): Uint8Array {
  let bits = 0x17n;
  [r, g, b, a].forEach((value, i) => {
    bits |= BigInt(value) << BigInt(5 + i * 8);
  });
  const block = new Uint8Array(16);
  for (let i = 0; i < 8; i++) block[i] = Number((bits >> BigInt(i * 8)) & 255n);
  return block;
}

export interface Ktx2Options {
  /** Bytes of the first level as stored, when they are not the blocks themselves. */
  readonly stored?: Uint8Array;
  /** 0 none, 2 Zstandard. */
  readonly scheme?: number;
  /** 0 RGB, 3 RGBA. */
  readonly channel?: number;
  readonly keyValues?: readonly (readonly [string, string])[];
}

/** One level of UASTC: header, level index, descriptor, key/value data, blocks. */
export function ktx2(width: number, height: number, blocks: readonly Uint8Array[], options: Ktx2Options = {}) {
  const { scheme = 0, channel = 0, keyValues = [] } = options;
  const level = Buffer.concat(blocks);
  const stored = options.stored ?? level;
  const pairs = Buffer.concat(
    keyValues.map(([key, value]) => {
      const text = Buffer.from(`${key}\0${value}\0`);
      const out = Buffer.alloc(4 + ((text.length + 3) & ~3));
      out.writeUInt32LE(text.length);
      text.copy(out, 4);
      return out;
    }),
  );
  const dfd = 104;
  const kvd = dfd + 44;
  const data = (kvd + pairs.length + 15) & ~15;
  const out = Buffer.alloc(data + stored.length);
  Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]).copy(out);
  [0, 1, width, height, 0, 0, 1, 1, scheme, dfd, 44, pairs.length ? kvd : 0, pairs.length].forEach((value, i) => {
    out.writeUInt32LE(value, 12 + i * 4);
  });
  [data, stored.length, level.length].forEach((value, i) => {
    out.writeBigUInt64LE(BigInt(value), 80 + i * 8);
  });
  out.writeUInt32LE(44, dfd);
  out.writeUInt32LE((40 << 16) | 2, dfd + 8);
  // Colour model UASTC, primaries BT.709, transfer sRGB, flags; a texel block of 4 x 4; 16 bytes a block.
  Buffer.from([166, 1, 2, 0, 3, 3, 0, 0, 16]).copy(out, dfd + 12);
  Buffer.from([0, 0, 127, channel]).copy(out, dfd + 28);
  pairs.copy(out, kvd);
  out.set(stored, data);
  return new Uint8Array(out);
}
