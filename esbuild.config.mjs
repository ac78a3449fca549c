// Bundles the command line, the library and the page of `untold view` into dist/, and compiles the kernel beside them. Each command and each heavy importer becomes a chunk of its own, so that
// `untold --version` reads one small file; packages with native or WASM parts stay outside the bundle. Files appear
// whole, chunks before the entries that name them, so that builds may run at once and beside a running command.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { compileKernel } from './kernel.config.mjs';
import { bundlePage } from './viewer.config.mjs';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** SHA-256 over all sources and the versions of all packages: entries of caches are keyed by the code that made them. */
function codeDigest() {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const hash = createHash('sha256');
  for (const path of [...sources, 'kernel.config.mjs', 'package-lock.json'].sort()) {
    const content = readFileSync(join(root, path));
    hash.update(JSON.stringify([path, content.length])).update(content);
  }
  return hash.digest('hex');
}

const started = new Date();
const define = { __UNTOLD_VERSION__: JSON.stringify(version), __UNTOLD_CODE__: JSON.stringify(codeDigest()) };
const kernel = { path: join(dist, 'kernel.wasm'), contents: await compileKernel() };
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: {
    cli: 'src/cli/main.ts',
    index: 'src/index.ts',
    worker: 'src/workers/workerThread.ts',
    sourceThread: 'src/cook/sideBySide/sourceThread.ts',
  },
  outdir: 'dist',
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['sharp', 'lz4-napi', 'draco3dgltf', 'hash-wasm', 'ktx2-encoder', 'pino'],
  define,
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
});

const page = await bundlePage(define);
mkdirSync(join(dist, 'viewer'), { recursive: true });
const isEntry = ({ path }) => ['cli.js', 'index.js'].includes(basename(path));
const entriesLast = outputFiles.sort((a, b) => isEntry(a) - isEntry(b));
for (const { path, contents } of [kernel, ...page, ...entriesLast]) {
  if (existsSync(path) && Buffer.compare(readFileSync(path), contents) === 0) continue;
  const whole = `${path}.${process.pid}`;
  writeFileSync(whole, contents);
  renameSync(whole, path);
}
const built = new Set(outputFiles.map(({ path }) => basename(path)));
for (const name of readdirSync(dist))
  if (name.endsWith('.js') && !built.has(name)) rmSync(join(dist, name), { force: true });
const ofPage = new Set(page.map(({ path }) => basename(path)));
for (const name of readdirSync(join(dist, 'viewer')))
  if (!ofPage.has(name)) rmSync(join(dist, 'viewer', name), { force: true });
// Tells the tests how new the sources are that this was made of.
const mark = join(dist, '.built');
writeFileSync(mark, '');
utimesSync(mark, started, started);

// `npx untold` in this folder: npm links the commands of dependencies, not those of the package itself, and npx of
// npm 11 fails over that. So the link is made here.
const commands = join(root, 'node_modules', '.bin');
if (existsSync(commands)) {
  // A link is removed first: writing through it would change the file that it leads to.
  const link = join(commands, process.platform === 'win32' ? 'untold.cmd' : 'untold');
  rmSync(link, { force: true });
  if (process.platform === 'win32') writeFileSync(link, '@node "%~dp0\\..\\..\\bin\\untold.js" %*\r\n');
  else symlinkSync('../../bin/untold.js', link);
}
