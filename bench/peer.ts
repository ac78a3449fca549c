// `npm run bench -- --peer [--large]`: cooking a town of a million triangles, and of ten million, with three levels against
// gltfpack making as many representations of it, in wall and CPU time. gltfpack is the closest other tool that simplifies
// whole scenes; it is used where it is installed. A last row has the default levels, which gltfpack has no match for.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeTown } from './town.ts';

const PEER = 'gltfpack';
const PAIRS = 5;
/** Triangles of the town, and of the one that `--large` adds. */
export const PEER_TOWNS = [1_000_000, 10_000_000] as const;
/** Full detail, two LODs and the HLOD, as shares of the triangles. */
const RATIOS = ['1', '0.5', '0.2', '0.1'];
/** The same, of each 50 m of the town: geometry alone, as gltfpack makes it here. */
const LEVEL_OPTIONS = [
  ...['--lod', '0.5,0.2', '--hlod', '0.1', '--tile-size', '50'],
  ...['--lod-check', 'geometry', '--hlod-texture-size', 'none'],
];
const COOK_OPTIONS = ['--no-cache', '--force', '--quiet'];

/** What a command took, in seconds. */
export interface Cost {
  readonly wall: number;
  /** User and system time of the command and its threads. */
  readonly cpu: number;
}

/** Seconds that the children of a shell took, from the second line that its `times` prints: user and system time. */
export function childSeconds(times: string): number {
  const line = times.trim().split('\n')[1] ?? '';
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) throw new Error(`not what \`times\` prints: ${times}`);
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/** The middle ratio of pairs of costs, with the least and the greatest. */
export function ratios(ours: readonly number[], theirs: readonly number[]): string {
  const sorted = ours.map((own, i) => own / theirs[i]).sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return `${middle.toFixed(2)} (${sorted[0].toFixed(2)} to ${sorted[sorted.length - 1].toFixed(2)})`;
}

/** Whether a program is in the PATH. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined;
}

/** Runs a command; the shell around it tells the CPU time of all its threads. */
export function costOf(command: readonly string[]): Cost {
  const begin = performance.now();
  const script = '"$@" >/dev/null || exit $?; times';
  const child = spawnSync('sh', ['-c', script, 'sh', ...command], { encoding: 'utf8' });
  const wall = (performance.now() - begin) / 1000;
  if (child.error) throw child.error;
  if (child.status !== 0) throw new Error(child.stderr);
  return { wall, cpu: childSeconds(child.stdout) };
}

const sumOf = (costs: readonly Cost[]): Cost => ({
  wall: costs.reduce((sum, { wall }) => sum + wall, 0),
  cpu: costs.reduce((sum, { cpu }) => sum + cpu, 0),
});

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const secondsOf = (costs: readonly Cost[]) => {
  const wall = median(costs.map((cost) => cost.wall));
  return `${wall.toFixed(2)} s wall, ${median(costs.map((cost) => cost.cpu)).toFixed(2)} s CPU`;
};

/** Lines to print: medians of pairs that are run in turn, or that there is nothing to compare with. */
export function compareWithPeer(triangles: number, peer = PEER): string {
  if (!isInstalled(peer)) return `${peer} is not installed: nothing to compare with`;
  const folder = mkdtempSync(join(tmpdir(), 'untold-peer-'));
  try {
    const source = join(folder, 'town.glb');
    const made = writeTown(triangles, source);
    const cli = resolve(import.meta.dirname, '../bin/untold.js');
    const byDefault = [process.execPath, cli, 'cook', source, '--out', join(folder, 'out'), ...COOK_OPTIONS];
    const cook = [...byDefault, ...LEVEL_OPTIONS];
    const pack = (ratio: string) => [peer, '-i', source, '-o', join(folder, 'packed.glb'), '-si', ratio];
    const ours: Cost[] = [];
    const theirs: Cost[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      ours.push(costOf(cook));
      theirs.push(sumOf(RATIOS.map((ratio) => costOf(pack(ratio)))));
    }
    const of = (costs: readonly Cost[], key: keyof Cost) => costs.map((cost) => cost[key]);
    return [
      `town of ${(made / 1e6).toFixed(2)} M triangles, full detail and three levels, medians of ${PAIRS} pairs`,
      `  untold cook            ${secondsOf(ours)}`,
      `  ${peer} -si ${RATIOS.join(', ')}  ${secondsOf(theirs)}`,
      `  ratio                  wall ${ratios(of(ours, 'wall'), of(theirs, 'wall'))}, CPU ${ratios(of(ours, 'cpu'), of(theirs, 'cpu'))}`,
      `  default levels         ${secondsOf([costOf(byDefault)])}, one run`,
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
