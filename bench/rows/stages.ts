// Large stages that are opened, composed and imported in a process of its own each, as a command does it: nothing is warm.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleImporter, importOnce } from '../importer.ts';
import { type Figure, median, megabytes, type Row, seconds } from '../measure.ts';
import { crateTown, referenceTown, textTown } from '../stages.ts';

interface Stage {
  readonly name: string;
  readonly source: string;
  /** Seconds that it may take. */
  readonly goal?: number | undefined;
  /** Files that may be opened, each time counted. */
  readonly files: number;
}

/** Bytes that an import may take at its peak: 100 MB and four times the files that it reads. */
const allowedBytes = (bytes: number) => 100e6 + 4 * bytes;

function importStage(importer: string, { name, source, goal, files }: Stage, count: number): Figure[] {
  const runs = Array.from({ length: count }, () => importOnce(importer, source));
  const [{ bytes, opened }] = runs;
  if (opened !== files) throw new Error(`${name}: ${opened} files were opened, not ${files}`);
  return [
    seconds(name, median(runs.map((run) => run.importSeconds)), goal),
    megabytes(`${name}, peak`, median(runs.map((run) => run.peakBytes)), Math.round(allowedBytes(bytes) / 1e6)),
  ];
}

async function measure(folder: string, runs: number): Promise<Figure[]> {
  const importer = await bundleImporter(folder);
  const put = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  put('block.usdc', crateTown(4, 40).bytes);
  const all: Stage[] = [
    { name: 'crate of 10,000 prims', source: put('town.usdc', crateTown(10_000, 7).bytes), goal: 0.8, files: 1 },
    { name: 'text layer of 80 MB', source: put('town.usda', textTown(80e6).bytes), goal: 3, files: 1 },
    {
      name: '1,000 references to one asset',
      source: put('blocks.usda', referenceTown(1000, './block.usdc')),
      files: 2,
    },
  ];
  return all.flatMap((stage) => importStage(importer, stage, runs));
}

export const stages: Row = { name: 'stages', about: 'large stages, opened, composed and imported', measure };
