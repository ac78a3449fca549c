// Bundles the page of `untold view` for browsers: dist/viewer. The readers are those of the command line; what they import
// of Node is replaced by src/viewer/standIns.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = import.meta.dirname;
const standIn = (name) => join(root, 'src/viewer/standIns', `${name}.ts`);

const replaceNode = {
  name: 'stand-ins for node',
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => {
      const name = path.slice('node:'.length);
      if (!['crypto', 'module', 'fs'].includes(name)) return { errors: [{ text: `${path} has no stand-in` }] };
      return { path: standIn(name), sideEffects: false };
    });
  },
};

/** The files of dist/viewer: { path, contents }. */
export async function bundlePage(define) {
  const page = join(root, 'src/viewer/page');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'src/viewer/page/main.ts', reader: 'src/viewer/page/reading/reader.ts' },
    outdir: 'dist/viewer',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    plugins: [replaceNode],
    define,
    minify: true,
    // The licences of packages stay with their code.
    legalComments: 'eof',
    logLevel: 'warning',
  });
  const plain = ['index.html', 'page.css', 'icon.svg'].map((name) => ({
    path: join(root, 'dist/viewer', name),
    contents: readFileSync(join(page, name)),
  }));
  return [...outputFiles.map(({ path, contents }) => ({ path, contents })), ...plain];
}
