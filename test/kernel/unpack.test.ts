// The kernel unpacks and scans packed vertices and indices; here it is held against the plain rules of the layout.

import { expect, test } from 'vitest';
import { halfValue } from '../../src/formats/untold/mesh/halfFloat.ts';
import { unpackVertices, VERTEX_WORDS } from '../../src/formats/untold/mesh/vertexWords.ts';
import { kernel } from '../../src/kernel/kernel.ts';
import { random } from '../geometry/meshes.ts';

const NONE = 0xffffffff;
const bytesOf = (values: ArrayBufferView) => Buffer.from(values.buffer, values.byteOffset, values.byteLength);

test('unpacked vertices have the values of the layout, in meshes of several blocks too', () => {
  const next = random(5);
  for (const count of [0, 1, 2, 16387]) {
    const words = Uint32Array.from({ length: count * VERTEX_WORDS }, () => Math.floor(next() * 2 ** 32));
    // Positions stay what they are, whatever their bits; of UVs only finite halves are stored.
    for (let at = 5; at < words.length; at += VERTEX_WORDS) words[at] &= 0xbfffbfff;
    const { vertexCount, positions, attributes } = unpackVertices(words);
    const { normal, tangent, uv0, color0 } = attributes;
    const wanted = {
      positions: new Uint32Array(count * 3),
      normal: new Float32Array(count * 3),
      tangent: new Float32Array(count * 4),
      uv0: new Float32Array(count * 2),
      color0: new Uint32Array(count),
    };
    for (let v = 0, at = 0; v < count; v++, at += VERTEX_WORDS) {
      wanted.positions.set(words.subarray(at, at + 3), v * 3);
      for (let k = 0; k < 3; k++) {
        wanted.normal[v * 3 + k] = ((words[at + 3] << (22 - k * 10)) >> 22) / 511;
        wanted.tangent[v * 4 + k] = ((words[at + 4] << (22 - k * 10)) >> 22) / 511;
      }
      wanted.tangent[v * 4 + 3] = words[at + 4] >>> 31 === 1 ? -1 : 1;
      wanted.uv0[v * 2] = halfValue(words[at + 5] & 0xffff);
      wanted.uv0[v * 2 + 1] = halfValue(words[at + 5] >>> 16);
      wanted.color0[v] = words[at + 7];
    }
    expect(vertexCount).toBe(count);
    const found = { positions, normal, tangent, uv0, color0 };
    for (const [name, values] of Object.entries(wanted)) {
      const unpacked = found[name as keyof typeof found] as ArrayBufferView;
      expect(Buffer.compare(bytesOf(unpacked), bytesOf(values)), name).toBe(0);
    }
  }
});

/** What the kernel finds in packed vertices that are scanned in two parts. */
function scanned(words: Uint32Array, split: number) {
  return kernel.within((memory) => {
    const scan = memory.allocate(48);
    memory.float32(scan, 8).fill(Infinity, 0, 4).fill(-Infinity, 4);
    memory.uint32(scan + 32, 4).fill(NONE);
    const at = memory.put(words);
    memory.calls.scanVertices(at, split, 0, scan);
    memory.calls.scanVertices(at + split * 32, words.length / VERTEX_WORDS - split, split, scan);
    const box = [...memory.float32(scan, 8)];
    return { box: [...box.slice(0, 3), ...box.slice(4, 7)], found: [...memory.uint32(scan + 32, 4)] };
  });
}

test('a scan gives the box, and the first vertex that breaks each rule', () => {
  const words = new Uint32Array(9 * VERTEX_WORDS);
  const floats = new Float32Array(words.buffer);
  for (let v = 0; v < 9; v++) {
    floats.set([v - 4, 0 - v, v * v], v * VERTEX_WORDS);
    // Ones of all ten bits in the normal look like an exponent; they are none.
    words.set([0x3fffffff, 0x40000000, 0x7bff7bff, 0xfbfffbff, NONE], v * VERTEX_WORDS + 3);
  }
  expect(scanned(words, 4)).toEqual({ box: [-4, -8, 0, 4, 0, 64], found: [NONE, NONE, NONE, NONE] });
  const rules: readonly [rule: number, word: number, values: readonly number[]][] = [
    [0, 0, [0x7f800000, 0xff800000, 0x7fc00000]],
    [0, 1, [0x7f800000]],
    [0, 2, [0xffc00001]],
    [1, 3, [0x40000000, 0x80000000]],
    [2, 4, [0x80000000, 0x3fffffff]],
    [3, 5, [0x7c00, 0xfc00, 0x7c000000, 0xfe000000]],
    [3, 6, [0x7e00, 0x7c000000]],
  ];
  for (const [rule, word, values] of rules) {
    for (const value of values) {
      for (const [first, second] of [
        [2, 7],
        [5, 6],
        [8, 8],
      ]) {
        const broken = words.slice();
        broken[first * VERTEX_WORDS + word] = value;
        broken[second * VERTEX_WORDS + word] = value;
        expect(scanned(broken, 4).found).toEqual([NONE, NONE, NONE, NONE].map((n, i) => (i === rule ? first : n)));
      }
    }
  }
  // What is not a number widens no box.
  const holed = words.slice();
  holed[8 * VERTEX_WORDS + 2] = 0x7fc00000;
  expect(scanned(holed, 4).box).toEqual([-4, -8, 0, 4, 0, 49]);
});

test('the greatest number is found wherever it stands', () => {
  const greatest = (numbers: Uint16Array | Uint32Array) =>
    kernel.within(
      (memory) => memory.calls.greatest(memory.put(numbers), numbers.BYTES_PER_ELEMENT, numbers.length) >>> 0,
    );
  for (const Kind of [Uint16Array, Uint32Array]) {
    const top = 2 ** (Kind.BYTES_PER_ELEMENT * 8) - 1;
    for (let length = 1; length < 40; length++) {
      for (let at = 0; at < length; at++) {
        const numbers = new Kind(length).map((_, i) => (i * 7) % 5);
        for (const max of [5, top]) {
          numbers[at] = max;
          expect(greatest(numbers)).toBe(max);
        }
      }
      expect(greatest(new Kind(length))).toBe(0);
    }
  }
});
