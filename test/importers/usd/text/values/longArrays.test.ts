// Long arrays of numbers in large layers, which the kernel reads as far as they are plain: they mean what the same text
// means in a small layer, and are refused in the same words (OpenUSD, sdf text file format).

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { errorOf, field, readText } from '../usdaText.ts';

/** More than the layers that are read without the kernel have; it follows what is read. */
const PADDING = `# ${'x'.repeat(2 ** 20)}\n`;

const layerOf = (statement: string) => `#usda 1.0\ndef "P"\n{\n${statement}\n}\n`;
const inLarge = (statement: string) => field(readText(layerOf(statement) + PADDING), '/P.x', 'default');
const inSmall = (statement: string) => field(readText(layerOf(statement)), '/P.x', 'default');

/** An array of at least 100 KB, several windows of the kernel, which holds one text again and again. */
function repeated(text: string): { text: string; count: number } {
  const count = Math.ceil(100_000 / (text.length + 2));
  return { text: `[${`${text}, `.repeat(count - 1)}${text}]`, count };
}

/** That arrays of one kind hold the same bits. Of so many numbers toEqual() takes a hundred times as long. */
function expectEqual(found: unknown, expected: ArrayLike<number>): void {
  expect([isDeepStrictEqual(found, expected), (found as ArrayLike<number>).length]).toEqual([true, expected.length]);
}

type Make = (numbers: number[]) => ArrayLike<number>;
const ints: Make = (numbers) => Int32Array.from(numbers);
const words: Make = (numbers) => Uint32Array.from(numbers);
const bytes: Make = (numbers) => Uint8Array.from(numbers);
const floats: Make = (numbers) => Float32Array.from(numbers);
const doubles: Make = (numbers) => Float64Array.from(numbers);

/** [declared type, text of one value, its numbers] */
const VALUES: [type: string, text: string, make: Make, numbers: number[]][] = [
  ['int[]', '3', ints, [3]],
  ['int[]', '-0', ints, [0]],
  ['int[]', '3.99', ints, [3]],
  ['int[]', '-3.99', ints, [-3]],
  ['int[]', '123456789', ints, [123456789]],
  ['int[]', '-2147483648', ints, [-2147483648]],
  ['int[]', '2147483647', ints, [2147483647]],
  ['int[]', '2147483647.9', ints, [2147483647]],
  ['int[]', '2e3', ints, [2000]],
  ['int[]', '000000000012', ints, [12]],
  ['int2[]', '(1, -2)', ints, [1, -2]],
  ['uint[]', '4294967295', words, [4294967295]],
  ['uint[]', '-0.5', words, [0]],
  ['uchar[]', '255', bytes, [255]],
  ['uchar[]', '255.9', bytes, [255]],
  ['float[]', '5.', floats, [5]],
  ['float[]', '.5', floats, [0.5]],
  ['float[]', '-.5', floats, [-0.5]],
  ['float[]', '-0', floats, [-0]],
  ['float[]', '-0.0', floats, [-0]],
  ['float[]', '1e999', floats, [Infinity]],
  ['float[]', '-1E+999', floats, [-Infinity]],
  ['float[]', '1e-999', floats, [0]],
  ['float[]', 'inf', floats, [Infinity]],
  ['float[]', '"-inf"', floats, [-Infinity]],
  ['float[]', 'nan', floats, [Number.NaN]],
  ['float[]', '16777217', floats, [16777216]],
  // Rounded to double first, which is halfway between two floats then.
  ['float[]', '1.00000017881393432617187499', floats, [1.000000238418579]],
  ['double[]', '0.1', doubles, [0.1]],
  ['double[]', '-0.30000000000000004', doubles, [-0.30000000000000004]],
  ['double[]', '9007199254740991', doubles, [9007199254740991]],
  ['double[]', '9007199254740993', doubles, [9007199254740992]],
  ['double[]', '18446744073709551617', doubles, [2 ** 64]],
  ['double[]', '0.000000000000000000000001', doubles, [1e-24]],
  ['double[]', '123456789012345', doubles, [123456789012345]],
  ['double[]', '12345678.9012345', doubles, [12345678.9012345]],
  ['double[]', '1.5e22', doubles, [1.5e22]],
  ['double[]', '1.5E-7', doubles, [1.5e-7]],
  ['double[]', '1e00022', doubles, [1e22]],
  ['double[]', '5e-324', doubles, [5e-324]],
  ['half[]', '2049', floats, [2048]],
  ['point3f[]', '(0, 0.5, -1.25)', floats, [0, 0.5, -1.25]],
  ['point3f[]', '( 0\t,\r\n0.5 ,-1.25\n)', floats, [0, 0.5, -1.25]],
  ['point3f[]', '(0, 0.5, -1.25,)', floats, [0, 0.5, -1.25]],
  ['point3f[]', '(0, 0.5 /* ) ] */, # ] (\n-1.25)', floats, [0, 0.5, -1.25]],
  ['point3f[]', '(0, inf, -1.25)', floats, [0, Infinity, -1.25]],
  ['quatf[]', '(1, 0, 0.5, 2)', floats, [0, 0.5, 2, 1]],
  ['matrix2d[]', '((1, 2), (3, 4.5))', doubles, [1, 2, 3, 4.5]],
];

