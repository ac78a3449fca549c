// Values by literal bytes: what is inlined and how, the layouts at an offset, packed floats, nesting and its bounds.

import { describe, expect, it } from 'vitest';
import { memoryContent } from '../../../../../src/importers/content.ts';
import { CrateBytes } from '../../../../../src/importers/usd/crate/coding/crateBytes.ts';
import { widenHalf } from '../../../../../src/importers/usd/crate/coding/half.ts';
import { CrateFault, UnreadableValue } from '../../../../../src/importers/usd/crate/fault.ts';
import { CrateSource } from '../../../../../src/importers/usd/crate/source.ts';
import { readArray } from '../../../../../src/importers/usd/crate/values/arrays.ts';
import { readTimeSamples } from '../../../../../src/importers/usd/crate/values/timeSamples.ts';
import { readValue } from '../../../../../src/importers/usd/crate/values/values.ts';
import type { ValueTypeName } from '../../../../../src/importers/usd/layer.ts';

const ARRAY = 0x80000000;
const INLINED = 0x40000000;
const COMPRESSED = 0x20000000;
const EDIT = 0x10000000;

/** A source over `bytes`; tokens and paths are few, string i is token i + 1. */
function sourceOf(bytes: readonly number[], minor = 9): CrateSource {
  const data = Uint8Array.from(bytes);
  const tokens = [';-)', 'one', 'two', 'three'];
  const structure = {
    version: { major: 0, minor, patch: 0 },
    tokens,
    strings: Uint32Array.of(1, 2, 3),
    fieldNames: new Uint32Array(),
    fieldReps: new Uint32Array(),
    fieldSets: new Uint32Array(),
    paths: ['', '/', '/A', '/A.b'],
    specPaths: new Uint32Array(),
    specFieldSets: new Uint32Array(),
    specTypes: new Uint32Array(),
  };
  return new CrateSource(new CrateBytes(memoryContent(data)), structure);
}

const never = (reason: Error): never => {
  throw reason;
};
/** The value with type number `type` and flags, payload `low`. */
const decode = (source: CrateSource, type: number, flags: number, low: number) =>
  readValue(source, low >>> 0, (flags | (type << 16)) >>> 0, never);
const inlined = (type: number, low: number) => decode(sourceOf([]), type, INLINED, low).value;
/** Decodes the value at offset 8 of 8 bytes of padding and `bytes`. */
const at8 = (type: number, bytes: readonly number[], minor = 9) =>
  decode(sourceOf([0, 0, 0, 0, 0, 0, 0, 0, ...bytes], minor), type, 0, 8).value;

const u32 = (v: number) => [v & 0xff, (v >> 8) & 0xff, (v >> 16) & 0xff, v >>> 24];
const u64 = (v: number) => [...u32(v), 0, 0, 0, 0];
const f64 = (v: number) => [...new Uint8Array(Float64Array.of(v).buffer)];
const f32 = (v: number) => [...new Uint8Array(Float32Array.of(v).buffer)];
const rep = (type: number, flags: number, low: number) => [...u32(low), ...u32((flags | (type << 16)) >>> 0)];

