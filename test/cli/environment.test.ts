// What the command says of a machine that it cannot work on: a working folder that is gone, files of the program and
// libraries that cannot be loaded, too little address space. Never a stack, never exit code 4, nothing left behind. The long
// test of the same name has every command, limit and thread.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENVIRONMENT } from '../../src/diagnostics/codes/environment.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { expectNoSpace, GONE, installed, LZ4_TILE, run, shell } from './poorMachine.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('a working folder that was deleted', () => {
  test('ends a command that names files with UC1100 and 3, and is none of the business of the others', () => {
    const { code, stdout, stderr } = shell(folder, GONE, ['cook', '/x/a.glb', '--out', '/x/o']);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe(`error UC1100: the system does not name it (ENOENT)\n  ${ENVIRONMENT.UC1100.remedy}\n`);
    expect(shell(folder, GONE, ['explain', 'UC1100'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a library that cannot be loaded', () => {
  test('lz4-napi: a sound tile is not called damaged, and a cook leaves nothing behind', () => {
    const bin = installed(folder, ['lz4-napi']);
    const checked = run(folder, bin, ['validate', '--json', LZ4_TILE]);
    expect(checked.code).toBe(3);
    const [file] = JSON.parse(checked.stdout).files;
    expect(file.diagnostics.map(({ code }: { code: string }) => code)).toEqual(['UC1101']);
    expect(file.diagnostics[0].message).toBe("lz4-napi: Cannot find module 'lz4-napi'");
    const cooked = run(folder, bin, ['cook', 'town.gltf', '--out', 'tiles', '--no-cache']);
    expect(cooked.code).toBe(3);
    expect(cooked.stderr).toContain("error UC1101 town.gltf tile_0_0_0: lz4-napi: Cannot find module 'lz4-napi'\n");
    expect(existsSync(join(folder, 'tiles'))).toBe(false);
  });

  test('sharp, whose native part is for another system', () => {
    const bin = installed(folder, ['sharp']);
    put(folder, 'package/node_modules/sharp/package.json', '{"name":"sharp","main":"index.js"}');
    put(folder, 'package/node_modules/sharp/index.js', 'module.exports = require("./sharp.node");');
    put(folder, 'package/node_modules/sharp/sharp.node', 'not for this system');
    // A placeholder is made by the encoder, so that this scene needs it.
    rmSync(join(folder, 'red.png'));
    const cooked = run(folder, bin, [
      'cook',
      'town.gltf',
      '--out',
      'tiles',
      '--missing-texture',
      'placeholder',
      '--textures',
      'keep',
    ]);
    expect(cooked.code).toBe(3);
    expect(cooked.stderr).toContain('error UC1101 town.gltf: sharp: ');
    expect(existsSync(join(folder, 'tiles'))).toBe(false);
  });
});

describe('a file of the program', () => {
  test('that is missing or damaged ends in UC1101 and 3 at once', () => {
    const bin = installed(folder, []);
    const dist = join(folder, 'package/dist');
    const entry = join(dist, 'cli.js');
    const refusal = /^error UC1101: .+\n {2}.+\n$/;
    writeFileSync(entry, 'import {');
    const damaged = run(folder, bin, ['--version']);
    expect([damaged.code, damaged.stdout]).toEqual([3, '']);
    expect(damaged.stderr).toMatch(refusal);
    expect(damaged.stderr).toContain(ENVIRONMENT.UC1101.remedy);
    writeFileSync(entry, 'import "./gone.js";');
    expect(run(folder, bin, ['--version'])).toMatchObject({ code: 3, stderr: expect.stringMatching(refusal) });
    rmSync(dist, { recursive: true });
    expect(run(folder, bin, ['--version'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('dist/ is missing'),
    });
  });

  test('needs the Node that package.json names', () => {
    // Flags of V8 are set by the version, so a Node other than 20 cannot pass for one.
    const version = process.versions.node.startsWith('20.') ? '20.11.1' : '18.20.8';
    const older = `Object.defineProperty(process.versions, "node", { value: "${version}" })`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(older)}`, BIN, '--version'],
      { encoding: 'utf8', env: environment() },
    );
    expect([status, stderr]).toEqual([
      3,
      `error UC1101: this is Node ${version}\n  run untold with Node 20.12 or later\n`,
    ]);
  });
});

test.skipIf(process.platform !== 'linux')('4000000 kB of address space are UC1102 and 3', () => {
  expectNoSpace(folder, 4_000_000, ['town.gltf', '--jobs', '1']);
});

test('a command that ends before its work is done says so, instead of ending with 0', async () => {
  // What is waited for last never comes: without a word of it Node would end with 0.
  const deaf = 'globalThis.setImmediate = () => {};';
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(deaf)}`, BIN, 'explain', 'UC1200'],
    { encoding: 'utf8', env: environment() },
  );
  expect(status).toBe(4);
  expect(stderr).toContain('error UC1099: this is a bug in untold: Error: the command ended before its work was done');
  expect((await untold(folder, ['explain', 'UC1200'])).code).toBe(0);
});

describe.skipIf(process.platform === 'win32')('a depfile that is a link', () => {
  const cook = ['cook', 'town.gltf', '--out', 'tiles', '--quiet', '--depfile', 'town.d'];

  test('stays one: the file that it leads to is written', async () => {
    put(folder, 'real.d', '');
    symlinkSync('real.d', join(folder, 'town.d'));
    expect(await untold(folder, cook)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(lstatSync(join(folder, 'town.d')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'real.d'), 'utf8')).toContain('tiles/town.json:');
  });

  test('is refused when it leads to nothing or to a pipe, and is left as it is', async () => {
    for (const [target, reason] of [
      ['nowhere.d', 'it is a link that leads to no file'],
      ['/proc/self/fd/1', 'the earlier depfile is a pipe or a device'],
    ]) {
      if (target.startsWith('/proc') && process.platform !== 'linux') continue;
      symlinkSync(target, join(folder, 'town.d'));
      const { code, stderr } = await untold(folder, cook);
      expect([target, code]).toEqual([target, 3]);
      expect(stderr).toContain(`error UC4000 town.d: ${reason}`);
      expect(readlinkSync(join(folder, 'town.d'))).toBe(target);
      rmSync(join(folder, 'town.d'));
    }
  });
});

test.skipIf(process.platform !== 'linux')('a name that is no UTF-8 is said to be one', () => {
  // The byte 0xff is in no UTF-8 text.
  const { code, stderr } = shell(folder, 'cp town.gltf "$(printf \'bad\\377.gltf\')" && rm town.gltf && "$@"', [
    'cook',
    '.',
    '--out',
    'tiles',
  ]);
  expect(code).toBe(3);
  expect(stderr).toContain('(a name that is not UTF-8 cannot be opened: rename the file)');
});
