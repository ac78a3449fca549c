// Writes the library's types into dist/types: declarations of src/index.ts and of every file that those name, no others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const root = import.meta.dirname;
const dist = join(root, 'dist');

/** Has the compiler write the declarations of all files. `npm run typecheck` checks them, so that this needs not to. */
async function emit(folder) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const args = [tsc, '--project', join(root, 'tsconfig.types.json'), '--noCheck', '--outDir', folder];
  const compiler = spawn(process.execPath, args, { stdio: ['ignore', 2, 2] });
  const [code] = await once(compiler, 'exit');
  if (code !== 0) throw new Error(`the types cannot be written: tsc ended with ${code}`);
}

export async function writeTypes() {
  // Complete before they replace the ones before them: builds may run at once.
  const emitted = mkdtempSync(join(dist, '.types-'));
  try {
    const all = join(emitted, 'all');
    await emit(all);
    const named = new Set();
    const open = [join(all, 'index.d.ts')];
    while (open.length > 0) {
      const file = open.pop();
      if (named.has(file)) continue;
      named.add(file);
      const text = readFileSync(file, 'utf8').replace(/(["'])(\.[^"']*)\.ts\1/g, '$1$2.js$1');
      for (const [, name] of text.matchAll(/(?:\bfrom\s+|\bimport\(|\bimport\s+)["'](\.[^"']+)\.js["']/g)) {
        open.push(`${resolve(dirname(file), name)}.d.ts`);
      }
      const target = join(emitted, 'named', relative(all, file));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    const types = join(dist, 'types');
    rmSync(types, { recursive: true, force: true });
    renameSync(join(emitted, 'named'), types);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}
