import { expect, test } from 'vitest';
import type { OptionKind, OptionSpec } from '../../../src/config/options/option.ts';
import { SETTING_OPTIONS } from '../../../src/config/options/table.ts';
import { checkValue, parseJsonValue, parseText, Refusal, writtenValue } from '../../../src/config/options/values.ts';

const table: readonly OptionSpec[] = SETTING_OPTIONS;

const kindOf = (name: string): OptionKind => table.find((spec) => spec.name === name)!.kind;

test.each([
  ['tile-size', '25', 25],
  ['tile-size', '0.5', 0.5],
  ['tile-size', '.5', 0.5],
  ['tile-size', '1e3', 1000],
  ['format-version', '4', 4],
  ['compress', 'zstd', 'zstd'],
  ['scene', '0', '0'],
  ['scene', 'Night 2', 'Night 2'],
])('--%s %s is taken', (name, text, value) => {
  expect(parseText(kindOf(name), text)).toBe(value);
});

test.each([
  ['tile-size', ''],
  ['tile-size', 'abc'],
  ['tile-size', '0x10'],
  ['tile-size', '25m'],
  ['tile-size', 'Infinity'],
  ['tile-size', 'NaN'],
  ['tile-size', '-1'],
  ['tile-size', '1e99'],
  ['format-version', '2.5'],
  ['format-version', '0'],
  ['compress', 'LZ4'],
  ['missing-texture', ''],
  ['scene', ''],
])('--%s %j is refused', (name, text) => {
  expect(parseText(kindOf(name), text)).toBeInstanceOf(Refusal);
});

test('lists are separated by commas', () => {
  expect(parseText({ type: 'list' }, 'UC1, UC2,UC3')).toEqual(['UC1', 'UC2', 'UC3']);
  expect(parseText({ type: 'list' }, 'UC1,,UC2')).toBeInstanceOf(Refusal);
  // Commas within the braces of a pattern are no separators; a brace that is not closed is a character.
  expect(parseText({ type: 'list' }, '{a,b}*, /x/{c,{d,e}},f')).toEqual(['{a,b}*', '/x/{c,{d,e}}', 'f']);
  expect(parseText({ type: 'list' }, 'a{b,c')).toEqual(['a{b', 'c']);
  expect(parseText({ type: 'list' }, 'a\\{b,c}')).toEqual(['a\\{b', 'c}']);
  expect(checkValue({ type: 'list' }, [])).toEqual([]);
});

test('ratios are numbers in a program, texts on the command line and in a preset', () => {
  const lod: OptionKind = { type: 'ratios', max: 3 };
  expect([parseText(lod, '0.5, .25'), parseText(lod, 'none')]).toEqual([[0.5, 0.25], []]);
  expect(parseJsonValue(lod, '0.5,0.25')).toEqual([0.5, 0.25]);
  expect(checkValue(lod, [0.5, 0.25])).toEqual([0.5, 0.25]);
  for (const value of [[0.25, 0.5], [0.5, 0.5], [1], [0], [Number.NaN], [0.4, 0.3, 0.2, 0.1], '0.5', 0.5]) {
    expect(checkValue(lod, value)).toBeInstanceOf(Refusal);
  }
  expect(parseJsonValue(lod, [0.5])).toBeInstanceOf(Refusal);
  expect([writtenValue(lod, []), writtenValue(lod, [0.5, 0.25])]).toEqual(['none', '0.5,0.25']);
});

test('sizes are bytes in a program, texts with units on the command line and in a preset', () => {
  const size: OptionKind = { type: 'bytes', minimum: 1e6, maximum: 1e15 };
  const texts = ['1000000', '1MB', '1.5 mb', '2G', '10GB', '1MiB', '0.5GiB', '1TB', '976.5625KiB', '1000000b'];
  const bytes = [1e6, 1e6, 1.5e6, 2e9, 1e10, 2 ** 20, 2 ** 29, 1e12, 1e6, 1e6];
  expect(texts.map((text) => parseText(size, text))).toEqual(bytes);
  expect(texts.map((text) => parseJsonValue(size, text))).toEqual(bytes);
  expect(checkValue(size, 1e6)).toBe(1e6);
  for (const text of ['', 'MB', '10', '999999', '1001TB', '-5GB', '1e9', '5PB', '1 G B', '1Mi B', 'NaN', '1,5GB']) {
    expect([text, parseText(size, text)]).toEqual([text, expect.any(Refusal)]);
  }
  for (const value of [0, 1e6 + 0.5, Number.NaN, 1e16, '1MB', null]) {
    expect(checkValue(size, value)).toBeInstanceOf(Refusal);
  }
  expect(parseJsonValue(size, 1e6)).toBeInstanceOf(Refusal);
  expect([1e10, 1.5e9, 2 ** 20, 1e15].map((value) => writtenValue(size, value))).toEqual([
    '10GB',
    '1500MB',
    '1048576B',
    '1000TB',
  ]);
});

test('one ratio is a number, or null for none', () => {
  const hlod: OptionKind = { type: 'ratio' };
  expect([parseText(hlod, '0.1'), parseText(hlod, 'none'), checkValue(hlod, 0.1), checkValue(hlod, null)]).toEqual([
    0.1,
    null,
    0.1,
    null,
  ]);
  for (const text of ['0.2,0.1', '0.0', '1', '']) expect(parseText(hlod, text)).toBeInstanceOf(Refusal);
  expect(writtenValue(hlod, null)).toBe('none');
});

test('several numbers are texts in presets and on the command line, and arrays in programs', () => {
  const kind = kindOf('origin');
  for (const text of ['1,-2.5,4500000', ' 1, -2.5 ,4.5e6']) {
    expect(parseText(kind, text)).toEqual([1, -2.5, 4500000]);
    expect(parseJsonValue(kind, text)).toEqual([1, -2.5, 4500000]);
  }
  expect(checkValue(kind, [1, -2.5, 3])).toEqual([1, -2.5, 3]);
  expect(writtenValue(kind, [1, -2.5, 3])).toBe('1,-2.5,3');
  for (const text of ['', '1,2', '1,2,3,4', '1,2,x', '1,,3', '1;2;3', '1e16,0,0', 'NaN,0,0']) {
    expect(parseText(kind, text)).toBeInstanceOf(Refusal);
  }
  for (const value of [[1, 2], [1, 2, '3'], [1, 2, Number.NaN], '1,2,3', 1]) {
    expect(checkValue(kind, value)).toBeInstanceOf(Refusal);
  }
  expect(parseJsonValue(kind, [1, 2, 3])).toBeInstanceOf(Refusal);
});
