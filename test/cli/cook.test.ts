import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BIN, put, RED_PNG, squareGltf, start, temporaryFolder, untold } from './run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Document {
  version: string;
  results: {
    source: string;
    status: string;
    outputs: { path: string; bytes: number; sha256: string }[];
    totals: Record<string, number> | null;
    diagnostics: { code: string; severity: string; file: string; path: string; message: string; remedy: string }[];
  }[];
  run: { seconds: number; peakBytes: number };
}

function cookJson(...args: string[]): Document & { code: number | null; stderr: string } {
  const { code, stdout, stderr } = untold(folder, ['cook', ...args, '--json']);
  return { ...(JSON.parse(stdout) as Document), code, stderr };
}

const has = (path: string) => existsSync(join(folder, path));

describe('one source', () => {
  test('into a folder: a manifest and its tiles', () => {
    put(folder, 'town.gltf', squareGltf());
    const { code, stdout, stderr } = untold(folder, ['cook', 'town.gltf', '--out', 'tiles/']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('town.gltf: 1 tile, 2 triangles');
    expect(stderr).toMatch(/1 of 1 source cooked: 1 tile, 2 triangles in, 2 out, 0 textures, .* peak memory\n$/);
    expect(readdirSync(join(folder, 'tiles')).sort()).toEqual(['town', 'town.json', 'town.plan.svg']);
    expect(untold(folder, ['validate', 'tiles']).code).toBe(0);
  });

  test('planned only: a table or one document on stdout, no file, no --out', () => {
    put(folder, 'town.gltf', squareGltf());
    const before = readdirSync(folder);
    const table = untold(folder, ['cook', 'town.gltf', '--dry-run', '--depfile', 'town.d']);
    expect(table.stderr).toMatch(/^1 of 1 source planned, nothing written: /m);
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(/^town\.gltf: 1 x 1 x 0 m, uniform_grid, cells of 25 m, 1 payload\n/);
    expect(table.stdout).toMatch(/\n {2}tile_0_0_0 +1 +2 +\d+ +1 +[\d.]+ k?B +10 +14 +10\n$/);
    expect(table.stderr).toContain('town.gltf: planned 1 payload, 2 triangles');
    const document = untold(folder, ['cook', 'town.gltf', '--dry-run', '--json']);
    const [{ plan, totals, outputs }] = JSON.parse(document.stdout).results;
    expect([plan.mode, totals, outputs]).toEqual(['uniform_grid', null, []]);
    expect(plan.tiles[0]).toMatchObject({ id: 'tile_0_0_0', triangles: 2, streamingRadius: 10, unloadRadius: 14 });
    expect(readdirSync(folder)).toEqual(before);
  });

  test.each([
    [['--tier-radius', 'Shell=1,2'], /UC1003.*the tiers are ExteriorShell/],
    [['--tier-radius', 'FineProps=5'], /UC1003.*a tier takes TIER=S,U or TIER=S,U,P/],
    [['--tier-radius', 'FineProps=5,4'], /UC1003.*must be greater/],
    [['--tier-radius', 'FineProps=5,9', '--tier-radius', 'FineProps=6,10'], /UC1012.*given twice/],
    [['--remote', '--shared-bucket', 'always'], /UC1012.*https/],
    [['--hlod', 'none', '--hlod-levels', '2'], /UC1012.*--hlod-levels.*without --hlod/],
    [['--hlod', '0.1', '--hlod-levels', '5'], /UC1003.*--hlod-levels.*a whole number from 1 to 4/],
    [['--partition', 'kdtre'], /UC1003.*did you mean kdtree/],
  ])('with %j is refused before anything is read', (args, said) => {
    const ran = untold(folder, ['cook', 'none.gltf', '--out', 'tiles', ...args]);
    put(folder, 'none.gltf', squareGltf());
    const again = untold(folder, ['cook', 'none.gltf', '--out', 'tiles', ...args]);
    expect([ran.code, again.code]).toEqual([2, 2]);
    expect(again.stderr).toMatch(said);
  });

  test('takes radii of two tiers, parted by commas or given again', () => {
    put(folder, 'town.gltf', squareGltf());
    const [shell, both] = ['ExteriorShell=30,50,4', 'StructuralInterior=60,80,9'];
    for (const args of [
      ['--tier-radius', `${both},${shell}`],
      ['--tier-radius', shell, '--tier-radius', both],
    ]) {
      const { stdout } = untold(folder, ['cook', 'town.gltf', '--dry-run', '--json', ...args]);
      const [tile] = JSON.parse(stdout).results[0].plan.tiles;
      expect([tile.streamingRadius, tile.unloadRadius, tile.priority]).toEqual([30, 50, 4]);
    }
  });

  test('into one file', () => {
    put(folder, 'chair.gltf', squareGltf());
    expect(untold(folder, ['cook', 'chair.gltf', '--out', 'out/chair.untold']).code).toBe(0);
    expect(readdirSync(join(folder, 'out'))).toEqual(['chair.untold']);
    expect(untold(folder, ['validate', 'out/chair.untold']).code).toBe(0);
  });

  test('gives one document, the same twice but for the run', () => {
    put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
    put(folder, 'red.png', RED_PNG);
    const first = cookJson('town.gltf', '--out', 'tiles');
    const { run, code, stderr, ...document } = first;
    expect(code).toBe(0);
    expect(Object.keys(document)).toEqual(['version', 'results']);
    expect(Object.keys(run)).toEqual(['seconds', 'peakBytes']);
    expect(run.peakBytes).toBeGreaterThan(10_000_000);
    const [result] = document.results;
    expect(Object.keys(result)).toEqual(['source', 'status', 'outputs', 'totals', 'diagnostics']);
    expect(result).toMatchObject({ source: 'town.gltf', status: 'ok', diagnostics: [] });
    expect(result.totals).toMatchObject({ objects: 1, tiles: 1, trianglesIn: 2, trianglesOut: 2, textures: 1 });
    expect(result.outputs.map(({ path }) => path)).toContain('tiles/town.json');
    expect(result.outputs.filter(({ path }) => path.startsWith('tiles/town/Textures/red_'))).toHaveLength(1);
    for (const { path, bytes, sha256 } of result.outputs) {
      const written = readFileSync(join(folder, path));
      expect([written.length, createHash('sha256').update(written).digest('hex')]).toEqual([bytes, sha256]);
    }
    const { run: _, ...again } = cookJson('town.gltf', '--out', 'tiles');
    expect(again).toEqual({ ...document, code, stderr: expect.any(String) });
  });

  test('that is missing, empty or broken is a coded failure, and nothing is written', () => {
    put(folder, 'empty.glb', '');
    put(folder, 'odd.gltf', 'PNG?');
    put(folder, 'lfs.glb', `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`);
    put(folder, 'untextured.gltf', squareGltf({ image: 'gone.png' }));
    for (const [file, code, diagnosed] of [
      ['missing.glb', 3, 'UC1200'],
      ['empty.glb', 1, 'UC1206'],
      ['odd.gltf', 1, 'UC1201'],
      ['lfs.glb', 1, 'UC1202'],
      ['untextured.gltf', 1, ''],
    ] as const) {
      const ran = cookJson(file, '--out', 'tiles');
      expect([file, ran.code]).toEqual([file, code]);
      const [{ status, outputs, totals, diagnostics }] = ran.results;
      expect({ status, outputs, totals }).toEqual({ status: 'failed', outputs: [], totals: null });
      const error = diagnostics.find((d) => d.severity === 'error')!;
      expect(Object.keys(error)).toEqual(['code', 'severity', 'file', 'path', 'message', 'remedy']);
      if (diagnosed) expect(error.code).toBe(diagnosed);
      expect(error.file).toBe(file);
      expect(error.message).not.toContain(folder);
      expect(ran.stderr).toContain(`error ${error.code} ${file}`);
      expect(has('tiles')).toBe(false);
    }
  });

  test('changes nothing of others, unless forced', () => {
    put(folder, 'town.gltf', squareGltf());
    put(folder, 'tiles/town.json', '{"mine": true}');
    const refused = cookJson('town.gltf', '--out', 'tiles');
    expect([refused.code, refused.results[0].diagnostics[0].code]).toEqual([2, 'UC4001']);
    expect(readFileSync(join(folder, 'tiles/town.json'), 'utf8')).toBe('{"mine": true}');
    expect(untold(folder, ['cook', 'town.gltf', '--out', 'tiles', '--force']).code).toBe(0);
    expect(untold(folder, ['cook', 'town.gltf', '--out', 'tiles']).code).toBe(0);
  });
});

describe('settings', () => {
  const tilesOf = (name: string) => JSON.parse(readFileSync(join(folder, `tiles/${name}.json`), 'utf8'));

  test('--scene, --tile-size, --compress and --format-version reach the output', () => {
    put(folder, 'town.gltf', squareGltf());
    const cook = (...args: string[]) => untold(folder, ['cook', 'town.gltf', '--out', 'tiles', ...args]).code;
    expect(cook()).toBe(0);
    expect([tilesOf('town').tiles.length, tilesOf('town').tile_size.x]).toEqual([1, 25]);
    expect(cook('--scene', 'Night')).toBe(0);
    expect(tilesOf('town').tiles).toHaveLength(2);
    expect(cook('--scene', '1', '--tile-size', '400')).toBe(0);
    expect(tilesOf('town').tile_size.x).toBe(400);
    expect(cook('--scene', 'Dusk')).toBe(2);
    const file = () => readFileSync(join(folder, 'one.untold'));
    const single = (...args: string[]) => untold(folder, ['cook', 'town.gltf', '--out', 'one.untold', ...args]).code;
    // The format version stands after the eight bytes of the magic number.
    expect([single(), file().readUInt32LE(8)]).toEqual([0, 1]);
    expect([single('--format-version', '4'), file().readUInt32LE(8)]).toEqual([0, 4]);
    expect(single('--compress', 'none')).toBe(0);
  });

  test('come from a preset, and the command line is stronger', () => {
    put(folder, 'town.gltf', squareGltf());
    const size = (...args: string[]) => {
      expect(untold(folder, ['cook', 'town.gltf', '--out', 'tiles', ...args]).code).toBe(0);
      return tilesOf('town').tile_size.x;
    };
    expect(size('--pipeline', 'outdoor')).toBe(50);
    expect(size('--pipeline', 'indoor')).toBe(10);
    expect(size('--pipeline', 'outdoor', '--tile-size', '5')).toBe(5);
    put(folder, 'conf/mine.json', '{"tile-size": 7, "strict": true}');
    expect(size('--pipeline', 'conf/mine.json')).toBe(7);
    put(folder, 'conf/all.json', '{"out": "../elsewhere", "json": true, "quiet": true}');
    const { code, stdout, stderr } = untold(folder, ['cook', 'town.gltf', '--pipeline', 'conf/all.json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).results[0].outputs.at(-1).path).toBe('elsewhere/town.json');
    expect(untold(folder, ['cook', 'town.gltf', '--pipeline', 'conf/all.json', '--no-json']).stdout).toBe('');
  });

  test('with an unknown key are refused with the nearest name', () => {
    put(folder, 'mine.json', '{"tile_size": 7}');
    const { code, stderr } = untold(folder, ['cook', 'x.glb', '--out', 'tiles', '--pipeline', 'mine.json']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'error UC1009 mine.json tile_size: there is no option "tile_size"\n  did you mean "tile-size"?\n',
    );
  });

  test('--missing-texture decides, --strict, --deny and --allow judge', () => {
    put(folder, 'town.gltf', squareGltf({ image: 'gone.png' }));
    const cook = (...args: string[]) => cookJson('town.gltf', '--out', 'tiles', ...args);
    expect(cook().code).toBe(1);
    const dropped = cook('--missing-texture', 'drop');
    expect(dropped.code).toBe(0);
    const [{ code, severity }] = dropped.results[0].diagnostics;
    expect(severity).toBe('warning');
    const placeholder = cook('--missing-texture', 'placeholder');
    expect([placeholder.code, placeholder.results[0].totals?.textures]).toEqual([0, 1]);
    rmSync(join(folder, 'tiles'), { recursive: true });
    for (const judged of [
      ['--strict'],
      ['--deny', code],
      ['--deny', `UC3104,${code}`],
      ['--deny', 'UC3104', '--deny', code],
    ]) {
      const ran = cook('--missing-texture', 'drop', ...judged);
      expect([judged, ran.code, ran.results[0].status, has('tiles')]).toEqual([judged, 1, 'failed', false]);
    }
    expect(cook('--missing-texture', 'drop', '--strict', '--allow', code.toLowerCase()).code).toBe(0);
  });
});

describe('many sources', () => {
  test('a failed one does not stop the others, and the table names them all', () => {
    put(folder, 'a/scene.gltf', squareGltf());
    put(folder, 'b/scene.gltf', '{');
    put(folder, 'c/scene.gltf', squareGltf());
    const ran = cookJson('.', '--root', '.', '--out', 'tiles');
    expect(ran.code).toBe(1);
    expect(ran.results.map(({ source, status }) => `${source} ${status}`)).toEqual([
      'a/scene.gltf ok',
      'b/scene.gltf failed',
      'c/scene.gltf ok',
    ]);
    expect([has('tiles/a/scene.json'), has('tiles/b'), has('tiles/c/scene.json')]).toEqual([true, false, true]);
    expect(ran.stderr).toMatch(/^a\/scene\.gltf +ok +1 +2 +2 /m);
    expect(ran.stderr).toMatch(/^b\/scene\.gltf +failed UC\d{4}$/m);
    expect(ran.stderr).toMatch(/^2 of 3 sources cooked, 1 failed: 2 tiles, 4 triangles in, 4 out/m);
  });

  test('--fail-fast stops at the first', () => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'b.gltf', '{');
    put(folder, 'c.gltf', squareGltf());
    const ran = cookJson('*.gltf', '--out', 'tiles', '--fail-fast');
    expect([ran.code, ...ran.results.map(({ status }) => status)]).toEqual([1, 'ok', 'failed', 'skipped']);
    expect(ran.results[2]).toEqual({ source: 'c.gltf', status: 'skipped', outputs: [], totals: null, diagnostics: [] });
    expect(ran.stderr).toMatch(/^c\.gltf +skipped$/m);
    expect(has('tiles/c.json')).toBe(false);
  });

  test('the worst exit code counts', () => {
    put(folder, 'b.gltf', '{');
    expect(cookJson('b.gltf', 'missing.glb', '--out', 'tiles').code).toBe(3);
  });

  test('that clash are refused before anything is written', () => {
    put(folder, 'a/Scene.gltf', squareGltf());
    put(folder, 'b/scene.gltf', squareGltf());
    const { code, stdout, stderr } = untold(folder, ['cook', '.', '--out', 'tiles', '--json']);
    expect([code, JSON.parse(stdout), has('tiles')]).toMatchObject([2, { results: [] }, false]);
    expect(stderr).toContain('UC1005 b/scene.gltf: writes scene.json in --out, as a/Scene.gltf does');
    expect(untold(folder, ['cook', '.', '--root', '.', '--out', 'tiles']).code).toBe(0);
  });

  test('have to lie below a given root', () => {
    put(folder, 'art/a.gltf', squareGltf());
    put(folder, 'b.gltf', squareGltf());
    const { code, stderr } = untold(folder, ['cook', 'art', 'b.gltf', '--root', 'art', '--out', 'tiles']);
    expect(code).toBe(2);
    expect(stderr).toContain('UC1011 b.gltf');
  });
});

describe('what is printed', () => {
  beforeEach(() => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'b.gltf', '{');
  });

  test('--quiet: errors only', () => {
    expect(untold(folder, ['cook', 'a.gltf', '--out', 'tiles', '--quiet'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(untold(folder, ['cook', 'b.gltf', '--out', 'tiles', '--quiet']).stderr).toMatch(
      /^error UC\d+ b\.gltf: .*\n {2}.*\n$/,
    );
  });

  test('--verbose: also stages and files', () => {
    const { stderr } = untold(folder, ['cook', 'a.gltf', '--out', 'tiles', '--verbose']);
    const stages = [...stderr.matchAll(/^(\w+)(?: \d+\/\d+)? {2}a\.gltf$/gm)].map((match) => match[1]);
    expect(stages).toEqual(['read', 'textures', 'cook', 'write', 'verify']);
    expect(stderr).toMatch(/^ {2}tiles\/a\.json /m);
    expect(stderr).not.toContain('\r');
  });

  test('--log-format json: one object a line', () => {
    const { code, stdout, stderr } = untold(folder, ['cook', '*.gltf', '--out', 'tiles', '--log-format', 'json']);
    expect([code, stdout]).toEqual([1, '']);
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.find((e) => e.event === 'cooked')).toMatchObject({
      level: 'info',
      source: 'a.gltf',
      status: 'ok',
      tiles: 1,
    });
    expect(events.find((e) => e.level === 'error')).toMatchObject({
      file: 'b.gltf',
      code: expect.stringMatching(/^UC/),
    });
    expect(events.at(-1)).toMatchObject({ event: 'finished', sources: 2, cooked: 1, failed: 1, tiles: 1 });
  });
});

describe('--depfile', () => {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');

  test('names the output and every file that was read, presets included', () => {
    put(folder, 'art/my town.gltf', squareGltf({ image: 'red%20wall.png' }));
    put(folder, 'art/red wall.png', RED_PNG);
    put(folder, 'mine.json', '{"tile-size": 7}');
    const args = ['cook', 'art', '--out', 'tiles', '--depfile', 'build/tiles.d', '--pipeline', 'mine.json'];
    expect(untold(folder, args).code).toBe(0);
    expect(readdirSync(join(folder, 'build'))).toEqual(['tiles.d']);
    expect(read('build/tiles.d')).toBe(
      [
        'tiles/my_town.json: \\\n  art/my\\ town.gltf \\\n  art/red\\ wall.png \\\n  mine.json\n',
        'art/my\\ town.gltf:\n',
        'art/red\\ wall.png:\n',
        'mine.json:\n',
      ].join('\n'),
    );
    expect(untold(folder, ['cook', 'art', '--out', 'x.untold', '--depfile', 'x.d']).code).toBe(0);
    expect(read('x.d')).toMatch(/^x\.untold: /);
  });

  test('that cannot be written is an error of its own', () => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'file', '');
    const { code, stderr } = untold(folder, ['cook', 'a.gltf', '--out', 'tiles', '--depfile', 'file/a.d']);
    expect([code, has('tiles/a.json')]).toEqual([3, true]);
    expect(stderr).toContain('error UC4000 file');
  });

  test.skipIf(process.platform === 'win32')('warns of names that make cannot be told', () => {
    put(folder, 'a;b.gltf', squareGltf());
    const ran = cookJson('a;b.gltf', '--out', 'tiles', '--depfile', 'a.d');
    expect([ran.code, ran.results[0].diagnostics.map((d) => `${d.severity} ${d.code} ${d.file}`)]).toEqual([
      0,
      ['warning UC1014 a;b.gltf'],
    ]);
    expect(cookJson('a;b.gltf', '--out', 'tiles', '--depfile', 'a.d', '--deny', 'UC1014').code).toBe(1);
  });

  const hasMake = spawnSync('make', ['--version']).status === 0;

  test.skipIf(!hasMake)('lets make cook only what changed (skipped where make is not installed)', () => {
    put(folder, 'art/a.gltf', squareGltf({ image: 'wall.png' }));
    put(folder, 'art/b.gltf', squareGltf());
    put(folder, 'art/wall.png', RED_PNG);
    put(
      folder,
      'Makefile',
      [
        `UNTOLD = "${process.execPath}" "${BIN}"`,
        'SOURCES := $(wildcard art/*.gltf)',
        'MANIFESTS := $(SOURCES:art/%.gltf=tiles/%.json)',
        'all: $(MANIFESTS)',
        'tiles/%.json: art/%.gltf',
        '\t$(UNTOLD) cook $< --out tiles --depfile tiles/$*.d --missing-texture drop --quiet',
        '-include $(MANIFESTS:.json=.d)',
        '',
      ].join('\n'),
    );
    // Times are set by hand: sources 1000, what is cooked 2000, what is touched 3000.
    const at = (file: string, seconds: number) => utimesSync(join(folder, file), seconds, seconds);
    for (const file of ['art/a.gltf', 'art/b.gltf', 'art/wall.png']) at(file, 1000);
    const make = () => spawnSync('make', [], { cwd: folder, encoding: 'utf8' });
    const cooked = () => {
      const { status, stdout, stderr } = make();
      expect([status, stderr]).toEqual([0, '']);
      for (const file of ['tiles/a.json', 'tiles/b.json']) at(file, 2000);
      return [...stdout.matchAll(/cook art\/(\w)\.gltf/g)].map((match) => match[1]);
    };
    expect(cooked()).toEqual(['a', 'b']);
    expect(cooked()).toEqual([]);
    at('art/wall.png', 3000);
    expect(cooked()).toEqual(['a']);
    at('art/wall.png', 1000);
    expect(cooked()).toEqual([]);
    at('art/b.gltf', 3000);
    expect(cooked()).toEqual(['b']);
    at('art/b.gltf', 1000);
    rmSync(join(folder, 'art/wall.png'));
    const { status, stdout } = make();
    expect([status, /cook art\/a\.gltf/.test(stdout)]).toEqual([0, true]);
  });
});

