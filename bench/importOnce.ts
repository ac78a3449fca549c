// Imports one source in a process of its own, as a cook does: opens and composes it, then reads every mesh. Prints what
// that took as JSON, for run.ts, which bundles this as the command line is bundled.

import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { peakMemory } from '../src/cli/documents/run.ts';
import { Diagnostics } from '../src/diagnostics/diagnostic.ts';
import { diskFiles, type SourceFiles } from '../src/importers/files.ts';
import { importSource } from '../src/importers/index.ts';

/** What importOnce prints. */
export interface ImportedOnce {
  /** Until the Scene stands, and until every mesh was read once more for its triangles. */
  readonly importSeconds: number;
  readonly readSeconds: number;
  readonly peakBytes: number;
  /** Files opened, each time counted, and the size of the different ones. */
  readonly opened: number;
  readonly bytes: number;
  readonly triangles: number;
}

// As bin/untold.js.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=200');
const [path] = process.argv.slice(2);
const disk = diskFiles(null);
let opened = 0;
const files: SourceFiles = {
  ...disk,
  open: (...args) => {
    opened++;
    return disk.open(...args);
  },
  read: (...args) => {
    opened++;
    return disk.read(...args);
  },
};
const begin = performance.now();
const scene = await importSource(path, path, { files, diagnostics: new Diagnostics(), options: {} });
const imported = performance.now();
let triangles = 0;
for (const { mesh } of scene.nodes) {
  if (mesh >= 0) for (const { triangleCount } of scene.meshes[mesh].primitives) triangles += triangleCount;
}
for (const { primitives } of scene.meshes) for (const primitive of primitives) await primitive.read();
const read = performance.now();
const once: ImportedOnce = {
  importSeconds: (imported - begin) / 1000,
  readSeconds: (read - imported) / 1000,
  peakBytes: peakMemory(),
  opened,
  bytes: disk.list().reduce((sum, file) => sum + statSync(file).size, 0),
  triangles,
};
process.stdout.write(JSON.stringify(once));