describe('long arrays', () => {
  it.each(VALUES)('%s of %j', (type, text, make, numbers) => {
    const { text: array, count } = repeated(text);
    const expected = make(Array.from({ length: count * numbers.length }, (_, i) => numbers[i % numbers.length]));
    expectEqual(inLarge(`${type} x = ${array}`), expected);
  });

  it('mix lengths, signs and what is not plain', () => {
    // A linear congruential generator (Numerical Recipes): the same numbers on every machine.
    let state = 11;
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const digits = (count: number) => Array.from({ length: count }, () => next(10)).join('');
    const texts: string[] = [];
    for (let i = 0; i < 40_000; i++) {
      let text = (next(2) ? '-' : '') + digits(1 + next(next(4) ? 6 : 21));
      if (next(3)) text += `.${digits(next(next(4) ? 9 : 21))}`;
      if (next(10) === 0) text += `${next(2) ? 'e' : 'E'}${['', '+', '-'][next(3)]}${next(next(2) ? 20 : 330)}`;
      texts.push(text);
    }
    const blanks = ['', ' ', '\n', ' \t', '\r\n  ', ' # ]\n', ' /* , */ '];
    const list = texts.map((text) => text + blanks[next(3) ? 0 : next(blanks.length)]).join(', ');
    expectEqual(inLarge(`double[] x = [${list}]`), Float64Array.from(texts, Number));
    expectEqual(inLarge(`float[] x = [${list}, ]`), Float32Array.from(texts, Number));
  });

  it('grow where the first numbers are longer than the others', () => {
    const head = Array.from({ length: 6000 }, (_, i) => 1e14 + i);
    const tail = Array.from({ length: 90_000 }, (_, i) => i % 10);
    const numbers = [...head, ...tail];
    expectEqual(inLarge(`double[] x = [${numbers.join(',')}]`), Float64Array.from(numbers));
  });

  it('may hold a value that is longer than what the kernel takes at a time', () => {
    const long = `(1,${' '.repeat(150_000)}2)`;
    const { text } = repeated('(3, 4)');
    const expected = inSmall(`float2[] x = [(3, 4), (1, 2), (3, 4)]`) as Float32Array;
    const array = inLarge(`float2[] x = [${long}, ${text.slice(1)}`) as Float32Array;
    expect([...array.subarray(0, 4)]).toEqual([1, 2, 3, 4]);
    expect([...expected]).toEqual([3, 4, 1, 2, 3, 4]);
  });

  it('are told apart from what follows them', () => {
    const { text, count } = repeated('7');
    const { layer } = readText(`${layerOf(`int[] x = ${text}\nint[] y = [1, 2]`)}${PADDING}`);
    expect(layer.specs.get('/P.x')?.get('default')?.value).toEqual(new Int32Array(count).fill(7));
    expect(layer.specs.get('/P.y')?.get('default')?.value).toEqual(Int32Array.of(1, 2));
  });
});

