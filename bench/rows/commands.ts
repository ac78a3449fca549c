// What whole commands take of the processor that do little cooking: starting, many small files, looking into a stage.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crateTerrain } from '../crate.ts';
import { cook, type Figure, median, middle, milliseconds, type Row, repeated, untold } from '../measure.ts';
import { crateTown, kitStage } from '../stages.ts';
import { writeThings } from '../things.ts';

const cli = resolve(import.meta.dirname, '../../bin/untold.js');

/** Seconds of CPU of a command, and of what it takes beyond starting. */
const cpuOf = (runs: number, ...args: readonly string[]) => middle(repeated(runs, () => untold(...args))).cpu;
const beyondStart = (runs: number, ...args: readonly string[]) => cpuOf(runs, ...args) - cpuOf(runs, '--version');

export const startUp: Row = {
  name: 'start',
  about: 'CPU of starting the command',
  measure(folder, runs) {
    const source = join(folder, 'small.glb');
    writeThings(4, 2, source);
    return [
      milliseconds('--version', cpuOf(runs, '--version')),
      milliseconds('cook of one small file', middle(repeated(runs, () => cook(source, join(folder, 'small')))).cpu),
    ];
  },
};

/** What each small file may take of the processor, in milliseconds, and the syncs of its two files. */
const FILE_MILLISECONDS = 8;
const FILE_SYNCS = 2.1;

/** Cooks a folder of small sources with one command, and counts its syncs in a run of its own. */
export function cookFiles(folder: string, runs: number, count = 1000): Figure[] {
  const sources = join(folder, 'files');
  const out = join(folder, 'cooked-files');
  mkdirSync(sources);
  for (let i = 0; i < count; i++) writeThings(4, 2, join(sources, `thing_${String(i).padStart(4, '0')}.glb`));
  const cold = () => {
    rmSync(out, { recursive: true, force: true });
    return cook(sources, out);
  };
  const cpu = median(Array.from({ length: runs }, cold).map((cost) => cost.cpu)) / count;
  rmSync(out, { recursive: true, force: true });
  // Syncs are counted in the main thread.
  const counted = ['--import', resolve(import.meta.dirname, '../countSyncs.mjs'), cli, 'cook', sources, '--out', out];
  const child = spawnSync(process.execPath, [...counted, '--no-cache', '--quiet', '--jobs', '1'], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr);
  return [
    milliseconds('CPU for each', cpu, FILE_MILLISECONDS),
    { name: 'syncs for each', value: Number(child.stderr) / count, unit: 'syncs', goal: FILE_SYNCS },
  ];
}

export const files: Row = {
  name: 'files',
  about: 'a thousand files of four triangles',
  measure: (folder, runs) => cookFiles(folder, runs),
};

const STAGE_MILLISECONDS = 250;

/** Looks into a stage of `pieces` meshes of 2 x quads^2 triangles with payloads and variants, and plans a crate. */
export function inspectStages(folder: string, runs: number, pieces = 49, quads = 120, prims = 10_000): Figure[] {
  const kit = join(folder, 'kit');
  mkdirSync(kit);
  for (const [name, bytes] of Object.entries(kitStage(pieces, quads).files)) writeFileSync(join(kit, name), bytes);
  const town = join(folder, 'town.usdc');
  writeFileSync(town, crateTown(prims, 7).bytes);
  const crate = join(folder, 'terrain.usdc');
  writeFileSync(crate, crateTerrain(quads * quads * 70).bytes);
  const inspect = (stage: string) => beyondStart(runs, 'inspect', '--stage', stage);
  return [
    milliseconds('inspect --stage of a kit with payloads', inspect(join(kit, 'kit.usda')), STAGE_MILLISECONDS),
    milliseconds(`inspect --stage of ${prims} prims`, inspect(town), STAGE_MILLISECONDS),
    milliseconds(
      'cook --dry-run of a crate of a million triangles',
      beyondStart(runs, 'cook', crate, '--out', join(folder, 'planned'), '--dry-run'),
    ),
  ];
}

export const inspectStage: Row = {
  name: 'inspect',
  about: 'CPU of looking into stages, beyond starting the command',
  measure: (folder, runs) => inspectStages(folder, runs),
};

export const sheet: Row = {
  name: 'sheet',
  about: 'CPU of finding and drawing the worst levels of the sample town, beyond starting the command',
  measure(folder, runs) {
    const town = join(folder, 'town');
    cook(resolve(import.meta.dirname, '../../samples/usda/town.usda'), town);
    const page = join(folder, 'worst.html');
    const cpu = beyondStart(runs, 'render', town, '--sheet', 'worst', '--jobs', '1', '--out', page);
    return [milliseconds('render --sheet worst', cpu)];
  },
};
