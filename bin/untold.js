#!/usr/bin/env node
// Starts the bundled command line, nothing else.
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/cli.js', import.meta.url);
try {
  await import(bundle.href);
} catch (error) {
  if (existsSync(bundle)) throw error;
  process.stderr.write('untold: dist/ is missing; run `npm run build` in the folder of the package (needs `npm ci`)\n');
  process.exitCode = 3;
}
