// `npx tsx bench/zone.ts [TRIANGLES]`: a town, a million triangles unless told otherwise, cooked as it is and for the eyes of a zone:
// 4 x 4 m on a street in its middle, 1.2 to 1.9 m above the ground. Prints triangles, draws and entities of each as `untold check`
// counts them, seconds of wall and CPU, and peak memory. Everything is removed afterwards.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cpuOf } from './commands.ts';
import { height, writeTown } from './town.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const DEVICE = ['--device', 'vision-pro'];
/** Without levels, the dearest part of a cook: a scene for a zone has none. */
const PLAIN = ['--lod', 'none', '--hlod', 'none'];

interface Measure {
  readonly measure: string;
  readonly value: number;
}

interface CookSums {
  readonly totals: { readonly trianglesOut: number };
  readonly run: { readonly seconds: number; readonly peakBytes: number };
}

function json<T>(args: readonly string[]): T {
  const child = spawnSync(process.execPath, [cli, ...args, '--json', '--quiet'], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  // check ends with 1 where something does not fit: that is an answer, too.
  if (child.stdout === '') throw new Error(child.stderr);
  return JSON.parse(child.stdout) as T;
}

/** Box of a zone around a place of the ground, in the words of --viewer-zone. */
function zoneAt(x: number, z: number): string {
  const ground = height(x, z) + 0.1;
  const corner = (side: number, above: number) => [x + side, ground + above, z + side].map((value) => value.toFixed(3));
  return `box:${[...corner(-2, 1.2), ...corner(2, 1.9)].join(',')}`;
}

function cooked(name: string, source: string, out: string, options: readonly string[]): string {
  let sums: CookSums | null = null;
  const cpu = cpuOf(() => {
    sums = json<CookSums>(['cook', source, '--out', out, '--no-cache', ...options]);
  });
  const { totals, run } = sums as unknown as CookSums;
  const { measures } = json<{ readonly measures: readonly Measure[] }>(['check', out, ...DEVICE]);
  const worst = (wanted: string) =>
    (measures.find(({ measure }) => measure === wanted)?.value ?? 0).toLocaleString('en-US');
  const counts = `${totals.trianglesOut.toLocaleString('en-US')} triangles, ${worst('draws')} draws, ${worst('entities')} entities`;
  const time = `${run.seconds.toFixed(1)} s wall, ${cpu.toFixed(1)} s CPU, ${(run.peakBytes / 1e6).toFixed(0)} MB peak`;
  return `${name}: ${counts}; ${time}\n`;
}

const folder = mkdtempSync(join(tmpdir(), 'untold-zone-'));
try {
  const source = join(folder, 'town.glb');
  const made = writeTown(Number(process.argv[2] ?? 1_000_000), source);
  process.stdout.write(`town of ${made.toLocaleString('en-US')} triangles\n`);
  process.stdout.write(cooked('as it is', source, join(folder, 'tiles'), PLAIN));
  const zone = zoneAt(25, 0);
  process.stdout.write(
    cooked(`--viewer-zone ${zone}`, source, join(folder, 'seen.untold'), ['--viewer-zone', zone, ...DEVICE]),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
