// `untold view --export`: a folder that any web server can show.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { view } from '../../../src/index.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';

const samples = resolve(import.meta.dirname, '../../../samples');

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  expect((await untold(folder, ['cook', join(samples, 'courtyard.usdz'), '--out', 'court'])).code).toBe(0);
  expect((await untold(folder, ['cook', join(samples, 'glb/courtyard.glb'), '--out', 'one.untold'])).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files below a folder, relative to it, sorted. */
const filesIn = (of: string): string[] =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(of, join(entry.parentPath, entry.name)))
    .sort();

test('the page, its view and every file of the set are written, and nothing else', async () => {
  put(folder, 'court/private.txt', 'nobody’s business');
  const ran = await untold(folder, ['view', 'court', '--export', 'site']);
  expect([ran.code, ran.stdout]).toEqual([0, 'site\n']);
  const site = join(folder, 'site');
  const files = filesIn(site);
  const own = filesIn(join(folder, 'court')).filter(
    (path) => /\.(json|untold|utex|svg)$/.test(path) && !path.includes('.report'),
  );
  expect(files.filter((path) => path.startsWith('set/')).map((path) => path.slice('set/'.length))).toEqual(own);
  for (const path of own) {
    expect(readFileSync(join(site, 'set', path)).equals(readFileSync(join(folder, 'court', path))), path).toBe(true);
  }
  expect(files).toEqual(
    expect.arrayContaining(['index.html', 'page.css', 'page.js', 'reader.js', 'kernel.wasm', 'view.json']),
  );
  const told = JSON.parse(readFileSync(join(site, 'view.json'), 'utf8'));
  expect([told.isExported, told.manifest]).toEqual([true, 'courtyard.json']);
  expect(ran.stderr).toContain(`${files.length} files`);
  // No folder that was staged is left.
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a file is exported beside another output, into an empty folder', async () => {
  mkdirSync(join(folder, 'empty'));
  const result = await view(join(folder, 'one.untold'), {
    against: join(folder, 'court'),
    export: join(folder, 'empty'),
  });
  expect([result.exitCode, result.url, result.exported?.folder.endsWith('empty')]).toEqual([0, null, true]);
  const files = filesIn(join(folder, 'empty'));
  expect(result.exported?.files).toBe(files.length);
  expect(files).toEqual(expect.arrayContaining(['set/one.untold', 'against/courtyard.json']));
  expect(files.some((path) => path.startsWith('set/Textures/'))).toBe(true);
});

test('a folder that holds something, a file, and --open are refused; a payload that is missing leaves nothing', async () => {
  put(folder, 'full/mine.txt', 'mine');
  for (const [args, code, words] of [
    [['--export', 'full'], 2, 'UC4001 full: it holds mine.txt'],
    [['--export', 'full/mine.txt'], 2, 'UC4001 full/mine.txt: it is a file'],
    [['--export', 'full/mine.txt/below'], 3, 'UC4000 full/mine.txt/below'],
    [['--export', 'new', '--open'], 2, 'UC1012 --open'],
  ] as const) {
    const ran = await untold(folder, ['view', 'court', ...args]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, '', expect.stringContaining(words)]);
  }
  expect(filesIn(join(folder, 'full'))).toEqual(['mine.txt']);
  expect((await untold(folder, ['cook', join(samples, 'courtyard.usdz'), '--out', 'broken'])).code).toBe(0);
  const tile = filesIn(join(folder, 'broken')).find((path) => path.endsWith('.untold'))!;
  rmSync(join(folder, 'broken', tile));
  const ran = await untold(folder, ['view', 'broken', '--export', 'lost']);
  expect([ran.code === 0, readdirSync(folder).includes('lost')]).toEqual([false, false]);
});
