#!/usr/bin/env node
// Starts the bundled command line, nothing else.
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { useCompileCache } from './compileCache.js';

// Scenes are large and the heap is small: what lies outside of the young generation, typed arrays included, at most trebles
// before it is collected; by default it may quadruple. Where it may only double, a small town is collected 57 times instead
// of 18, which takes a tenth of its CPU time and saves 28 MB; a large town takes as much memory either way. The young
// generation grows as V8 finds fit: kept at its first megabyte it saved 16 MB and cost scenes of many small things a third of
// their time.
// A cook runs thousands of functions for a second or two, and V8's optimising compiler took up to 40 % of its CPU time: it
// now waits until a function has run about four times as long as by default, and inlines a third as much. That saves a
// fifth of the CPU time of a small town, 4 % of that of a large one, and costs none of the measured scenes any.
// These are flags of the V8 in Node 20; one that another V8 does not know would print an error, so elsewhere the defaults
// hold.
if (process.versions.node.startsWith('20.')) {
  for (const flag of [
    'heap-growing-percent=200',
    'interrupt-budget=300000',
    'max-inlined-bytecode-size-cumulative=300',
  ]) {
    setFlagsFromString(`--${flag}`);
  }
}

/** Ends with 3, in the words of the codes (src/diagnostics/codes/environment.ts), which cannot be loaded here. */
function refuse(message, remedy, code = 'UC1101') {
  process.stderr.write(`error ${code}: ${message}\n  ${remedy}\n`);
  process.exitCode = 3;
}

const [major, minor] = process.versions.node.split('.').map(Number);
const bundle = new URL('../dist/cli.js', import.meta.url);
if (major < 20 || (major === 20 && minor < 12)) {
  refuse(`this is Node ${process.versions.node}`, 'run untold with Node 20.12 or later');
} else if (!existsSync(bundle)) {
  refuse('dist/ is missing', 'run `npm run build` in the folder of the package (needs `npm ci`)');
} else {
  // For options alone, as --version, opening the cache takes longer than compiling the little that is loaded.
  if (process.argv[2] && !process.argv[2].startsWith('-')) useCompileCache();
  try {
    // Everything that the command does is caught inside: what comes out here is that a file of the bundle cannot be loaded.
    const { run } = await import(bundle.href);
    process.exit(await run(process.argv.slice(2), process));
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error);
    if (error?.code === 'EMFILE' || error?.code === 'ENFILE') {
      refuse(reason, 'raise the limit of open files (`ulimit -n`) and run the command again', 'UC1103');
    } else refuse(reason, 'install untold again (`npm ci`) on the system that runs it');
  }
}
