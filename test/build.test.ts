// The build of what is built already.

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

test('a build that is up to date says nothing and writes nothing', () => {
  const mark = resolve(root, 'dist/.built');
  const { mtimeMs } = statSync(mark);
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(root, 'build.mjs')], { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
  expect(statSync(mark).mtimeMs).toBe(mtimeMs);
});

test('npm ci warns of no install script: package.json says of each whether it runs', () => {
  const read = (name: string) => JSON.parse(readFileSync(resolve(root, name), 'utf8'));
  const packages: Record<string, { readonly hasInstallScript?: boolean }> = read('package-lock.json').packages;
  const names = Object.keys(packages)
    .filter((path) => packages[path].hasInstallScript)
    .map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  // One esbuild for the build, tsx and vite.
  expect(names).toEqual(['esbuild']);
  expect(read('package.json').allowScripts).toMatchObject({ esbuild: false });
});
