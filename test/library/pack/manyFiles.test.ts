// A package of many files: syncs do not grow with their number, progress is told, and an interruption leaves nothing.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack, type UnpackProgress, unpack } from '../../../src/index.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { BIN, environment } from '../../support/process.ts';

const FILES = 400;
const COUNT_SYNCS = pathToFileURL(resolve(import.meta.dirname, '../../../bench/countSyncs.mjs')).href;
const hasSync = process.platform === 'linux' && spawnSync('sync', ['--version']).status === 0;

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = temporaryFolder();
  for (let i = 0; i < FILES; i++) put(folder, `Data/${i % 16}/${i}.txt`, `entry ${i}\n`);
  expect((await pack(at('Data'), { out: at('Data.pak') })).exitCode).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How many syncs of the process itself an unpacking takes, with these folders to find commands in. */
function syncsOf(out: string, path: string | undefined): number {
  const args = ['--import', COUNT_SYNCS, BIN, 'unpack', 'Data.pak', '--out', out, '--quiet'];
  const env = environment(path === undefined ? {} : { PATH: path });
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
  expect(status).toBe(0);
  return Number(/\d+$/.exec(stderr)?.[0]);
}

test.skipIf(!hasSync)('one sync of the file system serves all files', () => {
  expect(syncsOf('together', undefined)).toBeLessThan(40);
  expect(readFileSync(at('together/3/387.txt'), 'utf8')).toBe('entry 387\n');
});

test('where the system has no command for it, each file is synced', () => {
  expect(syncsOf('each', at('nothing'))).toBeGreaterThan(FILES);
  expect(readdirSync(at('each/3')).length).toBe(readdirSync(at('Data/3')).length);
});

test('progress tells how many files are written', async () => {
  const told: UnpackProgress[] = [];
  const { exitCode } = await unpack(at('Data.pak'), { out: at('told'), onProgress: (step) => told.push(step) });
  expect(exitCode).toBe(0);
  expect(told.length).toBeGreaterThan(0);
  expect(told.every(({ done, total }) => done > 0 && done <= total && total === FILES)).toBe(true);
});

test('an abort while files are written leaves nothing', async () => {
  const controller = new AbortController();
  const { exitCode } = await unpack(at('Data.pak'), {
    out: at('aborted'),
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  expect([exitCode, existsSync(at('aborted'))]).toEqual([130, false]);
});
