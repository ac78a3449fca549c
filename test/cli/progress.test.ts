// How far a cook is, and what its phases took.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { progressBar } from '../../src/cli/terminal/progressBar.ts';
import type { SourceProgress } from '../../src/index.ts';
import { untold, untoldBytes } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  for (const name of ['a', 'b']) put(folder, `${name}.gltf`, squareGltf());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (more: Partial<SourceProgress>): SourceProgress => ({
  source: 'art/a/long/way/down/to/the/chair.glb',
  index: 0,
  count: 1,
  phase: 'cook',
  done: 0,
  total: 1,
  time: 0,
  ...more,
});

test('the bar never goes back and ends with all', () => {
  const bar = progressBar(2);
  const phases = ['read', 'textures', 'cook', 'levels', 'write', 'verify'] as const;
  const percents = [0, 1].flatMap((index) =>
    phases.flatMap((phase) =>
      [0, 1, 2].map((done) =>
        Number(/(\d+)%/.exec(bar.line(at({ index, count: 2, phase, done, total: 2 }), 1, 200))?.[1]),
      ),
    ),
  );
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect([percents[0], percents.at(-1)]).toEqual([0, 100]);
  expect(Number(/(\d+)%/.exec(bar.line(at({ phase: 'read', count: 2 }), 1, 200))?.[1])).toBe(100);
});

test('the line holds count, percent, time, steps, threads and source', () => {
  const line = progressBar(4).line(at({ index: 1, count: 4, done: 11, total: 22 }), 100, 200);
  // (1 + 0.38 + 0.11) / 4 are done: 100 s were 37.25 % of the time.
  expect(line).toBe(
    '[2/4]  ███░░░░░░░  37%  1:40, 2:48 left  cook 11/22, 4 threads  art/a/long/way/down/to/the/chair.glb',
  );
  expect(progressBar(1).line(at({}), 3700, 200)).toContain('1:01:40, ');
  expect(progressBar(1).line(at({}), 1, 200)).not.toContain('left');
});

test('textures are counted in texels', () => {
  const line = progressBar(4).line(at({ phase: 'textures', done: 4_194_304, total: 16_777_216 }), 10, 200);
  // 0.08 + 0.3 / 4 are done.
  expect(line).toContain(' 15%');
  expect(line).toContain('  textures 4.2/16.8 Mpix');
});

test.each([40, 79, 119])('the line fits %i columns, with the end of the path', (room) => {
  const line = progressBar(2).line(at({ index: 1, count: 203, done: 1, total: 2 }), 100, room);
  expect(line.length).toBeLessThanOrEqual(room);
  if (room > 40) expect(line).toMatch(/chair\.glb$/);
});

test('seconds are those of the clock that the command is given', async () => {
  let now = 0;
  const clock = { now: () => (now += 1000) };
  const { stdout } = await untoldBytes(folder, ['cook', 'a.gltf', '--out', 'o', '--no-cache', '--json'], { clock });
  const { seconds } = JSON.parse(stdout.toString()).run;
  // The first look at the clock was at one second.
  expect(seconds).toBe(now / 1000 - 1);
});

test('--timing tells what the phases took, in JSON too', async () => {
  const args = ['cook', 'a.gltf', 'b.gltf', '--out', 'o', '--force', '--no-cache', '--json'];
  const { stdout, stderr } = await untold(folder, [...args, '--timing']);
  const { run } = JSON.parse(stdout);
  const phases = run.phases.map((entry: { phase: string }) => entry.phase);
  expect(phases).toEqual(expect.arrayContaining(['read', 'textures', 'cook', 'write', 'verify']));
  for (const { seconds, peakBytes } of run.phases) {
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(peakBytes).toBeGreaterThan(1e6);
    expect(peakBytes).toBeLessThanOrEqual(run.peakBytes);
  }
  expect(stderr).toMatch(/^phase +time +peak memory\nread +[\d.]+ s +\d/m);
  const plain = await untold(folder, args);
  expect(JSON.parse(plain.stdout).run).not.toHaveProperty('phases');
  expect(plain.stderr).not.toContain('phase');
});
