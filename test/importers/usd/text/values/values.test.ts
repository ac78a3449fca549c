// Values of every type: what text means in memory, and what a type refuses (OpenUSD, sdf text file format).

import { describe, expect, it } from 'vitest';
import { roundToHalf } from '../../../../../src/importers/usd/text/values/half.ts';
import { codes, errorInPrim, field, fields, readInPrim } from '../usdaText.ts';

const f32 = (...items: number[]) => Float32Array.from(items);
const f64 = (...items: number[]) => Float64Array.from(items);

/** [declared type, text, value type, value] */
const GOOD: [type: string, text: string, valueType: string, value: unknown][] = [
  ['bool', '1', 'Bool', true],
  ['bool', '0', 'Bool', false],
  ['bool', 'true', 'Bool', true],
  ['bool', 'No', 'Bool', false],
  ['bool', '"YES"', 'Bool', true],
  ['bool', '"0"', 'Bool', false],
  ['bool', '0.5', 'Bool', true],
  ['bool[]', '[1, false, yes]', 'Bool', Uint8Array.of(1, 0, 1)],
  ['uchar', '255', 'UChar', 255],
  ['uchar[]', '[0, 255]', 'UChar', Uint8Array.of(0, 255)],
  ['int', '-2147483648', 'Int', -2147483648],
  ['int', '3.9', 'Int', 3],
  ['int', '-0', 'Int', 0],
  ['int', '1e3', 'Int', 1000],
  ['int[]', '[2147483647, -1.5, 1e2]', 'Int', Int32Array.of(2147483647, -1, 100)],
  ['uint', '4294967295', 'UInt', 4294967295],
  ['uint[]', '[4294967295]', 'UInt', Uint32Array.of(4294967295)],
  ['int64', '-9223372036854775808', 'Int64', -9223372036854775808n],
  ['int64', '9007199254740993', 'Int64', 9007199254740993n],
  ['int64', '2.5', 'Int64', 2n],
  ['int64[]', '[1, 9223372036854775807]', 'Int64', BigInt64Array.of(1n, 9223372036854775807n)],
  ['uint64', '18446744073709551615', 'UInt64', 18446744073709551615n],
  ['uint64[]', '[18446744073709551615,]', 'UInt64', BigUint64Array.of(18446744073709551615n)],
  ['half', '0.1', 'Half', 0.0999755859375],
  ['half', '65520', 'Half', Infinity],
  ['half[]', '[65504, -0.1]', 'Half', f32(65504, -0.0999755859375)],
  ['float', '0.1', 'Float', Math.fround(0.1)],
  ['float', '.5', 'Float', 0.5],
  ['float', '1.', 'Float', 1],
  ['float', '-.5e+1', 'Float', -5],
  ['float', 'inf', 'Float', Infinity],
  ['float', '-inf', 'Float', -Infinity],
  ['float', 'nan', 'Float', Number.NaN],
  ['float', '"-inf"', 'Float', -Infinity],
  ['float', '1e39', 'Float', Infinity],
  ['float', '-0', 'Float', -0],
  ['float[]', '[-0, inf, nan, 1e-3]', 'Float', f32(-0, Infinity, Number.NaN, 0.001)],
  ['double', '0.1', 'Double', 0.1],
  ['double', '18446744073709551616', 'Double', 2 ** 64],
  ['double', '123456789012345678901234567890', 'Double', 1.2345678901234568e29],
  ['double', '1e-400', 'Double', 0],
  ['double', '1E5', 'Double', 100000],
  ['double', '2.2250738585072014e-308', 'Double', 2.2250738585072014e-308],
  ['double[]', '[1,2.5,\n 3 # three\n, 4 /* four */ ]', 'Double', f64(1, 2.5, 3, 4)],
  [
    'double[]',
    '[0.1234567890123456789, 9007199254740993, 1e23]',
    'Double',
    f64(0.12345678901234568, 9007199254740992, 1e23),
  ],
  ['timecode', '12.5', 'TimeCode', 12.5],
  ['timecode[]', '[1, 2]', 'TimeCode', f64(1, 2)],
  ['string', '"a"', 'String', 'a'],
  ['string[]', '["", \'b\', """c\nd"""]', 'String', ['', 'b', 'c\nd']],
  ['token', '"x"', 'Token', 'x'],
  ['token[]', '["x", "y:z"]', 'Token', ['x', 'y:z']],
  ['asset', '@a/b.png@', 'AssetPath', 'a/b.png'],
  ['asset', '"plain.png"', 'AssetPath', 'plain.png'],
  ['asset[]', '[@a@, @@@b@c@@@, @@]', 'AssetPath', ['a', 'b@c', '']],
  ['pathExpression', '"/World//*"', 'PathExpression', '/World//*'],
  ['float2', '(1, 2)', 'Vec2f', [1, 2]],
  ['double3', '( 1 ,\n 2 ,\n 3, )', 'Vec3d', [1, 2, 3]],
  ['half4', '(0.1, 1, 2, 3)', 'Vec4h', [0.0999755859375, 1, 2, 3]],
  ['int3', '(1, -2, 3.7)', 'Vec3i', [1, -2, 3]],
  ['point3f', '(0.1, 0, 0)', 'Vec3f', [Math.fround(0.1), 0, 0]],
  ['color3f[]', '[(1, 0.5, 0.25)]', 'Vec3f', f32(1, 0.5, 0.25)],
  ['color4d', '(1, 2, 3, 4)', 'Vec4d', [1, 2, 3, 4]],
  ['texCoord2f[]', '[\n (0, 1),\n (0.5, -2),\n]', 'Vec2f', f32(0, 1, 0.5, -2)],
  ['texCoord3h', '(1, 2, 3)', 'Vec3h', [1, 2, 3]],
  ['int2[]', '[(1,2),(3,4)]', 'Vec2i', Int32Array.of(1, 2, 3, 4)],
  ['quatf', '(1, 2, 3, 4)', 'Quatf', [2, 3, 4, 1]],
  ['quath[]', '[(1, 0, 0, 0), (0.5, 2, 3, 4)]', 'Quath', f32(0, 0, 0, 1, 2, 3, 4, 0.5)],
  ['matrix2d', '( (1, 2), (3, 4) )', 'Matrix2d', [1, 2, 3, 4]],
  ['matrix3d[]', '[((1,0,0),(0,1,0),(0,0,1))]', 'Matrix3d', f64(1, 0, 0, 0, 1, 0, 0, 0, 1)],
  [
    'frame4d',
    '((1,2,3,4),(5,6,7,8),(9,10,11,12),(13,14,15,16),)',
    'Matrix4d',
    Array.from({ length: 16 }, (_, i) => i + 1),
  ],
  ['float[]', '[]', 'Float', f32()],
  ['float3[]', '[ ]', 'Vec3f', f32()],
  ['string[]', '[]', 'String', []],
  ['Vec3f', '(1, 2, 3)', 'Vec3f', [1, 2, 3]],
  ['Point', '(1, 2, 3)', 'Vec3d', [1, 2, 3]],
  ['PointFloat[]', '[(1, 2, 3)]', 'Vec3f', f32(1, 2, 3)],
  ['Color', '(1, 2, 3)', 'Vec3d', [1, 2, 3]],
  ['Normal', '(1, 2, 3)', 'Vec3d', [1, 2, 3]],
  ['Quatd', '(1, 2, 3, 4)', 'Quatd', [2, 3, 4, 1]],
  [
    'Matrix4d',
    '((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))',
    'Matrix4d',
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  ],
  [
    'Transform',
    '((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))',
    'Matrix4d',
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  ],
  ['PointIndex[]', '[7]', 'Int', Int32Array.of(7)],
  ['float', 'None', 'ValueBlock', null],
  ['float3[]', 'None', 'ValueBlock', null],
  ['double', 'AnimationBlock', 'AnimationBlock', null],
];

