// A town is cooked under the sampling profiler.

import { expect, inject, test } from 'vitest';
import { profileTown } from '../../bench/profile.ts';

test('a small town is profiled, the main thread and its workers', () => {
  expect(inject('bundleFault')).toBe('');
  const table = profileTown(2000, ['--lod', 'none', '--hlod', 'none']);
  expect(table).toMatch(
    /^CPU by category, town of \d\.\d\d M triangles, \d+ threads? sampled\nJavaScript +\d+\.\d\d s\n/,
  );
});
