#!/usr/bin/env node
// Starts the bundled command line, nothing else.
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// Scenes are large and the heap is small: the young generation stays as it begins instead of growing to 48 MB, for which
// no cook is faster, and the old one at most doubles before it is cleaned. These are flags of the V8 in Node 20; one that
// another V8 does not know would print an error, so elsewhere the defaults hold.
if (process.versions.node.startsWith('20.')) {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=100');
}

const bundle = new URL('../dist/cli.js', import.meta.url);
try {
  await import(bundle.href);
} catch (error) {
  if (existsSync(bundle)) throw error;
  process.stderr.write('untold: dist/ is missing; run `npm run build` in the folder of the package (needs `npm ci`)\n');
  process.exitCode = 3;
}