describe('values', () => {
  it.each(GOOD)('%s = %s', (type, text, valueType, value) => {
    const outcome = readInPrim(`${type} x = ${text}`);
    const spec = fields(outcome, '/P.x');
    expect(codes(outcome)).toEqual([]);
    const isArray = type.endsWith('[]') && text !== 'None';
    expect(spec?.default).toEqual({ type: valueType, array: isArray, value });
    expect(spec?.typeName).toEqual({ type: 'Token', array: false, value: type });
  });

  /** [declared type, text, code] */
  const BAD: [string, string, string][] = [
    ['int', '2147483648', 'UC1503'],
    ['int', '1e10', 'UC1503'],
    ['int', 'inf', 'UC1503'],
    ['int[]', '[1, 2147483648]', 'UC1503'],
    ['int[]', '[nan]', 'UC1503'],
    ['uint', '-1', 'UC1503'],
    ['uint[]', '[-1]', 'UC1503'],
    ['uchar', '256', 'UC1503'],
    ['int64', '9223372036854775808', 'UC1503'],
    ['uint64', '18446744073709551616', 'UC1503'],
    ['uint64', '-1', 'UC1503'],
    ['bool', '"maybe"', 'UC1503'],
    ['bool', '(1)', 'UC1501'],
    ['float', '"1.5"', 'UC1503'],
    ['float', 'abc', 'UC1503'],
    ['float', '(1)', 'UC1503'],
    ['float', '[1]', 'UC1503'],
    ['float[]', '1', 'UC1503'],
    ['float[]', '[[1]]', 'UC1503'],
    ['float[]', '[(1)]', 'UC1503'],
    ['float[]', '[1 2]', 'UC1501'],
    ['float[]', '[1,,2]', 'UC1501'],
    ['float[]', '[,]', 'UC1501'],
    ['float[]', '[1)', 'UC1501'],
    ['float[]', '[1.2.3]', 'UC1501'],
    ['float[]', '[+1]', 'UC1501'],
    ['float[]', '[1e]', 'UC1501'],
    ['float[]', '[/]', 'UC1501'],
    ['float', '+1', 'UC1501'],
    ['float', '1e+', 'UC1501'],
    ['float', '-', 'UC1501'],
    ['float', '-nan', 'UC1501'],
    ['float', '0x10', 'UC1501'],
    ['float', '@a@', 'UC1501'],
    ['float3', '(1, 2)', 'UC1503'],
    ['float3', '(1, 2, 3, 4)', 'UC1503'],
    ['float3', '1', 'UC1503'],
    ['float3[]', '[(1, 2)]', 'UC1503'],
    ['float3[]', '[(1, 2, 3, 4)]', 'UC1503'],
    ['float3[]', '[1, 2, 3]', 'UC1503'],
    ['float3[]', '[()]', 'UC1503'],
    ['float3[]', '[((1, 2, 3))]', 'UC1503'],
    ['float3[]', '[(1, 2, 3) (4, 5, 6)]', 'UC1501'],
    ['matrix2d', '(1, 2, 3, 4)', 'UC1503'],
    ['matrix2d', '((1, 2))', 'UC1503'],
    ['matrix2d[]', '[((1, 2), (3, 4), (5, 6))]', 'UC1503'],
    ['matrix2d[]', '[((1, 2))]', 'UC1503'],
    ['matrix2d[]', '[(1, 2)]', 'UC1503'],
    ['matrix2d[]', '[((1, 2), (3))]', 'UC1503'],
    ['string', 'abc', 'UC1503'],
    ['string', '1', 'UC1503'],
    ['string', '@a@', 'UC1503'],
    ['string[]', '["a" "b"]', 'UC1501'],
    ['string[]', '[["a"]]', 'UC1503'],
    ['token', '@a@', 'UC1503'],
    ['asset', '1', 'UC1503'],
    ['opaque', '1', 'UC1503'],
    ['float', '', 'UC1501'],
    ['float', 'None None', 'UC1501'],
    ['float', '</P>', 'UC1501'],
  ];
  it.each(BAD)('%s = %s is refused', (type, text, code) => {
    expect(errorInPrim(`${type} x = ${text}`)).toMatchObject({ code, path: '/P' });
  });

  it('names line and column, columns by character', () => {
    const error = errorInPrim('string größe = "ä" 5');
    expect(error).toMatchObject({ code: 'UC1501', file: 'test.usda', path: '/P' });
    // The layer's first line, def, brace, then the statement: `5` is its 20th character.
    expect(error?.message).toMatch(/^line 4, column 20: /);
  });

  it('counts lines by every kind of line end', () => {
    expect(errorInPrim('int a = 1\r\nint b = 2\rint c = x')?.message).toMatch(/^line 6, column 9: /);
  });

  it('declares attributes of types that hold no value', () => {
    expect(fields(readInPrim('opaque x\ngroup y'), '/P.x')?.typeName?.value).toBe('opaque');
  });

  it('steps over values of unknown types with a warning', () => {
    const outcome = readInPrim('strange[] x = [1, (2, "a")]\nint y = 1\nstrange z.timeSamples = { 0: (1, 2) }');
    expect(codes(outcome)).toEqual(['UC1525']);
    expect(outcome.layer.specs.get('/P.x')?.fieldNames()).toEqual(['custom', 'typeName', 'variability']);
    expect(field(outcome, '/P.y', 'default')).toBe(1);
    expect(outcome.layer.specs.get('/P.z')?.has('timeSamples')).toBe(false);
  });

  it('peeks at type and count without the value', () => {
    const outcome = readInPrim('point3f[] p = [(1, 2, 3), (4, 5, 6)]\nmatrix4d m = None\ntoken[] t = ["a"]\nint i = 1');
    const peek = (path: string) => outcome.layer.specs.get(path)?.peek('default');
    expect(peek('/P.p')).toEqual({ type: 'Vec3f', count: 2 });
    expect(peek('/P.m')).toEqual({ type: 'ValueBlock', count: -1 });
    expect(peek('/P.t')).toEqual({ type: 'Token', count: 1 });
    expect(peek('/P.i')).toEqual({ type: 'Int', count: -1 });
    expect(outcome.layer.specs.get('/P.i')?.peek('timeSamples')).toBeNull();
  });
});

