// What whole commands take of the processor that do little cooking: starting, many small files, looking into a stage.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kitStage } from './stages.ts';
import { writeThings } from './things.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const RUNS = 5;

export interface CommandFigures {
  readonly line: string;
  /** Cells of results.csv. */
  readonly figures: readonly string[];
}

function run(args: readonly string[], before: readonly string[] = []): string {
  const child = spawnSync(process.execPath, [...before, cli, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (child.status !== 0) throw new Error(child.stderr);
  return child.stderr;
}

/** Seconds of CPU that the processes took which `work` started and which have ended. */
export function cpuOf(work: () => void): number {
  // Fields 16 and 17 of /proc/self/stat, in hundredths of a second, counted after the name, which may hold spaces.
  const ticks = () => {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[13]) + Number(fields[14]);
  };
  const before = ticks();
  work();
  return (ticks() - before) / 100;
}

/** Seconds of CPU of one command: the mean of several, after one that is not counted. */
export function cpuOfCommand(...args: readonly string[]): number {
  run(args);
  return (
    cpuOf(() => {
      for (let i = 0; i < RUNS; i++) run(args);
    }) / RUNS
  );
}

const ms = (seconds: number) => `${(seconds * 1e3).toFixed(0)} ms`;

/** `--version`, and a cook of one small file. */
export function startUp(folder: string): CommandFigures {
  const source = join(folder, 'small.glb');
  writeThings(4, 2, source);
  const version = cpuOfCommand('--version');
  const cook = cpuOfCommand('cook', source, '--out', join(folder, 'small'), '--no-cache', '--quiet');
  const line = `--version: ${ms(version)}; cook of one small file: ${ms(cook)}`;
  return { line, figures: [version.toFixed(3), cook.toFixed(3)] };
}

/** GLBs of four triangles, what each of them may take of the processor, and the syncs of its two files. */
const FILES = 1000;
const FILE_SECONDS = 8e-3;
const FILE_SYNCS = 2;

/** Cooks a folder of small sources with one command, and counts its syncs in a second run. */
export function cookFiles(folder: string, files = FILES): CommandFigures {
  const sources = join(folder, 'files');
  const out = join(folder, 'cooked-files');
  mkdirSync(sources);
  for (let i = 0; i < files; i++) writeThings(4, 2, join(sources, `thing_${String(i).padStart(4, '0')}.glb`));
  const cook = (before: readonly string[], ...more: readonly string[]) => {
    rmSync(out, { recursive: true, force: true });
    return run(['cook', sources, '--out', out, '--no-cache', '--quiet', ...more], before);
  };
  const cpu = cpuOf(() => cook([])) / files;
  // Syncs are counted in the main thread.
  const syncs = Number(cook(['--import', resolve(import.meta.dirname, 'countSyncs.mjs')], '--jobs', '1')) / files;
  const time = `${(cpu * 1e3).toFixed(1)} ms each, at most ${FILE_SECONDS * 1e3} ms`;
  const line = `${files} small files: ${time}; ${syncs.toFixed(2)} syncs each, about ${FILE_SYNCS}`;
  return { line, figures: [cpu.toFixed(4), syncs.toFixed(2)] };
}

/** What looking into the stage may take beyond starting the command. */
const STAGE_SECONDS = 0.25;

/** Looks into a stage of `pieces` meshes of 2 x quads^2 triangles with payloads and variants. */
export function inspectKit(folder: string, pieces = 49, quads = 120): CommandFigures {
  const { files, triangles } = kitStage(pieces, quads);
  const kit = join(folder, 'kit');
  mkdirSync(kit);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(kit, name), bytes);
  const cpu = cpuOfCommand('inspect', '--stage', join(kit, 'kit.usda')) - cpuOfCommand('--version');
  const line = `inspect --stage of ${(triangles / 1e6).toFixed(1)} M triangles: ${ms(cpu)} beyond start-up, at most ${ms(STAGE_SECONDS)}`;
  return { line, figures: [cpu.toFixed(3)] };
}

/** Plans a crate of a million triangles. */
export function planCrate(crate: string, folder: string): CommandFigures {
  const cpu = cpuOfCommand('cook', crate, '--out', join(folder, 'planned'), '--dry-run') - cpuOfCommand('--version');
  return { line: `dry run of a crate of 1 M triangles: ${ms(cpu)} beyond start-up`, figures: [cpu.toFixed(3)] };
}
