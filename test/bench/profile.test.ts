import { expect, test } from 'vitest';
import { categoryTable, type Profile, secondsByCategory } from '../../bench/profile.ts';

const frame = (id: number, functionName: string, url: string) => ({ id, callFrame: { functionName, url } });

const PROFILE: Profile = {
  nodes: [
    frame(1, '(root)', ''),
    frame(2, 'cook', 'file:///dist/cook.js'),
    frame(3, 'weld', 'wasm://wasm/1'),
    frame(4, '(garbage collector)', ''),
    frame(5, 'readSync', 'node:fs'),
    frame(6, '(program)', ''),
    frame(7, '(idle)', ''),
  ],
  samples: [2, 3, 4, 5, 6, 7, 2],
  timeDeltas: [0, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6],
};

test('a sample counts until the next one, for the category of its frame; waiting counts for none', () => {
  const once = { JavaScript: 1, WASM: 2, GC: 3, 'node and native': 9 };
  expect(secondsByCategory([PROFILE])).toEqual(once);
  expect(secondsByCategory([PROFILE, PROFILE])).toEqual({ JavaScript: 2, WASM: 4, GC: 6, 'node and native': 18 });
});

test('what the process took beyond the samples is that of other threads', () => {
  expect(categoryTable([PROFILE], 17.5)).toMatch(/compilers and other threads +2\.50 s\nwhole process +17\.50 s\n$/);
  expect(categoryTable([PROFILE], 10)).toMatch(/other threads +0\.00 s\n.*\nthe samples are 15\.00 s of wall time/);
});
