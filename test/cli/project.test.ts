// A project that builds: `untold cook`, `verify`, `clean` and `--watch` of a project file and of its targets.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
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
const CACHE = ['--cache-dir', 'cache'];
const has = (...paths: string[]) => paths.map((path) => existsSync(join(folder, path)));

const PROJECT = {
  sources: ['art/'],
  root: 'art',
  out: 'tiles/',
  files: [{ match: 'props/', 'tile-size': 5 }],
  targets: {
    preview: { out: 'preview', 'tile-size': 50, files: [{ match: 'chair.*', 'tile-size': 3 }] },
    props: { sources: 'art/props', 'out-each': 'models/{dir}/{name}.untold' },
    web: { sources: ['art/**/*.gltf'], 'out-each': 'web/out/{name}.glb' },
    later: { sources: 'art/town.gltf', out: 'later/town.untold' },
  },
};

describe('untold cook', () => {
  test('alone builds the project, with a name a target, and says what is up to date', async () => {
    putConfig(PROJECT);
    const first = await run('.', 'cook', ...CACHE);
    expect([first.code, first.stdout]).toEqual([0, '']);
    expect(first.stderr).toContain('2 of 2 sources cooked');
    expect(has('tiles/town.json', 'tiles/props/chair.json')).toEqual([true, true]);
    expect((await run('.', 'cook', ...CACHE)).stderr).toMatch(/art\/town\.gltf: up to date/);
    expect((await run('.', 'cook', 'preview', ...CACHE)).code).toBe(0);
    expect(has('preview/town.json', 'preview/props/chair.json')).toEqual([true, true]);
    expect((await run('.', 'cook', 'props', ...CACHE)).code).toBe(0);
    expect(has('models/props/chair.untold', 'models/town.untold')).toEqual([true, false]);
    expect((await run('.', 'cook', 'later', ...CACHE)).code).toBe(0);
    expect(has('later/town.untold')).toEqual([true]);
  });

  test('a target is stronger than the project and its files, and flags are stronger than all', async () => {
    const sizes = async (...args: string[]) => {
      const { code, stdout } = await run('.', 'cook', ...args, '--dry-run');
      return [code, [...stdout.matchAll(/cells of (\d+) m/g)].map((match) => Number(match[1]))];
    };
    putConfig({ ...PROJECT, 'tile-size': 40 });
    expect(await sizes()).toEqual([0, [5, 40]]);
    expect(await sizes('preview')).toEqual([0, [3, 50]]);
    expect(await sizes('preview', '--tile-size', '7')).toEqual([0, [7, 7]]);
    // The preset lies beneath what names it, and the target's replaces that of the project.
    putConfig({ 'tile-size': 30 }, 'a/p.json');
    putConfig({ 'tile-size': 20 }, 'q.json');
    const { out, sources } = PROJECT;
    const files = [{ match: 'props/', 'tile-size': 4 }];
    putConfig({ sources, out, files, pipeline: 'a/p.json', targets: { t: { pipeline: './q.json' }, u: {} } });
    expect(await sizes()).toEqual([0, [4, 30]]);
    expect(await sizes('t')).toEqual([0, [20, 20]]);
    expect(await sizes('u')).toEqual([0, [4, 30]]);
    expect(await sizes('--pipeline', 'indoor')).toEqual([0, [10, 10]]);
  });

  test('is the same from a folder below: paths are relative to the file', async () => {
    putConfig(PROJECT);
    expect((await run('art/props', 'cook', ...CACHE)).code).toBe(0);
    expect((await run('art', 'cook', 'later', '--no-cache')).code).toBe(0);
    expect(has('tiles/props/chair.json', 'later/town.untold')).toEqual([true, true]);
    putConfig({ sources: 'art/', 'out-each': 'one/{dir}/{name}.untold' });
    expect((await run('art', 'cook', '--no-cache')).code).toBe(0);
    expect(has('one/art/props/chair.untold')).toEqual([true]);
    putConfig({ sources: ['gone/*.usd'], out: 'tiles' });
    expect(await run('art', 'cook')).toMatchObject({ code: 2, stderr: expect.stringContaining('sources: gone/*.usd') });
  });

  test('a pattern of a target that matches nothing is named', async () => {
    putConfig({ ...PROJECT, targets: { t: { files: [{ match: 'art/porps/', lod: 'none' }] } } });
    const { code, stderr } = await run('.', 'cook', '--no-cache');
    expect([code, stderr]).toEqual([0, expect.stringContaining('UC1080 untold.config.json targets/t/files/0/match')]);
  });

  test('a pattern of its sources that matches nothing is named where it stands, with the nearest', async () => {
    putConfig({ ...PROJECT, targets: { t: { sources: ['art/porps/*.gltf'], out: 'o/' } } });
    for (const command of ['cook', 'verify', 'clean', 'check']) {
      expect(await run('.', command, 't')).toMatchObject({
        code: 2,
        stderr:
          'error UC1004 untold.config.json targets/t/sources: art/porps/*.gltf: no file matches the pattern\n' +
          '  did you mean "art/props/*.gltf"?\n',
      });
    }
  });

  test('what a project does not say is named', async () => {
    const refused = async (config: unknown, ...args: string[]) => {
      putConfig(config);
      const { code, stderr } = await run('.', 'cook', ...args);
      return [code, stderr];
    };
    const targets = { small: { lod: 'none' }, large: {} };
    expect(await refused({ out: 'o', targets })).toEqual([
      2,
      'error UC1002 untold.config.json: it names no sources\n' +
        '  give it "sources", or build a target: `untold cook small`, `untold cook large`\n',
    ]);
    expect(await refused({ sources: 'art', targets }, 'small')).toEqual([
      2,
      'error UC1002 untold.config.json targets/small: it does not say where the output goes\n  give it "out"\n',
    ]);
    expect(await refused({ sources: 'art' }, '--no-config', '--out', 'o')).toEqual([
      2,
      'error UC1002: no source is named\n' +
        '  name a file, a folder or a pattern; or `untold init` writes a project file that names them\n',
    ]);
  });

  test('sources that are named go where the project says, with its options', async () => {
    putConfig({ ...PROJECT, 'textures-dir': undefined });
    expect((await run('.', 'cook', 'art/props/chair.gltf', ...CACHE)).code).toBe(0);
    expect(has('tiles/props/chair.json', 'tiles/town.json')).toEqual([true, false]);
    expect((await run('.', 'cook', 'art/props/chair.gltf', '--out', 'other', ...CACHE)).code).toBe(0);
    expect(has('other/props/chair.json')).toEqual([true]);
  });
});

