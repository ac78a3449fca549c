// The crate writer: bytes worked out by hand from the format, and layers that our reader gives back.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { Paths, Strings, Tokens } from '../../../src/formats/usdc/tables.ts';
import { SPEC_TYPE, type SpecType, type Value } from '../../../src/formats/usdc/values.ts';
import { ValueWriter } from '../../../src/formats/usdc/valueWriter.ts';
import { type CrateSpec, writeUsdc } from '../../../src/formats/usdc/write.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { readCrate } from '../../../src/importers/usd/crate/readCrate.ts';
import type { Layer } from '../../../src/importers/usd/layer.ts';
import { plainLayer } from '../../importers/usd/crate/plainLayer.ts';

const scalar = (type: Value['type'], value: unknown): Value => ({ type, array: false, value });
const array = (type: Value['type'], value: unknown): Value => ({ type, array: true, value });

const spec = (path: string, type: SpecType, fields: Readonly<Record<string, Value>>): CrateSpec => ({
  path,
  type,
  fields: Object.entries(fields),
});

function read(bytes: Uint8Array): Layer {
  const diagnostics = new Diagnostics();
  const layer = readCrate(memoryContent(bytes), 'a.usdc', diagnostics);
  expect(diagnostics.list).toEqual([]);
  return layer;
}

/** The specs of a layer as the writer takes them. */
const specsOf = (layer: Layer): CrateSpec[] =>
  [...layer.specs.values()].map((own) => ({
    path: own.path,
    type: own.type,
    fields: own.fieldNames().map((name) => [name, own.get(name)!] as const),
  }));

const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer).toString('hex');
const text = (value: string) => Buffer.from(value).toString('hex');
/** Packed bytes without a match: u64 size, 0 for one block, the literals with their count. */
function literals(hex: string): string {
  const n = hex.length / 2;
  const count = n < 15 ? [n << 4] : [0xf0, n - 15];
  return u64(1 + count.length + n) + Buffer.from([0, ...count]).toString('hex') + hex;
}
const entry = (name: string, start: number, size: number) => text(name.padEnd(16, '\0')) + u64(start) + u64(size);
const padded = (hex: string) => hex.padEnd(Math.ceil(hex.length / 16) * 16, '0');