describe('when things go wrong', () => {
  test('a bug is called one, ends with 4, and the other sources are still cooked', () => {
    for (const name of ['a', 'b', 'c']) put(folder, `${name}.gltf`, squareGltf());
    // A fault planted from outside: the first hash of the process throws what no code of ours expects.
    put(
      folder,
      'fault.mjs',
      `import crypto from 'node:crypto';
       import { syncBuiltinESMExports } from 'node:module';
       const real = crypto.createHash;
       let first = true;
       crypto.createHash = (...args) => {
         if (first) { first = false; throw new TypeError('planted'); }
         return real(...args);
       };
       syncBuiltinESMExports();`,
    );
    const planted = { NODE_OPTIONS: `--import=./fault.mjs` };
    const { code, stdout, stderr } = untold(folder, ['cook', '*.gltf', '--out', 'tiles', '--json'], planted);
    expect(code).toBe(4);
    const { results } = JSON.parse(stdout) as Document;
    expect(results.map(({ status }) => status)).toEqual(['failed', 'ok', 'ok']);
    expect(results[0].diagnostics).toMatchObject([
      { code: 'UC1099', file: 'a.gltf', message: 'this is a bug in untold: TypeError: planted' },
    ]);
    expect(stderr).not.toContain('    at ');
    rmSync(join(folder, 'tiles'), { recursive: true });
    const verbose = untold(folder, ['cook', 'a.gltf', '--out', 'tiles', '--verbose'], planted);
    expect(verbose.code).toBe(4);
    expect(verbose.stderr).toMatch(/TypeError: planted\n {4}at /);
    expect(has('tiles')).toBe(false);
  });

  test.skipIf(process.platform === 'win32').each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s ends with %i, leaves whole sets only, and the document says how far it came',
    async (signal, expected) => {
      for (let i = 100; i < 250; i++) put(folder, `art/s${i}.gltf`, squareGltf());
      const child = start(folder, ['cook', 'art', '--out', 'tiles', '--json']);
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        if (stderr === '') child.kill(signal);
        stderr += chunk;
      });
      const code = await new Promise((done) => child.on('close', done));
      expect(code).toBe(expected);
      expect(stderr).toContain(`error UC1098: stopped by ${signal}`);
      const { results } = JSON.parse(stdout) as Document;
      const states = results.map(({ status }) => status);
      expect(states).toHaveLength(150);
      expect(states[0]).toBe('ok');
      expect(states.at(-1)).toBe('skipped');
      const cooked = results.filter(({ status }) => status === 'ok').length;
      const entries = readdirSync(join(folder, 'tiles'));
      expect(entries.filter((name) => name.startsWith('.'))).toEqual([]);
      expect(entries.filter((name) => name.endsWith('.json')).length).toBeGreaterThanOrEqual(cooked);
      expect(untold(folder, ['validate', 'tiles', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );
});
