// What commands cost, and what the rows of `npm run bench` have in common.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const cli = resolve(import.meta.dirname, '../bin/untold.js');

/** One measured number. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 's' | 'ms' | 'MB' | 'times' | 'syncs';
  /** What it should be at most. */
  readonly goal?: number | undefined;
}

/** A part of the benchmark: what it is called on the command line, and its figures, made in a folder of its own. */
export interface Row {
  readonly name: string;
  readonly about: string;
  /** Measured only when it is named, or with `--large`: it takes minutes. */
  readonly isLarge?: boolean;
  measure(folder: string, runs: number): Promise<Figure[]> | Figure[];
}

/** What a command took, in seconds. */
export interface Cost {
  readonly wall: number;
  /** User and system time of the command and its threads. */
  readonly cpu: number;
}

/** What a cook took, and the most memory that it held. */
export interface CookCost extends Cost {
  readonly peakBytes: number;
}

/** Seconds that the children of a shell took, from the second line that its `times` prints: user and system time. */
export function childSeconds(times: string): number {
  const line = times.trim().split('\n')[1] ?? '';
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) throw new Error(`not what \`times\` prints: ${times}`);
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

export const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The medians of several costs, each for itself. */
export const middle = (costs: readonly Cost[]): Cost => ({
  wall: median(costs.map(({ wall }) => wall)),
  cpu: median(costs.map(({ cpu }) => cpu)),
});

export const sumOf = (costs: readonly Cost[]): Cost => ({
  wall: costs.reduce((sum, { wall }) => sum + wall, 0),
  cpu: costs.reduce((sum, { cpu }) => sum + cpu, 0),
});

/** The middle ratio of pairs of costs that were measured in turn: a machine that slows down slows both. */
export function ratio(ours: readonly Cost[], theirs: readonly Cost[]): Cost {
  return middle(ours.map((own, i) => ({ wall: own.wall / theirs[i].wall, cpu: own.cpu / theirs[i].cpu })));
}

/** Whether a program is in the PATH. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined;
}

/** Runs a command; the shell around it tells the CPU time of all its threads. What the command prints is in `stdout`. */
export function costOf(command: readonly string[]): Cost & { readonly stdout: string } {
  const begin = performance.now();
  const script = '"$@"; code=$?; times >&2; exit $code';
  const child = spawnSync('sh', ['-c', script, 'sh', ...command], { encoding: 'utf8', maxBuffer: 1 << 30 });
  const wall = (performance.now() - begin) / 1000;
  if (child.error) throw child.error;
  if (child.status !== 0) throw new Error(child.stderr);
  return { wall, cpu: childSeconds(child.stderr.trim().split('\n').slice(-2).join('\n')), stdout: child.stdout };
}

/** As costOf() of our command, while this process goes on serving it. */
export async function costBeside(...args: readonly string[]): Promise<Cost & { readonly stderr: string }> {
  const begin = performance.now();
  const script = '"$@" >/dev/null || exit $?; times';
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, cli, ...args]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise((done) => child.on('close', done));
  const wall = (performance.now() - begin) / 1000;
  if (code !== 0) throw new Error(stderr);
  return { wall, cpu: childSeconds(stdout), stderr };
}

export const untold = (...args: readonly string[]) => costOf([process.execPath, cli, ...args]);

/** Cooks into a folder, over what is there; without a cache unless the options name one. */
export function cook(source: string, out: string, ...options: readonly string[]): CookCost {
  const cache = options.some((option) => option.includes('cache')) ? [] : ['--no-cache'];
  const all = ['cook', source, '--out', out, '--force', '--json', '--quiet', ...cache, ...options];
  const { stdout, ...cost } = untold(...all);
  const { run } = JSON.parse(stdout) as { run: { peakBytes: number } };
  return { ...cost, peakBytes: run.peakBytes };
}

/** The median of several measurements, after one that is not counted. */
export function repeated<T extends Cost>(runs: number, work: () => T): T[] {
  work();
  return Array.from({ length: runs }, work);
}

export const seconds = (name: string, value: number, goal?: number): Figure => ({ name, value, unit: 's', goal });
export const milliseconds = (name: string, value: number, goal?: number): Figure => ({
  name,
  value: value * 1e3,
  unit: 'ms',
  goal,
});
export const megabytes = (name: string, bytes: number, goal?: number): Figure => ({
  name,
  value: bytes / 1e6,
  unit: 'MB',
  goal,
});
export const times = (name: string, value: number, goal?: number): Figure => ({ name, value, unit: 'times', goal });

/** Wall and CPU seconds. */
export const costFigures = (name: string, { wall, cpu }: Cost): Figure[] => [
  seconds(`${name}, wall`, wall),
  seconds(`${name}, CPU`, cpu),
];

/** The same of a cook, with its memory. */
export const cookFigures = (name: string, costs: readonly CookCost[]): Figure[] => [
  ...costFigures(name, middle(costs)),
  megabytes(`${name}, peak`, median(costs.map(({ peakBytes }) => peakBytes))),
];

/** Line 2 of results.csv and below: a figure a line, after what tells the machine. */
export const csvLine = (machine: readonly (string | number)[], row: string, { name, value, unit }: Figure) =>
  [...machine, row, name.replaceAll(',', ''), unit, value.toPrecision(4)].join(',');

export const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};
