// What sources share that are cooked side by side: a folder of textures, the cache, the project file. The number of threads
// shows in nothing.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { contents, litterIn, put, settledContents, temporaryFolder } from '../support/files.ts';
import { BIN, environment, start } from '../support/process.ts';
import { heavy, squareGltf } from '../support/squareGltf.ts';
import { rgb } from '../textures/fixture.ts';

let folder: string;
beforeEach(async () => {
  // Waiting for processes blocks this one: the test runner gets its turn here, or it takes it for dead.
  await new Promise(setImmediate);
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Enough for three threads. */
const SOURCES = 20;
const IMAGES = 4;
/** Only nodes: there is nothing to draw. */
const EMPTY = JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ name: 'a' }] });

const name = (i: number) => `prop ${String(i).padStart(2, '0')}`;

/** Sources of two folders that share four images of equal content by different names; some are broken, some empty. */
function putProps(shade = 0): void {
  for (const kit of ['kit', 'town']) {
    for (let i = 0; i < IMAGES; i++) put(folder, `${kit}/${kit}${i}.png`, rgb([[shade, 10 * i, 0]]));
  }
  for (let i = 0; i < SOURCES; i++) {
    const kit = i % 2 ? 'kit' : 'town';
    const image = `${kit}${i % IMAGES}.png`;
    put(
      folder,
      `${kit}/${name(i)}.gltf`,
      i % 13 === 5 ? '{' : i % 17 === 9 ? EMPTY : heavy(squareGltf({ size: 1 + i, image })),
    );
  }
}

const PATTERN = 'props/{dir}/{name}.untold';
const EACH = ['kit', 'town', '--out-each', PATTERN, '--no-cache'];
const KEEP = [...EACH, '--textures', 'keep'];

/** What a cook of the props prints and writes, without time and memory. */
async function printed(jobs: number, args: readonly string[]) {
  const { code, stdout, stderr } = await untold(folder, [
    'cook',
    ...args,
    '--json',
    '--verbose',
    '--jobs',
    String(jobs),
  ]);
  const { results } = JSON.parse(stdout) as { results: { status: string; diagnostics: { code: string }[] }[] };
  const timeless = stderr.replace(/[\d.,]+ (ms|s|min)\b/g, 'T').replace(/[\d.,]+ [kMG]?B peak memory/g, 'M');
  return { code, results, stderr: timeless, files: contents(join(folder, 'props')) };
}

const emptyProps = () => rmSync(join(folder, 'props'), { recursive: true, force: true });

describe('one folder of textures', () => {
  test.each([
    [['--textures', 'keep']],
    [['--textures', 'keep', '--textures-dir', 'props/all']],
    [['--textures', 'utex']],
  ])('has each once for any number of threads, and loses those that nothing names any more: %j', async (more) => {
    const args = [...EACH, ...more];
    putProps();
    const first = await printed(1, args);
    expect(first.code).toBe(1);
    const { results, files } = first;
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['ok', 'failed', 'skipped']));
    const textures = Object.keys(files).filter((path) => !path.endsWith('.untold'));
    expect(textures).toHaveLength(IMAGES);
    putProps(200);
    const second = await printed(1, args);
    expect(Object.keys(second.files)).toHaveLength(Object.keys(files).length);
    expect(Object.keys(second.files)).not.toEqual(Object.keys(files));
    emptyProps();
    putProps();
    expect(await printed(3, args)).toEqual(first);
    putProps(200);
    expect(await printed(3, args)).toEqual(second);
  });

  test('shows no number of threads where something else has the name of a texture', async () => {
    putProps();
    const { files } = await printed(1, KEEP);
    const texture = Object.keys(files).find((path) => path.endsWith('.png')) as string;
    const cooked: Awaited<ReturnType<typeof printed>>[] = [];
    for (const jobs of [1, 2]) {
      emptyProps();
      put(folder, `props/${texture}`, 'not ours');
      cooked.push(await printed(jobs, KEEP));
    }
    expect(cooked[1]).toEqual(cooked[0]);
    expect(readFileSync(join(folder, 'props', texture), 'utf8')).toBe('not ours');
    const refused = cooked[0].results.filter(({ diagnostics }) => diagnostics.some(({ code }) => code === 'UC4001'));
    expect(refused.length).toBeGreaterThan(3);
  });
});

test('the project file gives some sources other settings, and sources of one name clash, for any number of threads', async () => {
  putProps();
  put(folder, 'kit/prop 02.glb', squareGltf({ size: 7 }));
  const config = {
    files: [
      { match: 'kit/**', 'missing-texture': 'drop', lod: '0.5' },
      { match: '**/prop 1*', strict: true },
    ],
  };
  put(folder, 'untold.config.json', JSON.stringify(config));
  for (let i = 0; i < SOURCES; i += 3)
    rmSync(join(folder, i % 2 ? 'kit' : 'town', `${i % 2 ? 'kit' : 'town'}${i % IMAGES}.png`), { force: true });
  for (const more of [[], ['--on-clash', 'rename'], ['--fail-fast'], ['--dry-run']]) {
    const args = ['kit', 'town', '--out', 'props', '--textures', 'keep', ...more];
    put(folder, 'props/kept', '');
    const one = await printed(1, args);
    const codes = one.results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    expect(codes.includes('UC1005')).toBe(!more.includes('rename'));
    emptyProps();
    put(folder, 'props/kept', '');
    expect(await printed(2, args)).toEqual(one);
    emptyProps();
  }
});

