// One source through the command line: what is written, settings from everywhere, and what is printed.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gltf, plain, type Thing } from '../cook/things.ts';
import { sphere } from '../geometry/packed.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

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

async function cookJson(...args: string[]): Promise<Document & { code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await untold(folder, ['cook', ...args, '--json']);
  return { ...(JSON.parse(stdout) as Document), code, stderr };
}

const has = (path: string) => existsSync(join(folder, path));

describe('one source', () => {
  test('into a folder: a manifest and its tiles', async () => {
    put(folder, 'town.gltf', squareGltf());
    const { code, stdout, stderr } = await untold(folder, ['cook', 'town.gltf', '--out', 'tiles/']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('town.gltf: 1 tile, 2 triangles');
    expect(stderr).toMatch(/1 of 1 source cooked: 1 tile, 2 triangles in, 2 out, 0 texture files, .* peak memory\n$/);
    expect(readdirSync(join(folder, 'tiles')).sort()).toEqual(['town', 'town.json', 'town.plan.svg']);
    expect((await untold(folder, ['validate', 'tiles'])).code).toBe(0);
  });

  test('planned only: a table or one document on stdout, no file, no --out', async () => {
    put(folder, 'town.gltf', squareGltf());
    const before = readdirSync(folder);
    const table = await untold(folder, ['cook', 'town.gltf', '--dry-run', '--depfile', 'town.d']);
    expect(table.stderr).toMatch(/^1 of 1 source planned, nothing written: /m);
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(/^town\.gltf: 1 x 1 x 0 m, uniform_grid, cells of 25 m, 1 payload\n/);
    expect(table.stdout).toMatch(/\n {2}tile_0_0_0 +1 +2 +\d+ +1 +[\d.]+ k?B +10 +14 +10\n$/);
    expect(table.stderr).toContain('town.gltf: planned 1 payload, 2 triangles');
    const document = await untold(folder, ['cook', 'town.gltf', '--dry-run', '--json']);
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
    [['--hlod', 'none', '--hlod-levels', '2'], /UC1012.*--hlod-levels.*with --hlod none/],
    [['--hlod', '0.1', '--hlod-levels', '5'], /UC1003.*--hlod-levels.*a whole number from 1 to 4/],
    [['--partition', 'kdtre'], /UC1003.*did you mean kdtree/],
  ])('with %j is refused before anything is read', async (args, said) => {
    const ran = await untold(folder, ['cook', 'none.gltf', '--out', 'tiles', ...args]);
    put(folder, 'none.gltf', squareGltf());
    const again = await untold(folder, ['cook', 'none.gltf', '--out', 'tiles', ...args]);
    expect([ran.code, again.code]).toEqual([2, 2]);
    expect(again.stderr).toMatch(said);
  });

  test('takes radii of two tiers, split by commas or given again', async () => {
    put(folder, 'town.gltf', squareGltf());
    const [shell, both] = ['ExteriorShell=30,50,4', 'StructuralInterior=60,80,9'];
    for (const args of [
      ['--tier-radius', `${both},${shell}`],
      ['--tier-radius', shell, '--tier-radius', both],
    ]) {
      const { stdout } = await untold(folder, ['cook', 'town.gltf', '--dry-run', '--json', ...args]);
      const [tile] = JSON.parse(stdout).results[0].plan.tiles;
      expect([tile.streamingRadius, tile.unloadRadius, tile.priority]).toEqual([30, 50, 4]);
    }
  });

  test('into one file', async () => {
    put(folder, 'chair.gltf', squareGltf());
    expect((await untold(folder, ['cook', 'chair.gltf', '--out', 'out/chair.untold'])).code).toBe(0);
    expect(readdirSync(join(folder, 'out'))).toEqual(['chair.untold']);
    expect((await untold(folder, ['validate', 'out/chair.untold'])).code).toBe(0);
  });

  test('gives one document, the same twice but for the run', async () => {
    put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
    put(folder, 'red.png', RED_PNG);
    const first = await cookJson('town.gltf', '--out', 'tiles');
    const { run, code, stderr, ...document } = first;
    expect(code).toBe(0);
    expect(Object.keys(document)).toEqual(['schemaVersion', 'version', 'results', 'totals', 'diagnostics']);
    expect(Object.keys(run)).toEqual(['seconds', 'peakBytes', 'cooked', 'upToDate', 'written']);
    expect(run.peakBytes).toBeGreaterThan(10_000_000);
    const [result] = document.results;
    expect(Object.keys(result)).toEqual(['source', 'status', 'outputs', 'totals', 'diagnostics']);
    expect(result).toMatchObject({ source: 'town.gltf', status: 'ok', diagnostics: [] });
    expect(result.totals).toMatchObject({ objects: 1, tiles: 1, trianglesIn: 2, trianglesOut: 2, textures: 1 });
    expect(result.outputs.map(({ path }) => path)).toContain('tiles/town.json');
    expect(result.outputs.filter(({ path }) => path.startsWith('tiles/town/Textures/red.'))).toHaveLength(1);
    for (const { path, bytes, sha256 } of result.outputs) {
      const written = readFileSync(join(folder, path));
      expect([written.length, createHash('sha256').update(written).digest('hex')]).toEqual([bytes, sha256]);
    }
    const { run: _, ...again } = await cookJson('town.gltf', '--out', 'tiles');
    expect(again).toEqual({ ...document, code, stderr: expect.any(String) });
  });

  test('that is missing, empty or broken is a coded failure, and nothing is written', async () => {
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
      const ran = await cookJson(file, '--out', 'tiles');
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

  test('never replaces a source, not even forced, and under another name neither', async () => {
    put(folder, 'town.gltf', squareGltf());
    expect((await untold(folder, ['cook', 'town.gltf', '--out', 'town.untold'])).code).toBe(0);
    const before = readFileSync(join(folder, 'town.untold'));
    symlinkSync('town.untold', join(folder, 'link.untold'));
    for (const [source, ...more] of [['town.untold'], ['town.untold', '--force'], ['link.untold']]) {
      const { code, results } = await cookJson(source, '--out', 'town.untold', ...more);
      expect([code, results[0].diagnostics]).toEqual([2, [expect.objectContaining({ code: 'UC1050', file: source })]]);
    }
    const both = await cookJson('town.gltf', 'town.untold', '--out-each', '{name}.untold', '--on-clash', 'rename');
    expect([both.code, both.results.map(({ status }) => status)]).toEqual([0, ['ok', 'ok']]);
    expect(readFileSync(join(folder, 'town.untold'))).toEqual(before);
  });

  test('changes nothing of others, unless forced', async () => {
    put(folder, 'town.gltf', squareGltf());
    put(folder, 'tiles/town.json', '{"mine": true}');
    const refused = await cookJson('town.gltf', '--out', 'tiles');
    expect([refused.code, refused.results[0].diagnostics[0].code]).toEqual([2, 'UC4001']);
    expect(readFileSync(join(folder, 'tiles/town.json'), 'utf8')).toBe('{"mine": true}');
    expect((await untold(folder, ['cook', 'town.gltf', '--out', 'tiles', '--force'])).code).toBe(0);
    expect((await untold(folder, ['cook', 'town.gltf', '--out', 'tiles'])).code).toBe(0);
  });
});

describe('settings', () => {
  const tilesOf = (name: string) => JSON.parse(readFileSync(join(folder, `tiles/${name}.json`), 'utf8'));

  test('--scene, --tile-size, --compress and --format-version reach the output', async () => {
    put(folder, 'town.gltf', squareGltf());
    const cook = async (...args: string[]) =>
      (await untold(folder, ['cook', 'town.gltf', '--out', 'tiles', ...args])).code;
    expect(await cook()).toBe(0);
    expect([tilesOf('town').tiles.length, tilesOf('town').tile_size.x]).toEqual([1, 25]);
    expect(await cook('--scene', 'Night')).toBe(0);
    expect(tilesOf('town').tiles).toHaveLength(2);
    expect(await cook('--scene', '1', '--tile-size', '400')).toBe(0);
    expect(tilesOf('town').tile_size.x).toBe(400);
    expect(await cook('--scene', 'Dusk')).toBe(2);
    const file = () => readFileSync(join(folder, 'one.untold'));
    const single = async (...args: string[]) =>
      (await untold(folder, ['cook', 'town.gltf', '--out', 'one.untold', ...args])).code;
    // The format version stands after the eight bytes of the magic number.
    expect([await single(), file().readUInt32LE(8)]).toEqual([0, 1]);
    expect([await single('--format-version', '4'), file().readUInt32LE(8)]).toEqual([0, 4]);
    expect(await single('--compress', 'none')).toBe(0);
  });

  test('the usual levels are made unless --lod and --hlod say otherwise', async () => {
    const balls = [12, 72].map((x, i): Thing => ({ mesh: sphere(x, 2, 12, 2, 24), material: 0, name: `Ball_${i}` }));
    put(folder, 'two.gltf', gltf(balls, [plain('paint', [0.5, 0.5, 0.5])]));
    put(folder, 'one.gltf', gltf(balls.slice(1), [plain('paint', [0.5, 0.5, 0.5])]));
    const cooked = async (source: string, ...args: string[]) => {
      const options = ['--out', 'tiles', '--lod-check', 'geometry', ...args];
      const { code, results } = await cookJson(`${source}.gltf`, ...options);
      const { outputs, diagnostics } = results[0];
      expect([code, diagnostics.filter(({ severity }) => severity !== 'info')]).toEqual([0, []]);
      return outputs.map(({ path }) => path).filter((path) => path.endsWith('.untold'));
    };
    const kinds = (paths: readonly string[]) => paths.map((path) => /_(lod\d|hlod)_/.exec(path)?.[1] ?? 'full').sort();
    const usual = await cooked('two');
    expect(kinds(usual)).toEqual(['full', 'full', 'hlod', 'hlod', 'lod1', 'lod1', 'lod2', 'lod2']);
    expect(await cooked('two', '--lod', '0.5,0.2', '--hlod', '0.1')).toEqual(usual);
    expect(kinds(await cooked('two', '--lod', 'none', '--hlod', 'none'))).toEqual(['full', 'full']);
    expect(kinds(await cooked('one'))).toEqual(['full']);
    expect(await cooked('two', '--out', 'two.untold')).toEqual(['two.untold']);
  });

  test('come from a preset, and the command line is stronger', async () => {
    put(folder, 'town.gltf', squareGltf());
    const size = async (...args: string[]) => {
      expect((await untold(folder, ['cook', 'town.gltf', '--out', 'tiles', ...args])).code).toBe(0);
      return tilesOf('town').tile_size.x;
    };
    expect(await size('--pipeline', 'outdoor')).toBe(50);
    expect(await size('--pipeline', 'indoor')).toBe(10);
    expect(await size('--pipeline', 'outdoor', '--tile-size', '5')).toBe(5);
    put(folder, 'conf/mine.json', '{"tile-size": 7, "strict": true}');
    expect(await size('--pipeline', 'conf/mine.json')).toBe(7);
    put(folder, 'conf/all.json', '{"out": "../elsewhere", "json": true, "quiet": true}');
    const { code, stdout, stderr } = await untold(folder, ['cook', 'town.gltf', '--pipeline', 'conf/all.json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).results[0].outputs.at(-1).path).toBe('elsewhere/town.json');
    expect((await untold(folder, ['cook', 'town.gltf', '--pipeline', 'conf/all.json', '--no-json'])).stdout).toBe('');
  });

  test('with an unknown key are refused with the nearest name', async () => {
    put(folder, 'mine.json', '{"tile_size": 7}');
    const { code, stderr } = await untold(folder, ['cook', 'x.glb', '--out', 'tiles', '--pipeline', 'mine.json']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'error UC1009 mine.json tile_size: there is no option "tile_size"\n  did you mean "tile-size"?\n',
    );
  });

  test('--missing-texture decides, --strict, --deny and --allow judge', async () => {
    put(folder, 'town.gltf', squareGltf({ image: 'gone.png' }));
    const cook = (...args: string[]) => cookJson('town.gltf', '--out', 'tiles', ...args);
    expect((await cook()).code).toBe(1);
    const dropped = await cook('--missing-texture', 'drop');
    expect(dropped.code).toBe(0);
    const [{ code, severity }] = dropped.results[0].diagnostics;
    expect(severity).toBe('warning');
    const placeholder = await cook('--missing-texture', 'placeholder');
    expect([placeholder.code, placeholder.results[0].totals?.textures]).toEqual([0, 1]);
    rmSync(join(folder, 'tiles'), { recursive: true });
    for (const judged of [
      ['--strict'],
      ['--deny', code],
      ['--deny', `UC3104,${code}`],
      ['--deny', 'UC3104', '--deny', code],
    ]) {
      const ran = await cook('--missing-texture', 'drop', ...judged);
      expect([judged, ran.code, ran.results[0].status, has('tiles')]).toEqual([judged, 1, 'failed', false]);
    }
    expect((await cook('--missing-texture', 'drop', '--strict', '--allow', code.toLowerCase())).code).toBe(0);
  });
});

describe('what is printed', () => {
  beforeEach(() => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'b.gltf', '{');
  });

  test('--quiet: errors only, and what a call that failed came to', async () => {
    expect(await untold(folder, ['cook', 'a.gltf', '--out', 'tiles', '--quiet'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect((await untold(folder, ['cook', 'b.gltf', '--out', 'tiles', '--quiet'])).stderr).toMatch(
      /^error UC\d+ b\.gltf: .*\n {2}.*\n0 of 1 source cooked, 1 failed: [^\n]*\n$/,
    );
  });

  test('--verbose: also stages and files', async () => {
    const { stderr } = await untold(folder, ['cook', 'a.gltf', '--out', 'tiles', '--verbose']);
    const stages = [...stderr.matchAll(/^(\w+)(?: \d+\/\d+)? {2}a\.gltf$/gm)].map((match) => match[1]);
    expect(stages).toEqual(['read', 'textures', 'cook', 'write', 'verify']);
    expect(stderr).toMatch(/^ {2}tiles\/a\.json /m);
    expect(stderr).not.toContain('\r');
  });

  test('--log-format json: one object a line', async () => {
    const { code, stdout, stderr } = await untold(folder, ['cook', '*.gltf', '--out', 'tiles', '--log-format', 'json']);
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
