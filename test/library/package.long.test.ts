// The packed package as somebody else installs it: a script that uses the library type-checks and runs against what
// `npm pack` holds, without a network.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { put, temporaryFolder } from '../support/files.ts';
import { environment } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

const root = resolve(import.meta.dirname, '../..');
const modules = join(root, 'node_modules');
let folder: string;
let installed: string;

beforeAll(() => {
  folder = temporaryFolder();
  // On Windows npm is a script, which only a shell starts.
  const shell = process.platform === 'win32';
  execFileSync('npm', ['pack', '--offline', '--silent', '--pack-destination', folder], {
    cwd: root,
    stdio: 'pipe',
    shell,
  });
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', packed ?? ''], { cwd: folder });
  installed = join(folder, 'node_modules/untold-cook');
  mkdirSync(join(folder, 'node_modules'));
  renameSync(join(folder, 'package'), installed);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(resolve(link, '..'), { recursive: true });
    symlinkSync(join(modules, name), link, 'junction');
  }
  put(folder, 'package.json', '{"type":"module","private":true}');
  put(folder, 'square.gltf', squareGltf());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    noEmit: true,
    // The declarations of the package are checked too.
    skipLibCheck: false,
  },
};

function typeCheck(...scripts: readonly string[]): string {
  const files = scripts.map((_, i) => `script${i}.ts`);
  put(folder, 'tsconfig.json', JSON.stringify({ ...tsconfig, files }));
  for (const [i, file] of files.entries()) put(folder, file, scripts[i]);
  const tsc = join(modules, 'typescript/bin/tsc');
  const { stdout, error } = spawnSync(process.execPath, [tsc], { cwd: folder, encoding: 'utf8' });
  if (error) throw error;
  return stdout;
}

const SCRIPT = `import { cook, type CookOptions, explain, importScene, inspect, type Scene, validate } from 'untold-cook';

const options: CookOptions = { out: 'tiles', tileSize: 10, lod: [0.5, 0.2], hlod: null, missingTexture: 'drop', deny: ['UC3104'] };
const { exitCode, results } = await cook('square.gltf', options);
const status: 'ok' | 'failed' | 'skipped' = results[0]!.status;
const { files } = await validate(['tiles']);
const { document } = await inspect('tiles/square.json');
const { scene }: { scene: Scene | null } = await importScene('square.gltf', { upAxis: 'Y' });
const title: string = explain('UC1203').title;
process.stdout.write(JSON.stringify([exitCode, status, files.length, document?.kind, scene?.meshes.length, title.length > 0]));
`;

test('type-checks a script that uses it, and refuses one that uses it wrongly', () => {
  expect(typeCheck(SCRIPT)).toBe('');
  const wrong = (options: string) => typeCheck(`import { cook } from 'untold-cook';\nawait cook('a', ${options});\n`);
  expect(wrong('{ tileSize: "10" }')).toContain("Type 'string' is not assignable to type 'number'");
  expect(wrong('{ missingTexture: "ignore" }')).toContain('is not assignable to type');
  expect(wrong('{ tileSise: 10 }')).toMatch(/'tileSise' does not exist in type 'CookOptions'/);
});

/** Names of the interfaces of options. */
function optionTypes(): string[] {
  const text = readFileSync(join(installed, 'dist/types/config/options/callOptions.d.ts'), 'utf8');
  return [...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name);
}

test('documents every option, with the types that the table has', () => {
  const names = optionTypes();
  expect(names).toContain('CookCallOptions');
  const tableOf = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const isIn = (name: string, file: string) =>
    readFileSync(join(installed, `dist/types/config/options/${file}.d.ts`), 'utf8').includes(` ${tableOf(name)}:`);
  const fileOf = (name: string) => (isIn(name, 'table') ? 'table' : 'bakeOptions');
  const place = './node_modules/untold-cook/dist/types/config/options';
  const script = [
    `import type * as declared from '${place}/callOptions.js';`,
    `import type { OptionsOf } from '${place}/option.js';`,
    'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;',
    'type Plain<T> = { readonly [K in keyof T]: T[K] };',
    ...names.map((name) => `import type { ${tableOf(name)} } from '${place}/${fileOf(name)}.js';`),
    ...names.map((name) => {
      const same = `Same<Plain<declared.${name}>, Plain<OptionsOf<typeof ${tableOf(name)}>>>`;
      return `export const same${name}: ${same} = true;`;
    }),
  ];
  expect(typeCheck(script.join('\n'))).toBe('');
  const text = readFileSync(join(installed, 'dist/types/config/options/callOptions.d.ts'), 'utf8');
  expect(text.match(/^ {2}readonly /gm)?.length).toBe(text.match(/^ {3}\*\/\n {2}readonly /gm)?.length);
  expect(text).toMatch(
    / \* Edge of a grid cell\. In metres\. Default: 25\.\n {3}\*\/\n {2}readonly tileSize\?: number/,
  );
});

test('type-checks the examples of docs/api.md', () => {
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
  const examples = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(examples.length).toBeGreaterThan(8);
  expect(typeCheck(...examples)).toBe('');
});

test('runs it', () => {
  // Node 20 runs no TypeScript: the script without its types.
  const javascript = SCRIPT.replace(/type \w+, /g, '')
    .replace(/: (?:CookOptions|string|'ok' \| 'failed' \| 'skipped'|\{ scene: Scene \| null \})(?= =)/g, '')
    .replace(']!', ']');
  put(folder, 'script.js', javascript);
  const { stdout, stderr, status } = spawnSync(process.execPath, ['script.js'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
  });
  expect([status, stderr, stdout]).toEqual([0, '', '[0,"ok",2,"manifest",1,true]']);
});

test('holds the command line, the library with its types, presets and schemas, and no sources', () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  for (const file of ['bin/untold.js', 'dist/cli.js', 'dist/index.js', 'dist/worker.js', 'dist/types/index.d.ts']) {
    expect(files).toContain(file);
  }
  expect(files).toContain('schemas/preset.schema.json');
  expect(files).toContain('pipelines/default.json');
  expect(files.filter((file) => /^(?:src|test)\/|[^d]\.ts$/.test(file))).toEqual([]);
  // Types name only files that are there.
  for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join(installed, file), 'utf8');
    for (const [, name] of text.matchAll(/from '(\.[^']+)\.js'/g)) {
      expect(files).toContain(join(file, '..', `${name}.d.ts`));
    }
  }
});
