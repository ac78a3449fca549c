// Small sources cooked side by side: the number of threads shows in no file, message, document or exit code, and whatever
// ends the process, no half of a set stays.

import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/bytes/sha256.ts';
import { untold } from '../support/command.ts';
import { contents, litterIn, put, settledContents, temporaryFolder } from '../support/files.ts';
import { BIN, environment, start } from '../support/process.ts';
import { heavy, RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(async () => {
  // Waiting for processes blocks this one: the test runner gets its turn here, or it takes it for dead.
  await new Promise(setImmediate);
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each has a fate, and together they are enough for five threads. */
const SOURCES = 26;

/** Sources of every fate: whole, with a texture that two folders share, broken, empty, with a texture that is missing. */
function putSources(): void {
  put(folder, 'art/red.png', RED_PNG);
  for (let i = 0; i < SOURCES; i++) {
    const image = i % 7 === 3 ? 'missing.png' : i % 5 === 0 ? 'red.png' : undefined;
    const content =
      i % 13 === 5 ? '{' : i % 17 === 9 ? '' : heavy(squareGltf({ at: i, size: 1 + i, ...(image ? { image } : {}) }));
    put(folder, `art/prop ${String(i).padStart(2, '0')}.gltf`, content);
  }
}

/** What a cook prints, without time and memory. */
async function printed(jobs: number, ...more: string[]) {
  const args = ['cook', 'art', '--out', 'tiles', '--depfile', 'tiles.d', '--textures', 'keep', '--jobs', String(jobs)];
  const { code, stdout, stderr } = await untold(folder, [...args, '--missing-texture', 'drop', ...more]);
  const timeless = (text: string) =>
    text
      .replace(/"time":"[^"]*"|"seconds":[\d.]+|"peakBytes":\d+/g, '""')
      .replace(/[\d.,]+ (ms|s|min)\b/g, 'T')
      .replace(/[\d.,]+ [kMG]?B peak memory/g, 'M');
  const run = stdout.startsWith('{') ? { ...(JSON.parse(stdout) as object), run: null } : stdout;
  const files = more.includes('--dry-run') ? {} : contents(join(folder, 'tiles'));
  const depfile = more.includes('--dry-run') ? '' : readFileSync(join(folder, 'tiles.d'), 'utf8');
  rmSync(join(folder, 'tiles'), { recursive: true, force: true });
  return { code, run, stderr: timeless(stderr), files, depfile };
}

describe('the number of threads', () => {
  test.each([
    [[2, 5], ['--verbose']],
    [[3], ['--json']],
    [[2], ['--json', '--log-format', 'json', '--verbose', '--strict']],
    [[2], ['--dry-run']],
    [[2], ['--memory-limit', '100MB', '--json']],
    [[2], ['--fail-fast', '--json']],
  ])('shows in nothing: %j, %j', async (counts, more) => {
    putSources();
    const one = await printed(1, ...more);
    expect(one.code).toBe(1);
    expect(one.stderr.length).toBeGreaterThan(0);
    for (const jobs of counts) expect(await printed(jobs, ...more)).toEqual(one);
  });

  test('shows in nothing where something is in the way of a set', async () => {
    putSources();
    const expected = await printed(1, '--json');
    for (const jobs of [1, 2]) {
      put(folder, 'tiles/prop_00.json', 'not ours');
      const { code, run, files } = await printed(jobs, '--json');
      const { results } = run as unknown as { results: { diagnostics: { code: string }[] }[] };
      expect(code).toBe(2);
      expect(results[0].diagnostics.map((item) => item.code)).toEqual(['UC4001']);
      expect(files['prop_00.json']).toBe(sha256Hex(Buffer.from('not ours')));
      expect(Object.keys(files).length).toBeLessThan(Object.keys(expected.files).length);
    }
  });
});

/** Kills the process, or only the thread, at a rename of a thread that cooks sources. */
const KILLER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
const rename = fs.renameSync;
let renames = 0;
fs.renameSync = (from, to) => {
  if (!isMainThread && ++renames === Number(process.env.KILL_AT)) {
    if (process.env.KILL === 'thread') process.exit(1);
    process.kill(process.pid, 'SIGKILL');
  }
  rename(from, to);
};
syncBuiltinESMExports();
`;

const litter = (name: string) => litterIn(join(folder, name));

describe('a run that ends in the middle', () => {
  const cookArgs = ['cook', 'art', '--out', 'tiles', '--jobs', '2', '--textures', 'keep', '--quiet'];
  const alone = cookArgs.map((word) => (word === '2' ? '1' : word));
  function putWhole(size: number, at = folder): void {
    for (let i = 0; i < 16; i++) put(at, `art/prop${i}.gltf`, heavy(squareGltf({ size: size + i })));
  }
  /** A folder with sets of sources of size 1, and what sets of these and of sources of size 100 have. */
  let cooked: string;
  let small: Record<string, string>;
  let large: Record<string, string>;
  beforeAll(async () => {
    cooked = temporaryFolder();
    putWhole(100, cooked);
    expect((await untold(cooked, alone)).code).toBe(0);
    large = contents(join(cooked, 'tiles'));
    rmSync(join(cooked, 'tiles'), { recursive: true });
    putWhole(1, cooked);
    expect((await untold(cooked, alone)).code).toBe(0);
    small = contents(join(cooked, 'tiles'));
  });
  afterAll(() => rmSync(cooked, { recursive: true, force: true }));

  function cookKilled(what: string, at: number) {
    const killer = pathToFileURL(put(folder, 'killer.mjs', KILLER)).href;
    return spawnSync(process.execPath, ['--import', killer, BIN, ...cookArgs], {
      cwd: folder,
      env: environment({ KILL_AT: String(at), KILL: what }),
    });
  }

  test.each([1, 2, 3, 10, 23])('by SIGKILL at rename %i of a thread leaves sets that are whole', async (at) => {
    cpSync(join(cooked, 'tiles'), join(folder, 'tiles'), { recursive: true });
    putWhole(100);
    expect(cookKilled('process', at).signal).toBe('SIGKILL');
    expect((await untold(folder, ['validate', 'tiles', '--quiet'])).code).toBe(0);
    expect((await untold(folder, alone)).code).toBe(0);
    expect(litter('tiles')).toEqual([]);
    expect(settledContents(join(folder, 'tiles'))).toEqual(large);
  });

  test.each([1, 3, 10])('of one thread at rename %i is made good by the others', async (at) => {
    putWhole(1);
    const { status } = cookKilled('thread', at);
    expect(status).toBe(0);
    expect(litter('tiles')).toEqual([]);
    expect(contents(join(folder, 'tiles'))).toEqual(small);
  });

  test('by Ctrl-C leaves no lock, no staging folder and no half of a set', async () => {
    for (let i = 0; i < 200; i++) put(folder, `art/prop${i}.gltf`, squareGltf({ size: 1 + i }));
    const child = start(folder, [...cookArgs.filter((word) => word !== '--quiet'), '--verbose']);
    let text = '';
    child.stderr.on('data', (data: Buffer) => {
      text += data;
      if (!child.killed && /\[20\/200\] read/.test(text)) child.kill('SIGINT');
    });
    const code = await new Promise((done) => child.on('exit', done));
    expect(code).toBe(130);
    expect(text).toContain('UC1098');
    expect(litter('tiles')).toEqual([]);
    expect((await untold(folder, ['validate', 'tiles', '--quiet'])).code).toBe(0);
  });
});
