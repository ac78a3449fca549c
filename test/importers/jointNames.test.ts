// Names of joints: each once below a parent, however many a file gives one name.

import { expect, test } from 'vitest';
import { jointNames } from '../../src/importers/jointNames.ts';

const none = (joint: number) => `bone_${joint}`;

test('joints below one parent have different names, those below others may have the same', () => {
  const joints = [
    { name: 'a', parent: -1 },
    { name: 'b', parent: 0 },
    { name: 'b', parent: 0 },
    { name: 'b_2', parent: 0 },
    { name: 'b', parent: 1 },
    { name: '', parent: 1 },
    { name: 'c/d', parent: 1 },
  ];
  expect(jointNames(joints, none)).toEqual(['a', 'b', 'b_2', 'b_2_2', 'b', 'bone_5', 'c_d']);
});

test('hundreds of thousands of one name are named in one pass', () => {
  const names = jointNames(Array(300_000).fill({ name: 'x', parent: -1 }), none);
  expect(new Set(names).size).toBe(300_000);
  expect(names.at(-1)).toBe('x_300000');
});
