// Makes dist/: bundles, the kernel and the library's types. Nothing is made while dist/ holds what these sources and packages
// give: npm runs this after each install, and again before the first `npx untold` in a clone. Files appear whole, so that
// builds may run at once and beside a running command. What it says goes to stderr: stdout may be a document of npm.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { digestOf, digestOfCode, filesIn, sources } from './digest.config.mjs';
import { writeCalls } from './kernelCalls.config.mjs';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const mark = join(dist, '.built');

const say = (text) => process.stderr.write(`${text}\n`);

/** What decides dist/: the sources, the versions of all packages, and how they are built. */
function digestOfInputs() {
  const configurations = readdirSync(root).filter((name) => /^(build|.*\.config)\.mjs$|^tsconfig.*\.json$/.test(name));
  return digestOf([...configurations.sort(), 'package.json', 'package-lock.json', ...sources()]);
}

/** The files of dist/ with their sizes, without those that a build beside this one has not renamed yet. */
function outputs() {
  const paths = filesIn(dist).filter((path) => path !== basename(mark) && !/^\.types-|\.\d+$/.test(path));
  return Object.fromEntries(paths.map((path) => [path, statSync(join(dist, path)).size]));
}

/** Whether dist/ is what was made of these inputs, and no file of it is missing. */
function isBuilt(inputs) {
  if (!existsSync(mark)) return false;
  try {
    const built = JSON.parse(readFileSync(mark, 'utf8'));
    return built.inputs === inputs && JSON.stringify(built.outputs) === JSON.stringify(outputs());
  } catch {
    return false;
  }
}

/** Writes a file of dist/ that differs from the one before it, in one step. */
function replace(path, contents) {
  if (existsSync(path) && Buffer.compare(readFileSync(path), contents) === 0) return;
  const whole = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(whole, contents);
  renameSync(whole, path);
}

async function build(inputs) {
  const began = performance.now();
  say('building dist/ of the sources, which takes a few seconds');
  const [{ keptKernel }, { bundleCommand }, { bundlePage }, { writeTypes }] = await Promise.all(
    ['kernel', 'esbuild', 'viewer', 'types'].map((name) => import(`./${name}.config.mjs`)),
  );
  mkdirSync(dist, { recursive: true });
  // The compiler is a process of its own and runs beside the rest.
  const types = writeTypes();
  types.catch(() => {});
  const kernel = await keptKernel(say);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const define = { __UNTOLD_VERSION__: JSON.stringify(version), __UNTOLD_CODE__: JSON.stringify(digestOfCode()) };
  const [command, page] = await Promise.all([bundleCommand(define), bundlePage(define)]);

  // Chunks appear before the entries that name them.
  const isEntry = ({ path }) => ['cli.js', 'index.js'].includes(basename(path));
  const made = [{ path: join(dist, 'kernel.wasm'), contents: kernel }, ...page, ...command];
  made.sort((a, b) => isEntry(a) - isEntry(b));
  for (const { path, contents } of made) replace(path, contents);
  const paths = new Set(made.map(({ path }) => relative(dist, path).split(sep).join('/')));
  const isOld = (path) => /^(viewer\/.*|[^/]*\.js)$/.test(path) && !paths.has(path);
  for (const path of filesIn(dist).filter(isOld)) rmSync(join(dist, path), { force: true });
  await types;
  replace(mark, Buffer.from(JSON.stringify({ inputs, outputs: outputs() })));
  say(`dist/ is built, ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/**
 * `npx untold` in this folder: npm links the commands of dependencies, not those of the package itself, and npx of npm 11
 * fails over that. So the link is made here.
 */
function linkCommand() {
  const commands = join(root, 'node_modules', '.bin');
  if (!existsSync(commands)) return;
  const link = join(commands, process.platform === 'win32' ? 'untold.cmd' : 'untold');
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  if (process.platform === 'win32') writeFileSync(link, '@node "%~dp0\\..\\..\\bin\\untold.js" %*\r\n');
  else symlinkSync('../../bin/untold.js', link);
}

// A source that is made of others.
writeCalls(say);
const inputs = digestOfInputs();
if (!isBuilt(inputs)) await build(inputs);
linkCommand();
