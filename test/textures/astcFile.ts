// ASTC blocks decoded by another hand: the transcoder of Basis Universal in ktx2-encoder. And images made in code.

/** One level of ASTC blocks as KTX2: header, level index, descriptor, blocks. */
function ktx2(width: number, height: number, side: number, blocks: Uint8Array): Uint8Array {
  const data = 160;
  const out = Buffer.alloc(data + blocks.length);
  Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]).copy(out);
  // VK_FORMAT_ASTC_4x4_UNORM_BLOCK, 5x5, 6x6 and 8x8.
  const format = ({ 4: 157, 5: 161, 6: 165, 8: 171 } as Record<number, number>)[side];
  [format, 1, width, height, 0, 0, 1, 1, 0, 104, 44, 0, 0].forEach((value, i) => {
    out.writeUInt32LE(value, 12 + i * 4);
  });
  [data, blocks.length, blocks.length].forEach((value, i) => {
    out.writeBigUInt64LE(BigInt(value), 80 + i * 8);
  });
  out.writeUInt32LE(44, 104);
  out.writeUInt32LE((40 << 16) | 2, 112);
  // Colour model ASTC, primaries BT.709, linear; the sides of a block less 1; 16 bytes a block. One sample of 128 bits.
  Buffer.from([162, 1, 1, 0, side - 1, side - 1, 0, 0, 16]).copy(out, 116);
  Buffer.from([0, 0, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]).copy(out, 132);
  out.set(blocks, data);
  return new Uint8Array(out);
}

interface Transcoder {
  readonly KTX2File: new (
    bytes: Uint8Array,
  ) => {
    isValid(): boolean;
    startTranscoding(): number;
    transcodeImage(to: Uint8Array, ...rest: number[]): number;
    close(): void;
    delete(): void;
  };
  readonly transcoder_texture_format: { readonly cTFRGBA32: { readonly value: number } };
}

let transcoder: Promise<Transcoder> | null = null;

/** RGBA of linear blocks, row by row from the top. */
export async function decodeByBasis(
  blocks: Uint8Array,
  width: number,
  height: number,
  side: number,
): Promise<Uint8Array> {
  transcoder ??= import('ktx2-encoder').then(async ({ NodeBasisEncoder }) => {
    return (await new NodeBasisEncoder().init()) as unknown as Transcoder;
  });
  const module = await transcoder;
  const file = new module.KTX2File(ktx2(width, height, side, blocks));
  try {
    const data = new Uint8Array(width * height * 4);
    const format = module.transcoder_texture_format.cTFRGBA32.value;
    if (!file.isValid() || !file.startTranscoding()) throw new Error('the transcoder refuses the file');
    if (!file.transcodeImage(data, 0, 0, 0, format, 0, -1, -1)) throw new Error('the transcoder refuses the blocks');
    return data;
  } finally {
    file.close();
    file.delete();
  }
}

export interface Image {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** An image of what `color` gives for each texel: red, green, blue and alpha, rounded and held within 0 and 255. */
export function imageOf(width: number, height: number, color: (x: number, y: number) => readonly number[]): Image {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) data.set(color(x, y), at);
  }
  return { data: new Uint8Array(data.buffer), width, height };
}

/** Numbers from 0 to below 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** A normal map of a height field, Y up. */
export function normalsOf(width: number, height: number, at: (x: number, y: number) => number): Image {
  return imageOf(width, height, (x, y) => {
    const dx = (at(x + 1, y) - at(x - 1, y)) / 2;
    const dy = (at(x, y + 1) - at(x, y - 1)) / 2;
    const length = Math.hypot(dx, dy, 1);
    return [127.5 - (127.5 * dx) / length, 127.5 + (127.5 * dy) / length, 127.5 + 127.5 / length, 255];
  });
}

/** Peak signal-to-noise ratio over some channels, in dB; 99 for equal ones. */
export function psnr(a: Uint8Array, b: Uint8Array, channels: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 4) for (const c of channels) sum += (a[at + c] - b[at + c]) ** 2;
  return sum === 0 ? 99 : 10 * Math.log10((255 * 255 * channels.length * (a.length / 4)) / sum);
}

/** The vector of length 1 of two bytes. */
function unit(x: number, y: number): [number, number, number] {
  const [u, v] = [x / 127.5 - 1, y / 127.5 - 1];
  const z = Math.sqrt(Math.max(0, 1 - u * u - v * v));
  const length = Math.hypot(u, v, z);
  return [u / length, v / length, z / length];
}

/** Mean and greatest angle in degrees between normals of RG and decoded ones, whose X is red and Y alpha. */
export function angles(normals: Uint8Array, decoded: Uint8Array): { mean: number; max: number } {
  let sum = 0;
  let max = 0;
  for (let at = 0; at < normals.length; at += 4) {
    const a = unit(normals[at], normals[at + 1]);
    const b = unit(decoded[at], decoded[at + 3]);
    const chord = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    const angle = (2 * Math.asin(Math.min(1, chord / 2)) * 180) / Math.PI;
    sum += angle;
    max = Math.max(max, angle);
  }
  return { mean: sum / (normals.length / 4), max };
}
