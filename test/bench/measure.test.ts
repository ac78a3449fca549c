import { expect, test } from 'vitest';
import { childSeconds, csvLine, ratio } from '../../bench/measure.ts';

test('the CPU time of a command is the second line that the shell prints, user and system time together', () => {
  expect(childSeconds('0m0.01s 0m0.02s\n1m2.50s 0m0.75s\n')).toBeCloseTo(63.25, 9);
  expect(() => childSeconds('nothing\n')).toThrow('not what `times` prints');
});

test('of the ratios of pairs the middle one is given', () => {
  const costs = (walls: readonly number[]) => walls.map((wall) => ({ wall, cpu: 2 * wall }));
  expect(ratio(costs([4, 9, 2]), costs([2, 3, 2]))).toEqual({ wall: 2, cpu: 2 });
});

test('a line of results.csv has as many cells for every figure', () => {
  const figure = { name: 'weld, order and pack', value: 123.456, unit: 'ms' } as const;
  expect(csvLine(['0.1.0', 2], 'steps', figure)).toBe('0.1.0,2,steps,weld order and pack,ms,123.5');
});
