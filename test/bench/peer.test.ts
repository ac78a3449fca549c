import { expect, test } from 'vitest';
import { childSeconds, compareWithPeer, ratios } from '../../bench/peer.ts';

test('the comparison with another tool says so where that is not installed', () => {
  expect(compareWithPeer(1_000, 'no-such-tool')).toBe('no-such-tool is not installed: nothing to compare with');
});

test('the CPU time of a command is the second line that the shell prints, user and system time together', () => {
  expect(childSeconds('0m0.01s 0m0.02s\n1m2.50s 0m0.75s\n')).toBeCloseTo(63.25, 9);
  expect(() => childSeconds('nothing\n')).toThrow('not what `times` prints');
});

test('of the ratios of pairs the middle one is given, with the least and the greatest', () => {
  expect(ratios([4, 9, 2], [2, 3, 2])).toBe('2.00 (1.00 to 3.00)');
});
