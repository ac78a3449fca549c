// Commands that look at outputs, over a project and over folders that hold several outputs.

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check, type DiffSetsDocument, render } from '../../src/index.ts';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
const run = (...args: string[]) => untold(folder, args);
const CACHE = ['--cache-dir', 'cache'];
const TINY = ['--size', '16x16'];

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, '.git/HEAD', '');
  put(folder, 'art/town.gltf', squareGltf());
  put(folder, 'art/props/chair.gltf', squareGltf({ size: 2 }));
  const targets = {
    each: { 'out-each': 'models/{dir}/{name}.untold' },
    single: { sources: 'art/town.gltf', out: 'single/town.untold' },
    later: { out: 'later/' },
  };
  put(folder, 'untold.config.json', JSON.stringify({ sources: 'art/', root: 'art', out: 'tiles/', targets }));
  for (const target of [[], ['each'], ['single']]) {
    expect((await run('cook', ...target, ...CACHE, '-q')).code).toBe(0);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('check takes a project, a target and a folder: a line an output, and the sum', async () => {
  const lines = (paths: readonly string[], last: string) =>
    `${[...paths.map((path) => `${path}: fits vision-pro: 1 of 100 draws, 1 of 200 entities`), last].join('\n')}\n`;
  const sets = lines(['tiles/props/chair.json', 'tiles/town.json'], '2 of 2 outputs fit vision-pro');
  expect(await run('check')).toMatchObject({ code: 0, stdout: sets, stderr: '' });
  expect(await run('check', 'tiles')).toMatchObject({ code: 0, stdout: sets });
  const models = lines(['models/props/chair.untold', 'models/town.untold'], '2 of 2 outputs fit vision-pro');
  expect(await run('check', 'each')).toMatchObject({ code: 0, stdout: models });
  expect(await run('check', 'models')).toMatchObject({ code: 0, stdout: models });
  expect((await run('check', 'single')).stdout).toBe(lines(['single/town.untold'], '1 of 1 output fits vision-pro'));
  // The only output of a folder is told of at length.
  expect((await run('check', 'tiles/props')).stdout).toMatch(/^tiles\/props: fits vision-pro[^\n]*\n {2,}worst/);
  expect((await run('check', 'single/')).stdout).toMatch(/^single: fits vision-pro[^\n]*\n {2,}worst/);
});

test('the worst output decides the exit code of check, and the warnings are counted', async () => {
  put(folder, 'over/many.gltf', squareGltf());
  const squares = Array.from({ length: 101 }, (_, i) => ({ mesh: 0, name: `NM_${i}`, translation: [i / 9, 0, 0] }));
  const gltf = JSON.parse(squareGltf());
  put(
    folder,
    'over/many.gltf',
    JSON.stringify({ ...gltf, nodes: squares, scenes: [{ nodes: squares.map((_, i) => i) }], scene: 0 }),
  );
  cpSync(join(folder, 'tiles'), join(folder, 'mixed'), { recursive: true });
  expect((await run('cook', 'over/many.gltf', '--out', 'mixed', '--no-config', '--no-cache', '-q')).code).toBe(0);
  const { code, stdout, stderr } = await run('check', 'mixed');
  expect([code, stdout.split('\n').slice(-3)]).toEqual([
    0,
    [expect.stringMatching(/^UC2244 +1 warning +in 1 output /), '2 of 3 outputs fit vision-pro, 1 over', ''],
  ]);
  expect(stderr).toContain('warning UC2244 mixed/many.json');
  expect((await run('check', 'mixed', '--strict', '-q')).code).toBe(1);
  expect((await check(join(folder, 'mixed'), { device: 'mac' })).all?.outputs.map(({ fits }) => fits)).toEqual([
    true,
    true,
    true,
  ]);
});

test('what is not built is named, and the rest is checked', async () => {
  expect(await run('check', 'later')).toMatchObject({
    code: 3,
    stderr: 'error UC1200 later: none of the outputs is there\n  build them: `untold cook later`\n',
  });
  expect((await run('cook', 'later', 'art/town.gltf', '--no-cache')).stderr).toContain('UC1071');
  expect((await run('cook', 'art/town.gltf', '--out', 'later', '--no-cache', '-q')).code).toBe(0);
  const { code, stdout, stderr } = await run('check', 'later');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('UC3245 art/props/chair.gltf: later/props/chair.json is not there'),
  ]);
  expect(stdout).toContain('1 of 1 output fits vision-pro, 1 error: not all could be checked');
  put(folder, 'broken/town.json', '{"tiles": 1}');
  cpSync(join(folder, 'tiles'), join(folder, 'broken'), { recursive: true });
  writeFileSync(join(folder, 'broken/town.json'), '{"tiles": 1}');
  const damaged = await run('check', 'broken', '--json');
  expect([damaged.code, JSON.parse(damaged.stdout)]).toEqual([
    1,
    expect.objectContaining({ fits: false, outputs: [expect.objectContaining({ output: 'broken/props/chair.json' })] }),
  ]);
});

test('options for one output are refused for several', async () => {
  expect((await run('check', 'tiles', '--map', 'm.svg')).stderr).toContain(
    'UC1012 --map: a map shows one output, and there are 2',
  );
  expect((await run('diff', 'tiles', 'tiles', '--pictures', 'p.png')).stderr).toContain('UC1012 --pictures');
  const single = await run('check', 'models', '--zone', 'box:0,0,0,1,1,1');
  expect([single.code, single.stderr]).toEqual([0, '']);
  expect((await run('check', '--no-config')).stderr).toContain('UC1002: no output is named');
});

