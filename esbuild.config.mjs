// Bundles the command line and the library. Each command and each heavy importer becomes a chunk of its own, so that
// `untold --version` reads one small file; packages with native or WASM parts stay outside the bundle.
import { relative, sep } from 'node:path';
import { build } from 'esbuild';

const ENTRIES = {
  cli: 'src/cli/main.ts',
  index: 'src/index.ts',
  worker: 'src/workers/workerThread.ts',
  sourceThread: 'src/cook/sideBySide/sourceThread.ts',
  sheetThread: 'src/library/render/sheetThread.ts',
};

/**
 * What is loaded as one file. esbuild makes a chunk of modules that the same entries reach, and with more than a hundred
 * dynamic imports that gives hundreds of small files, each of which costs a cook a fifth of a millisecond. So whatever
 * needs one module of a group loads all of the group. A group takes what its entries reach and no earlier group has.
 * The first two are what a cook needs that finds nothing changed; then come threads, any cook, its usual formats, and levels.
 */
const GROUPS = [
  ['src/index.ts', 'src/library/cook.ts', 'src/cook/kept/cookRecord.ts', 'src/output/cache/cache.ts'],
  ['src/cli/commands/program.ts', 'src/cli/commands/cook.ts'],
  ['src/workers/workerThread.ts'],
  ['src/library/cookRest.ts', 'src/cook/cookSource.ts'],
  ['src/formats/untold/format.ts'],
  ['src/importers/usd/index.ts'],
  ['src/workers/jobs/cookLevels.ts', 'src/workers/jobs/cookCluster.ts', 'src/workers/jobs/coverage.ts'],
];

/** The files that a file brings with it at once; `imports` are those of esbuild's metafile. */
function reachedFrom(path, imports) {
  const reached = new Set([path]);
  for (const file of reached) {
    for (const { path: next, kind, external } of imports(file))
      if (kind !== 'dynamic-import' && !external) reached.add(next);
  }
  return reached;
}

/** A plugin that has each entry load the groups that it takes a part of. */
function groupModules({ inputs }, root) {
  const imports = (file) => inputs[file]?.imports ?? [];
  // An entry itself may do something as soon as it is loaded, and `untold --version` loads what the command line begins with.
  const taken = new Set([...Object.values(ENTRIES), ...reachedFrom(ENTRIES.cli, imports)]);
  const groups = GROUPS.map((entries) => {
    const files = new Set(
      entries.flatMap((entry) => [...reachedFrom(entry, imports)]).filter((file) => !taken.has(file)),
    );
    for (const file of files) taken.add(file);
    return files;
  });
  const importing = (files) => [...files].map((file) => `import ${JSON.stringify(`./${file}`)};`).join('\n');
  return {
    name: 'groups',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'group' }));
      onLoad({ filter: /.*/, namespace: 'group' }, ({ path }) => ({
        contents: importing(groups[Number(path)]),
        resolveDir: root,
      }));
      onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === 'resolved' || (kind !== 'dynamic-import' && kind !== 'entry-point')) return;
        const found = await resolve(path, { kind, resolveDir, pluginData: 'resolved' });
        if (found.external || found.errors.length > 0) return found;
        const file = relative(root, found.path).split(sep).join('/');
        const reached = reachedFrom(file, imports);
        const needed = groups.flatMap((files, index) => ([...files].some((each) => reached.has(each)) ? [index] : []));
        return needed.length === 0 ? found : { path: file, namespace: 'entry', pluginData: needed };
      });
      onLoad({ filter: /.*/, namespace: 'entry' }, ({ path, pluginData }) => ({
        contents: [
          ...pluginData.map((index) => `import 'group:${index}';`),
          `export * from ${JSON.stringify(`./${path}`)};`,
        ].join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/** Commander can start programs for its commands, ours are none: what does that is not loaded. */
const startsNoProgram = {
  name: 'starts no program',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer, path }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'empty' } : null,
    );
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: '' }));
  },
};

/** The files of dist/: { path, contents }. */
export async function bundleCommand(define) {
  const options = {
    absWorkingDir: import.meta.dirname,
    entryPoints: ENTRIES,
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
  };
  const { metafile } = await build({ ...options, metafile: true });
  const { outputFiles } = await build({
    ...options,
    plugins: [startsNoProgram, groupModules(metafile, import.meta.dirname)],
  });
  return outputFiles;
}
