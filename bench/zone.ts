// `npx tsx bench/zone.ts [TRIANGLES] [--eyes N] [--zone X0,Y0,Z0,X1,Y1,Z1]`: a town, a million triangles unless told otherwise, cooked as
// it is and for the eyes of a zone: 4 x 4 m on a street in its middle, 1.2 to 1.9 m above the ground. Prints triangles, draws and
// entities of each as `untold check` counts them, seconds of wall and CPU, and peak memory; then the holes that are seen from 256
// places, or so many, that the cook has not looked from. Everything is removed afterwards.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { untold } from './measure.ts';
import { height, writeTown } from './town.ts';
import { holesFrom } from './zoneHoles.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const DEVICE = ['--device', 'vision-pro'];
/** Without levels, the dearest part of a cook: a scene for a zone has none. */
const PLAIN = ['--lod', 'none', '--hlod', 'none'];

interface Measure {
  readonly measure: string;
  readonly value: number;
}

/** Of vision-pro, as src/config has it: pixels for a tangent of 1. */
const SCALE = (34 * 180) / Math.PI;

interface CookSums {
  readonly totals: { readonly trianglesOut: number };
  readonly results: readonly { readonly totals: { readonly zone?: { readonly error: number } } }[];
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

/** The corners of a zone around a place of the ground. */
function zoneAt(x: number, z: number): number[] {
  const ground = height(x, z) + 0.1;
  const corner = (side: number, above: number) => [x + side, ground + above, z + side];
  return [...corner(-2, 1.2), ...corner(2, 1.9)].map((value) => Number(value.toFixed(3)));
}

/** Cooks, prints what came out, and gives the pixels that surfaces were simplified up to. */
function cooked(name: string, source: string, out: string, options: readonly string[]): number {
  const { cpu, stdout } = untold('cook', source, '--out', out, '--no-cache', '--json', '--quiet', ...options);
  const { totals, run, results } = JSON.parse(stdout) as CookSums;
  const { measures } = json<{ readonly measures: readonly Measure[] }>(['check', out, ...DEVICE]);
  const worst = (wanted: string) =>
    (measures.find(({ measure }) => measure === wanted)?.value ?? 0).toLocaleString('en-US');
  const counts = `${totals.trianglesOut.toLocaleString('en-US')} triangles, ${worst('draws')} draws, ${worst('entities')} entities`;
  const time = `${run.seconds.toFixed(1)} s wall, ${cpu.toFixed(1)} s CPU, ${(run.peakBytes / 1e6).toFixed(0)} MB peak`;
  process.stdout.write(`${name}: ${counts}; ${time}\n`);
  return results[0].totals.zone?.error ?? 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { eyes: { type: 'string', default: '256' }, zone: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'untold-zone-'));
try {
  const source = join(folder, 'town.glb');
  const made = writeTown(Number(positionals[0] ?? 1_000_000), source);
  process.stdout.write(`town of ${made.toLocaleString('en-US')} triangles\n`);
  cooked('as it is', source, join(folder, 'tiles'), PLAIN);
  const corners = values.zone?.split(',').map(Number) ?? zoneAt(25, 0);
  const zone = `box:${corners.join(',')}`;
  const result = join(folder, 'seen.untold');
  const error = cooked(`--viewer-zone ${zone}`, source, result, ['--viewer-zone', zone, ...DEVICE]);
  const [x0, y0, z0, x1, y1, z1] = corners;
  const places = { boxes: [{ min: [x0, y0, z0], max: [x1, y1, z1] }], spheres: [], portals: [] } as const;
  const eyes = Number(values.eyes);
  const { holes, largest } = await holesFrom({ source, result }, places, { eyes, error, scale: SCALE });
  process.stdout.write(`${holes} holes from ${eyes} other places, the largest of ${largest} pixels\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