test('diff compares folders output by output', async () => {
  expect(await run('diff', 'tiles', 'tiles')).toMatchObject({
    code: 0,
    stdout: 'A: tiles, 2 outputs\nB: tiles, 2 outputs\nnothing differs\n',
  });
  cpSync(join(folder, 'tiles'), join(folder, 'now'), { recursive: true });
  rmSync(join(folder, 'now/props'), { recursive: true });
  put(folder, 'more/lamp.gltf', squareGltf({ size: 3 }));
  expect((await run('cook', 'more/lamp.gltf', '--out', 'now', '--no-config', '--no-cache', '-q')).code).toBe(0);
  expect((await run('cook', 'art/town.gltf', '--scale', '2', '--out', 'now', '--no-cache', '-q')).code).toBe(0);
  const told = await run('diff', 'tiles', 'now');
  expect([told.code, told.stdout.split('\n')]).toEqual([
    1,
    [
      'A: tiles, 2 outputs',
      'B: now, 2 outputs',
      expect.stringMatching(/^\+ lamp\.json added: 1 tile, 2 triangles, /),
      expect.stringMatching(/^- props\/chair\.json removed: 1 tile, 2 triangles, /),
      expect.stringMatching(/^~ town\.json changed: .*1 tile, triangles 2, /),
      '3 of 3 outputs differ: 1 added, 1 removed, 1 changed, 0 equal',
      '--verbose shows what differs in each',
      '',
    ],
  ]);
  const { sets, counts, equal }: DiffSetsDocument = JSON.parse((await run('diff', 'tiles', 'now', '--json')).stdout);
  expect([equal, counts]).toEqual([false, { equal: 0, added: 1, removed: 1, changed: 1 }]);
  expect(sets.map(({ path, change, difference }) => [path, change, difference?.tiles.length ?? 0])).toEqual([
    ['lamp.json', 'added', 0],
    ['props/chair.json', 'removed', 0],
    ['town.json', 'changed', 1],
  ]);
  expect((await run('diff', 'tiles', 'now', '--verbose')).stdout).toContain('    ~ tile_0_0_0 changed');
  // One that cannot be read does not stop the others, and is not equal.
  writeFileSync(join(folder, 'now/town.json'), '{"tiles": 1}');
  const unread = await run('diff', 'now', 'now');
  expect([unread.code, unread.stdout]).toEqual([1, expect.stringContaining('? town.json cannot be compared')]);
  // Single files count, too, and the only one of a folder stands for it.
  expect((await run('diff', 'models', 'models')).stdout).toContain('A: models, 2 outputs');
  expect((await run('diff', 'models/props', 'models/props')).stdout).toContain('nothing differs');
});

test('render draws each output into a folder, and says how where --out is a file', async () => {
  const drawn = await run('render', 'tiles', '--out', 'pictures', ...TINY);
  expect([drawn.code, drawn.stderr]).toEqual([
    0,
    'pictures/props/chair.png: 16 x 16 pixels, 2 triangles of 1 tile\n' +
      'pictures/town.png: 16 x 16 pixels, 2 triangles of 1 tile\n2 pictures of 2 outputs\n',
  ]);
  expect(filesBelow(join(folder, 'pictures'))).toEqual(['props/chair.png', 'town.png']);
  expect(await run('render', 'tiles', '--out', 'one.png')).toMatchObject({
    code: 2,
    stderr:
      'error UC5000 tiles: there are 2 outputs in it: tiles/props/chair.json, tiles/town.json\n' +
      '  name one of them, as tiles/props/chair.json, or draw each into a folder: `untold render tiles --out pictures/`\n',
  });
  expect((await run('render', 'each', '--out', 'models.d/', ...TINY)).code).toBe(0);
  expect((await run('render', 'single', '--out', 'single/', ...TINY, '-q')).code).toBe(0);
  expect((await run('render', 'single', '--out', 'single.png', ...TINY, '-q')).code).toBe(0);
  expect(filesBelow(folder).filter((path) => path.endsWith('.png') && !path.startsWith('pictures/'))).toEqual([
    'models.d/props/chair.png',
    'models.d/town.png',
    'single.png',
    'single/town.png',
  ]);
  expect((await run('render', 'tiles', '--out', 'x.jpg')).stderr).toContain('UC1003 --out: "x.jpg" was given');
  // What cannot be drawn is named, and the others are.
  const { exitCode, all } = await render(join(folder, 'broken'), { out: join(folder, 'half/'), size: '16x16' });
  expect([exitCode, all?.map(({ out }) => out === null)]).toEqual([1, [false, true]]);
});

test('a set and a file of one name have pictures of their own', async () => {
  cpSync(join(folder, 'tiles'), join(folder, 'both'), { recursive: true });
  cpSync(join(folder, 'models/town.untold'), join(folder, 'both/town.untold'));
  expect((await run('render', 'both', '--out', 'twice/', ...TINY, '-q')).code).toBe(0);
  expect(filesBelow(join(folder, 'twice'))).toEqual(['props/chair.png', 'town.json.png', 'town.untold.png']);
});

test('view names the outputs of a folder, and how to see one', async () => {
  expect(await run('view', 'tiles')).toMatchObject({
    code: 2,
    stderr:
      'error UC5000 tiles: there are 2 outputs in it: tiles/props/chair.json, tiles/town.json\n' +
      '  the page shows one of them: `untold view tiles/props/chair.json`\n',
  });
  expect((await run('view', 'each')).stderr).toContain('`untold view models/props/chair.untold`');
});