test('cooked textures come from one cache, for any number of threads', async () => {
  putProps();
  const args = [...EACH.slice(0, 4), '--textures', 'utex', '--cache-dir', 'cache'];
  const without = await printed(1, [...EACH, '--textures', 'utex']);
  for (const jobs of [1, 2]) {
    rmSync(join(folder, 'cache'), { recursive: true, force: true });
    for (const _ of ['cold', 'warm']) {
      emptyProps();
      expect(await printed(jobs, args)).toEqual(without);
      const info = JSON.parse((await untold(folder, ['cache', 'info', '--cache-dir', 'cache', '--json'])).stdout);
      expect(info.kinds.find(({ kind }: { kind: string }) => kind === 'texture').entries).toBe(IMAGES);
    }
  }
});

test('--timing adds up the phases of all sources', async () => {
  putProps();
  const phases: string[][] = [];
  for (const jobs of [1, 2]) {
    const { stdout } = await untold(folder, ['cook', ...KEEP, '--json', '--timing', '--jobs', String(jobs)]);
    const { run } = JSON.parse(stdout) as { run: { phases: { phase: string; seconds: number }[] } };
    for (const { seconds } of run.phases) expect(seconds).toBeGreaterThanOrEqual(0);
    phases.push(run.phases.map(({ phase }) => phase));
  }
  expect(phases[1]).toEqual(phases[0]);
  expect(phases[0]).toContain('verify');
});

/** Ends the process, or only the thread, at a rename of a thread that cooks sources. */
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

describe('a run that ends in the middle', () => {
  const litter = () => litterIn(join(folder, 'props'));
  const args = ['cook', ...KEEP, '--jobs', '2'];
  function putWhole(): void {
    for (let i = 0; i < 16; i++) {
      put(folder, `kit/${i % 5}.png`, rgb([[i % 5, 0, 0]]));
      put(folder, `kit/prop${i}.gltf`, heavy(squareGltf({ size: 1 + i, image: `${i % 5}.png` })));
    }
    put(folder, 'town/a.gltf', squareGltf());
  }
  function cookKilled(what: string, at: number) {
    const killer = pathToFileURL(put(folder, 'killer.mjs', KILLER)).href;
    const env = environment({ KILL_AT: String(at), KILL: what });
    return spawnSync(process.execPath, ['--import', killer, BIN, ...args], { cwd: folder, env });
  }
  const alone = args.map((word) => (word === '2' ? '1' : word));
  let wanted: Record<string, string> | null = null;
  /** What a cook that goes well writes. */
  const whole = async () => {
    if (wanted) return wanted;
    expect((await untold(folder, alone)).code).toBe(0);
    wanted = contents(join(folder, 'props'));
    emptyProps();
    return wanted;
  };

  test.each([1, 2, 3, 5, 12])('by the end of a thread at rename %i is made good by the others', async (at) => {
    putWhole();
    const expected = await whole();
    expect(cookKilled('thread', at).status).toBe(0);
    expect(litter()).toEqual([]);
    expect(contents(join(folder, 'props'))).toEqual(expected);
  });

  test.each([1, 2, 3, 12])('by SIGKILL at rename %i is made good by the next', async (at) => {
    putWhole();
    const expected = await whole();
    expect(cookKilled('process', at).signal).toBe('SIGKILL');
    expect((await untold(folder, alone)).code).toBe(0);
    expect(litter()).toEqual([]);
    expect(settledContents(join(folder, 'props'))).toEqual(expected);
  });

  test('by Ctrl-C leaves no lock, no staging folder, and no texture that nothing names', async () => {
    for (let i = 0; i < 200; i++) {
      put(folder, `kit/${i}.png`, rgb([[i % 256, i >> 8, 0]]));
      put(folder, `kit/prop${i}.gltf`, squareGltf({ size: 1 + i, image: `${i}.png` }));
    }
    const child = start(folder, ['cook', 'kit', ...KEEP.slice(2), '--jobs', '2', '--verbose']);
    let text = '';
    child.stderr.on('data', (data: Buffer) => {
      text += data;
      if (!child.killed && /\[20\/200\] read/.test(text)) child.kill('SIGINT');
    });
    expect(await new Promise((done) => child.on('exit', done))).toBe(130);
    expect(litter()).toEqual([]);
    const paths = Object.keys(contents(join(folder, 'props')));
    const textures = paths.filter((path) => path.endsWith('.png'));
    expect(textures.length).toBeGreaterThan(10);
    expect(textures.length).toBe(paths.length - textures.length);
    expect((await untold(folder, ['validate', 'props', '--quiet'])).code).toBe(0);
  });
});