describe('strings', () => {
  const cases: [text: string, value: string][] = [
    ['""', ''],
    ["''", ''],
    ['""""""', ''],
    ["''''''", ''],
    ['"it\'s"', "it's"],
    ['\'say "hi"\'', 'say "hi"'],
    ['"""one "two" ""three"""', 'one "two" ""three'],
    ["'''it's\nhere'''", "it's\nhere"],
    ['"# not a comment // nor this /* nor this */"', '# not a comment // nor this /* nor this */'],
    ['"\\n\\t\\r\\a\\b\\f\\v"', '\n\t\r\x07\b\f\v'],
    ['"\\\\ \\" \\\'"', '\\ " \''],
    ['"\\x41\\x4g\\x"', 'A\x04gx'],
    ['"\\101\\60\\7z\\0011"', 'A0\x07z\x011'],
    ['"\\q\\z"', 'qz'],
    ['"\\xc3\\xa4"', 'ä'],
    ['"größe 漢字 🎈"', 'größe 漢字 🎈'],
    ['"""a\\"""b"""', 'a"""b'],
  ];
  it.each(cases)('%s', (text, value) => {
    expect(field(readInPrim(`string s = ${text}`), '/P.s', 'default')).toBe(value);
  });

  it.each([
    ['"open', 'UC1501'],
    ['"a\nb"', 'UC1501'],
    ['"a\\\nb"', 'UC1501'],
    ['"""open', 'UC1502'],
    ['"a""b"', 'UC1501'],
    ['@open', 'UC1501'],
    ['@a\nb@', 'UC1501'],
  ])('%s is refused', (text, code) => {
    expect(errorInPrim(`string s = "x"\nasset a = ${text}`)).toMatchObject({ code });
  });

  const assets: [text: string, value: string][] = [
    ['@@', ''],
    ['@@@@@@', ''],
    ['@a\\b "c" #d <e>.png@', 'a\\b "c" #d <e>.png'],
    ['@@@a@b@@c@@@', 'a@b@@c'],
    ['@@@a\\@@@b@@@', 'a@@@b'],
    ['@@@a@@@@', 'a@'],
    ['@@@a@@@@@', 'a@@'],
    ['@pkg.usdz[dir/ä.png]@', 'pkg.usdz[dir/ä.png]'],
  ];
  it.each(assets)('asset %s', (text, value) => {
    expect(field(readInPrim(`asset a = ${text}`), '/P.a', 'default')).toBe(value);
  });

  it('replaces bytes that are not UTF-8, with a warning', async () => {
    const { readText } = await import('../usdaText.ts');
    const bytes = new TextEncoder().encode('#usda 1.0\ndef "P"\n{\nstring s = "a_b"\n}\n');
    bytes[bytes.indexOf(95)] = 0xff;
    const outcome = readText(bytes);
    expect(field(outcome, '/P.s', 'default')).toBe('a\ufffdb');
    expect(codes(outcome)).toEqual(['UC1526']);
  });
});

