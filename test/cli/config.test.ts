// The project file through the command line.

import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, '.git/HEAD', '');
  put(folder, 'art/town.gltf', squareGltf());
  put(folder, 'art/props/chair.gltf', squareGltf());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const putConfig = (value: unknown, path = 'untold.config.json') => put(folder, path, JSON.stringify(value));
const run = (cwd: string, ...args: string[]) => untold(join(folder, cwd), args);

test('sets options of all sources and of those that match, the last match wins, and flags are stronger', async () => {
  putConfig({
    description: 'ours',
    'tile-size': 40,
    files: [
      { match: 'art/props/', 'tile-size': 10 },
      { match: ['*.usd', 'chair.*'], 'tile-size': 5 },
    ],
  });
  const tiles = async (...args: string[]) => {
    const { code, stdout } = await run('.', 'cook', ...args, '--dry-run');
    return [code, [...stdout.matchAll(/cells of (\d+) m/g)].map((match) => Number(match[1]))];
  };
  expect(await tiles('art')).toEqual([0, [5, 40]]);
  expect(await tiles('art', '--no-config')).toEqual([0, [25, 25]]);
  expect(await tiles('art', '--tile-size', '7')).toEqual([0, [7, 7]]);
  putConfig({ 'tile-size': 3 }, 'p.json');
  expect(await tiles('art', '--pipeline', './p.json')).toEqual([0, [3, 3]]);
  putConfig({ files: [{ match: 'art/**', 'tile-size': 4 }] }, 'other.json');
  expect(await tiles('art', '--config', 'other.json')).toEqual([0, [4, 4]]);
});

test('is found from a folder below, up to the one that holds .git, and its paths are relative to it', async () => {
  putConfig({ root: 'art', ignore: ['art/props'], quiet: true });
  const ran = await run('art', 'cook', '.', '--out', '../o', '--depfile', '../o.d');
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect([existsSync(join(folder, 'o/town.json')), existsSync(join(folder, 'o/props'))]).toEqual([true, false]);
  expect(readFileSync(join(folder, 'o.d'), 'utf8')).toContain('untold.config.json');
  put(folder, 'art/.git/HEAD', '');
  expect((await run('art', 'cook', 'town.gltf', '--out', '../o')).stderr).toContain(
    '0 of 1 source cooked, 1 up to date',
  );
});

const VALUES: Readonly<Record<string, string>> = { 'out-each': '{name}.untold', 'textures-dir': 't' };
const DRY = ['cook', 'art/town.gltf', '--dry-run'];

test.each(['depfile', 'force'])('sets %s only when it is named', async (key) => {
  putConfig({ [key]: key === 'force' ? true : 'o.d' });
  const ran = await run('.', ...DRY);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`UC1023 untold.config.json ${key}`)]);
  expect((await run('.', ...DRY, '--no-config')).code).toBe(0);
  expect((await run('.', ...DRY, '--config', 'untold.config.json')).stderr).not.toContain('UC1023');
});

test.each(['out', 'out-each', 'textures-dir'])(
  'sets %s below its folder, and elsewhere only when it is named',
  async (key) => {
    const last = VALUES[key] ?? 'o';
    const said = async (...args: string[]) => (await run('.', ...DRY, ...args)).stderr;
    symlinkSync(tmpdir(), join(folder, 'link'));
    putConfig({ [key]: `o/${last}` });
    expect(await said()).not.toContain('UC1023');
    putConfig({ [key]: `link/${last}` });
    expect(await said()).toContain(`UC1023 untold.config.json ${key}: "${key}" leads out`);
    expect(await said('--config', 'untold.config.json')).not.toContain('UC1023');
    putConfig({ targets: { t: { [key]: `../o/${last}` } } });
    expect(await said()).toContain(`UC1023 untold.config.json targets/t/${key}`);
  },
);

test('names a preset, which may say no more than the file itself', async () => {
  putConfig({ pipeline: 'p.json' });
  putConfig({ out: '../o' }, 'p.json');
  expect(await run('.', ...DRY)).toMatchObject({ code: 2, stderr: expect.stringContaining('UC1023 p.json out') });
  expect((await run('.', ...DRY, '--pipeline', './p.json')).code).toBe(0);
});

test('names where to when it is named, and --out replaces that', async () => {
  putConfig({ 'out-each': 'o/{name}.untold' }, 'c/untold.config.json');
  expect((await run('.', 'cook', 'art', '--config', 'c/untold.config.json')).code).toBe(0);
  expect(existsSync(join(folder, 'c/o/chair.untold'))).toBe(true);
  expect((await run('.', 'cook', 'art', '--config', 'c/untold.config.json', '--out', 'tiles')).code).toBe(0);
  expect(existsSync(join(folder, 'tiles/chair.json'))).toBe(true);
});

