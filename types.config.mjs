// Writes the library's types into dist/types: declarations of src/index.ts and of every file that those name, no others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { interfaceOf, optionTypes } from './optionTypes.config.mjs';

const root = import.meta.dirname;
const dist = join(root, 'dist');
/** Beside the types of the options that have no interface. */
const OPTION_TYPES = 'config/options/callOptions.ts';

/** Has the compiler write the declarations of all files. `npm run typecheck` checks them, so that this needs not to. */
async function emit(folder) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const args = [tsc, '--project', join(root, 'tsconfig.types.json'), '--noCheck', '--outDir', folder];
  const compiler = spawn(process.execPath, args, { stdio: ['ignore', 2, 2] });
  const [code] = await once(compiler, 'exit');
  if (code !== 0) throw new Error(`the types cannot be written: tsc ended with ${code}`);
}

/** Declarations that name the interfaces of optionTypes in place of the tables. */
function withOptionTypes(text, fromFolder) {
  const tables = [...text.matchAll(/\bOptionsOf<typeof (\w+_CALL_OPTIONS)>/g)].map(([, table]) => table);
  if (tables.length === 0) return text;
  const names = [...new Set(tables.map(interfaceOf))].join(', ');
  const rest = text
    .replace(/\bOptionsOf<typeof (\w+_CALL_OPTIONS)>/g, (_, table) => interfaceOf(table))
    .replace(/^import (type )?\{ (\w+_CALL_OPTIONS(, )?)+ \} from '.*';\n/gm, '');
  return `import type { ${names} } from '${relative(fromFolder, OPTION_TYPES)}';\n${rest}`;
}

export async function writeTypes() {
  // Complete before they replace the ones before them: builds may run at once.
  const emitted = mkdtempSync(join(dist, '.types-'));
  try {
    const all = join(emitted, 'all');
    const [options] = await Promise.all([optionTypes(emitted), emit(all)]);
    writeFileSync(join(all, OPTION_TYPES.replace(/ts$/, 'd.ts')), options);
    const named = new Set();
    const open = [join(all, 'index.d.ts')];
    while (open.length > 0) {
      const file = open.pop();
      if (named.has(file)) continue;
      named.add(file);
      const declared = withOptionTypes(readFileSync(file, 'utf8'), relative(all, dirname(file)));
      const text = declared.replace(/(["'])(\.[^"']*)\.ts\1/g, '$1$2.js$1');
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