describe('a word', () => {
  test('that is no file and near a target', async () => {
    putConfig(PROJECT);
    for (const command of ['cook', 'verify', 'clean']) {
      const { code, stderr } = await run('.', command, 'preveiw');
      expect([command, code, stderr]).toEqual([command, 2, expect.stringContaining('UC1072 preveiw')]);
      expect(stderr).toContain('did you mean preview?');
    }
    expect((await run('.', 'cook', 'xyz')).stderr).toContain('its targets are preview, props, web, later');
    expect((await run('.', 'cook', 'town.gltf')).stderr).toContain('UC1011 town.gltf');
  });

  test('that is a target stands alone', async () => {
    putConfig(PROJECT);
    const { code, stderr } = await run('.', 'cook', 'preview', 'props');
    expect([code, stderr]).toEqual([2, expect.stringContaining('UC1071 preview')]);
  });

  test('that is a folder stays a source, unless it is an output', async () => {
    putConfig({ ...PROJECT, targets: { art: { out: 'art/tiles' }, web: PROJECT.targets.web } });
    const source = await run('.', 'cook', 'art', ...CACHE);
    expect([source.code, source.stderr]).toEqual([
      0,
      expect.stringContaining('warning UC1070 art: it is taken as the folder'),
    ]);
    expect(has('tiles/town.json', 'art/tiles')).toEqual([true, false]);
    // Web/ holds what the target writes, and nothing else.
    for (const _ of [1, 2]) {
      const built = await run('.', 'cook', 'web', ...CACHE);
      expect([built.code, built.stderr]).toEqual([0, expect.not.stringContaining('UC1070')]);
    }
    expect(has('web/out/chair.glb')).toEqual([true]);
    expect((await run('.', 'clean', 'art')).stderr).toMatch(/UC1070 art[\s\S]*UC1002/);
  });
});

