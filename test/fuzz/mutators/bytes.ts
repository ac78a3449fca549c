// Damage that knows nothing of a format: flipped bits, cut, copied and moved blocks, and integers that sizes overflow with.

import { pick, type Random } from '../random.ts';

/** Makes a broken input of a sound one, which it leaves as it is. */
export type Mutator = (bytes: Uint8Array, random: Random) => Uint8Array;

const INTEGERS: readonly bigint[] = [
  0n,
  1n,
  2n,
  3n,
  7n,
  8n,
  0x7fn,
  0x80n,
  0xffn,
  0x100n,
  0x7fffn,
  0x8000n,
  0xffffn,
  0x10000n,
  2n ** 24n,
  2n ** 30n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 31n + 1n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 33n,
  2n ** 48n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];

/** Bits of float32 values that arithmetic stumbles over: NaN, infinities, the largest, the smallest, -0. */
const FLOATS: readonly bigint[] = [
  0x7fc00000n,
  0x7f800000n,
  0xff800000n,
  0x7f7fffffn,
  0xff7fffffn,
  0x00000001n,
  0x80000000n,
];

function put(bytes: Uint8Array, at: number, value: bigint, width: number, isBig: boolean): void {
  for (let i = 0; i < width; i++) {
    const shift = BigInt(8 * (isBig ? width - 1 - i : i));
    bytes[at + i] = Number((value >> shift) & 255n);
  }
}

function get(bytes: Uint8Array, at: number, width: number, isBig: boolean): bigint {
  let value = 0n;
  for (let i = 0; i < width; i++) value |= BigInt(bytes[at + i]) << BigInt(8 * (isBig ? width - 1 - i : i));
  return value;
}

/** Half of all damage falls on the first and last bytes, where most formats keep their structure. */
function place(length: number, random: Random): number {
  const near = Math.min(length, 256);
  const where = random(4);
  if (where === 0) return random(near);
  if (where === 1) return length - 1 - random(near);
  return random(length);
}

const flip: Mutator = (bytes, random) => {
  const out = bytes.slice();
  for (let n = 1 + random(4); n > 0; n--) out[place(out.length, random)] ^= 1 << random(8);
  return out;
};

const setByte: Mutator = (bytes, random) => {
  const out = bytes.slice();
  for (let n = 1 + random(4); n > 0; n--) out[place(out.length, random)] = random(256);
  return out;
};

const setInteger: Mutator = (bytes, random) => {
  const width = pick(random, [2, 4, 4, 4, 8, 8]);
  if (bytes.length < width) return flip(bytes, random);
  const out = bytes.slice();
  const isBig = random(4) === 0;
  const step = random(4) === 0 ? 1 : width;
  const at = Math.min(Math.floor(place(bytes.length, random) / step) * step, bytes.length - width);
  const kind = random(8);
  let value = pick(random, INTEGERS);
  if (kind < 2) value = get(bytes, at, width, isBig) + BigInt(random(17) - 8);
  else if (kind === 2) value = BigInt(bytes.length + random(33) - 16);
  else if (kind === 3) value = pick(random, FLOATS);
  put(out, at, value, width, isBig);
  return out;
};

const truncate: Mutator = (bytes, random) => bytes.slice(0, random(bytes.length));

function block(bytes: Uint8Array, random: Random): [from: number, length: number] {
  const from = random(bytes.length);
  return [from, 1 + random(Math.min(pick(random, [4, 16, 64, 1024]), bytes.length - from))];
}

const remove: Mutator = (bytes, random) => {
  const [from, length] = block(bytes, random);
  return joined(bytes.subarray(0, from), bytes.subarray(from + length));
};

const copy: Mutator = (bytes, random) => {
  const [from, length] = block(bytes, random);
  const at = random(bytes.length);
  const times = random(8) === 0 ? 1 + random(16) : 1;
  const copies = Array.from({ length: times }, () => bytes.subarray(from, from + length));
  return joined(bytes.subarray(0, at), ...copies, bytes.subarray(at));
};

const overwrite: Mutator = (bytes, random) => {
  const out = bytes.slice();
  const [from, length] = block(bytes, random);
  out.set(bytes.subarray(from, from + length), random(bytes.length - length + 1));
  return out;
};

const fill: Mutator = (bytes, random) => {
  const out = bytes.slice();
  const [from, length] = block(bytes, random);
  out.fill(pick(random, [0, 0xff, 0x80, 0x20, random(256)]), from, from + length);
  return out;
};

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const ALL: readonly Mutator[] = [
  flip,
  flip,
  setByte,
  setInteger,
  setInteger,
  setInteger,
  truncate,
  remove,
  copy,
  overwrite,
  fill,
];

/** One kind of damage to any bytes. */
export const damageBytes: Mutator = (bytes, random) => (bytes.length === 0 ? bytes : pick(random, ALL)(bytes, random));

/** Damage that leaves the length alone, for parts of files whose sizes stand elsewhere. */
export const damageInPlace: Mutator = (bytes, random) =>
  bytes.length === 0 ? bytes : pick(random, [flip, setByte, setInteger, setInteger, overwrite, fill])(bytes, random);
