// What the page says of files that do not come, and how often it asks for them.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Attempts } from '../../src/viewer/page/reading/attempts.ts';
import { SERVER, troubleOf } from '../../src/viewer/page/trouble.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether a pause is over after so many milliseconds. */
async function isOver(pause: Promise<void>, milliseconds: number): Promise<boolean> {
  let over = false;
  void pause.then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(milliseconds);
  return over;
}

test('pauses double from half a second to eight, and end at once when the reader wants', async () => {
  const attempts = new Attempts();
  for (const [tries, seconds] of [0.5, 1, 2, 4, 8, 8].entries()) {
    const pause = attempts.pause('a', 0, tries);
    expect(attempts.secondsLeft).toBeCloseTo(seconds, 2);
    expect([tries, await isOver(pause, seconds * 1000 - 1)]).toEqual([tries, false]);
    expect([tries, await isOver(pause, 1)]).toEqual([tries, true]);
  }
  const pause = attempts.pause('a', 0, 9);
  attempts.now();
  expect(await isOver(pause, 0)).toBe(true);
});

test('a server that is gone, another one, missing and unreadable files are told apart', () => {
  const attempts = new Attempts();
  const title = (unreadable = 0) => troubleOf(attempts, unreadable)?.title ?? null;
  expect(title()).toBe(null);
  expect(title(2)).toBe('2 files of the set cannot be read');
  void attempts.pause('tile.untold', 404, 0);
  expect(title(2)).toBe('A file of the set cannot be had');
  expect(troubleOf(attempts, 0)?.text).toContain('404');
  void attempts.pause(SERVER, 404, 0);
  expect(title()).toBe('Another server is at this address');
  void attempts.pause('other.untold', 0, 0);
  expect(title()).toBe('The server does not answer');
  for (const path of ['tile.untold', SERVER, 'other.untold']) attempts.end(path);
  expect(title()).toBe(null);
});