test.each<[string, string]>([
  ['{', 'UC1008 untold.config.json: not JSON: line 1, column 2: the text ends where a property name in quotes'],
  [
    '{\n  "out": "o",\n  sources: "art"\n}',
    'UC1008 untold.config.json: not JSON: line 3, column 3: there is "sources: ',
  ],
  ['[]', 'UC1008'],
  ['{"tile-siz": 3}', 'UC1009 untold.config.json tile-siz: .*\n.*did you mean "tile-size"'],
  ['{"files": {}}', 'UC1008 untold.config.json files'],
  ['{"files": [1]}', 'UC1008 untold.config.json files/0'],
  ['{"files": [{"tile-size": 3}]}', 'UC1008 untold.config.json files/0/match'],
  ['{"files": [{"match": "*", "tile-size": "x"}]}', 'UC1008 untold.config.json files/0/tile-size'],
  ['{"files": [{"match": "*", "out": "x"}]}', 'UC1009 untold.config.json files/0/out'],
  [
    '{"files": [{"match": "*", "pipeline": "indoor"}]}',
    'UC1009 untold.config.json files/0/pipeline: .*\\n.*put it beside "files"',
  ],
  [
    '{"files": [{"match": "*", "targets": {}}]}',
    'UC1009 untold.config.json files/0/targets: .*\\n.*put it beside "files"',
  ],
  ['{"jobs": 3}', 'UC1009 untold.config.json jobs: .*\\n.*give --jobs to untold cook'],
  ['{"source": "art"}', 'UC1009 untold.config.json source: .*\\n.*did you mean "sources"'],
  ['{"targts": {}}', 'UC1009 untold.config.json targts: .*\\n.*did you mean "targets"'],
  ['{"sources": []}', 'UC1008 untold.config.json sources'],
  ['{"sources": ["a", ""]}', 'UC1008 untold.config.json sources'],
  ['{"sources": "-"}', 'UC1008 untold.config.json sources: standard input'],
  ['{"pipeline": 3}', 'UC1008 untold.config.json pipeline'],
  ['{"pipeline": "outdor"}', 'UC1007 untold.config.json pipeline: no preset "outdor".*\\n.*did you mean outdoor'],
  ['{"targets": []}', 'UC1008 untold.config.json targets'],
  ['{"targets": {"a/b": {}}}', 'UC1008 untold.config.json targets/a/b: "a/b" is no name'],
  ['{"targets": {"a": 3}}', 'UC1008 untold.config.json targets/a'],
  ['{"targets": {"a": {"lods": "none"}}}', 'UC1009 untold.config.json targets/a/lods: .*\\n.*did you mean "lod"'],
  ['{"targets": {"a": {"targets": {}}}}', 'UC1009 untold.config.json targets/a/targets'],
  ['{"targets": {"a": {"files": [{"match": "*", "lods": "x"}]}}}', 'UC1009 untold.config.json targets/a/files/0/lods'],
])('of %s is refused', async (text, said) => {
  put(folder, 'untold.config.json', text);
  const { code, stderr } = await run('.', 'cook', 'art', '--out', 'o');
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(said));
  const missing = await run('.', 'cook', 'art', '--out', 'o', '--config', 'none.json');
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('UC1024 none.json')]);
});

test('a value that no build can have is named where it stands', async () => {
  const refused = async (config: unknown, ...args: string[]) => {
    putConfig(config);
    const { code, stderr } = await run('.', 'cook', ...args);
    return [code, stderr.split('\n')[0]];
  };
  const name = '"town.utold" was given, and no output is a .utold file';
  expect(await refused({ sources: 'art', out: 'town.utold' })).toEqual([
    2,
    `error UC1003 untold.config.json out: ${name}`,
  ]);
  expect(await refused({ sources: 'art', targets: { t: { out: 'town.utold' } } }, 't')).toEqual([
    2,
    `error UC1003 untold.config.json targets/t/out: ${name}`,
  ]);
  const each = await refused({ sources: 'art', 'out-each': 'o/{nam}.untold' });
  expect(each).toEqual([2, 'error UC1003 untold.config.json out-each: the pattern holds {nam}']);
  // What was given is stronger, and named as it was given.
  expect(await refused({ sources: 'art', out: 'o' }, 'art', '--out', 'town.utold')).toEqual([
    2,
    `error UC1003 --out: ${name}`,
  ]);
});