/** [declared type, a value of it, text that the type refuses as the value after many good ones, code, message] */
const REFUSED: [type: string, good: string, bad: string, code: string, message: string][] = [
  ['int[]', '1', '0x10', 'UC1501', "expected ',' or ']', found 'x10'"],
  ['int[]', '1', '1__2', 'UC1501', "expected ',' or ']', found '__2'"],
  ['int[]', '1', '1.2.3', 'UC1501', "expected ',' or ']', found '.'"],
  ['int[]', '1', '1-2', 'UC1501', "expected ',' or ']', found '-'"],
  ['int[]', '1', '+1', 'UC1501', "expected a number, found '+'"],
  ['int[]', '1', '-', 'UC1501', "expected a number, found '-'"],
  ['int[]', '1', '.', 'UC1501', "expected a number, found '.'"],
  ['int[]', '1', '1e', 'UC1501', 'an exponent has no digits'],
  ['int[]', '1', '1e+', 'UC1501', 'an exponent has no digits'],
  ['int[]', '1', '2147483648', 'UC1503', '2147483648 does not fit int[]'],
  ['int[]', '1', '-2147483649', 'UC1503', '-2147483649 does not fit int[]'],
  ['int[]', '1', '1e999', 'UC1503', '1e999 does not fit int[]'],
  ['int[]', '1', '(1)', 'UC1503', 'values of int[] are not nested here'],
  ['uint[]', '1', '-1', 'UC1503', '-1 does not fit uint[]'],
  ['uchar[]', '1', '256', 'UC1503', '256 does not fit uchar[]'],
  ['uchar[]', '1', '-1', 'UC1503', '-1 does not fit uchar[]'],
  ['float[]', '1', '-nan', 'UC1501', "expected a number, found '-'"],
  ['float[]', '1', ', 1', 'UC1501', "expected a value, found ','"],
  ['float[]', '1', '1 1', 'UC1501', "expected ',' or ']', found '1'"],
  ['float2[]', '(1, 2)', '(1)', 'UC1503', 'a tuple of float2[] has 1 items, not 2'],
  ['float2[]', '(1, 2)', '(1, 2, 3)', 'UC1503', 'a tuple of float2[] has more than 2 items'],
  ['float2[]', '(1, 2)', '1', 'UC1503', "expected '(': float2[] holds tuples of 2"],
  ['matrix2d[]', '((1, 2), (3, 4))', '((1, 2))', 'UC1503', 'a matrix of matrix2d[] has 1 rows, not 2'],
];

describe('long arrays are refused', () => {
  it.each(REFUSED)('%s of %j with %j', (type, good, bad, code, message) => {
    // The kernel has read thousands of values when the bad one comes, and some after it would be good.
    const values = `${`${good}, `.repeat(30_000)}\n${bad}, ${`${good}, `.repeat(10)}${good}`;
    const found = errorOf(`${layerOf(`${type} x = [${values}]`)}${PADDING}`);
    expect(found?.code).toBe(code);
    expect(found?.message).toMatch(/^.*line 5, column \d+: /);
    expect(found?.message).toContain(message);
    expect(errorOf(layerOf(`${type} x = [${values}]`))).toEqual(found);
  });

  it('where the file ends in them', () => {
    for (const end of ['1', '1,', '-', '1.', '1e', '']) {
      const text = `#usda 1.0\n# ${'x'.repeat(2 ** 20)}\ndef "P"\n{\nfloat[] x = [${'1, '.repeat(30_000)}${end}`;
      const found = errorOf(text);
      expect(found?.code, end).toBe(end === '1e' || end === '-' ? 'UC1501' : 'UC1502');
    }
  });
});
