// What the command says of a machine that it cannot work on: every command in a working folder that is gone, threads whose
// program is missing, and each limit of address space.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENVIRONMENT } from '../../src/diagnostics/codes/environment.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';
import { expectNoSpace, GONE, installed, LZ4_TILE, MANY, manyTriangles, run, shell } from './poorMachine.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('a working folder that was deleted', () => {
  test('ends every command that names files with UC1100 and 3', () => {
    for (const words of [
      ['validate', '/x'],
      ['inspect', '/x/a.glb'],
    ]) {
      const { code, stdout, stderr } = shell(folder, GONE, words);
      expect([words[0], code, stdout]).toEqual([words[0], 3, '']);
      expect(stderr).toBe(`error UC1100: the system does not name it (ENOENT)\n  ${ENVIRONMENT.UC1100.remedy}\n`);
    }
    const { code, stdout } = shell(folder, GONE, ['validate', '--json', '/x']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ files: [], diagnostics: [{ code: 'UC1100' }] });
  });

  test('is none of the business of the others', () => {
    expect(shell(folder, GONE, ['--help'])).toMatchObject({ code: 0, stderr: '' });
    expect(shell(folder, GONE, ['cook', '--help'])).toMatchObject({ code: 0, stderr: '' });
    expect(shell(folder, GONE, ['explain', 'UC1100'])).toMatchObject({ code: 0, stderr: '' });
    expect(shell(folder, GONE, ['cok'])).toMatchObject({ code: 2 });
  });
});

test('inspect says that lz4-napi is missing', () => {
  expect(run(folder, installed(folder, ['lz4-napi']), ['inspect', LZ4_TILE]).code).toBe(3);
});

test('a file of the program that a thread runs is missing: the cook ends, and nothing hangs', () => {
  const bin = installed(folder, []);
  rmSync(join(folder, 'package/dist/worker.js'));
  // 90,000 triangles in two tiles are enough for two threads.
  put(folder, 'many.usda', manyTriangles());
  const cooked = run(folder, bin, ['cook', 'many.usda', '--out', 'tiles', ...MANY]);
  expect(cooked.code).toBe(3);
  expect(cooked.stderr).toContain('error UC1101 many.usda');
  expect(existsSync(join(folder, 'tiles'))).toBe(false);
});

test.skipIf(process.platform !== 'linux').each([[2_000_000], [4_000_000], [12_000_000]])(
  '%d kB of address space are UC1102 and 3',
  (limit) => {
    put(folder, 'many.usda', manyTriangles());
    // A module of WebAssembly reserves about 10 GB. From Node 24 on V8 does with what is left, and then nothing is left for
    // other code: what happens to be refused first ends the process. So no such limit is tried, whatever Node it is.
    for (const words of [
      ['town.gltf', '--jobs', '1'],
      ['town.gltf', '--jobs', '1', '--compress', 'zstd'],
      ['many.usda', ...MANY],
    ]) {
      expectNoSpace(folder, limit, words);
    }
  },
);

test.skipIf(process.platform !== 'linux')('threads start as far as there is address space for them', async () => {
  put(folder, 'many.usda', manyTriangles());
  // Enough for the modules of the main thread, and not for those of two more.
  const limit = 'ulimit -v 50000000 && "$@"';
  const cook = ['cook', 'many.usda', ...MANY, '--compress', 'zstd'];
  const { code, stderr } = shell(folder, limit, [...cook, '--out', 'tiles']);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  expect((await untold(folder, [...cook, '--out', 'free'])).code).toBe(0);
  const files = (out: string) => readdirSync(join(folder, out, 'many')).sort();
  expect(files('tiles')).toEqual(files('free'));
  // Work that can be ended at any time needs a thread.
  const timed = shell(folder, limit, [...cook, '--timeout', '600', '--out', 'timed']);
  expect([timed.code, timed.stderr]).toEqual([
    3,
    expect.stringContaining('UC1102 many.usda: the process may have 51200 MB'),
  ]);
  expect(existsSync(join(folder, 'timed'))).toBe(false);
});
