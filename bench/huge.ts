// `npx tsx bench/huge.ts [TRIANGLES [NAME]] [--levels]`: a town of 100 million triangles, as one GLB of 4 GB and as a glTF
// with buffers of 1 GiB, and a USD crate of 2.4 GB, cooked into tiles, without levels or, with `--levels`, with the levels
// that `npm run bench -- town` compares. Prints size, seconds and peak memory of each, or of `town.glb`, `town.gltf` or
// `land.usdc` alone. Needs 10 GB of disk in the folder for temporary files, and up to half an hour; everything is removed
// afterwards.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeHugeCrate } from './hugeCrate.ts';
import { writeTown } from './town.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const { values: flags, positionals } = parseArgs({
  options: { levels: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const LEVELS = flags.levels
  ? ['--lod', '0.5,0.2', '--hlod', '0.1', '--lod-check', 'geometry', '--hlod-texture-size', 'none']
  : ['--lod', 'none', '--hlod', 'none'];
const OPTIONS = ['--no-cache', ...LEVELS, '--tile-size', '50', '--textures', 'keep', '--json', '--quiet'];
/** Beyond the 2 GiB of one buffer. */
const CRATE_BYTES = 2.4e9;

function cookTown(write: (path: string) => number, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'untold-huge-'));
  try {
    const made = write(join(folder, name));
    const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    const begin = performance.now();
    const child = spawnSync(
      process.execPath,
      [cli, 'cook', join(folder, name), '--out', join(folder, 'out'), ...OPTIONS],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 30,
      },
    );
    const seconds = (performance.now() - begin) / 1000;
    if (child.status !== 0) throw new Error(child.stderr);
    const { peakBytes } = (JSON.parse(child.stdout) as { run: { peakBytes: number } }).run;
    const source = `${name}: ${(made / 1e6).toFixed(1)} M triangles in ${(bytes / 1e9).toFixed(2)} GB`;
    return `${source}, ${seconds.toFixed(1)} s wall, ${(peakBytes / 1e6).toFixed(0)} MB peak`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const triangles = Number(positionals[0] ?? 100_000_000);
const writeOneTown = (path: string) => writeTown(triangles, path);
const SOURCES: Readonly<Record<string, (path: string) => number>> = {
  'town.glb': writeOneTown,
  'town.gltf': writeOneTown,
  'land.usdc': (path) => writeHugeCrate(CRATE_BYTES, path),
};
for (const name of positionals[1] ? [positionals[1]] : Object.keys(SOURCES)) {
  const write = SOURCES[name];
  if (!write) throw new Error(`${name} is none of ${Object.keys(SOURCES).join(', ')}`);
  process.stdout.write(`${cookTown(write, name)}\n`);
}
