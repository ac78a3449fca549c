import { expect, test } from 'vitest';
import { checkValue, isRefusal, type OptionKind, parseValue, SETTING_OPTIONS } from '../../src/config/settings.ts';

const kindOf = (name: string): OptionKind => SETTING_OPTIONS.find((spec) => spec.name === name)!.kind;

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
  expect(parseValue(kindOf(name), text)).toBe(value);
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
  expect(isRefusal(parseValue(kindOf(name), text))).toBe(true);
});

test('lists are separated by commas', () => {
  expect(parseValue({ type: 'list' }, 'UC1, UC2,UC3')).toEqual(['UC1', 'UC2', 'UC3']);
  expect(isRefusal(parseValue({ type: 'list' }, 'UC1,,UC2'))).toBe(true);
  expect(checkValue({ type: 'list' }, [])).toEqual([]);
});
