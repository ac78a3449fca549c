import { describe, expect, it } from 'vitest';
import { pack, packedDigest, unpack } from '../../src/bytes/pack.ts';
import { sha256Hex } from '../../src/bytes/sha256.ts';

describe('pack', () => {
  it('writes the length, the text and the arrays at multiples of eight', () => {
    const text = '{"a":{"$":"Uint16Array","at":0,"length":2}}';
    expect(text).toHaveLength(43);
    const bytes = pack({ a: new Uint16Array([1, 0x0203]) });
    expect(Buffer.from(bytes).toString('latin1')).toBe(`+\0\0\0${text}\0\x01\0\x03\x02\0\0\0\0`);
  });

  it('gives back what was packed, numbers that JSON lacks too', () => {
    const value = {
      none: null,
      list: [1, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.1, 'é', true],
      map: new Map<unknown, unknown>([
        ['uv', new Float32Array([1, -0])],
        [2, { deep: new Int32Array([-1]) }],
      ]),
      set: new Set([1, 'a', -0]),
      mark: { $: 'Map', of: 1 },
      empty: new Float64Array(0),
      odd: new Uint8Array([1, 2, 3]),
    };
    expect(unpack(pack(value))).toEqual(value);
  });

  it('gives it back from bytes that are not aligned', () => {
    const packed = pack([new Float64Array([1.5, 2.5])]);
    const shifted = new Uint8Array(packed.length + 1);
    shifted.set(packed, 1);
    expect(unpack(shifted.subarray(1))).toEqual([new Float64Array([1.5, 2.5])]);
  });

  it('keeps the order of keys, on which no digest depends', () => {
    const one = { b: 1, a: { d: 2, c: 3 } };
    const other = { a: { c: 3, d: 2 }, b: 1, e: undefined };
    expect(JSON.stringify(unpack(pack(one)))).toBe('{"b":1,"a":{"d":2,"c":3}}');
    expect(packedDigest(one)).toBe(packedDigest(other));
  });

  it('tells values apart that look alike', () => {
    const values = [
      0,
      -0,
      Number.NaN,
      null,
      'NaN',
      [],
      {},
      new Map(),
      new Set(),
      new Float32Array(1),
      new Uint32Array(1),
      [0],
    ];
    expect(new Set(values.map(packedDigest)).size).toBe(values.length);
  });

  it('has the digest of its bytes where keys are sorted, of views too', () => {
    const value = { a: new Float32Array([1, 2, 3]).subarray(1), b: Buffer.from('text') };
    expect(packedDigest(value)).toBe(sha256Hex(pack(value)));
  });

  it('refuses what is no data', () => {
    expect(() => pack({ read: () => 1 })).toThrow('a function cannot be packed');
    expect(() => pack(new BigInt64Array(1))).toThrow('a BigInt64Array cannot be packed');
  });

  it('finds nothing in bytes that were cut, changed or are of something else', () => {
    const packed = pack({ a: new Uint32Array([1, 2, 3]) });
    for (let length = 0; length < packed.length; length++) expect(unpack(packed.subarray(0, length))).toBeNull();
    expect(unpack(new Uint8Array(64).fill(0xff))).toBeNull();
    const wrong = (text: string) => {
      const bytes = new Uint8Array(Math.ceil((4 + text.length) / 8) * 8 + 8);
      bytes[0] = text.length;
      bytes.set(Buffer.from(text), 4);
      return bytes;
    };
    expect(unpack(wrong('{"$":"Uint8Array","at":0,"length":1e12}'))).toBeNull();
    expect(unpack(wrong('{"$":"Uint8Array","at":-8,"length":1}'))).toBeNull();
    expect(unpack(wrong('{"$":"Function"}'))).toBeNull();
    expect(unpack(wrong('{"$":"Map","entries":[1]}'))).toBeNull();
    expect(unpack(wrong('{"$":"Set"}'))).toBeNull();
  });

  it('refuses instances of classes, of which it would lose what they are', () => {
    expect(() => pack({ when: new Date(0) })).toThrow('class');
  });

  it('takes nothing that it would not write', () => {
    const of = (text: string) => {
      const bytes = Buffer.alloc(Math.ceil((4 + text.length) / 8) * 8 + 16);
      bytes.writeUInt32LE(text.length);
      bytes.write(text, 4);
      return bytes;
    };
    expect(unpack(of('{"$":"Uint8Array","at":8,"length":3}'))).toEqual(new Uint8Array(3));
    for (const text of [
      '{"$":"Uint8Array","at":1,"length":3}',
      '{"$":"Uint8Array","at":-8,"length":3}',
      '{"$":"Uint8Array","at":8,"length":9}',
      '{"$":"number","value":"12"}',
      '{"$":"number","value":{"valueOf":1,"toString":1}}',
      '{"$":"Date","value":1}',
      '['.repeat(200_000),
    ]) {
      expect(unpack(of(text)), text.slice(0, 60)).toBeNull();
    }
    expect(unpack(of(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))).toBeNull();
  });
});