describe('inlined values', () => {
  it('are scalars of up to four bytes', () => {
    expect(inlined(1, 1)).toBe(true);
    expect(inlined(1, 0)).toBe(false);
    expect(inlined(2, 200)).toBe(200);
    expect(inlined(3, 0xfffffff9)).toBe(-7);
    expect(inlined(4, 4000000000)).toBe(4000000000);
    expect(inlined(7, 0x3555)).toBe(0.333251953125);
    expect(inlined(8, 0x3fc00000)).toBe(1.5);
    expect(inlined(10, 1)).toBe('two');
    expect(inlined(11, 1)).toBe('one');
    // An asset path is a token, not a string.
    expect(inlined(12, 1)).toBe('one');
    expect([0, 1, 2].map((v) => inlined(42, v))).toEqual(['def', 'over', 'class']);
    expect([0, 1].map((v) => inlined(43, v))).toEqual(['public', 'private']);
    expect([0, 1, 2].map((v) => inlined(44, v))).toEqual(['varying', 'uniform', 'uniform']);
    expect(inlined(51, 0)).toBe(null);
  });

  it('always are, whatever the inlined bit says', () => {
    expect(decode(sourceOf([]), 3, 0, 42).value).toBe(42);
    expect(decode(sourceOf([]), 11, 0, 2).value).toBe('two');
  });

  it('are 64-bit integers that fit 32 bits, doubles that are floats', () => {
    expect(inlined(5, 0xfffffffb)).toBe(-5n);
    expect(inlined(6, 0xfffffffb)).toBe(4294967291n);
    // 0.5f = 0x3F000000, and not the double of those bits.
    expect(inlined(9, 0x3f000000)).toBe(0.5);
  });

  it('are vectors as one signed byte a component, lowest byte first', () => {
    // (0, 1, 0) arrives as 256.
    expect(inlined(23, 0x000100)).toEqual([0, 1, 0]);
    expect(inlined(24, 0x007f80)).toEqual([-128, 127, 0]);
    expect(inlined(19, 0x04fd)).toEqual([-3, 4]);
    expect(inlined(27, 0x040302ff)).toEqual([-1, 2, 3, 4]);
    expect(inlined(26, 0xff0201)).toEqual([1, 2, -1]);
    expect(inlined(25, 0x030201)).toEqual([1, 2, 3]);
  });

  it('are two halves in the case of Vec2h', () => {
    expect(inlined(21, 0xc0003800)).toEqual([0.5, -2]);
  });

  it('are matrices as signed diagonals', () => {
    expect(inlined(15, 0x01010101)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect(inlined(14, 0xfc0302)).toEqual([2, 0, 0, 0, 3, 0, 0, 0, -4]);
    expect(inlined(13, 0x0201)).toEqual([1, 0, 0, 2]);
  });

  it('are the empty dictionary', () => {
    expect(inlined(31, 0)).toEqual(new Map());
  });

  it('never are quats, time codes or list ops', () => {
    for (const type of [16, 17, 18, 32, 56]) expect(() => inlined(type, 0)).toThrow(CrateFault);
  });

  it('must be indexes and enumerants that exist', () => {
    for (const [type, low] of [
      [10, 3],
      [11, 4],
      [12, 4],
      [42, 3],
      [43, 2],
      [44, 3],
    ]) {
      expect(() => inlined(type, low)).toThrow(CrateFault);
    }
  });
});

describe('values at an offset', () => {
  it('are plain numbers; quats in the order i, j, k, real', () => {
    expect(at8(9, f64(0.1))).toBe(0.1);
    expect(at8(5, [0, 0xf2, 5, 0x2a, 1, 0, 0, 0])).toBe(5000000000n);
    expect(at8(24, [0.5, 1.5, -2].flatMap(f32))).toEqual([0.5, 1.5, -2]);
    expect(at8(17, [0.1, 0.2, 0.3, 1].flatMap(f32))).toEqual([0.1, 0.2, 0.3, 1].map(Math.fround));
    expect(at8(56, f64(12.5))).toBe(12.5);
    expect(at8(57, u32(2))).toBe('three');
  });

  it('copies what does not lie on a multiple of its size', () => {
    const source = sourceOf([1, ...f64(2.25), ...f64(-1)]);
    expect(decode(source, 19, 0, 1).value).toEqual([2.25, -1]);
  });

  it('reads list ops in the order explicit, added, prepended, appended, deleted, ordered', () => {
    const item = (token: number) => [...u64(1), ...u32(token)];
    const lists = { explicit: [], added: [], prepended: [], appended: [], deleted: [], ordered: [] };
    const all = [0x7c, ...item(1), ...item(2), ...item(3), ...item(0), ...item(1)];
    expect(at8(32, all)).toEqual({
      ...lists,
      isExplicit: false,
      added: ['one'],
      prepended: ['two'],
      appended: ['three'],
      deleted: [';-)'],
      ordered: ['one'],
    });
    expect(at8(33, [0x03, ...u64(2), ...u32(0), ...u32(2)])).toEqual({
      ...lists,
      isExplicit: true,
      explicit: ['one', 'three'],
    });
    expect(at8(34, [0x01])).toEqual({ ...lists, isExplicit: true });
    expect(at8(36, [0x08, ...u64(1), ...u32(-3)])).toEqual({ ...lists, isExplicit: false, deleted: [-3] });
    expect(() => at8(36, [0x80])).toThrow(CrateFault);
  });

  it('gives payloads an offset from 0.8 on', () => {
    const arc = [...u32(0), ...u32(2)];
    const plain = { assetPath: 'one', primPath: '/A', customData: new Map() };
    expect(at8(47, arc, 7)).toEqual({ ...plain, offset: 0, scale: 1 });
    expect(at8(47, [...arc, ...f64(10), ...f64(2)], 8)).toEqual({ ...plain, offset: 10, scale: 2 });
    expect(() => at8(47, arc, 8)).toThrow(CrateFault);
  });

  it('reads references with the dictionary that follows each in the stream', () => {
    const first = [...u32(0), ...u32(2), ...f64(0), ...f64(1), ...u64(1), ...u32(1), ...u64(8), ...rep(3, INLINED, 5)];
    const second = [...u32(1), ...u32(0), ...f64(3), ...f64(1), ...u64(0)];
    const op = at8(35, [0x20, ...u64(2), ...first, ...second]) as { prepended: unknown };
    expect(op.prepended).toEqual([
      {
        assetPath: 'one',
        primPath: '/A',
        offset: 0,
        scale: 1,
        customData: new Map([['two', { type: 'Int', array: false, value: 5 }]]),
      },
      { assetPath: 'two', primPath: '', offset: 3, scale: 1, customData: new Map() },
    ]);
  });

  it('reads relocates, layer offsets and variant selections', () => {
    expect(at8(58, [...u64(1), ...u32(2), ...u32(0)])).toEqual([['/A', '']]);
    expect(at8(49, [...u64(1), ...f64(10), ...f64(0.5)])).toEqual([{ offset: 10, scale: 0.5 }]);
    expect(at8(45, [...u64(1), ...u32(0), ...u32(1)])).toEqual(new Map([['one', 'two']]));
  });

  it('follows VALUE over what is stored between its offset and its representation', () => {
    // Offset 16: 8 bytes of other data lie between.
    expect(at8(52, [...u64(16), ...f64(7), ...rep(9, 0, 16)])).toEqual({ type: 'Double', array: false, value: 7 });
  });

  it('goes on after the representation of each dictionary entry', () => {
    const entry = (key: number, low: number) => [...u32(key), ...u64(12), ...u32(99), ...rep(3, INLINED, low)];
    const value = at8(31, [...u64(2), ...entry(0, 11), ...entry(2, 22)]) as Map<string, { value: unknown }>;
    expect([...value].map(([key, { value: v }]) => [key, v])).toEqual([
      ['one', 11],
      ['three', 22],
    ]);
  });
});

describe('broken nesting', () => {
  it('refuses a VALUE that contains itself', () => {
    expect(() => at8(52, [...u64(8), ...rep(52, 0, 8)])).toThrow(/nested/);
    expect(() => at8(31, [...u64(1), ...u32(0), ...u64(8), ...rep(31, 0, 8)])).toThrow(/nested/);
  });

  it('refuses a VALUE that points backwards', () => {
    expect(() => at8(52, [...u64(0), ...rep(3, INLINED, 1)])).toThrow(CrateFault);
    expect(() => at8(52, [0xf8, 255, 255, 255, 255, 255, 255, 255, ...rep(3, INLINED, 1)])).toThrow(CrateFault);
  });

  it('ends a small file that describes an endless value', () => {
    // Level k is a dictionary of two entries that both are level k + 1: 2^40 values in a kilobyte.
    const bytes: number[] = [];
    for (let level = 0; level < 40; level++) {
      const next = 8 + (level + 1) * 48;
      const entry = (key: number) => [...u32(key), ...u64(8), ...rep(31, 0, next)];
      bytes.push(...u64(2), ...entry(0), ...entry(1));
    }
    bytes.push(...u64(0));
    let fault: unknown;
    try {
      at8(31, bytes);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(CrateFault);
    expect((fault as CrateFault).code).toBe('UC1406');
  });

  it('refuses time samples inside other values', () => {
    expect(() => at8(52, [...u64(8), ...rep(46, 0, 8)])).toThrow(CrateFault);
  });

  it('says of unknown types and array edits that they cannot be read, and leaves them out of dictionaries', () => {
    expect(() => decode(sourceOf([]), 61, INLINED, 0)).toThrow(UnreadableValue);
    expect(() => decode(sourceOf([]), 0, 0, 0)).toThrow(UnreadableValue);
    expect(() => decode(sourceOf([]), 24, ARRAY | EDIT, 8)).toThrow(UnreadableValue);
    expect(() => decode(sourceOf([]), 32, ARRAY, 8)).toThrow(UnreadableValue);
    const entry = (key: number, type: number) => [...u32(key), ...u64(8), ...rep(type, INLINED, 1)];
    const bytes = [...u64(3), ...entry(0, 3), ...entry(1, 99), ...entry(2, 4)];
    const left: string[] = [];
    const value = readValue(sourceOf(bytes), 0, 31 << 16, (reason, key) => left.push(`${key}: ${reason.code}`));
    expect([...(value.value as Map<string, unknown>).keys()]).toEqual(['one', 'three']);
    expect(left).toEqual(['two: UC1407']);
  });

  it('refuses counts beyond the file before it allocates for them', () => {
    const endless = [255, 255, 255, 255, 255, 255, 255, 0x7f];
    for (const type of [31, 40, 41, 45, 48, 49, 50, 58]) expect(() => at8(type, endless)).toThrow(CrateFault);
    for (let type = 32; type <= 39; type++) expect(() => at8(type, [0x02, ...endless])).toThrow(CrateFault);
    for (const type of [54, 55]) expect(() => at8(type, [0x02, ...endless])).toThrow(CrateFault);
    for (const type of [1, 3, 5, 7, 8, 9, 10, 11, 12, 15, 17, 24, 56, 57]) {
      for (const flags of [ARRAY, ARRAY | COMPRESSED]) {
        const source = sourceOf([0, 0, 0, 0, 0, 0, 0, 0, ...endless, 1, 2, 3]);
        expect(() => decode(source, type, flags, 8), `type ${type}`).toThrow(CrateFault);
      }
    }
  });
});

describe('arrays', () => {
  const read = (type: ValueTypeName, bytes: readonly number[], flags = 0, minor = 9) =>
    readArray(sourceOf([0, 0, 0, 0, 0, 0, 0, 0, ...bytes], minor), type, 8, (ARRAY | flags) >>> 0);
  // Sixteen values 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 as deltas 3 (small) -3 (small) 0…; codes 1 1, then common 0.
  const sixteen = [0, 0, 0, 0, 0x05, 0, 0, 0, 3, 0xfd];
  const run = [...u64(12), 0, 0xa0, ...sixteen];
  const decoded = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

  it('have a rank before 0.5 and 32-bit counts before 0.7', () => {
    const values = [...u32(7), ...u32(-8)];
    expect(read('Int', [...u64(2), ...values], 0, 7)).toEqual(Int32Array.of(7, -8));
    expect(read('Int', [...u32(2), ...values], 0, 6)).toEqual(Int32Array.of(7, -8));
    expect(read('Int', [...u32(2), ...values], 0, 5)).toEqual(Int32Array.of(7, -8));
    expect(read('Int', [...u32(1), ...u32(2), ...values], 0, 4)).toEqual(Int32Array.of(7, -8));
  });

  it('are empty at offset 0', () => {
    const source = sourceOf([]);
    expect(readArray(source, 'Vec3f', 0, ARRAY)).toEqual(new Float32Array(0));
    expect(readArray(source, 'Half', 0, ARRAY)).toEqual(new Float32Array(0));
    expect(readArray(source, 'Token', 0, ARRAY)).toEqual([]);
  });

  it('are views where aligned, copies elsewhere', () => {
    const data = sourceOf([0, 0, 0, 0, 0, 0, 0, 0, ...u64(2), ...f32(1), ...f32(2)]);
    const aligned = readArray(data, 'Float', 8, ARRAY) as Float32Array;
    expect(aligned.buffer).toBe(data.bytes.buffer);
    const shifted = sourceOf([0, ...u64(2), ...f32(1), ...f32(2)]);
    const copied = readArray(shifted, 'Float', 1, ARRAY) as Float32Array;
    expect(copied.buffer).not.toBe(shifted.bytes.buffer);
    expect([...copied]).toEqual([...aligned]);
    expect([...copied]).toEqual([1, 2]);
    // A Buffer gives a view where a Uint8Array gives a copy when it is sliced.
    const pooled = new CrateSource(
      new CrateBytes(memoryContent(Buffer.from(shifted.bytes.range(0, shifted.bytes.size)))),
      shifted.structure,
    );
    expect([...(readArray(pooled, 'Float', 1, ARRAY) as Float32Array)]).toEqual([1, 2]);
  });

  it('hold token indexes for tokens, string indexes for strings and asset paths', () => {
    const bytes = [...u64(2), ...u32(1), ...u32(2)];
    expect(read('Token', bytes)).toEqual(['one', 'two']);
    expect(read('String', bytes)).toEqual(['two', 'three']);
    expect(read('AssetPath', bytes)).toEqual(['two', 'three']);
    expect(read('PathExpression', bytes)).toEqual(['two', 'three']);
    expect(() => read('String', [...u64(1), ...u32(3)])).toThrow(CrateFault);
  });

  it('hold bools as 0 and 1', () => {
    expect(read('Bool', [...u64(4), 0, 1, 255, 2])).toEqual(Uint8Array.of(0, 1, 1, 1));
  });

  it('are packed from 16 integers on, whatever the compressed bit says of fewer', () => {
    expect(read('Int', [...u64(16), ...run], COMPRESSED)).toEqual(Int32Array.from(decoded));
    expect(read('UInt', [...u64(16), ...run], COMPRESSED)).toEqual(Uint32Array.from(decoded));
    expect(read('Int', [...u64(2), ...u32(5), ...u32(6)], COMPRESSED)).toEqual(Int32Array.of(5, 6));
    const vectors = Array.from({ length: 32 }, (_, i) => i);
    expect(read('Vec2i', [...u64(16), ...vectors.flatMap(u32)], COMPRESSED)).toEqual(Int32Array.from(vectors));
  });

  it("are whole numbers under code 'i'", () => {
    const bytes = [...u64(16), 0x69, ...run];
    expect(read('Float', bytes, COMPRESSED)).toEqual(Float32Array.from(decoded));
    expect(read('Double', bytes, COMPRESSED)).toEqual(Float64Array.from(decoded));
    expect(read('Half', bytes, COMPRESSED)).toEqual(Float32Array.from(decoded));
  });

  it("are entries of a table under code 't'", () => {
    const values = [0.5, -0.25, 8, 1.5];
    const expected = decoded.map((i) => values[i]);
    const bytes = (table: readonly number[]) => [...u64(16), 0x74, ...u32(4), ...table, ...run];
    expect(read('Float', bytes(values.flatMap(f32)), COMPRESSED)).toEqual(Float32Array.from(expected));
    expect(read('Double', bytes(values.flatMap(f64)), COMPRESSED)).toEqual(Float64Array.from(expected));
    // Halves 0x3800, 0xB400, 0x4800, 0x3E00.
    const halves = [0, 0x38, 0, 0xb4, 0, 0x48, 0, 0x3e];
    expect(read('Half', bytes(halves), COMPRESSED)).toEqual(Float32Array.from(expected));
    const short = [...u64(16), 0x74, ...u32(3), ...values.slice(0, 3).flatMap(f32), ...run];
    expect(() => read('Float', short, COMPRESSED)).toThrow(CrateFault);
    expect(() => read('Float', [...u64(16), 0x75, ...run], COMPRESSED)).toThrow(CrateFault);
  });
});

describe('widenHalf', () => {
  it('is exact for normal, subnormal and special halves', () => {
    const pairs: [number, number][] = [
      [0x0000, 0],
      [0x8000, -0],
      [0x0001, 2 ** -24],
      [0x03ff, 1023 * 2 ** -24],
      [0x0400, 2 ** -14],
      [0x3c00, 1],
      [0xc000, -2],
      [0x7bff, 65504],
      [0x7c00, Number.POSITIVE_INFINITY],
      [0xfc00, Number.NEGATIVE_INFINITY],
      [0x7e00, Number.NaN],
    ];
    for (const [bits, value] of pairs) expect(widenHalf(bits)).toBe(value);
  });
});

describe('time samples', () => {
  const straight = (read: () => unknown) => read() as never;
  /** At 8: the times' rep 8 bytes on, then the samples' reps; at 64: two times. */
  const layout = (times: readonly number[], reps: readonly number[][]) => [
    ...u64(0),
    ...u64(8),
    ...rep(48, 0, 72),
    ...u64(8),
    ...u64(reps.length),
    ...reps.flat(),
    ...Array.from({ length: 72 - 40 - 8 * reps.length }, () => 0),
    ...u64(times.length),
    ...times.flatMap(f64),
  ];
  const read = (bytes: readonly number[], leftOut = never as never) =>
    readTimeSamples(sourceOf(bytes), 8, 46 << 16, new Map(), leftOut, straight);

  it('give their times at once and values when asked', () => {
    const samples = read(layout([1, 2.5], [rep(3, INLINED, 7), rep(51, INLINED, 0)]));
    expect(samples.times).toEqual(Float64Array.of(1, 2.5));
    expect(samples.at(0)).toEqual({ type: 'Int', array: false, value: 7 });
    expect(samples.at(1)).toEqual({ type: 'ValueBlock', array: false, value: null });
    expect(() => samples.at(2)).toThrow(RangeError);
  });

  it('leave out samples of unknown types', () => {
    const left: string[] = [];
    const bytes = layout([1, 2, 3], [rep(3, INLINED, 7), rep(99, INLINED, 0), rep(3, INLINED, 9)]);
    const samples = read(bytes, ((reason: UnreadableValue, where: string) =>
      left.push(`${where} ${reason.code}`)) as never);
    expect(samples.times).toEqual(Float64Array.of(1, 3));
    expect(samples.at(1).value).toBe(9);
    expect(left).toEqual(['time 2 UC1407']);
  });

  it('must have as many values as times, ascending, and no samples among the samples', () => {
    const value = rep(3, INLINED, 7);
    expect(() => read(layout([1, 2], [value]))).toThrow(CrateFault);
    expect(() => read(layout([2, 1], [value, value]))).toThrow(CrateFault);
    expect(() => read(layout([1, Number.NaN], [value, value]))).toThrow(CrateFault);
    expect(() => read(layout([1], [rep(46, 0, 8)]))).toThrow(CrateFault);
  });
});