describe('untold verify', () => {
  test('of the project and of every target tells that it is sound and up to date, and by what', async () => {
    putConfig(PROJECT);
    for (const target of [[], ['preview'], ['props'], ['web'], ['later']]) {
      const missing = await run('.', 'verify', ...target, ...CACHE);
      expect([target, missing.code, missing.stderr]).toEqual([target, 3, expect.stringContaining('UC1200')]);
      expect(missing.stderr).toContain(`build them: \`${['untold cook', ...target].join(' ')}\``);
      expect((await run('.', 'cook', ...target, ...CACHE)).code).toBe(0);
      const { code, stderr, stdout } = await run('.', 'verify', ...target, ...CACHE);
      expect([target, code, stdout]).toEqual([target, 0, '']);
      expect(stderr).toMatch(/^\d+ files?: sound; up to date, \d sources?\n$/);
    }
    put(folder, 'art/props/chair.gltf', squareGltf({ size: 3 }));
    for (const target of [[], ['preview'], ['props'], ['web']]) {
      const { code, stderr } = await run('.', 'verify', ...target, ...CACHE);
      expect([target, code, stderr]).toEqual([target, 1, expect.stringContaining('UC3244 art/props/chair.gltf')]);
    }
    const cooked = await run('.', 'verify', 'later', '--no-cache');
    expect(cooked).toMatchObject({ code: 0, stderr: expect.stringContaining('no record of a cook: cooked again') });
  });

  test('knows a folder of --out-each, by the pattern and without it', async () => {
    const each = ['--out-each', 'models/{dir}/{name}.untold'];
    expect((await run('.', 'cook', 'art', ...each, ...CACHE)).code).toBe(0);
    const given = await run('.', 'verify', 'models', '--against', 'art', ...each, ...CACHE);
    expect(given).toMatchObject({ code: 0, stderr: '2 files: sound; up to date, 2 sources\n' });
    const found = await run('.', 'verify', 'models', '--against', 'art', ...CACHE, '-v');
    expect(found.stderr).toContain("UC1074 models: its files are compared as --out-each 'models/{dir}/{name}.untold'");
    expect(found).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('2 files: sound; up to date, 2 sources\n'),
    });
    const compared = await run('.', 'verify', 'models', '--against', 'art', '--no-cache', '--compress', 'none');
    expect(compared).toMatchObject({ code: 1, stderr: expect.stringContaining('UC3244 models/art/town.untold') });
    put(folder, 'art/late.gltf', squareGltf());
    const late = await run('.', 'verify', 'models', '--against', 'art', ...CACHE);
    expect(late).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('UC3245 art/late.gltf: models/art/late.untold'),
    });
  });

  test('knows what no source is cooked into, and GLB files, which folders are not searched for', async () => {
    const each = ['--out-each', 'web/{name}.glb'];
    expect((await run('.', 'cook', 'art', ...each, ...CACHE)).code).toBe(0);
    expect(await run('.', 'verify', 'web')).toMatchObject({ code: 0, stderr: '2 files: sound\n' });
    rmSync(join(folder, 'art/props/chair.gltf'));
    const { code, stderr } = await run('.', 'verify', 'web', '--against', 'art', ...each, ...CACHE);
    expect([code, stderr]).toEqual([0, expect.stringContaining('warning UC3246 web/chair.glb')]);
  });

  test('without a project and without an output is refused', async () => {
    expect(await run('.', 'verify')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('UC1002: no output is named'),
    });
    mkdirSync(join(folder, 'empty'));
    const empty = await run('.', 'verify', 'empty');
    expect([empty.code, empty.stderr]).toEqual([2, expect.not.stringContaining('0 files')]);
  });
});

