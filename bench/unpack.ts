// How long a package of many small files takes to unpack:
//
//   npx tsx bench/unpack.ts [FILES]
//
// It is written into a folder of the system for temporary files, so that the figure is that of its disk.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, unpack } from '../src/index.ts';

const FILES = Number(process.argv[2] ?? 65_001);
/** Seconds that 65,001 files may take. */
const SECONDS = 5;

const folder = mkdtempSync(join(tmpdir(), 'untold-unpack-'));
try {
  for (let i = 0; i < FILES; i++) {
    const below = join(folder, 'Data', String(Math.floor(i / 1000)));
    if (i % 1000 === 0) mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `${i}.txt`), `entry ${i}\n`);
  }
  const made = await pack(join(folder, 'Data'), { out: join(folder, 'Data.pak') });
  if (made.exitCode !== 0) throw new Error(JSON.stringify(made.diagnostics));
  const began = performance.now();
  const { exitCode, diagnostics } = await unpack(join(folder, 'Data.pak'), { out: join(folder, 'out') });
  if (exitCode !== 0) throw new Error(JSON.stringify(diagnostics));
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`${FILES} files unpacked in ${seconds.toFixed(1)} s, 65,001 in at most ${SECONDS} s\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
