// Answers that come in another order than they were asked for.

import { expect, test } from 'vitest';
import { Latest } from '../../src/viewer/page/reading/latest.ts';

/** Answers in the order in which they are asked for; each comes when it is given. */
function answers(latest: Latest) {
  const give: ((value: { name: string }) => void)[] = [];
  const ask = () => latest.of(() => new Promise<{ name: string }>((resolve) => give.push(resolve)));
  return { ask, give: (i: number, name: string) => give[i]({ name }) };
}

test('an answer that comes after what was asked for later does not count', async () => {
  const { ask, give } = answers(new Latest());
  const slow = ask();
  const fast = ask();
  give(1, 'fast');
  expect(await fast).toEqual({ name: 'fast' });
  give(0, 'slow');
  expect(await slow).toBeNull();
});

test('an earlier answer does not count either where a later one is to come', async () => {
  const { ask, give } = answers(new Latest());
  const first = ask();
  const second = ask();
  give(0, 'first');
  expect(await first).toBeNull();
  give(1, 'second');
  expect(await second).toEqual({ name: 'second' });
});

test('what is chosen meanwhile stays, and the next question has its answer', async () => {
  const latest = new Latest();
  const { ask, give } = answers(latest);
  const late = ask();
  latest.choose();
  give(0, 'late');
  expect(await late).toBeNull();
  const next = ask();
  give(1, 'next');
  expect(await next).toEqual({ name: 'next' });
});

test('what cannot be read is told, and does not count as an answer', async () => {
  const latest = new Latest();
  const { ask, give } = answers(latest);
  const good = ask();
  await expect(latest.of(() => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
  give(0, 'good');
  expect(await good).toBeNull();
});