describe('untold clean', () => {
  test('of the project and of a target removes what has no source, and nothing of other builds', async () => {
    const targets = { inner: { out: 'tiles/inner', sources: 'art/town.gltf' }, props: PROJECT.targets.props };
    putConfig({ ...PROJECT, targets });
    for (const target of [[], ['inner'], ['props']]) expect((await run('.', 'cook', ...target, ...CACHE)).code).toBe(0);
    const nothing = await run('.', 'clean');
    expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('0 outputs removed') });
    expect((await run('.', 'verify', ...CACHE)).stderr).not.toContain('UC3246');
    put(folder, 'art/props/lamp.gltf', squareGltf());
    rmSync(join(folder, 'art/props/chair.gltf'));
    const before = filesBelow(join(folder, 'tiles'));
    const dry = await run('.', 'clean', '--dry-run');
    expect(dry.stdout).toMatch(/^would remove tiles\/props\/chair\.json: 3 files, .*\n$/);
    expect(filesBelow(join(folder, 'tiles'))).toEqual(before);
    expect((await run('.', 'clean')).stdout).toMatch(/^removed tiles\/props\/chair\.json: 3 files, .*\n$/);
    expect((await run('.', 'clean', 'props')).stdout).toMatch(/^removed models\/props\/chair\.untold: 1 file, .*\n$/);
    expect(has('tiles/inner/town.json', 'tiles/town.json')).toEqual([true, true]);
  });

  test('is refused where a source that the file names is gone, or where there is one file', async () => {
    putConfig({ ...PROJECT, sources: ['art/town.gltf', 'art/gone.gltf'] });
    const gone = await run('.', 'clean');
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining('UC1003 untold.config.json sources: art/gone.gltf'),
    ]);
    expect((await run('.', 'clean', 'later')).stderr).toContain('UC1003 later/town.untold: the build writes one file');
    expect((await run('.', 'clean', 'preview')).code).toBe(2);
    putConfig({ ...PROJECT, targets: {} });
    expect(await run('.', 'clean')).toMatchObject({ code: 0, stderr: expect.stringContaining('0 outputs removed') });
  });
});

