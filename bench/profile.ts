// `npm run bench -- --profile`: where the CPU time of cooking a town goes, by category. Samples come from `--cpu-prof`, which
// writes a profile for the main thread and for each worker. What the process took beyond them was in threads that are not
// sampled.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { costOf } from './measure.ts';
import { writeTown } from './town.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const INTERVAL_MICROSECONDS = 500;

/** What is used of a `.cpuprofile` file. `timeDeltas[i]` are the microseconds before sample i. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const CATEGORIES = ['JavaScript', 'WASM', 'GC', 'node and native'] as const;
type Category = (typeof CATEGORIES)[number];

/** The category of a frame; null while the thread waits. */
function categoryOf({ functionName, url }: Profile['nodes'][number]['callFrame']): Category | null {
  if (functionName === '(idle)') return null;
  if (functionName === '(garbage collector)') return 'GC';
  if (url.startsWith('wasm:')) return 'WASM';
  return url === '' || url.startsWith('node:') ? 'node and native' : 'JavaScript';
}

/** Seconds by category of the samples of all threads. */
export function secondsByCategory(profiles: readonly Profile[]): Record<Category, number> {
  const sums = { JavaScript: 0, WASM: 0, GC: 0, 'node and native': 0 };
  for (const { nodes, samples, timeDeltas } of profiles) {
    const categories = new Map(nodes.map(({ id, callFrame }) => [id, categoryOf(callFrame)]));
    // A sample stands for the time until the next one.
    for (let i = 0; i + 1 < samples.length; i++) {
      const category = categories.get(samples[i]);
      if (category) sums[category] += timeDeltas[i + 1] / 1e6;
    }
  }
  return sums;
}

/** The table of a process that took `cpu` seconds, user and system time of all its threads. */
export function categoryTable(profiles: readonly Profile[], cpu: number): string {
  const sums = secondsByCategory(profiles);
  const sampled = CATEGORIES.reduce((sum, category) => sum + sums[category], 0);
  const rows: [string, number][] = CATEGORIES.map((category) => [category, sums[category]]);
  rows.push(["V8's compilers and other threads", Math.max(0, cpu - sampled)], ['whole process', cpu]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, seconds]) => `${name.padEnd(width)}  ${seconds.toFixed(2).padStart(7)} s`);
  if (sampled > cpu) {
    lines.push(`the samples are ${sampled.toFixed(2)} s of wall time: the machine was busy, so they are too high`);
  }
  return `${lines.join('\n')}\n`;
}

/** Cooks a generated town under the profiler and gives the table. */
export function profileTown(triangles: number, options: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'untold-profile-'));
  try {
    const source = join(folder, 'town.glb');
    const made = writeTown(triangles, source);
    const profiles = join(folder, 'profiles');
    const profiler = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${INTERVAL_MICROSECONDS}`];
    const cook = [cli, 'cook', source, '--out', join(folder, 'town'), '--quiet', ...options];
    const { cpu } = costOf([process.execPath, ...profiler, ...cook]);
    const threads = readdirSync(profiles)
      .sort()
      .map((name) => JSON.parse(readFileSync(join(profiles, name), 'utf8')) as Profile);
    const title = `CPU by category, town of ${(made / 1e6).toFixed(2)} M triangles, ${threads.length} threads sampled`;
    return `${title}\n${categoryTable(threads, cpu)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
