// Several sources in one run, as a Makefile cooks them: what one that fails does to the others, what make is told, and
// how a run ends that goes wrong.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { BIN, start, untoldProcess } from '../support/process.ts';
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

describe('many sources', () => {
  test('a failed one does not stop the others, and the table names them all', async () => {
    put(folder, 'a/scene.gltf', squareGltf());
    put(folder, 'b/scene.gltf', '{');
    put(folder, 'c/scene.gltf', squareGltf());
    const ran = await cookJson('.', '--root', '.', '--out', 'tiles');
    expect(ran.code).toBe(1);
    expect(ran.results.map(({ source, status }) => `${source} ${status}`)).toEqual([
      'a/scene.gltf ok',
      'b/scene.gltf failed',
      'c/scene.gltf ok',
    ]);
    expect([has('tiles/a/scene.json'), has('tiles/b'), has('tiles/c/scene.json')]).toEqual([true, false, true]);
    expect(ran.stderr).not.toMatch(/^ *a\/scene\.gltf +ok/m);
    expect(ran.stderr).toMatch(/b\/scene\.gltf +failed UC\d{4}/);
    expect(ran.stderr).toMatch(/^2 of 3 sources cooked, 1 failed: 2 tiles, 4 triangles in, 4 out/m);
  });

  test('--fail-fast stops at the first', async () => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'b.gltf', '{');
    put(folder, 'c.gltf', squareGltf());
    const ran = await cookJson('*.gltf', '--out', 'tiles', '--fail-fast');
    expect([ran.code, ...ran.results.map(({ status }) => status)]).toEqual([1, 'ok', 'failed', 'skipped']);
    expect(ran.results[2]).toEqual({ source: 'c.gltf', status: 'skipped', outputs: [], totals: null, diagnostics: [] });
    expect(has('tiles/c.json')).toBe(false);
  });

  test('the worst exit code counts', async () => {
    put(folder, 'b.gltf', '{');
    expect((await cookJson('b.gltf', 'missing.glb', '--out', 'tiles')).code).toBe(3);
  });

  test('that clash fail, and the others are cooked', async () => {
    put(folder, 'a/Scene.gltf', squareGltf());
    put(folder, 'b/scene.gltf', squareGltf());
    put(folder, 'b/other.gltf', squareGltf());
    const { code, stdout, stderr } = await untold(folder, ['cook', '.', '--out', 'tiles', '--json']);
    const statuses = JSON.parse(stdout).results.map((result: { status: string }) => result.status);
    expect([code, statuses]).toEqual([2, ['failed', 'ok', 'failed']]);
    expect([has('tiles/other.json'), has('tiles/scene.json')]).toEqual([true, false]);
    expect(stderr).toContain('UC1005 b/scene.gltf: writes scene.json, as a/Scene.gltf does');
    expect((await untold(folder, ['cook', '.', '--root', '.', '--out', 'again'])).code).toBe(0);
  });

  test('have to lie below a given root', async () => {
    put(folder, 'art/a.gltf', squareGltf());
    put(folder, 'b.gltf', squareGltf());
    const { code, stderr } = await untold(folder, ['cook', 'art', 'b.gltf', '--root', 'art', '--out', 'tiles']);
    expect(code).toBe(2);
    expect(stderr).toContain('UC1011 b.gltf');
  });
});

describe('--depfile', () => {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');

  test('names the output and every file that was read, presets included', async () => {
    put(folder, 'art/my town.gltf', squareGltf({ image: 'red%20wall.png' }));
    put(folder, 'art/red wall.png', RED_PNG);
    put(folder, 'mine.json', '{"tile-size": 7}');
    const args = ['cook', 'art', '--out', 'tiles', '--depfile', 'build/tiles.d', '--pipeline', 'mine.json'];
    expect((await untold(folder, args)).code).toBe(0);
    expect(readdirSync(join(folder, 'build'))).toEqual(['tiles.d']);
    expect(read('build/tiles.d')).toBe(
      [
        'tiles/my_town.json: \\\n  art/my\\ town.gltf \\\n  art/red\\ wall.png \\\n  mine.json\n',
        'art/my\\ town.gltf:\n',
        'art/red\\ wall.png:\n',
        'mine.json:\n',
      ].join('\n'),
    );
    expect((await untold(folder, ['cook', 'art', '--out', 'x.untold', '--depfile', 'x.d'])).code).toBe(0);
    expect(read('x.d')).toMatch(/^x\.untold: /);
  });

  test('that cannot be written is an error of its own', async () => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'file', '');
    const { code, stderr } = await untold(folder, ['cook', 'a.gltf', '--out', 'tiles', '--depfile', 'file/a.d']);
    expect([code, has('tiles/a.json')]).toEqual([3, true]);
    expect(stderr).toContain('error UC4000 file');
  });

  test.skipIf(process.platform === 'win32')('warns of names that make cannot be told', async () => {
    put(folder, 'a;b.gltf', squareGltf());
    const ran = await cookJson('a;b.gltf', '--out', 'tiles', '--depfile', 'a.d');
    expect([ran.code, ran.results[0].diagnostics.map((d) => `${d.severity} ${d.code} ${d.file}`)]).toEqual([
      0,
      ['warning UC1014 a;b.gltf'],
    ]);
    expect((await cookJson('a;b.gltf', '--out', 'tiles', '--depfile', 'a.d', '--deny', 'UC1014')).code).toBe(1);
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
    const { code, stdout, stderr } = untoldProcess(folder, ['cook', '*.gltf', '--out', 'tiles', '--json'], planted);
    expect(code).toBe(4);
    const { results } = JSON.parse(stdout) as Document;
    expect(results.map(({ status }) => status)).toEqual(['failed', 'ok', 'ok']);
    expect(results[0].diagnostics).toMatchObject([
      { code: 'UC1099', file: 'a.gltf', message: 'this is a bug in untold: TypeError: planted' },
    ]);
    expect(stderr).not.toContain('    at ');
    rmSync(join(folder, 'tiles'), { recursive: true });
    const verbose = untoldProcess(folder, ['cook', 'a.gltf', '--out', 'tiles', '--verbose'], planted);
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
        stderr += chunk;
      });
      // As soon as the first set is there.
      const watch = setInterval(() => {
        if (!existsSync(join(folder, 'tiles/s100.json'))) return;
        clearInterval(watch);
        child.kill(signal);
      }, 5);
      const code = await new Promise((done) => child.on('close', done));
      expect(code).toBe(expected);
      expect(stderr).toContain(`error UC1098: stopped by ${signal}`);
      const { results } = JSON.parse(stdout) as Document;
      const states = results.map(({ status }) => status);
      expect(states).toHaveLength(150);
      expect(states.at(-1)).toBe('skipped');
      const cooked = results.filter(({ status }) => status === 'ok').length;
      const entries = readdirSync(join(folder, 'tiles'));
      expect(entries.filter((name) => name.startsWith('.'))).toEqual([]);
      expect(entries.filter((name) => name.endsWith('.json')).length).toBeGreaterThanOrEqual(cooked);
      expect(await untold(folder, ['validate', 'tiles', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );
});
