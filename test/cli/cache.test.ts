// The cache as a user of the command meets it: where it lies, what turns it off, what is said when it cannot be used, and
// `untold cache`.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { ENVIRONMENT } from '../../src/diagnostics/codes/environment.ts';
import { type Ran, untoldBytes, untold as untoldIn } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

const isPosix = process.platform !== 'win32';

let folder: string;
let project: string;
beforeEach(async () => {
  folder = temporaryFolder();
  project = join(folder, 'project');
  put(project, 'town.gltf', squareGltf({ image: 'wall.webp' }));
  // The engine reads no WebP, so that a PNG is made of it.
  const wall = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c0ffee' } });
  put(project, 'wall.webp', await wall.webp({ lossless: true }).toBuffer());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Given {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly user?: number | undefined;
  /** In a process of its own, which has not measured any cache. */
  readonly isApart?: boolean;
}

/** Variables that say where a cache is, all unset. */
const NOWHERE = {
  UNTOLD_CACHE_DIR: undefined,
  UNTOLD_CACHE_SIZE: undefined,
  HOME: undefined,
  XDG_CACHE_HOME: undefined,
  LOCALAPPDATA: undefined,
};

/** Runs the command in the project, with no variable that says where a cache is but those given; as another user in a process. */
async function untold(args: readonly string[], { env = {}, user, isApart = false }: Given = {}): Promise<Ran> {
  if (user === undefined && !isApart) return untoldIn(project, args, { ...NOWHERE, ...env });
  const fault = inject('bundleFault');
  if (fault) throw new Error(fault);
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: project,
    env: { ...environment(), ...NOWHERE, ...env },
    encoding: 'utf8',
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  return { code: status, stdout, stderr };
}

/** A single file, of which the texture alone is kept. */
const COOK = ['cook', 'town.gltf', '--quiet', '--force', '--no-incremental', '--out', 'tiles/town.untold'];
const QUIET = { code: 0, stdout: '', stderr: '' };
const below = (path: string) =>
  existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : [];
const entries = (cache: string) => below(cache).filter((name) => /[0-9a-f]{64}$/.test(name));
/** The warning of a cook and its remedy. */
const warned = (message: string) => `warning UC1105: ${message}\n  ${ENVIRONMENT.UC1105.remedy}\n`;

describe('cook', () => {
  test.skipIf(!isPosix || process.platform === 'darwin')(
    'uses the folder for caches of the user, privately',
    async () => {
      const home = join(folder, 'home');
      mkdirSync(home);
      expect(await untold(COOK, { env: { HOME: home } })).toEqual(QUIET);
      expect(below(home).slice(0, 3)).toEqual(['.cache', '.cache/untold', '.cache/untold/CACHEDIR.TAG']);
      expect(entries(join(home, '.cache/untold/content'))).toHaveLength(1);
      const caches = join(folder, 'caches');
      expect(await untold(COOK, { env: { HOME: home, XDG_CACHE_HOME: caches } })).toEqual(QUIET);
      expect(entries(join(caches, 'untold'))).toHaveLength(1);
    },
  );

  test.skipIf(!isPosix)(
    'uses none without HOME, or where the folder would lie in the project, and says nothing',
    async () => {
      for (const env of [undefined, { HOME: project }]) {
        expect(await untold(COOK, { env })).toEqual(QUIET);
      }
      expect(readdirSync(project).sort()).toEqual(['tiles', 'town.gltf', 'wall.webp']);
      const asked = await untold(['cook', 'town.gltf', '--no-incremental', '--out', 'tiles', '--cache-size', '5MB']);
      expect(asked.code).toBe(0);
      expect(asked.stderr).toContain(warned('this user has no folder for caches outside of the working folder'));
    },
  );

  test('takes the folder of --cache-dir before that of UNTOLD_CACHE_DIR, and none with --no-cache', async () => {
    const env = { UNTOLD_CACHE_DIR: join(folder, 'named by the environment') };
    expect(await untold([...COOK, '--no-cache'], { env })).toEqual(QUIET);
    expect(existsSync(env.UNTOLD_CACHE_DIR)).toBe(false);
    expect(await untold([...COOK, '--cache-dir', '../named by the option'], { env })).toEqual(QUIET);
    expect(entries(join(folder, 'named by the option'))).toHaveLength(1);
    expect(existsSync(env.UNTOLD_CACHE_DIR)).toBe(false);
    expect(await untold(COOK, { env })).toEqual(QUIET);
    expect(entries(env.UNTOLD_CACHE_DIR)).toEqual(entries(join(folder, 'named by the option')));
  });

  test('evicts by --cache-size and UNTOLD_CACHE_SIZE, and refuses sizes that are none', async () => {
    const cache = join(folder, 'cache');
    const place = { UNTOLD_CACHE_DIR: cache };
    const tiny = await untold([...COOK, '--cache-size', '10'], { env: place });
    expect([tiny.code, existsSync(cache)]).toEqual([2, false]);
    expect(tiny.stderr).toContain('error UC1003 --cache-size: "10" was given, but the option takes a size');
    const refused = await untold(COOK, { env: { ...place, UNTOLD_CACHE_SIZE: 'much' } });
    expect([refused.code, existsSync(cache)]).toEqual([2, false]);
    expect(refused.stderr).toContain('error UC1003 UNTOLD_CACHE_SIZE: "much" is set, but the variable takes a size');
    expect(await untold(COOK, { env: { ...place, UNTOLD_CACHE_SIZE: '' }, isApart: true })).toEqual(QUIET);
    const [entry] = entries(cache);
    // An old entry that alone fills the cache goes when another one is put.
    const old = put(cache, `content/texture/00/${'0'.repeat(64)}`, Buffer.alloc(1_000_000));
    const limits: [string[], Record<string, string>][] = [
      [['--cache-size', '1MB'], { UNTOLD_CACHE_SIZE: '10GB' }],
      [[], { UNTOLD_CACHE_SIZE: '1 mb' }],
    ];
    for (const [options, env] of limits) {
      put(cache, `content/texture/00/${'0'.repeat(64)}`, Buffer.alloc(1_000_000));
      rmSync(join(cache, entry));
      expect((await untold(['cache', 'info', '--cache-dir', cache])).stdout).toContain(
        '1 entry, 1.0 MB of 10 GB at most\n',
      );
      expect(await untold([...COOK, ...options], { env: { ...place, ...env }, isApart: true })).toEqual(QUIET);
      expect([existsSync(old), entries(cache)]).toEqual([false, [entry]]);
    }
  });

  test('goes on without a folder that cannot be used: one warning, which --deny counts and --strict does not', async () => {
    const cache = join(folder, 'missing', 'cache');
    const args = ['cook', 'town.gltf', '--no-incremental', '--out', 'tiles', '--cache-dir', '../missing/cache'];
    const plain = await untold(args);
    expect(plain.code).toBe(0);
    expect(plain.stderr).toContain(warned(`cache ${cache} cannot be written: ENOENT at mkdir`));
    expect(plain.stderr.match(/UC1105/g)).toHaveLength(1);
    expect((await untold([...args, '--strict'])).code).toBe(0);
    expect(await untold([...args, '--deny', 'UC1105'])).toMatchObject({ code: 1 });
    expect(existsSync(join(folder, 'missing'))).toBe(false);
    expect(await untold([...args, '--quiet'])).toEqual(QUIET);
    // A document is all that is on stdout.
    const document = await untold([...args, '--json']);
    expect(JSON.parse(document.stdout).results[0].status).toBe('ok');
  });

  test.skipIf(!isPosix)('reads a cache that it may not write, and makes the same without one', async () => {
    // Permissions do not hold for root.
    const user = process.getuid?.() === 0 ? 65534 : undefined;
    const cache = join(folder, 'cache');
    const give = (path: string) => {
      if (user !== undefined) chownSync(path, user, user);
    };
    for (const path of [folder, project]) give(path);
    const args = ['cook', 'town.gltf', '--force', '--no-incremental', '--cache-dir', cache, '--out'];
    expect((await untold([...args, 'cold/a.untold'], { user })).stderr).not.toContain('UC1105');
    const inside = [cache, ...below(cache).map((name) => join(cache, name))];
    for (const path of inside) chmodSync(path, path.endsWith('.TAG') || /[0-9a-f]{64}$/.test(path) ? 0o400 : 0o500);
    try {
      const warm = await untold([...args, 'warm/a.untold'], { user });
      expect([warm.code, warm.stderr.includes('UC1105')]).toEqual([0, false]);
      // Another image is another entry, which cannot be put.
      const wall = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } });
      put(project, 'wall.webp', await wall.webp({ lossless: true }).toBuffer());
      const other = await untold([...args, 'other/a.untold'], { user });
      expect([other.code, other.stderr.match(/UC1105: .* cannot be written: EACCES/g)?.length]).toEqual([0, 1]);
      expect((await untold(['cache', 'clear', '--cache-dir', cache], { user })).code).toBe(3);
      expect(entries(cache)).toHaveLength(1);
    } finally {
      for (const path of inside) chmodSync(path, 0o700);
    }
    expect(below(join(project, 'warm'))).toEqual(below(join(project, 'cold')));
  });

  test('takes no option of a cache from a preset', async () => {
    put(project, 'preset.json', '{ "cache-dir": "cache" }');
    expect((await untold([...COOK, '--pipeline', 'preset.json'])).stderr).toContain(
      'error UC1009 preset.json cache-dir',
    );
    expect(await untold([...COOK, '--no-cache', '--cache-dir', 'x'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('shows --no-cache in its help, and no --cache', async () => {
    const { stdout } = await untold(['cook', '--help']);
    expect(stdout).toMatch(/^ {2}--no-cache /m);
    expect(stdout).not.toMatch(/^ {2}--cache /m);
  });
});

describe('untold cache', () => {
  const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../schemas/cache-info.schema.json'), 'utf8'));

  test('info tells what is there, as its schema says', async () => {
    const cache = join(folder, 'cache');
    const env = { UNTOLD_CACHE_DIR: cache, UNTOLD_CACHE_SIZE: '2GiB' };
    const none = await untold(['cache', 'info'], { env });
    expect(none).toEqual({ code: 0, stdout: `${cache}\n0 entries, 0 B of 2.1 GB at most\n`, stderr: '' });
    expect(existsSync(cache)).toBe(false);
    await untold(COOK, { env });
    const { code, stdout, stderr } = await untold(['cache', 'info', '--json', '--cache-size', '5MB'], { env });
    expect([code, stderr]).toEqual([0, '']);
    const document = JSON.parse(stdout);
    const bytes = readFileSync(join(cache, entries(cache)[0])).length;
    const kinds = [{ kind: 'texture', entries: 1, bytes }];
    expect(document).toEqual({
      schemaVersion: 1,
      folder: cache,
      limit: 5e6,
      entries: 1,
      bytes,
      kinds,
      oldest: expect.any(String),
    });
    expect(new Date(document.oldest).toISOString()).toBe(document.oldest);
    for (const [value, { properties, required, additionalProperties }] of [
      [document, schema],
      [document.kinds[0], schema.properties.kinds.items],
    ]) {
      expect(additionalProperties).toBe(false);
      expect(Object.keys(value).sort()).toEqual([...required].sort());
      expect(Object.keys(properties).sort()).toEqual([...required].sort());
    }
    const words = (await untold(['cache', 'info'], { env })).stdout.split('\n');
    expect(words).toEqual([
      cache,
      `1 entry, ${bytes} B of 2.1 GB at most`,
      `  texture  1 entry  ${bytes} B`,
      `oldest use: ${document.oldest}`,
      '',
    ]);
  });

  test('clear removes entries, by kind if asked, and nothing else', async () => {
    const cache = join(folder, 'cache');
    const env = { UNTOLD_CACHE_DIR: cache };
    const none = { code: 0, stdout: `${cache}: 0 entries removed, 0 B\n`, stderr: '' };
    expect(await untold(['cache', 'clear'], { env })).toEqual(none);
    await untold(COOK, { env });
    put(cache, 'notes.txt', 'mine');
    const [entry] = entries(cache);
    const { length } = readFileSync(join(cache, entry));
    expect(await untold(['cache', 'clear', '--kind', 'record'], { env })).toEqual(none);
    expect((await untold(['cache', 'clear', '--kind', 'texture'], { env })).stdout).toBe(
      `${cache}: 1 entry removed, ${length} B\n  texture  1 entry  ${length} B\n`,
    );
    expect(below(cache)).toEqual(['CACHEDIR.TAG', 'notes.txt']);
    await untold(COOK, { env });
    expect(entries(cache)).toEqual([entry]);
    expect((await untold(['cache', 'clear', '--cache-dir', cache])).code).toBe(0);
    expect(below(cache)).toEqual(['CACHEDIR.TAG', 'notes.txt']);
  });

  test('clear tells which projects the entries are of, removes nothing with --dry-run, and asks at a terminal', async () => {
    const cache = join(folder, 'cache');
    const env = { ...NOWHERE, UNTOLD_CACHE_DIR: cache };
    expect((await untold(['cook', 'town.gltf', '--out', 'tiles'], { env: { UNTOLD_CACHE_DIR: cache } })).code).toBe(0);
    const kept = entries(cache);
    const dry = await untold(['cache', 'clear', '--dry-run', '--cache-dir', cache]);
    const day = new Date(statSync(join(cache, kept.find((name) => name.includes('/cook/')) ?? '')).mtimeMs);
    const project_ = `  ${project}  1 output  last used ${day.toISOString().slice(0, 10)}\n`;
    expect(dry.stdout).toContain(`${cache}: ${kept.length} entries would be removed, `);
    expect(dry.stdout.endsWith(`projects are among them, which then cook all again:\n${project_}`)).toBe(true);
    const document = JSON.parse((await untold(['cache', 'clear', '--dry-run', '--json', '--cache-dir', cache])).stdout);
    expect(document).toMatchObject({ dryRun: true, entries: kept.length, left: { entries: 0, bytes: 0 } });
    expect(document.projects).toEqual([{ folder: project, outputs: 1, used: day.toISOString() }]);
    const asked = async (answer: string, ...more: string[]) => {
      const ran = await untoldBytes(project, ['cache', 'clear', ...more], {
        variables: env,
        stdin: answer,
        isTerminal: true,
      });
      return [ran.code, ran.stdout.toString(), ran.stderr, entries(cache).length] as const;
    };
    for (const answer of ['', '\n', 'n\n', 'no way\ny\n']) {
      const [code, stdout, stderr, left] = await asked(answer);
      expect([code, stdout, left]).toEqual([1, '', kept.length]);
      expect(stderr.endsWith(`${project_}Remove them? [y/N]\nnothing was removed\n`)).toBe(true);
    }
    const [code, stdout, stderr, left] = await asked('y\n');
    expect([code, left]).toEqual([0, 0]);
    expect(stdout).toMatch(new RegExp(`: ${kept.length} entries removed, [^\n]+\n$`));
    expect(stderr).toContain(project_);
    // Nothing is asked where there is nothing.
    expect(await asked('')).toEqual([0, `${cache}: 0 entries removed, 0 B\n`, '', 0]);
    await untold(COOK, { env: { UNTOLD_CACHE_DIR: cache } });
    expect((await asked('', '--yes')).slice(2)).toEqual(['', 0]);
  });

  test('prune removes what was not used for so long, and what makes the cache too large', async () => {
    const cache = join(folder, 'cache');
    const prune = (...args: string[]) => untold(['cache', 'prune', '--cache-dir', cache, ...args]);
    const fill = () => {
      const ages = [40, 20, 1];
      for (const [i, days] of ages.entries()) {
        const path = put(cache, `content/texture/0${i}/0${i}${'0'.repeat(62)}`, Buffer.alloc(1_000_000));
        const used = Date.now() / 1000 - days * 86_400;
        utimesSync(path, used, used);
      }
    };
    await untold([...COOK, '--cache-dir', cache]);
    await untold(['cache', 'clear', '--cache-dir', cache]);
    fill();
    const would = `${cache}: 1 entry would be removed, 1.0 MB\n  texture  1 entry  1.0 MB\nleft: 2 entries, 2.0 MB\n`;
    expect(await prune('--dry-run')).toEqual({ code: 0, stdout: would, stderr: '' });
    expect(entries(cache)).toHaveLength(3);
    expect((await prune('--max-age', '480h')).stdout).toContain('2 entries removed, 2.0 MB');
    expect(entries(cache)).toHaveLength(1);
    fill();
    expect((await prune('--max-size', '1.5MB')).stdout).toContain('left: 1 entry, 1.0 MB\n');
    fill();
    const both = JSON.parse((await prune('--max-age', '8w', '--max-size', '2.5MB', '--json')).stdout);
    expect(both).toMatchObject({ dryRun: false, entries: 1, left: { entries: 2, bytes: 2_000_000 } });
    for (const age of ['30', 'x', '-1d', '1y']) {
      const { code, stderr } = await prune(`--max-age=${age}`);
      expect([code, stderr]).toEqual([2, expect.stringContaining('error UC1003 --max-age: ')]);
    }
    expect((await untold(['cache', 'prune', '--cache-dir', folder])).stderr).toContain('error UC1106: ');
  });

  test('refuses folders that are no cache, kinds that are none, and a user without one', async () => {
    // The name of our own folder, and no tag.
    const outside = put(folder, `thesis/content/texture/00/${'0'.repeat(64)}`, 'mine');
    for (const words of [['info'], ['info', '--json'], ['clear']]) {
      const refused = await untold(['cache', ...words, '--cache-dir', join(folder, 'thesis')]);
      expect([words, refused.code]).toEqual([words, 2]);
      if (words.includes('--json')) expect(JSON.parse(refused.stdout).diagnostics[0].code).toBe('UC1106');
      else expect(refused.stdout).toBe('');
      expect(refused.stderr).toContain('error UC1106: ');
    }
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(await untold(['cache', 'clear', '--kind', '../..', '--cache-dir', folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error UC1003 --kind: '),
    });
    if (isPosix)
      expect(await untold(['cache', 'info'])).toMatchObject({ code: 2, stderr: expect.stringContaining('UC1002') });
    expect(await untold(['cache', 'info', 'extra'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('UC1013'),
    });
    expect(await untold(['cache', 'empty'])).toMatchObject({ code: 2, stderr: expect.stringContaining('UC1000') });
    expect(await untold(['cache', 'clear', '--knid', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean --kind? See `untold cache clear --help`'),
    });
    expect(await untold(['cache'])).toMatchObject({ code: 2, stdout: '' });
    expect(await untold(['cache', '--help'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('clear'),
    });
  });
});
