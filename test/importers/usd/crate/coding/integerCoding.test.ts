// The integer coding, by bytes worked out by hand from the format.

import { describe, expect, it } from 'vitest';
import { memoryContent } from '../../../../../src/importers/content.ts';
import { CrateBytes } from '../../../../../src/importers/usd/crate/coding/crateBytes.ts';
import { Cursor } from '../../../../../src/importers/usd/crate/coding/cursor.ts';
import {
  decodeInt32,
  decodeInt64,
  endsOfInt32,
  readInt32Run,
  readUint32Run,
} from '../../../../../src/importers/usd/crate/coding/integerCoding.ts';
import { CrateFault } from '../../../../../src/importers/usd/crate/fault.ts';

const cursorOf = (bytes: readonly number[]): Cursor => {
  const data = Uint8Array.from(bytes);
  return new Cursor(new CrateBytes(memoryContent(data)), 0, data.length);
};

// 123 124 125 100125 100125 100126 100126: deltas 123 1 1 100000 0 1 0, 1 being common.
// Codes 1 0 0 3 | 1 0 1 from the low bits up: 0b11_00_00_01, 0b01_00_01. 100000 = 0x0186A0.
const HAND = [1, 0, 0, 0, 0xc1, 0x11, 123, 0xa0, 0x86, 0x01, 0x00, 0, 0];
const HAND_VALUES = [123, 124, 125, 100125, 100125, 100126, 100126];

describe('endsOfInt32', () => {
  it('gives the first and the last integer', () => {
    // For these numbers of integers the payload begins at the same byte.
    for (const n of [5, 6, 7]) {
      expect([...endsOfInt32(Uint8Array.from(HAND), n)]).toEqual([HAND_VALUES[0], HAND_VALUES[n - 1]]);
    }
  });

  it('adds up common deltas four at a time, and wraps around at 32 bits', () => {
    // Nine times the common delta 2^30.
    const coded = Uint8Array.of(0, 0, 0, 0x40, 0, 0, 0);
    expect([...endsOfInt32(coded, 9)]).toEqual([2 ** 30, (9 * 2 ** 30) | 0]);
    expect([...decodeInt32(coded, 9)]).toEqual(Array.from({ length: 9 }, (_, i) => ((i + 1) * 2 ** 30) | 0));
  });

  it('needs every byte of payload', () => {
    expect(() => endsOfInt32(Uint8Array.from(HAND.slice(0, -3)), 7)).toThrow(CrateFault);
  });
});

describe('decodeInt32', () => {
  it('decodes common, small and full deltas', () => {
    expect([...decodeInt32(Uint8Array.from(HAND), 7)]).toEqual(HAND_VALUES);
  });

  it('decodes signed small and medium deltas', () => {
    // -1, -301, -300: deltas -1 (small), -300 = 0xFED4 (medium), 1 (small); common 0. Codes 1 2 1: 0b01_10_01.
    expect([...decodeInt32(Uint8Array.of(0, 0, 0, 0, 0x19, 0xff, 0xd4, 0xfe, 1), 3)]).toEqual([-1, -301, -300]);
  });

  it('wraps around at 32 bits', () => {
    // 2147483647 (full), then +1 (common): codes 3 0.
    const coded = Uint8Array.of(1, 0, 0, 0, 0x03, 0xff, 0xff, 0xff, 0x7f);
    expect([...decodeInt32(coded, 2)]).toEqual([2147483647, -2147483648]);
  });

  it('ignores the unused codes of the last byte and needs every byte of payload', () => {
    // One element of code 1; the other three codes say 3, but are not there.
    expect([...decodeInt32(Uint8Array.of(0, 0, 0, 0, 0xfd, 9), 1)]).toEqual([9]);
    for (let cut = 0; cut < HAND.length; cut++) {
      expect(() => decodeInt32(Uint8Array.from(HAND.slice(0, cut)), 7)).toThrow(CrateFault);
    }
  });
});

describe('decodeInt64', () => {
  it('decodes deltas of 2, 4 and 8 bytes, wrapping at 64 bits', () => {
    // 0 (small), -1 (small), 2^63 - 1 (full: + 2^63), -2^63 (common: + 1), + 2^31 - 1 (medium).
    const coded = [1, 0, 0, 0, 0, 0, 0, 0, 0x35, 0x02];
    const payload = [0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0x7f];
    expect([...decodeInt64(Uint8Array.from([...coded, ...payload]), 5)]).toEqual([
      0n,
      -1n,
      9223372036854775807n,
      -9223372036854775808n,
      -9223372034707292161n,
    ]);
  });

  it('borrows and carries between the halves', () => {
    // 4294967295 (full), +1 (common), -2 (small).
    const coded = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0x13, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xfe, 0xff);
    expect([...decodeInt64(coded, 3)]).toEqual([4294967295n, 4294967296n, 4294967294n]);
  });
});

describe('runs in a stream', () => {
  // u64 size, one chunk, literals only.
  const run = [15, 0, 0, 0, 0, 0, 0, 0, 0, 0xd0, ...HAND];

  it('reads size, block and integers, and leaves the cursor behind them', () => {
    const cursor = cursorOf([...run, 77]);
    expect([...readInt32Run(cursor, 7)]).toEqual(HAND_VALUES);
    expect(cursor.u8()).toBe(77);
  });

  it('reads a run cut into chunks', () => {
    const chunks = [2, 7, 0, 0, 0, 0x60, ...HAND.slice(0, 6), 8, 0, 0, 0, 0x70, ...HAND.slice(6)];
    expect([...readInt32Run(cursorOf([chunks.length, 0, 0, 0, 0, 0, 0, 0, ...chunks]), 7)]).toEqual(HAND_VALUES);
  });

  it('reinterprets unsigned data', () => {
    // 4294967295 as -1 (small), 3 as +4 (small); common 0; codes 1 1.
    const coded = [0, 0, 0, 0, 0x05, 0xff, 4];
    expect([...readUint32Run(cursorOf([9, 0, 0, 0, 0, 0, 0, 0, 0, 0x70, ...coded]), 2)]).toEqual([4294967295, 3]);
  });

  it('steps over the size word of no integers at all', () => {
    const cursor = cursorOf([0, 0, 0, 0, 0, 0, 0, 0, 5]);
    expect(readInt32Run(cursor, 0).length).toBe(0);
    expect(cursor.u8()).toBe(5);
  });

  it('refuses a size beyond the data and counts beyond what the block can hold', () => {
    expect(() => readInt32Run(cursorOf(run.slice(0, -1)), 7)).toThrow(CrateFault);
    expect(() => readInt32Run(cursorOf(run), 1e9)).toThrow(CrateFault);
    expect(() => readInt32Run(cursorOf([0, 0, 0, 0, 0, 0, 0, 0x80]), 0)).toThrow(CrateFault);
  });
});
