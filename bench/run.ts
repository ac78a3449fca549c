// `npm run bench [-- NAME …]`: what cooks cost, row by row, on this machine. Figures are medians of seven runs of whole commands
// (`--runs N` for others), beside other tools where these are installed. `--large` adds the rows that take minutes, `--csv` prints
// lines for results.csv, `--profile` shows where the CPU time of a town goes instead. Nothing here is a test.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { csvLine, type Figure, type Row, version } from './measure.ts';
import { profileTown } from './profile.ts';
import { blocks } from './rows/blocks.ts';
import { remoteCache, remoteCacheOfTen, warmStart } from './rows/caches.ts';
import { files, inspectStage, sheet, startUp } from './rows/commands.ts';
import { large } from './rows/large.ts';
import { stages } from './rows/stages.ts';
import { steps } from './rows/steps.ts';
import { textures } from './rows/textures.ts';
import { props, things } from './rows/things.ts';
import { town, townOfTen } from './rows/towns.ts';

const ROWS: readonly Row[] = [
  ...[steps, stages, startUp, files, inspectStage, sheet, things, props, town, townOfTen],
  ...[blocks, textures, warmStart, remoteCache, remoteCacheOfTen, large],
];
const PROFILED = 1_000_000;

function lineOf({ name, value, unit, goal }: Figure, width: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const met = goal === undefined ? '' : `  ${value <= goal ? 'within' : 'MORE THAN'} ${goal}`;
  return `  ${name.padEnd(width)} ${value.toFixed(digits).padStart(8)} ${unit}${met}`;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '7' },
    large: { type: 'boolean', default: false },
    csv: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((word) => !ROWS.some(({ name }) => name === word));
if (unknown.length > 0)
  throw new Error(`no row is called ${unknown.join(', ')}: ${ROWS.map(({ name }) => name).join(', ')}`);
if (!existsSync(resolve(import.meta.dirname, '../dist/cli.js'))) throw new Error('run `npm run build` first');
if (flags.profile) {
  process.stdout.write(profileTown(PROFILED));
  process.exit(0);
}
const machine = [
  version,
  process.version,
  `${process.platform}-${process.arch}`,
  cpus()[0].model.replaceAll(',', ' '),
  cpus().length,
];
const isWanted = ({ name, isLarge }: Row) =>
  positionals.length > 0 ? positionals.includes(name) : flags.large || !isLarge;
for (const row of ROWS.filter(isWanted)) {
  const folder = mkdtempSync(join(tmpdir(), 'untold-bench-'));
  try {
    const figures = await row.measure(folder, Number(flags.runs));
    const width = Math.max(...figures.map(({ name }) => name.length));
    const lines = flags.csv
      ? figures.map((figure) => csvLine(machine, row.name, figure))
      : [`${row.name}: ${row.about}`, ...figures.map((figure) => lineOf(figure, width))];
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