describe('untold init', () => {
  test('names the line that .gitignore lacks, and no line that it has, in the folder or above it', async () => {
    const toIgnore = async (...args: string[]) =>
      JSON.parse((await run('.', 'init', '--force', '--json', ...args)).stdout).toIgnore;
    expect([await toIgnore(), await toIgnore('art')]).toEqual(['/tiles/', '/art/tiles/']);
    put(folder, '.gitignore', '*.log\n/tiles/**\n');
    expect([await toIgnore(), await toIgnore('art')]).toEqual([null, '/art/tiles/']);
    put(folder, '.gitignore', 'tiles\n');
    expect([await toIgnore(), await toIgnore('art')]).toEqual([null, null]);
    rmSync(join(folder, '.git'), { recursive: true });
    rmSync(join(folder, '.gitignore'));
    expect(await toIgnore()).toBe(null);
  });

  test('writes a project that builds, says what it found, and replaces nothing without --force', async () => {
    put(folder, 'node_modules/three/lamp.glb', 'x');
    put(folder, 'yard.gltf', squareGltf());
    const { code, stdout, stderr } = await run('.', 'init');
    expect([code, stdout, stderr]).toEqual([
      0,
      '',
      'found art/: 2 files (.gltf)\nfound *.gltf: 1 file (.gltf)\n' +
        'wrote untold.config.json: `untold cook` cooks 3 sources into tiles/\n' +
        'what is cooked can be cooked again: a line /tiles/ in .gitignore keeps it out of the repository\n',
    ]);
    const text = () => readFileSync(join(folder, 'untold.config.json'), 'utf8');
    expect(JSON.parse(text())).toEqual({ sources: ['art/', '*.gltf'], root: '.', out: 'tiles/' });
    expect(await run('.', 'cook', ...CACHE)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('3 of 3 sources'),
    });
    expect(has('tiles/yard.json', 'tiles/art/props/chair.json')).toEqual([true, true]);
    putConfig({ out: 'mine' });
    expect(await run('.', 'init')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('UC1073 untold.config.json'),
    });
    expect(text()).toBe('{"out":"mine"}');
    const forced = await run('.', 'init', '--force', '--json');
    const { found, ...rest } = JSON.parse(forced.stdout);
    expect(rest).toMatchObject({ path: 'untold.config.json', replaced: true, sources: 3, sets: 3, above: null });
    expect(found[0]).toEqual({ match: 'art/', files: 2, extensions: { '.gltf': 2 } });
    expect(forced.stderr).toContain('found tiles/: 3 sets of earlier cooks, which goes on being the output');
    expect((await run('.', 'cook', ...CACHE)).stderr).toContain('art/town.gltf: up to date');
  });

  test('of names that differ in the ending, of another folder, and below another project', async () => {
    putConfig({ out: 'mine' });
    put(folder, 'art/town.glb', 'x');
    const { code, stderr } = await run('.', 'init', 'art');
    expect([code, stderr]).toEqual([0, expect.stringContaining('untold.config.json does not hold here any more')]);
    expect(JSON.parse(readFileSync(join(folder, 'art/untold.config.json'), 'utf8'))).toEqual({
      sources: ['props/', '*.glb', '*.gltf'],
      root: '.',
      out: 'tiles/',
      'on-clash': 'rename',
    });
    expect(stderr).toContain('wrote art/untold.config.json');
    mkdirSync(join(folder, 'empty'));
    expect(await run('.', 'init', 'empty')).toMatchObject({ code: 2, stderr: expect.stringContaining('UC1004') });
    expect(await run('.', 'init', 'gone')).toMatchObject({ code: 2, stderr: expect.stringContaining('UC1003 gone') });
    expect((await run('art', 'init', '-f', '-q')).stderr).toBe('');
  });
});

describe('what a project file misspells', () => {
  test('a source that is not there is named with the file, its key and what is like it', async () => {
    putConfig({ ...PROJECT, sources: ['artt/'] });
    const whole = await run('.', 'cook');
    expect([whole.code, whole.stderr]).toEqual([
      2,
      'error UC1003 untold.config.json sources: artt/ does not exist\n  did you mean art?\n',
    ]);
    putConfig({ ...PROJECT, targets: { props: { sources: 'art/prop', 'out-each': 'models/{name}.untold' } } });
    const target = await run('.', 'cook', 'props');
    expect([target.code, target.stderr]).toEqual([2, expect.stringContaining('targets/props/sources: art/prop does')]);
  });

  test('a pattern without {name} is told to have it', async () => {
    putConfig({ ...PROJECT, targets: { props: { 'out-each': 'models/one.untold' } } });
    const { code, stderr } = await run('.', 'cook', 'props');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/UC1005[\s\S]*put \{name\} into the pattern/)]);
  });
});

test('verify --strict judges warnings, and takes nothing for out of date', async () => {
  putConfig(PROJECT);
  expect((await run('.', 'cook', ...CACHE)).code).toBe(0);
  const { code, stderr } = await run('.', 'verify', '--strict', ...CACHE);
  expect([code, stderr]).toEqual([0, expect.stringContaining('up to date, 2 sources')]);
});
