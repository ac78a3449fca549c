// Cooks again and again in one process, and lets another call fail each time. Prints one line of JSON for each cook. Node
// ends a process in which something waits for what never comes; the number of the last line then is not the last one.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Calls of each kind that are refused: each of the first ones, and some of those up to the last. */
const MOST = 200;
const { library, source, options, earlier, kinds, spans, each = 30, step = 3 } = JSON.parse(process.argv[2]);
const nextOf = (at) => (at < each ? at + 1 : at + step);

const { cook } = await import(pathToFileURL(library).href);
const OUT = 'out';

/** All that is there, with the hashes of files; null: nothing. */
function content(folder) {
  if (!existsSync(folder)) return null;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const rows = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const hash = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder';
    return `${relative(folder, path)} ${hash}`;
  });
  return rows.sort().join('\n');
}

function reset() {
  for (const name of [OUT, 'cache']) rmSync(name, { recursive: true, force: true });
  if (earlier) cpSync('earlier', OUT, { recursive: true });
}

async function succeed(given) {
  const { exitCode, results } = await cook(source, given);
  if (exitCode !== 0) throw new Error(JSON.stringify(results));
}

if (earlier) {
  await succeed({ ...options, ...earlier });
  renameSync(OUT, 'earlier');
}
reset();
const before = content(OUT);
await succeed(options);
const wanted = content(OUT);

for (const span of spans) {
  for (const kind of kinds) {
    // Without any rename a commit that has begun cannot be undone: its journal stays for the next cook.
    if (kind === 'rename' && span === 'rest') continue;
    for (let at = 1; at <= MOST; at = nextOf(at)) {
      reset();
      globalThis.refuseCalls(kind, at, span === 'one' ? at : 2 ** 31 - 1);
      const { exitCode, results, diagnostics } = await cook(source, options);
      const calls = globalThis.allowCalls();
      if (calls < at) break;
      const after = content(OUT);
      const all = [...results.flatMap((result) => result.diagnostics), ...diagnostics];
      const codes = [...new Set(all.filter(({ severity }) => severity === 'error').map(({ code }) => code))];
      const stands = after === before ? 'before' : after === wanted ? 'new' : after;
      writeSync(1, `${JSON.stringify({ span, kind, at, exitCode, codes, stands })}\n`);
    }
  }
}
writeSync(1, `${JSON.stringify('complete')}\n`);
process.exit(0);