describe('numbers', () => {
  // A linear congruential generator (Numerical Recipes): the same numbers on every machine.
  const generator = (seed: number) => {
    let state = seed >>> 0;
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
  };

  it('rounds as the language does, whatever the digits', () => {
    const next = generator(7);
    const texts: string[] = [];
    for (let i = 0; i < 4000; i++) {
      const digits = 1 + Math.floor(next() * 22);
      let text = next() < 0.5 ? '-' : '';
      for (let k = 0; k < digits; k++) text += Math.floor(next() * 10);
      if (next() < 0.7) text += `.${Math.floor(next() * 1e9)}`;
      if (next() < 0.4) text += `e${Math.floor(next() * 640) - 330}`;
      texts.push(text);
    }
    const array = field(readInPrim(`double[] x = [${texts.join(', ')}]`), '/P.x', 'default') as Float64Array;
    expect(array).toEqual(Float64Array.from(texts, Number));
    for (const text of texts.slice(0, 300)) {
      expect(field(readInPrim(`double x = ${text}`), '/P.x', 'default'), text).toBe(Number(text));
    }
  });

  it('rounds to half: nearest, ties to even, subnormals', () => {
    const cases: [number, number][] = [
      [1 + 2 ** -11, 1],
      [1 + 3 * 2 ** -11, 1 + 2 ** -9],
      [1 + 2 ** -11 + 2 ** -20, 1 + 2 ** -10],
      [-(1 + 2 ** -11), -1],
      [2 ** -24, 2 ** -24],
      [2 ** -25, 0],
      [2 ** -25 + 2 ** -40, 2 ** -24],
      [3 * 2 ** -25, 2 ** -23],
      [2 ** -14 - 2 ** -26, 2 ** -14],
      [65504, 65504],
      [65519, 65504],
      [65520, Infinity],
      [-70000, -Infinity],
      [-0, -0],
      [Infinity, Infinity],
      [Number.NaN, Number.NaN],
    ];
    for (const [x, expected] of cases) expect(roundToHalf(x), String(x)).toBe(expected);
  });

  it('keeps every half', () => {
    for (let bits = 0; bits < 0x7c00; bits++) {
      const exponent = bits >> 10;
      const value = exponent === 0 ? (bits & 1023) * 2 ** -24 : (1 + (bits & 1023) / 1024) * 2 ** (exponent - 15);
      expect(roundToHalf(value)).toBe(value);
    }
  });
});
