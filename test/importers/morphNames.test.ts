import { expect, test } from 'vitest';
import { morphNames } from '../../src/importers/morphNames.ts';

test('targets without a name are numbered, and equal ones get numbers that no other has', () => {
  expect(morphNames(['a', '', 'a', 'a_2', 'a'], 6)).toEqual(['a', 'target_1', 'a_3', 'a_2', 'a_4', 'target_5']);
  // Each equal name goes on where the one before it ended.
  const many = morphNames(Array<string>(70_000).fill('a'), 70_000);
  expect([many[1], many[69_999], new Set(many).size]).toEqual(['a_2', 'a_70000', 70_000]);
});
