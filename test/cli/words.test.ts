import { expect, test } from 'vitest';
import { printable, wantsColor } from '../../src/cli/terminal/terminal.ts';
import { count, duration, plural, size, table } from '../../src/cli/terminal/words.ts';
import { diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { exitCodeOf, worst } from '../../src/library/call/exitCode.ts';

test('numbers', () => {
  expect([0, 999, 1000, 1234567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([plural(1, 'tile'), plural(2, 'tile'), plural(0, 'tile')]).toEqual(['1 tile', '2 tiles', '0 tiles']);
  expect([0, 999, 1000, 1234, 9949, 9960, 999_499, 999_500, 1e6, 2.5e9, 5e15].map(size)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '1.2 kB',
    '9.9 kB',
    '10 kB',
    '999 kB',
    '1.0 MB',
    '1.0 MB',
    '2.5 GB',
    '5000 TB',
  ]);
  expect([0.04, 59.94, 59.96, 125.4].map(duration)).toEqual(['0.0 s', '59.9 s', '1 min 0 s', '2 min 5 s']);
});

test('tables align their columns and have no blanks at the end', () => {
  expect(
    table(
      [
        ['a', 'n', ''],
        ['long', '100', ''],
      ],
      new Set([1]),
    ),
  ).toEqual(['a       n', 'long  100']);
});

test('control characters of names are shown, not sent to the terminal', () => {
  expect(printable('a\x1b[31mb\nc\u009bd\u202e')).toBe('a\\u001b[31mb\\u000ac\\u009bd\\u202e');
  expect(printable('Straße — 日本')).toBe('Straße — 日本');
});

test('the worst exit code in the order 130, 4, 3, 5, 2, 1, 0', () => {
  expect(worst([])).toBe(0);
  expect(worst([0, 1])).toBe(1);
  expect(worst([1, 2])).toBe(2);
  expect(worst([2, 5])).toBe(5);
  expect(worst([5, 3])).toBe(3);
  expect(worst([3, 4])).toBe(4);
  expect(worst([4, 130])).toBe(130);
});

test('diagnostics ask for the exit code of their table entry', () => {
  const of = (...codes: Parameters<typeof diagnostic>[0][]) => exitCodeOf(codes.map((c) => diagnostic(c, '', '', 'm')));
  expect(of()).toBe(0);
  expect(of('UC1203')).toBe(1);
  expect(of('UC1200')).toBe(3);
  expect(of('UC1207', 'UC1203')).toBe(5);
  expect(of('UC1207', 'UC1200')).toBe(3);
  expect(of('UC1001')).toBe(2);
  expect(of('UC1099', 'UC1200')).toBe(4);
  expect(of('UC1014')).toBe(0);
  expect(exitCodeOf([{ ...diagnostic('UC1014', '', '', 'm'), severity: 'error' }])).toBe(1);
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
])('colours with %j on a terminal %s: %s', (environment, isTerminal, expected) => {
  expect(wantsColor(environment as Record<string, string>, isTerminal)).toBe(expected);
});
