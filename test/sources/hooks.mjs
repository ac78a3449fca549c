// Turns the TypeScript of src/ into JavaScript as Node imports it. What was made of a file is kept below node_modules until the
// file changes, with a source map for stack traces (setup.ts).

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import { transform } from 'esbuild';
import { digestOfCode } from '../../digest.config.mjs';

const root = join(import.meta.dirname, '../..');
const sources = `${pathToFileURL(join(root, 'src')).href}/`;
const kept = join(root, 'node_modules/.cache/untold-sources');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

// As the bundle has them: manifests state the version, and cooks of both find each other's entries of a cache.
const define = { __UNTOLD_VERSION__: JSON.stringify(version), __UNTOLD_CODE__: JSON.stringify(digestOfCode()) };

const MAKER =
  'export function diagnostic(code: Code, file: string, path: string, message: string, remedy?: string): Diagnostic {';

/** Lets test/recordCodes.ts know of every diagnostic that is made, without a trace of that in the product. */
function recorded(path, code) {
  if (relative(root, path).replaceAll('\\', '/') !== 'src/diagnostics/diagnostic.ts') return code;
  if (!code.includes(MAKER)) throw new Error(`diagnostic() has another signature: correct ${import.meta.filename}`);
  return code.replace(MAKER, `${MAKER} (globalThis as any).untoldProvoked?.(code);`);
}

async function translated(path) {
  const code = recorded(path, await readFile(path, 'utf8'));
  const place = join(kept, `${relative(root, path)}.js`);
  const used = Object.entries(define).filter(([name]) => code.includes(name));
  const hash = createHash('sha256')
    .update(JSON.stringify([code, used, path]))
    .digest('hex');
  const end = `\n// ${hash}\n`;
  const before = await readFile(place, 'utf8').catch(() => '');
  if (before.endsWith(end)) return before;
  const { code: made } = await transform(code, {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    define: Object.fromEntries(used),
    sourcemap: 'inline',
    sourcefile: path,
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: true } },
  });
  const whole = made + end;
  // Processes of the tests do this at once.
  await mkdir(dirname(place), { recursive: true });
  const part = `${place}.${process.pid}-${threadId}`;
  await writeFile(part, whole);
  await rename(part, place);
  return whole;
}

export async function load(url, context, next) {
  if (!url.startsWith(sources) || !url.endsWith('.ts')) return next(url, context);
  return { format: 'module', shortCircuit: true, source: await translated(fileURLToPath(url)) };
}
