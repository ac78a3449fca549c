// What the command says of a machine that it cannot work on: a working folder that is gone, files of the program and
// libraries that cannot be loaded, too little address space. Never a stack, never exit code 4, nothing left behind.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { ENVIRONMENT } from '../../src/diagnostics/codes/environment.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const LZ4_TILE = resolve(ROOT, 'test/fixtures/untold/valid-v1-lz4.untold');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a text in the shell, with the command line as "$@". */
function shell(script: string, args: readonly string[], bin = BIN) {
  const fault = inject('bundleFault');
  if (fault) throw new Error(fault);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, bin, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
  });
  return { code: status, stdout, stderr };
}

const STACK = /\n\s+at |node:internal|UC1099/;

describe.skipIf(process.platform === 'win32')('a working folder that was deleted', () => {
  const GONE = 'mkdir gone && cd gone && rmdir ../gone && "$@"';

  test('ends every command that names files with UC1100 and 3', () => {
    for (const words of [
      ['cook', '/x/a.glb', '--out', '/x/o'],
      ['validate', '/x'],
      ['inspect', '/x/a.glb'],
    ]) {
      const { code, stdout, stderr } = shell(GONE, words);
      expect([words[0], code, stdout]).toEqual([words[0], 3, '']);
      expect(stderr).toBe(`error UC1100: the system does not name it (ENOENT)\n  ${ENVIRONMENT.UC1100.remedy}\n`);
    }
    const { code, stdout } = shell(GONE, ['validate', '--json', '/x']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ files: [], diagnostics: [{ code: 'UC1100' }] });
  });

  test('is none of the business of the others', () => {
    expect(shell(GONE, ['--help'])).toMatchObject({ code: 0, stderr: '' });
    expect(shell(GONE, ['cook', '--help'])).toMatchObject({ code: 0, stderr: '' });
    expect(shell(GONE, ['explain', 'UC1100'])).toMatchObject({ code: 0, stderr: '' });
    expect(shell(GONE, ['cok'])).toMatchObject({ code: 2 });
  });
});

/** The package in a folder of its own, its libraries linked but for those in `without`. */
function installed(without: readonly string[]): string {
  const fault = inject('bundleFault');
  if (fault) throw new Error(fault);
  for (const part of ['bin', 'dist', 'pipelines', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, 'package', part), { recursive: true });
  }
  const modules = join(folder, 'package/node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!without.includes(name)) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  }
  return join(folder, 'package/bin/untold.js');
}

function run(bin: string, args: readonly string[]) {
  const options = { cwd: folder, encoding: 'utf8', env: environment() } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], options);
  expect(stderr).not.toMatch(STACK);
  return { code: status, stdout, stderr };
}