test('untold config tells what holds for a source and where it comes from', async () => {
  putConfig({ 'tile-size': 40, root: 'art', files: [{ match: 'props/', lod: 'none', hlod: 'none' }] });
  putConfig({ compress: 'none' }, 'p.json');
  const args = ['art/props/chair.gltf', '--pipeline', './p.json', '--strict'];
  const { code, stdout } = await run('.', 'config', ...args, '--json');
  const { source, config, options } = JSON.parse(stdout);
  expect([code, source, config]).toEqual([0, 'art/props/chair.gltf', 'untold.config.json']);
  const of = (name: string) => options.find((option: { name: string }) => option.name === name);
  expect(of('tile-size')).toEqual({ name: 'tile-size', value: 40, from: 'untold.config.json' });
  expect(of('root')).toEqual({ name: 'root', value: 'art', from: 'untold.config.json' });
  expect(of('lod')).toEqual({ name: 'lod', value: 'none', from: 'untold.config.json (props/)' });
  expect(of('hlod')).toEqual({ name: 'hlod', value: 'none', from: 'untold.config.json (props/)' });
  expect(of('compress')).toEqual({ name: 'compress', value: 'none', from: 'p.json' });
  expect(of('strict')).toEqual({ name: 'strict', value: true, from: 'given' });
  expect(of('subdivide')).toEqual({ name: 'subdivide', value: 0, from: 'default' });
  expect(of('out')).toBeUndefined();
  expect((await run('.', 'config', ...args)).stdout).toMatch(/^tile-size +40 +untold\.config\.json$/m);
});

test('untold config tells what holds for a target, and names the targets', async () => {
  putConfig({ 'tile-size': 40, targets: { fast: { lod: 'none' }, best: {} } });
  const source = 'art/props/chair.gltf';
  const whole = await run('.', 'config', source);
  expect(whole.stdout.split('\n').slice(0, 2)).toEqual([
    `${source}, project file untold.config.json`,
    `of the project itself; \`untold config ${source} NAME\` for fast, best`,
  ]);
  const fast = JSON.parse((await run('.', 'config', source, 'fast', '--json')).stdout);
  expect([fast.target, fast.targets]).toEqual(['fast', ['fast', 'best']]);
  const lod = fast.options.find((option: { name: string }) => option.name === 'lod');
  expect(lod).toEqual({ name: 'lod', value: 'none', from: 'untold.config.json, target fast' });
  const misspelt = await run('.', 'config', source, 'fats');
  expect([misspelt.code, misspelt.stderr]).toEqual([2, expect.stringContaining('did you mean fast?')]);
  expect((await run('.', 'config', source, 'fast', '--no-config')).stderr).toContain('UC1072 fast: it is no target');
});

test('warns of patterns that match nothing on the disk, and names the nearest', async () => {
  put(folder, 'art/dungeon/wall.gltf', squareGltf());
  const nearest: readonly (readonly [string, string])[] = [
    ['art/dungoen/', 'did you mean "art/dungeon/"?'],
    ['atr/dungeon/*.gltf', 'did you mean "art/dungeon/*.gltf"?'],
    ['art/props/chiar.gltf', 'did you mean "art/props/chair.gltf"?'],
    ['art/Props/', 'did you mean "art/props/"?'],
    ['dungoen/', 'did you mean "dungeon/"?'],
    ['*.gtlf', 'did you mean "*.gltf"?'],
    ['./art/props/', 'did you mean "art/props/"?'],
    ['art\\props\\', 'did you mean "art/props/"?'],
    ['town.gltf/', 'did you mean "town.gltf"?'],
    ['zzz/', 'correct the pattern, which is relative to the folder of the project file, or take it out'],
    ['../art/', 'correct the pattern, which is relative to the folder of the project file, or take it out'],
  ];
  const sound = ['art/', '/art/props', '**/dungeon/', '*.gltf', 'chair.*', 'ch?ir.gltf', 'art/**', 'art/{props,gone}/'];
  putConfig({
    files: [...nearest.map(([match]) => match), sound].map((match) => ({ match, 'tile-size': 5 })),
  });
  const shown = await run('.', 'config', 'art/town.gltf', '--json');
  expect(shown.code).toBe(0);
  expect(JSON.parse(shown.stdout).diagnostics).toEqual(
    nearest.map(([match, remedy], i) => ({
      code: 'UC1080',
      severity: 'warning',
      file: 'untold.config.json',
      path: `files/${i}/match`,
      message: `nothing matches "${match}"`,
      remedy,
    })),
  );
  // One source of many is cooked: what matches others is right.
  const ran = await run('.', 'cook', 'art/town.gltf', '--out', 'o', '--no-cache');
  const first =
    'warning UC1080 untold.config.json files/0/match: nothing matches "art/dungoen/"\n  did you mean "art/dungeon/"?\n';
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(first)]);
  expect((await run('.', 'config', 'art/town.gltf')).stderr.startsWith(first)).toBe(true);
  expect((await run('.', 'cook', 'art/town.gltf', '--dry-run', '--strict')).code).toBe(1);
  expect((await run('.', 'cook', 'art/town.gltf', '--dry-run', '--strict', '--allow', 'UC1080')).code).toBe(0);
});