describe('the bytes of a crate', () => {
  test('of one prim', () => {
    const bytes = writeUsdc(
      [
        spec('/', SPEC_TYPE.pseudoRoot, { defaultPrim: scalar('Token', 'A') }),
        spec('/A', SPEC_TYPE.prim, { specifier: scalar('Specifier', 'def') }),
      ],
      'a.usdc',
    );
    const expected = [
      // PXR-USDC, version 0.8.0, where the table of contents is, 64 reserved bytes.
      `${text('PXR-USDC')}0008000000000000${u64(360)}${'00'.repeat(64)}`,
      // TOKENS at 88: 4 tokens, 28 bytes.
      padded(u64(4) + u64(28) + literals(text(';-)\0defaultPrim\0A\0specifier\0'))),
      // STRINGS at 144: none.
      u64(0),
      // FIELDS at 152: names 1 and 3 as differences 1 (the common one) and 2; the inlined token 2 (type 11) and `def` (type 42).
      padded(u64(2) + literals('010000000402') + literals('02000000' + '00000b40' + '00000000' + '00002a40')),
      // FIELDSETS at 208: 0, end, 1, end as differences 0, -1, 2, -2.
      padded(u64(4) + literals('0000000054ff02fe')),
      // PATHS at 240: indexes 0 1; elements 0 and token 2; the root has a child (-1), which is a leaf (-2).
      padded(u64(2) + u64(2) + literals('000000000401') + literals('000000000402') + literals('ffffffff00')),
      // SPECS at 304: paths 0 1, runs at 0 and 2, a pseudo-root (7) and a prim (6).
      u64(2) + literals('000000000401') + literals('000000000402') + literals('0700000004ff'),
      // The table of contents at 360.
      u64(6),
      entry('TOKENS', 88, 55),
      entry('STRINGS', 144, 8),
      entry('FIELDS', 152, 51),
      entry('FIELDSETS', 208, 26),
      entry('PATHS', 240, 63),
      entry('SPECS', 304, 56),
    ].join('');
    expect(Buffer.from(bytes).toString('hex')).toBe(expected);
  });

  test('of values that a representation holds itself, and of others', () => {
    const tokens = new Tokens();
    const values = new ValueWriter(88, tokens, new Strings(tokens), new Paths(tokens));
    const rep = (value: Value) => {
      const { low, high } = values.rep(value);
      return [high.toString(16), low.toString(16)];
    };
    expect(rep(scalar('Int', -1))).toEqual(['40030000', 'ffffffff']);
    expect(rep(scalar('Float', 1))).toEqual(['40080000', '3f800000']);
    expect(rep(scalar('Double', 0.5))).toEqual(['40090000', '3f000000']);
    expect(rep(scalar('Vec3d', [0, 1, -1]))).toEqual(['40170000', 'ff0100']);
    expect(rep(scalar('Vec2h', [1, -2]))).toEqual(['40150000', 'c0003c00']);
    expect(rep(scalar('Matrix4d', [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))).toEqual(['400f0000', '1010101']);
    expect(rep(scalar('Int64', -2n))).toEqual(['40050000', 'fffffffe']);
    expect(rep(scalar('Dictionary', new Map()))).toEqual(['401f0000', '0']);
    expect(rep(array('Vec3f', new Float32Array()))).toEqual(['80180000', '0']);
    expect(values.parts).toEqual([]);
    // 0.1 is no float32, -0 no integer, 2^40 no int32: each at a multiple of 8, equal ones once.
    expect(rep(scalar('Double', 0.1))).toEqual(['90000', '58']);
    expect(rep(scalar('Vec2f', [-0, 1]))).toEqual(['140000', '60']);
    expect(rep(scalar('UInt64', 2n ** 40n))).toEqual(['60000', '68']);
    expect(rep(scalar('Double', 0.1))).toEqual(['90000', '58']);
    // Sixteen integers are packed, fifteen are not.
    expect(rep(array('Int', new Int32Array(15)))).toEqual(['80030000', '70']);
    expect(rep(array('Int', new Int32Array(16)))[0]).toBe('a0030000');
    expect(rep(array('Vec3i', new Int32Array(48)))[0]).toBe('801a0000');
  });
});

describe('round trip', () => {
  // 0.9.0 has time codes; nothing in the layer needs a later version.
  test.each([
    ['0.8.0', '0.8.0'],
    ['0.9.0', '0.9.0'],
    ['0.11.0', '0.9.0'],
  ])('of every value type, which OpenUSD wrote as %s', (from, to) => {
    const file = resolve(import.meta.dirname, `../../fixtures/crate/sink-${from}.usdc`);
    const layer = read(new Uint8Array(readFileSync(file)));
    const written = writeUsdc(specsOf(layer), 'b.usdc');
    const again = read(written);
    expect(plainLayer(again)).toEqual(plainLayer(layer));
    expect(again.version).toBe(to);
    expect(writeUsdc(specsOf(again), 'b.usdc')).toEqual(written);
  });

  test('of generated values: every length of packed arrays, every width of differences', () => {
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1103515245) + 12345) | 0;
      return seed / 2 ** 31;
    };
    const fields: Record<string, Value> = {};
    for (let n = 0; n < 40; n++) {
      const range = 2 ** (n % 33);
      const ints = Int32Array.from({ length: n }, () => random() * range);
      fields[`i${n}`] = array('Int', ints);
      fields[`u${n}`] = array('UInt', Uint32Array.from(ints));
      fields[`l${n}`] = array(
        'Int64',
        BigInt64Array.from(ints, (item) => BigInt(item) * BigInt(n % 3 ? 1 : 2 ** 31)),
      );
      fields[`h${n}`] = array(
        'Half',
        Float32Array.from({ length: n }, (_, i) => i / 4),
      );
      fields[`f${n}`] = array('Vec2f', Float32Array.from({ length: 2 * n }, random));
      fields[`t${n}`] = array(
        'Token',
        Array.from({ length: n }, (_, i) => `name ${i % 3}`),
      );
      fields[`a${n}`] = array(
        'AssetPath',
        Array.from({ length: n }, (_, i) => `${i}.png`),
      );
    }
    const specs = [spec('/', SPEC_TYPE.pseudoRoot, fields)];
    const layer = read(writeUsdc(specs, 'b.usdc'));
    for (const [name, value] of Object.entries(fields)) expect(layer.specs.get('/')?.get(name)).toEqual(value);
  });

  test('of many siblings, of a long chain, of names that are odd, of targets before their prims', () => {
    const target = scalar('PathVector', ['/Last', '/Never/There.inputs:a']);
    const specs = [spec('/', SPEC_TYPE.pseudoRoot, { odd: scalar('String', 'a\0b \ud83d\ude00 ;-)'), target })];
    for (let i = 0; i < 3000; i++)
      specs.push(spec(`/P${i}`, SPEC_TYPE.prim, { typeName: scalar('Token', `T${i % 7}`) }));
    let deep = '';
    for (let i = 0; i < 300; i++) {
      deep += `/d${i}`;
      specs.push(spec(deep, SPEC_TYPE.prim, {}));
    }
    for (const path of [
      '/Häuser',
      '/Häuser.primvars:größe',
      '/Häuser{lod=}',
      '/Häuser{lod=high.2}',
      '/Häuser{lod=high.2}Dach',
      '/Häuser{lod=high.2}Dach.x',
      '/Last',
    ]) {
      specs.push(spec(path, SPEC_TYPE.prim, {}));
    }
    const layer = read(writeUsdc(specs, 'b.usdc'));
    // NUL ends tokens in a crate.
    expect(layer.specs.get('/')?.get('odd')?.value).toBe('a\ufffdb \ud83d\ude00 ;-)');
    expect(layer.specs.get('/')?.get('target')).toEqual(target);
    expect([...layer.specs.keys()]).toEqual(specs.map(({ path }) => path));
    expect(layer.specs.get('/P2999')?.get('typeName')?.value).toBe('T3');
  });
});
