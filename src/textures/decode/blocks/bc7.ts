// Blocks of BC7 (Khronos Data Format 1.3, section 20.1; "BPTC" there): eight modes, each with its own count of subsets and
// bits. Fields follow each other from the lowest bit of the first byte.

/**
 * One of the eight modes: its number of subsets, and the number of bits of each field. `lowest`: where the lowest bit of an endpoint
 * comes from (the P-bit of the specification). 'own': each endpoint has one; 'shared': both endpoints of a subset share one.
 */
interface Mode {
  readonly subsets: 1 | 2 | 3;
  readonly partition: number;
  readonly rotation: number;
  readonly selection: number;
  readonly color: number;
  readonly alpha: number;
  readonly lowest: 'none' | 'own' | 'shared';
  readonly index: number;
  /** Of a second set of indices; 0: there is none. */
  readonly second: number;
}

const mode = (
  subsets: Mode['subsets'],
  [partition, rotation, selection]: readonly number[],
  [color, alpha]: readonly number[],
  lowest: Mode['lowest'],
  [index, second]: readonly number[],
): Mode => ({ subsets, partition, rotation, selection, color, alpha, lowest, index, second });

const MODES: readonly Mode[] = [
  mode(3, [4, 0, 0], [4, 0], 'own', [3, 0]),
  mode(2, [6, 0, 0], [6, 0], 'shared', [3, 0]),
  mode(3, [6, 0, 0], [5, 0], 'none', [2, 0]),
  mode(2, [6, 0, 0], [7, 0], 'own', [2, 0]),
  mode(1, [0, 2, 1], [5, 6], 'none', [2, 3]),
  mode(1, [0, 2, 0], [7, 8], 'none', [2, 2]),
  mode(1, [0, 0, 0], [7, 7], 'own', [4, 0]),
  mode(2, [6, 0, 0], [5, 5], 'own', [2, 0]),
];

// biome-ignore format: tables of eight columns are read more easily.
const PARTITIONS_OF_2 = Uint16Array.of(
  0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
  0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
  0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
  0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
  0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
  0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
  0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
  0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
);
/** Two bits a texel. */
// biome-ignore format: as above.
const PARTITIONS_OF_3 = Uint32Array.of(
  0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
  0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
  0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
  0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
  0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
  0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
  0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
  0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
);

/** The texel of a second or third subset whose index lacks its highest bit: a hexadecimal digit for each partition. */
const digits = (text: string): Uint8Array => Uint8Array.from(text, (digit) => Number.parseInt(digit, 16));
const SECOND_OF_2 = digits('fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f');
const SECOND_OF_3 = digits('33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33');
const THIRD_OF_3 = digits('f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8');

/** Shares of the second endpoint in 64, by the bits of an index. */
const WEIGHTS: Readonly<Record<number, Uint8Array>> = {
  2: Uint8Array.of(0, 21, 43, 64),
  3: Uint8Array.of(0, 9, 18, 27, 37, 46, 55, 64),
  4: Uint8Array.of(0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64),
};

const ALPHA = 3;

// One block at a time is read: these hold what is known of it.
let source: Uint8Array = new Uint8Array(0);
/** Where its bytes begin, and the next bit of them. */
let begin = 0;
let bit = 0;
/** Two endpoints for each of three subsets, four channels each. */
const ends = new Uint8Array(3 * 2 * 4);
const indices = new Uint8Array(16);
const seconds = new Uint8Array(16);

/** The next bits, at most eight. */
function take(count: number): number {
  const at = begin + (bit >> 3);
  const value = ((source[at] | (source[at + 1] << 8)) >> (bit & 7)) & ((1 << count) - 1);
  bit += count;
  return value;
}

/** Repeats the highest bits of a value below it, so that all ones become 255. */
const widened = (value: number, bits: number): number => (value << (8 - bits)) | (value >> (2 * bits - 8));

function takeEnds({ subsets, color, alpha, lowest }: Mode): void {
  const count = subsets * 2;
  for (let c = 0; c < 4; c++) {
    const bits = c === ALPHA ? alpha : color;
    for (let i = 0; i < count; i++) ends[i * 4 + c] = take(bits);
  }
  const extra = lowest === 'none' ? 0 : 1;
  let low = 0;
  for (let i = 0; i < count; i++) {
    if (lowest === 'own' || (lowest === 'shared' && i % 2 === 0)) low = take(1);
    for (let c = 0; c < 4; c++) {
      const bits = c === ALPHA ? alpha : color;
      ends[i * 4 + c] = bits === 0 ? 255 : widened((ends[i * 4 + c] << extra) | low, bits + extra);
    }
  }
}

/** `second`, `third`: texels, beside the first one, whose index lacks its highest bit. */
function takeIndices(out: Uint8Array, bits: number, second: number, third: number): void {
  for (let i = 0; i < 16; i++) out[i] = take(i === 0 || i === second || i === third ? bits - 1 : bits);
}

/** Whether a block may have alpha below 255: that of modes 0 to 3 is 255. */
export const hasAlphaBc7 = (bytes: Uint8Array, at: number): boolean => (bytes[at] & 15) === 0;

/** Texels of the 16 bytes at `at`: 16 of RGBA, rows from the top. A block of no mode is black without alpha. */
export function decodeBc7(bytes: Uint8Array, at: number, out: Uint8Array): void {
  const number = 31 - Math.clz32(bytes[at] & -bytes[at]);
  if (number < 0) {
    out.fill(0);
    return;
  }
  const mode = MODES[number];
  source = bytes;
  begin = at;
  bit = number + 1;
  const partition = take(mode.partition);
  const rotation = take(mode.rotation);
  const isSwapped = take(mode.selection) === 1;
  takeEnds(mode);
  const second = mode.subsets === 2 ? SECOND_OF_2[partition] : mode.subsets === 3 ? SECOND_OF_3[partition] : 0;
  takeIndices(indices, mode.index, second, mode.subsets === 3 ? THIRD_OF_3[partition] : 0);
  if (mode.second > 0) takeIndices(seconds, mode.second, 0, 0);

  const first = { of: indices, weights: WEIGHTS[mode.index] };
  const other = mode.second > 0 ? { of: seconds, weights: WEIGHTS[mode.second] } : first;
  const [colors, alphas] = isSwapped ? [other, first] : [first, other];
  const channel = rotation === 0 ? ALPHA : rotation - 1;
  for (let i = 0; i < 16; i++) {
    let subset = 0;
    if (mode.subsets === 2) subset = (PARTITIONS_OF_2[partition] >> i) & 1;
    else if (mode.subsets === 3) subset = (PARTITIONS_OF_3[partition] >>> (i * 2)) & 3;
    for (let c = 0; c < 4; c++) {
      const { of, weights } = c === ALPHA ? alphas : colors;
      const weight = weights[of[i]];
      const from = subset * 8 + c;
      out[i * 4 + c] = (ends[from] * (64 - weight) + ends[from + 4] * weight + 32) >> 6;
    }
    const alpha = out[i * 4 + ALPHA];
    out[i * 4 + ALPHA] = out[i * 4 + channel];
    out[i * 4 + channel] = alpha;
  }
}
