// The build of dist/: what is up to date is left alone, anything else is made again.

import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from './support/files.ts';

const root = resolve(import.meta.dirname, '..');
const copy = temporaryFolder();
afterAll(() => rmSync(copy, { recursive: true }));

/** What a build says, line by line. The seconds that it took are not compared. */
async function built(): Promise<string[]> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(copy, 'build.mjs')]);
  expect(stdout).toBe('');
  return stderr
    .replace(/\d+\.\d s/g, 'N s')
    .trim()
    .split('\n');
}

const WHOLE = ['building dist/ of the sources, which takes a few seconds', 'dist/ is built, N s'];
const NOTHING = [''];
/** Of the bundles and the page. */
const ENTRIES = [
  'index.ts',
  'cli/main.ts',
  'workers/workerThread.ts',
  'cook/sideBySide/sourceThread.ts',
  'library/render/sheetThread.ts',
  'viewer/page/main.ts',
  'viewer/page/reading/reader.ts',
];

test('dist/ is made again when a source has changed or a file is gone or cut off, and only then', async () => {
  const inputs = ['src', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json', 'build.mjs'];
  const configurations = readdirSync(root).filter((name) => name.endsWith('.config.mjs'));
  for (const name of [...inputs, ...configurations]) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const file = (name: string) => join(copy, 'dist', name);

  // The kernel that the repository keeps is not compiled.
  expect(await built()).toEqual(WHOLE);
  expect(readFileSync(file('kernel.wasm')).equals(readFileSync(join(root, 'src/kernel/kernel.wasm')))).toBe(true);
  expect(readFileSync(file('types/index.d.ts'), 'utf8')).toContain('export');
  const { mtimeMs } = statSync(file('.built'));
  expect(await built()).toEqual(NOTHING);
  expect(statSync(file('.built')).mtimeMs).toBe(mtimeMs);

  // Other sources, which import next to nothing, so that each of the builds that follow takes a moment.
  for (const entry of ENTRIES) writeFileSync(join(copy, 'src', entry), 'export const ONE = 1;\n');
  appendFileSync(join(copy, 'src/index.ts'), "export type * from './config/options/option.ts';\n");
  expect(await built()).toEqual(WHOLE);
  expect(readFileSync(file('cli.js'), 'utf8')).toContain('ONE = 1');

  rmSync(file('viewer/page.js'));
  expect(await built()).toEqual(WHOLE);
  truncateSync(file('cli.js'), 10);
  expect(await built()).toEqual(WHOLE);
  expect(statSync(file('cli.js')).size).toBeGreaterThan(100);
  expect(await built()).toEqual(NOTHING);

  appendFileSync(join(copy, 'src/cli/main.ts'), "export const ANOTHER = 'line';\n");
  expect(await built()).toEqual(WHOLE);
  expect(await built()).toEqual(NOTHING);
});
