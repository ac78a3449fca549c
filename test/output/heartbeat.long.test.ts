// A lock of a long cook stays alive: without that, another host takes it over after a minute of silence.

import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beat, stopBeating } from '../../src/output/heartbeat.ts';

const TEXT = '{"host":"here"}\n';
/** A time long before any heartbeat, in seconds since 1970. */
const LONG_AGO = 1000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-heartbeat-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function lockFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  utimesSync(path, LONG_AGO, LONG_AGO);
  return path;
}

test('touches the locks of this process, and neither those that another has taken over nor those given back', async () => {
  const [own, taken, released] = [lockFile('own', TEXT), lockFile('taken', 'of another'), lockFile('released', TEXT)];
  for (const path of [own, taken, released]) beat(path, TEXT);
  stopBeating(released);
  try {
    await vi.waitFor(() => expect(statSync(own).mtimeMs).toBeGreaterThan(LONG_AGO * 1000), {
      timeout: 60_000,
      interval: 200,
    });
  } finally {
    stopBeating(own);
    stopBeating(taken);
  }
  for (const path of [taken, released]) expect(statSync(path).mtimeMs).toBe(LONG_AGO * 1000);
}, 90_000);