describe('a library that cannot be loaded', () => {
  test('lz4-napi: a sound tile is not called damaged, and a cook leaves nothing behind', () => {
    const bin = installed(['lz4-napi']);
    const checked = run(bin, ['validate', '--json', LZ4_TILE]);
    expect(checked.code).toBe(3);
    const [file] = JSON.parse(checked.stdout).files;
    expect(file.diagnostics.map(({ code }: { code: string }) => code)).toEqual(['UC1101']);
    expect(file.diagnostics[0].message).toBe("lz4-napi: Cannot find module 'lz4-napi'");
    expect(run(bin, ['inspect', LZ4_TILE]).code).toBe(3);
    const cooked = run(bin, ['cook', 'town.gltf', '--out', 'tiles', '--no-cache']);
    expect(cooked.code).toBe(3);
    expect(cooked.stderr).toContain("error UC1101 town.gltf tile_0_0_0: lz4-napi: Cannot find module 'lz4-napi'\n");
    expect(existsSync(join(folder, 'tiles'))).toBe(false);
  });

  test('sharp, whose native part is for another system', () => {
    const bin = installed(['sharp']);
    put(folder, 'package/node_modules/sharp/package.json', '{"name":"sharp","main":"index.js"}');
    put(folder, 'package/node_modules/sharp/index.js', 'module.exports = require("./sharp.node");');
    put(folder, 'package/node_modules/sharp/sharp.node', 'not for this system');
    // A placeholder is made by the encoder, so that this scene needs it.
    rmSync(join(folder, 'red.png'));
    const cooked = run(bin, [
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
    const bin = installed([]);
    const dist = join(folder, 'package/dist');
    const entry = join(dist, 'cli.js');
    const refusal = /^error UC1101: .+\n {2}.+\n$/;
    writeFileSync(entry, 'import {');
    const damaged = run(bin, ['--version']);
    expect([damaged.code, damaged.stdout]).toEqual([3, '']);
    expect(damaged.stderr).toMatch(refusal);
    expect(damaged.stderr).toContain(ENVIRONMENT.UC1101.remedy);
    writeFileSync(entry, 'import "./gone.js";');
    expect(run(bin, ['--version'])).toMatchObject({ code: 3, stderr: expect.stringMatching(refusal) });
    rmSync(dist, { recursive: true });
    expect(run(bin, ['--version'])).toMatchObject({ code: 3, stderr: expect.stringContaining('dist/ is missing') });
  });

  test('that a thread runs is missing: the cook ends, and nothing hangs', () => {
    const bin = installed([]);
    rmSync(join(folder, 'package/dist/worker.js'));
    // 90,000 triangles in two tiles are enough for two threads.
    put(folder, 'many.usda', manyTriangles());
    const cooked = run(bin, ['cook', 'many.usda', '--out', 'tiles', ...MANY]);
    expect(cooked.code).toBe(3);
    expect(cooked.stderr).toContain('error UC1101 many.usda');
    expect(existsSync(join(folder, 'tiles'))).toBe(false);
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

/** Options that cook the squares of manyTriangles in two tiles and two threads, in full detail alone. */
const MANY = ['--jobs', '2', '--tile-size', '10', '--lod', 'none', '--hlod', 'none'];

/** Two flat squares of 45,000 triangles each, 7.5 m wide, 20 m from each other. */
function manyTriangles(): string {
  const side = 151;
  const points: string[] = [];
  const indices: number[] = [];
  for (let i = 0; i < side * side; i++) points.push(`(${(i % side) / 20}, 0, ${Math.floor(i / side) / 20})`);
  for (let z = 0; z < side - 1; z++) {
    for (let x = 0; x < side - 1; x++) {
      const a = z * side + x;
      indices.push(a, a + side, a + side + 1, a + 1);
    }
  }
  const mesh = (name: string, x: number) => `def Mesh "${name}" {
    int[] faceVertexCounts = [${new Array((side - 1) ** 2).fill(4)}]
    int[] faceVertexIndices = [${indices}]
    point3f[] points = [${points}]
    uniform token subdivisionScheme = "none"
    double3 xformOp:translate = (${x}, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
  }`;
  return `#usda 1.0\n(\n  upAxis = "Y"\n  metersPerUnit = 1\n)\n${mesh('A', 0)}\n${mesh('B', 20)}\n`;
}

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
      const { code, stderr } = shell(`ulimit -v ${limit} && "$@"`, ['cook', ...words, '--out', 'tiles']);
      expect([words, code]).toEqual([words, 3]);
      expect(stderr).toContain(`error UC1102 ${words[0]}`);
      expect(stderr).toContain(ENVIRONMENT.UC1102.remedy);
      expect(stderr).not.toMatch(STACK);
      expect(stderr).not.toContain('Aborted');
      expect(existsSync(join(folder, 'tiles'))).toBe(false);
    }
  },
);

test.skipIf(process.platform !== 'linux')('threads start as far as there is address space for them', async () => {
  put(folder, 'many.usda', manyTriangles());
  // Enough for the modules of the main thread, and not for those of two more.
  const limit = 'ulimit -v 50000000 && "$@"';
  const cook = ['cook', 'many.usda', ...MANY, '--compress', 'zstd'];
  const { code, stderr } = shell(limit, [...cook, '--out', 'tiles']);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  expect((await untold(folder, [...cook, '--out', 'free'])).code).toBe(0);
  const files = (out: string) => readdirSync(join(folder, out, 'many')).sort();
  expect(files('tiles')).toEqual(files('free'));
  // Work that can be ended at any time needs a thread.
  const timed = shell(limit, [...cook, '--timeout', '600', '--out', 'timed']);
  expect([timed.code, timed.stderr]).toEqual([
    3,
    expect.stringContaining('UC1102 many.usda: the process may have 51200 MB'),
  ]);
  expect(existsSync(join(folder, 'timed'))).toBe(false);
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
  const { code, stderr } = shell('cp town.gltf "$(printf \'bad\\377.gltf\')" && rm town.gltf && "$@"', [
    'cook',
    '.',
    '--out',
    'tiles',
  ]);
  expect(code).toBe(3);
  expect(stderr).toContain('(a name that is not UTF-8 cannot be opened: rename the file)');
});
