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

export interface AstcKtx2Options {
  readonly width: number;
  readonly height: number;
  readonly levels: number;
  /** Blocks at even and odd places of each level. */
  readonly block: readonly number[];
  readonly block2?: readonly number[];
  /** The first block of the last level. */
  readonly lastBlock?: readonly number[];
  /** VkFormat: 158 (ASTC 4x4 in sRGB) unless given. */
  readonly format?: number;
  readonly scheme?: number;
  readonly model?: number;
  /** Flags of the descriptor. */
  readonly flags?: number;
}

/** Footprints of ASTC in the order of VkFormat. */
const FOOTPRINTS = [
  '4x4',
  '5x4',
  '5x5',
  '6x5',
  '6x6',
  '8x5',
  '8x6',
  '8x8',
  '10x5',
  '10x6',
  '10x8',
  '10x10',
  '12x10',
  '12x12',
];

/** Blocks of ASTC: header, level index, descriptor, levels. */
export function astcKtx2(options: AstcKtx2Options): Uint8Array {
  const { width, height, levels, block, block2 = block, format = 158 } = options;
  const [across, down] = FOOTPRINTS[(format - 157) >> 1].split('x').map(Number);
  const stored = Array.from({ length: levels }, (_, level) => {
    const blocksOf = (side: number, size: number) => Math.ceil(Math.max(1, side >> level) / size);
    const count = blocksOf(width, across) * blocksOf(height, down);
    const bytes = Buffer.concat(Array.from({ length: count }, (_, i) => Buffer.from(i % 2 === 0 ? block : block2)));
    if (options.lastBlock && level === levels - 1) bytes.set(options.lastBlock);
    return bytes;
  });
  const dfd = 80 + levels * 24;
  const head = Buffer.alloc((dfd + 44 + 15) & ~15);
  Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]).copy(head);
  [format, 1, width, height, 0, 0, 1, levels, options.scheme ?? 0, dfd, 44, 0, 0].forEach((value, i) => {
    head.writeUInt32LE(value, 12 + i * 4);
  });
  let at = head.length;
  stored.forEach((bytes, level) => {
    [at, bytes.length, bytes.length].forEach((value, i) => {
      head.writeBigUInt64LE(BigInt(value), 80 + level * 24 + i * 8);
    });
    at += bytes.length;
  });
  head.writeUInt32LE(44, dfd);
  head.writeUInt32LE((40 << 16) | 2, dfd + 8);
  const transfer = format % 2 === 0 ? 2 : 1;
  const { model = 162, flags = 0 } = options;
  Buffer.from([model, 1, transfer, flags, across - 1, down - 1, 0, 0, 16]).copy(head, dfd + 12);
  Buffer.from([0, 0, 127, 0]).copy(head, dfd + 28);
  return new Uint8Array(Buffer.concat([head, ...stored]));
}
