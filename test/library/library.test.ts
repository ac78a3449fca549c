// The library as a program uses it: results as data, several calls at once, aborts, and nothing of the process touched.

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  cook,
  explain,
  importScene,
  inspect,
  inspectStage,
  type SourceResult,
  type StagePrimRow,
  validate,
} from '../../src/index.ts';
import { gltf, plain, type Thing } from '../cook/things.ts';
import { sphere } from '../geometry/packed.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { environment } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A row of balls, each in a cell of its own; five of 32 are heavy enough for threads. */
function balls(count: number, detail = 48): string {
  const things = Array.from(
    { length: count },
    (_, i): Thing => ({ mesh: sphere(i * 25 + 12, 2, 12, 2, detail), material: 0, name: `Ball_${i}` }),
  );
  return gltf(things, [plain('paint', [0.5, 0.5, 0.5])]);
}

const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map(({ code }) => code);

describe('cook()', () => {
  test('warns of each option of cooked textures where textures are not cooked, in presets too', async () => {
    const source = put(folder, 'square.gltf', squareGltf());
    const pipeline = put(folder, 'preset.json', JSON.stringify({ 'mip-filter': 'engine' }));
    const asked = {
      out: join(folder, 'out'),
      dryRun: true,
      pipeline,
      textureQuality: 'medium',
      maxTextureSize: 64,
    } as const;
    const warned = async (textures: 'utex' | 'png' | 'keep') => {
      const { exitCode, diagnostics } = await cook(source, { ...asked, textures });
      return [exitCode, ...diagnostics.map(({ code, severity, path }) => `${code} ${severity} ${path}`)];
    };
    const flags = ['--texture-quality', '--max-texture-size', '--mip-filter'];
    expect(await warned('keep')).toEqual([0, ...flags.map((flag) => `UC1015 warning ${flag}`)]);
    expect(await warned('png')).toEqual([0, ...flags.map((flag) => `UC1015 warning ${flag}`)]);
    expect(await warned('utex')).toEqual([0]);
  });

  test('gives the outcome of each source', async () => {
    const source = put(folder, 'square.gltf', squareGltf());
    const found: string[][] = [];
    const reported: SourceResult[] = [];
    const phases = new Set<string>();
    const { exitCode, results, diagnostics } = await cook(source, {
      out: join(folder, 'out'),
      tileSize: 10,
      onSources: (sources) => found.push([...sources]),
      onProgress: ({ phase, index, count }) => phases.add(`${index + 1}/${count} ${phase}`),
      onResult: (result) => reported.push(result),
    });
    expect([exitCode, diagnostics]).toEqual([0, []]);
    expect(results).toHaveLength(1);
    const [result] = results;
    expect(reported).toEqual([result]);
    expect(found).toEqual([[result.source]]);
    expect(result.status).toBe('ok');
    expect(result.target).toEqual({ kind: 'folder', folder: join(folder, 'out'), sceneName: 'square' });
    expect(result.totals).toMatchObject({ objects: 1, tiles: 1, trianglesIn: 2, trianglesOut: 2 });
    expect(result.filesRead).toEqual([source]);
    expect(result.outputs.map(({ path }) => relative(folder, path)).sort()).toEqual(
      Object.keys(contents(join(folder, 'out'))).map((path) => join('out', path)),
    );
    expect([...phases]).toEqual(['read', 'textures', 'cook', 'write', 'verify'].map((phase) => `1/1 ${phase}`));
  });

  test('cooks several sources as one, each in its place', async () => {
    const sources = ['a.gltf', 'b.gltf'].map((name) => put(folder, name, squareGltf({ at: 4_500_000 })));
    const found: string[][] = [];
    const { exitCode, results } = await cook(sources, {
      out: join(folder, 'out'),
      asOne: 'town',
      origin: [4_500_000, 0, 0],
      rotate: [0, 90, 0],
      dryRun: true,
      onSources: (names) => found.push([...names]),
    });
    expect([exitCode, found, results.length]).toEqual([0, [['town']], 1]);
    const [{ source, joined, filesRead, plan, diagnostics }] = results;
    expect([source, joined?.map((name) => resolve(name)), filesRead]).toEqual(['town', sources, sources]);
    expect(plan?.bounds).toEqual({ min: [0, 0, -1], max: [0, 1, 0] });
    expect(diagnostics.map(({ code }) => code)).not.toContain('UC2201');
    const placed = await importScene(sources[0], { origin: [4_500_000, 0, 0], scale: 2 });
    expect([...(placed.scene?.nodes[0].world ?? [])]).toEqual([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]);
  });

  test('gives what is refused as diagnostics, and nothing is printed or written', async () => {
    const source = put(folder, 'square.gltf', squareGltf());
    const out = join(folder, 'out');
    const refused = async (options: object, sources: string | string[] = source) => {
      const { exitCode, results, diagnostics } = await cook(sources, { out, ...options });
      expect([exitCode, results]).toEqual([2, []]);
      return diagnostics.map(({ code, path, message, remedy }) => `${code} ${path}: ${message} | ${remedy}`);
    };
    expect(await refused({ tileSise: 10 })).toEqual([
      'UC1001 tileSise: there is no option "tileSise" | did you mean tileSize?',
    ]);
    expect((await refused({ tileSize: '10', lod: [0.2, 0.5] })).map((text) => text.replace(/ \|.*/, ''))).toEqual([
      'UC1003 tileSize: "10" was given, but the option takes a number from 0.1 to 10000',
      'UC1003 lod: "[0.2,0.5]" was given, but the option takes up to 8 falling numbers between 0 and 1 separated by commas, auto or none',
    ]);
    expect((await refused({ quiet: true }))[0]).toMatch(/^UC1001 quiet:/);
    expect((await refused({ out: undefined }))[0]).toMatch(/^UC1002 --out:/);
    expect((await refused({}, []))[0]).toMatch(/^UC1002 : no source is named/);
    expect((await refused({}, join(folder, '*.usd')))[0]).toMatch(/^UC1004/);
    expect((await refused({ deny: ['UC9999'] }))[0]).toMatch(/^UC1010/);
    expect((await refused({ hlod: null, hlodLevels: 2 }))[0]).toMatch(/^UC1012 --hlod-levels/);
    expect(Object.keys(contents(folder))).toEqual(['square.gltf']);
  });

  test('goes on after a source that fails, unless failFast is set', async () => {
    const sources = [put(folder, 'a.gltf', '{'), put(folder, 'b.gltf', squareGltf())];
    const all = await cook(sources, { out: join(folder, 'out') });
    expect([all.exitCode, all.results.map(({ status }) => status)]).toEqual([1, ['failed', 'ok']]);
    expect(all.results[0].diagnostics[0].severity).toBe('error');
    const first = await cook(sources, { out: join(folder, 'fast'), failFast: true });
    expect([first.exitCode, first.results.map(({ status }) => status)]).toEqual([1, ['failed', 'skipped']]);
  });

  test('applies a preset below the options of the call, whatever the preset says of printing', async () => {
    const source = put(folder, 'square.gltf', squareGltf());
    const pipeline = put(folder, 'mine.json', '{"tile-size": 4, "lod": "none", "json": true, "out": "here"}');
    const { exitCode, results } = await cook(source, { pipeline, tileSize: 8, dryRun: true });
    expect(exitCode).toBe(0);
    expect(results[0].plan?.tileSize).toBe(8);
    expect(results[0].target).toMatchObject({ folder: join(folder, 'here') });
  });

  test('writes the same bytes in two calls at once, and with any number of threads', async () => {
    const [a, b] = [put(folder, 'a.gltf', balls(5, 32)), put(folder, 'b.gltf', balls(6, 28))];
    const levels = { lod: [0.5], hlod: null, lodCheck: 'geometry' } as const;
    const alone = async (source: string, out: string, jobs: number) => {
      expect((await cook(source, { out: join(folder, out), ...levels, jobs })).exitCode).toBe(0);
      return contents(join(folder, out));
    };
    const expected = [await alone(a, 'a-1', 1), await alone(b, 'b-1', 1)];
    expect(Object.keys(expected[0]).length).toBeGreaterThan(10);
    expect(await Promise.all([alone(a, 'a-2', 2), alone(b, 'b-2', 2)])).toEqual(expected);
    expect(await Promise.all([alone(a, 'a-3', 1), alone(b, 'b-3', 1)])).toEqual(expected);
  });

  test('waits for another call of the process that writes the same set, or refuses', async () => {
    const source = put(folder, 'a.gltf', balls(3, 16));
    const base = { out: join(folder, 'out'), lod: [0.5], hlod: null, lodCheck: 'geometry', jobs: 1 } as const;
    const waiting: string[] = [];
    const onProgress = ({ waitsFor }: { readonly waitsFor?: string }) => {
      if (waitsFor) waiting.push(waitsFor);
    };
    const both = await Promise.all([cook(source, base), cook(source, { ...base, onProgress })]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(waiting).toEqual([expect.stringMatching(/^this process \(\d+\) holds /)]);
    const options = { ...base, lockTimeout: 0 };
    const results = await Promise.all([cook(source, options), cook(source, options)]);
    expect(results.map(({ exitCode }) => exitCode).sort()).toEqual([0, 3]);
    const refused = results.find(({ exitCode }) => exitCode === 3);
    expect(refused && codes(refused.results[0])).toEqual(['UC4004']);
    expect((await validate(join(folder, 'out'))).exitCode).toBe(0);
  });
});

describe('an abort', () => {
  test.each([1, 2])('in the middle of a cook with %i threads ends with UC1098 and leaves nothing', async (jobs) => {
    const sources = [put(folder, 'a.gltf', balls(6, 32)), put(folder, 'b.gltf', balls(2, 8))];
    const out = join(folder, 'out');
    const stop = new AbortController();
    const { exitCode, results, diagnostics } = await cook(sources, {
      out,
      lod: [0.5],
      hlod: null,
      jobs,
      signal: stop.signal,
      onProgress: ({ phase, done }) => {
        if (phase === 'cook' && done === 1) stop.abort();
      },
    });
    expect([exitCode, results.map(({ status }) => status)]).toEqual([130, ['skipped', 'skipped']]);
    expect(diagnostics).toMatchObject([{ code: 'UC1098', severity: 'error', message: 'stopped by its AbortSignal' }]);
    expect(readdirSync(folder).sort()).toEqual(['a.gltf', 'b.gltf']);
    // The next call finds no lock and no staging folder.
    expect((await cook(sources, { out, lod: [], hlod: null, jobs })).exitCode).toBe(0);
  });

  test.each([1, 2])('by a timer stops a cook with %i threads too', async (jobs) => {
    const source = put(folder, 'a.gltf', balls(12));
    const stop = new AbortController();
    const isAborted = { while: '' };
    const cooking = cook(source, {
      out: join(folder, 'out'),
      lod: [0.5, 0.2],
      hlod: null,
      jobs,
      signal: stop.signal,
      onProgress: ({ phase }) => {
        isAborted.while = phase;
        if (phase === 'cook') setTimeout(() => stop.abort(), 0);
      },
    });
    expect((await cooking).exitCode).toBe(130);
    expect(['cook', 'levels']).toContain(isAborted.while);
    expect(readdirSync(folder)).toEqual(['a.gltf']);
  });

  test('keeps the sources that were complete', async () => {
    const sources = [put(folder, 'a.gltf', squareGltf()), put(folder, 'b.gltf', squareGltf())];
    const stop = new AbortController();
    const { exitCode, results } = await cook(sources, {
      out: join(folder, 'out'),
      signal: stop.signal,
      onResult: () => stop.abort(),
    });
    expect([exitCode, results.map(({ status }) => status)]).toEqual([130, ['ok', 'skipped']]);
    expect((await validate(join(folder, 'out'))).exitCode).toBe(0);
  });

  test('before a call begins it at once', async () => {
    const source = put(folder, 'a.gltf', squareGltf());
    const signal = AbortSignal.abort();
    const results = [
      await cook(source, { out: join(folder, 'out'), signal }),
      await validate(source, { signal }),
      await inspect(source, { signal }),
      await importScene(source, { signal }),
    ];
    for (const result of results) expect([result.exitCode, codes(result)]).toEqual([130, ['UC1098']]);
    expect(readdirSync(folder)).toEqual(['a.gltf']);
  });

  test('of a validation keeps what was checked', async () => {
    const files = ['a', 'b', 'c'].map((name) => put(folder, `${name}.untold`, 'none'));
    const stop = new AbortController();
    const { exitCode, files: checked } = await validate(files, { signal: stop.signal, onResult: () => stop.abort() });
    expect([exitCode, checked.length]).toEqual([130, 1]);
  });
});

describe('the other calls', () => {
  test('validate() checks a set, and names what is wrong', async () => {
    await cook(put(folder, 'square.gltf', squareGltf()), { out: join(folder, 'out') });
    const good = await validate(join(folder, 'out'));
    expect([good.exitCode, good.files.length, good.files.every(({ ok }) => ok)]).toEqual([0, 2, true]);
    const tile = readdirSync(join(folder, 'out/square')).filter((name) => name.endsWith('.untold'))[0];
    writeFileSync(join(folder, 'out/square', tile), 'broken');
    const bad = await validate(join(folder, 'out'));
    expect(bad.exitCode).toBe(1);
    expect(bad.files.some(({ ok, diagnostics }) => !ok && diagnostics.length > 0)).toBe(true);
    const none = await validate(join(folder, 'nowhere.untold'));
    expect([none.exitCode, none.files.map(codes)]).toEqual([3, [['UC1200']]]);
  });

  test('inspect() describes sources, manifests and tiles', async () => {
    const source = put(folder, 'square.gltf', squareGltf({ size: 2 }));
    const scene = await inspect(source);
    expect(scene.document).toMatchObject({ kind: 'gltf', bounds: { min: [0, 0, 0], max: [2, 2, 0] } });
    await cook(source, { out: join(folder, 'out') });
    const manifest = await inspect(join(folder, 'out/square.json'));
    expect(manifest.document).toMatchObject({ kind: 'manifest', payloads: [expect.stringMatching(/^square\//)] });
    await cook(source, { out: join(folder, 'one.untold') });
    const untold = await inspect(join(folder, 'one.untold'));
    expect(untold.document).toMatchObject({ kind: 'untold', totals: { triangles: 2 } });
    expect(await inspect(join(folder, 'none'))).toMatchObject({ exitCode: 3, document: null });
    expect(await inspect(source, { stage: true } as object)).toMatchObject({
      exitCode: 2,
      diagnostics: [{ code: 'UC1001', path: 'stage' }],
    });
  });

  test('inspectStage() gives prims one by one, parents first', async () => {
    const source = put(folder, 's.usda', '#usda 1.0\ndef Xform "Town"\n{\n  def Sphere "Ball"\n  {\n  }\n}\n');
    const paths: string[] = [];
    const { exitCode, document } = await inspectStage(source, ({ path }) => paths.push(path));
    expect([exitCode, paths]).toEqual([0, ['/Town', '/Town/Ball']]);
    expect(document).toMatchObject({ kind: 'usda', prims: 2, warnings: [] });
    const refused = await inspectStage(source, () => {}, { upAxis: 'Z' });
    expect([refused.exitCode, codes(refused)]).toEqual([2, ['UC1012']]);
  });

  test('inspectStage() gives no more of an array than is wanted', async () => {
    const points = Array.from({ length: 64 }, (_, i) => `(${i}, 0, 0)`).join(', ');
    const text = `#usda 1.0\ndef "A" {\n float3[] p = [${points}]\n float3[] q = [${points}, (64, 0, 0)]\n token[] t = ["a", "b"]\n}\n`;
    const source = put(folder, 'arrays.usda', text);
    const values = async (wanted?: number) => {
      const rows: StagePrimRow[] = [];
      await inspectStage(source, (row) => rows.push(row), {}, wanted);
      return Object.values(rows[0].attributes).map(({ value }) => value);
    };
    const long = { length: 65, first: [0, 0, 0], last: [64, 0, 0] };
    // Seven components are three elements.
    expect(await values(7)).toEqual([[0, 1, 2].map((x) => [x, 0, 0]), long, ['a', 'b']]);
    expect(await values()).toEqual([Array.from({ length: 64 }, (_, x) => [x, 0, 0]), long, ['a', 'b']]);
  });

  test('importScene() gives the scene, or why there is none', async () => {
    const source = put(folder, 'square.gltf', squareGltf({ size: 2, at: 3 }));
    const { scene, exitCode, filesRead } = await importScene(source, { scene: 'Night' });
    expect([exitCode, filesRead]).toEqual([0, [source]]);
    expect(scene?.nodes.filter(({ mesh }) => mesh >= 0).map(({ world }) => world[12])).toEqual([-97, 103]);
    const [primitive] = scene?.meshes[0].primitives ?? [];
    expect((await primitive.read()).points.length).toBe(12);
    expect(await importScene(put(folder, 'no.gltf', 'x'))).toMatchObject({ exitCode: 1, scene: null });
    expect(await importScene(source, { scene: 'Noon' })).toMatchObject({ scene: null });
  });

  test('explain() knows every code', () => {
    expect(explain('uc1098')).toMatchObject({ code: 'UC1098', severity: 'error', title: 'interrupted' });
    expect(explain().length).toBeGreaterThan(300);
    expect(() => explain('UC9999')).toThrow('UC1010');
  });
});

test('a program that cooks keeps its listeners and its exit code, and its streams stay empty', () => {
  const source = put(folder, 'square.gltf', squareGltf());
  const script = `
    const { cook } = await import(${JSON.stringify(resolve(import.meta.dirname, '../../dist/index.js'))});
    const count = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const before = JSON.stringify([count(), Object.keys(process.env), process.cwd(), process.exitCode]);
    const results = await Promise.all(['a', 'b'].map((out) => cook(${JSON.stringify(source)}, { out, lod: [0.5] })));
    await cook('missing.glb', { out: 'c' });
    const after = JSON.stringify([count(), Object.keys(process.env), process.cwd(), process.exitCode]);
    process.stdout.write(JSON.stringify({ same: before === after, codes: results.map((r) => r.exitCode) }));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
  });
  expect([status, stderr, stdout]).toEqual([0, '', '{"same":true,"codes":[0,0]}']);
  expect(contents(join(folder, 'a'))).toEqual(contents(join(folder, 'b')));
});

test('a program that ends in the middle of a cook removes what was staged with discardUnfinished(), or the next cook does', async () => {
  const source = put(folder, 'square.gltf', squareGltf());
  const out = join(folder, 'out');
  const end = (before: string) => {
    const script = `
      const { cook, discardUnfinished } = await import(${JSON.stringify(resolve(import.meta.dirname, '../../dist/index.js'))});
      ${before}
      await cook(${JSON.stringify(source)}, { out: 'out', onProgress: ({ phase }) => phase === 'write' && process.exit(7) });`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env: environment() })
      .status;
  };
  expect(end("process.on('exit', discardUnfinished);")).toBe(7);
  expect(readdirSync(folder)).toEqual(['square.gltf']);
  expect(end('')).toBe(7);
  expect(readdirSync(out).filter((name) => !name.startsWith('.'))).toEqual([]);
  expect(readdirSync(out).length).toBeGreaterThan(0);
  expect((await cook(source, { out })).exitCode).toBe(0);
  expect(readdirSync(out).sort()).toEqual(expect.arrayContaining(['square', 'square.json']));
  expect(readdirSync(out).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('calls at once with callbacks report their own sources', async () => {
  const sources = ['a', 'b', 'c'].map((name) => put(folder, `${name}.gltf`, squareGltf()));
  const seen = sources.map(() => new Set<string>());
  await Promise.all(
    sources.map(async (source, i) => {
      await sleep(0);
      await cook(source, { out: join(folder, `out${i}`), onProgress: (step) => seen[i].add(step.source) });
    }),
  );
  expect(seen.map((names) => names.size)).toEqual([1, 1, 1]);
  expect(new Set(seen.flatMap((names) => [...names])).size).toBe(3);
});
