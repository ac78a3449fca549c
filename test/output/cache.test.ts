// The cache of products: what lies on the disk, what is believed of it, and what it never touches.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Diagnostics, SourceError } from '../../src/diagnostics/diagnostic.ts';
import { openCache } from '../../src/output/cache/cache.ts';
import { type CachePlace, refusalOf } from '../../src/output/cache/folder.ts';
import { cacheUse, planClearing, planPruning, removePlanned, shareOf } from '../../src/output/cache/upkeep.ts';

const isPosix = process.platform !== 'win32';
const HEADER = 56;

let folder: string;
let place: { folder: string; isDefault: boolean };
let diagnostics: Diagnostics;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold cache ')));
  place = { folder: join(folder, 'cache'), isDefault: false };
  diagnostics = new Diagnostics();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (maxBytes = 1e9) => openCache({ ...place, maxBytes, diagnostics });
const keyOf = (text: string) => createHash('sha256').update(text).digest('hex');
const KEY = keyOf('a');
const PAYLOAD = Uint8Array.of(1, 2, 3, 250);
const entryPath = (kind: string, key: string) => join(place.folder, 'content', kind, key.slice(0, 2), key);
const below = (path: string) => readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
const messages = () => diagnostics.list.map(({ code, message }) => `${code} ${message}`);

/** Removes the entries of a kind, or all (null). */
function clearCache(at: CachePlace, kind: string | null) {
  const plan = planClearing(at, kind);
  removePlanned(plan);
  return shareOf(plan.gone);
}

/** Puts one entry and returns its file. */
function putOne(payload = PAYLOAD): string {
  const cache = open();
  cache.put('bake', KEY, payload);
  cache.close();
  return entryPath('bake', KEY);
}

describe('entries', () => {
  test('are found again, by kind and key', () => {
    const cache = open();
    expect(cache.get('bake', KEY)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    cache.put('bake', KEY, PAYLOAD);
    cache.put('texture', keyOf('b'), new Uint8Array(0));
    for (const one of [cache, open()]) {
      expect(one.get('bake', KEY)).toEqual(PAYLOAD);
      expect(one.get('texture', keyOf('b'))).toEqual(new Uint8Array(0));
      expect(one.get('texture', KEY)).toBeNull();
      expect(one.get('bake', keyOf('b'))).toBeNull();
    }
    cache.put('bake', KEY, Uint8Array.of(9));
    expect(open().get('bake', KEY)).toEqual(Uint8Array.of(9));
    expect(messages()).toEqual([]);
  });

  test('have a header that proves them, and lie in a folder that is marked as a cache and private', () => {
    const file = readFileSync(putOne());
    expect(file.toString('latin1', 0, 8)).toBe('untcache');
    expect([file.readUInt32LE(8), file.readUInt32LE(12), file.readBigUInt64LE(16)]).toEqual([1, 0, 4n]);
    expect(file.subarray(24, HEADER)).toEqual(createHash('sha256').update(PAYLOAD).digest());
    expect(new Uint8Array(file.subarray(HEADER))).toEqual(PAYLOAD);
    const fan = KEY.slice(0, 2);
    const names = ['CACHEDIR.TAG', 'content', 'content/bake', `content/bake/${fan}`, `content/bake/${fan}/${KEY}`];
    expect(below(place.folder).map((name) => name.replaceAll('\\', '/'))).toEqual(names);
    // The first 43 bytes are what backups look for.
    expect(readFileSync(join(place.folder, 'CACHEDIR.TAG'), 'latin1')).toMatch(
      /^Signature: 8a477f597d28d172789f06886806bc55\n#.*untold/,
    );
    if (!isPosix) return;
    const modes = ['.', ...names].map((name) => statSync(join(place.folder, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o700, 0o700, 0o700, 0o600]);
  });

  test('that are damaged anywhere, cut or too long are misses, and removed', () => {
    const whole = readFileSync(putOne());
    const path = entryPath('bake', KEY);
    const broken: [string, Buffer][] = [
      ['empty', Buffer.alloc(0)],
      ['cut in the header', whole.subarray(0, HEADER - 1)],
      ['cut', whole.subarray(0, whole.length - 1)],
      ['too long', Buffer.concat([whole, Buffer.of(0)])],
    ];
    for (let i = 0; i < whole.length; i++) {
      const bytes = Buffer.from(whole);
      bytes[i] ^= 1;
      broken.push([`byte ${i}`, bytes]);
    }
    for (const [what, bytes] of broken) {
      writeFileSync(path, bytes);
      expect([what, open().get('bake', KEY), existsSync(path)]).toEqual([what, null, false]);
    }
    writeFileSync(path, whole);
    expect(open().get('bake', KEY)).toEqual(PAYLOAD);
    expect(messages()).toEqual([]);
  });

  test.skipIf(!isPosix)('of an impossible size are not read', () => {
    const path = putOne();
    // Sparse: it takes no room on the disk.
    truncateSync(path, 2 ** 40);
    expect([open().get('bake', KEY), existsSync(path)]).toEqual([null, false]);
  });

  test('names that would lead elsewhere are bugs', () => {
    for (const [kind, key] of [
      ['../x', KEY],
      ['', KEY],
      ['bake', 'ab'],
      ['bake', `../${KEY}`],
      ['bake', KEY.toUpperCase()],
    ]) {
      expect(() => open().get(kind, key)).toThrow(/is no k/);
      expect(() => open().put(kind, key, PAYLOAD)).toThrow(/is no k/);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('are made again by a cache that was cleared while it was open', () => {
    const cache = open();
    cache.put('bake', KEY, PAYLOAD);
    clearCache(place, null);
    cache.put('bake', KEY, PAYLOAD);
    expect(cache.get('bake', KEY)).toEqual(PAYLOAD);
    rmSync(place.folder, { recursive: true });
    expect(cache.get('bake', KEY)).toBeNull();
    expect(messages()).toEqual([]);
  });

  test('larger than the cache may be are not kept', () => {
    open(3).put('bake', KEY, PAYLOAD);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a folder that cannot be used is one warning, and nothing in it changes', () => {
  /** Asks twice, puts twice, and returns what was reported. */
  function use(): readonly string[] {
    const cache = open();
    for (const key of [KEY, keyOf('b')]) {
      expect(cache.get('bake', key)).toBeNull();
      cache.put('bake', key, PAYLOAD);
      expect(cache.get('bake', key)).toBeNull();
    }
    cache.close();
    return messages();
  }
  const refused = (why: string) => [`UC1105 cache ${place.folder} ${why}`];

  test('its parent is missing', () => {
    place.folder = join(folder, 'missing', 'cache');
    expect(use()).toEqual(refused('cannot be written: ENOENT at mkdir'));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('above the default folder, one parent is made and no more', () => {
    place = { folder: join(folder, 'home', '.cache', 'untold'), isDefault: true };
    expect(use()).toEqual(refused('cannot be written: ENOENT at mkdir'));
    expect(readdirSync(folder)).toEqual([]);
    mkdirSync(join(folder, 'home'));
    putOne();
    expect(open().get('bake', KEY)).toEqual(PAYLOAD);
  });

  test('it is a file', () => {
    writeFileSync(place.folder, 'mine');
    expect(use()).toEqual(refused('is not used: it is no folder'));
    expect(readFileSync(place.folder, 'utf8')).toBe('mine');
  });

  test('it holds other files', () => {
    mkdirSync(place.folder);
    writeFileSync(join(place.folder, 'thesis.txt'), 'mine');
    expect(use()).toEqual(refused('is not used: it holds other files, and no CACHEDIR.TAG of untold'));
    expect(readdirSync(place.folder)).toEqual(['thesis.txt']);
  });

  test('it is the cache of another program', () => {
    mkdirSync(place.folder);
    const tag = 'Signature: 8a477f597d28d172789f06886806bc55\n# another program\n';
    writeFileSync(join(place.folder, 'CACHEDIR.TAG'), tag);
    expect(use()).toEqual(refused('cannot be written: its CACHEDIR.TAG is that of another program'));
    expect([readdirSync(place.folder), readFileSync(join(place.folder, 'CACHEDIR.TAG'), 'utf8')]).toEqual([
      ['CACHEDIR.TAG'],
      tag,
    ]);
  });

  test.skipIf(!isPosix)('everybody may write there', () => {
    mkdirSync(place.folder);
    chmodSync(place.folder, 0o777);
    expect(use()).toEqual(refused('is not used: everybody may write there'));
    expect(readdirSync(place.folder)).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)('it belongs to another user', () => {
    putOne();
    chownSync(place.folder, 65534, 65534);
    expect(use()).toEqual(refused('is not used: it belongs to another user'));
    expect(() => clearCache(place, null)).toThrow(SourceError);
    expect(existsSync(entryPath('bake', KEY))).toBe(true);
  });

  test.skipIf(!isPosix)('folders in it are links: they are not followed', () => {
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    for (const inner of ['content', 'content/bake', `content/bake/${KEY.slice(0, 2)}`]) {
      diagnostics = new Diagnostics();
      putOne();
      rmSync(join(place.folder, inner), { recursive: true });
      symlinkSync(outside, join(place.folder, inner));
      mkdirSync(join(outside, 'bake', KEY.slice(0, 2)), { recursive: true });
      const entries = below(outside);
      const cache = open();
      cache.put('bake', KEY, PAYLOAD);
      expect(cache.get('bake', KEY)).toBeNull();
      expect(messages()).toHaveLength(1);
      expect(messages()[0]).toMatch(/^UC1105 .* is a link or a file, not a folder$/);
      clearCache(place, null);
      expect(below(outside)).toEqual(entries);
      rmSync(join(place.folder, inner));
    }
  });
});

test('what the system refuses is told in its words; anything else is a bug and stays one', () => {
  const error = (values: object) => Object.assign(new Error('no'), values);
  expect(refusalOf(error({ code: 'ENOSPC', syscall: 'write' }))).toBe('ENOSPC at write');
  expect(refusalOf(error({ code: 'ERR_ACCESS_DENIED' }))).toBe('ERR_ACCESS_DENIED');
  for (const bug of [error({}), error({ code: 'ERR_INVALID_ARG_TYPE' }), new TypeError('no')]) {
    expect(() => refusalOf(bug)).toThrow(bug);
  }
});

describe.skipIf(!isPosix)('links', () => {
  test('in the place of an entry are not read, and replaced without touching what they lead to', () => {
    const path = putOne();
    const sound = readFileSync(path);
    const target = join(folder, 'target');
    writeFileSync(target, sound);
    rmSync(path);
    symlinkSync(target, path);
    expect(open().get('bake', KEY)).toBeNull();
    open().put('bake', KEY, Uint8Array.of(7));
    expect(readFileSync(target)).toEqual(sound);
    expect(open().get('bake', KEY)).toEqual(Uint8Array.of(7));
  });

  test('to the folder are followed once: its owner made them', () => {
    mkdirSync(join(folder, 'disk'));
    symlinkSync(join(folder, 'disk'), place.folder);
    putOne();
    expect(open().get('bake', KEY)).toEqual(PAYLOAD);
    expect(readdirSync(join(folder, 'disk')).sort()).toEqual(['CACHEDIR.TAG', 'content']);
  });
});

describe('size', () => {
  const bytes = 1000 - HEADER;
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

  /** Ten entries of 1000 bytes each; `a` was not used for longest. */
  function fill(): void {
    const cache = open();
    for (const [i, name] of names.entries()) {
      cache.put('bake', keyOf(name), new Uint8Array(bytes).fill(i));
      utimesSync(entryPath('bake', keyOf(name)), 1e9 + i, 1e9 + i);
    }
  }
  const left = () => names.filter((name) => existsSync(entryPath('bake', keyOf(name)))).join('');

  test('what was not used for longest goes first, down to nine tenths', () => {
    fill();
    const cache = open(8000);
    expect(cache.get('bake', keyOf('a'))).not.toBeNull();
    cache.close();
    expect(left()).toBe('abcdefghij');
    cache.put('texture', keyOf('new'), new Uint8Array(bytes));
    cache.close();
    // Eleven entries; seven may stay, among them the new one and the one that was used.
    expect(left()).toBe('afghij');
    expect(open().get('texture', keyOf('new'))).not.toBeNull();
  });

  test('files that are not ours stay, and so does what another process is writing; what killed ones left goes', () => {
    fill();
    const fan = dirname(entryPath('bake', keyOf('a')));
    const other = join(fan, 'notes.txt');
    const fresh = `${entryPath('bake', keyOf('a'))}.77-abc.tmp`;
    const abandoned = `${entryPath('bake', keyOf('a'))}.78-abc.tmp`;
    for (const path of [other, fresh, abandoned]) writeFileSync(path, 'x');
    for (const path of [other, abandoned]) utimesSync(path, 1e9, 1e9);
    const cache = open(1500);
    cache.put('texture', keyOf('new'), new Uint8Array(1));
    cache.close();
    expect([other, fresh, abandoned].map((path) => existsSync(path))).toEqual([true, true, false]);
    expect(left()).toBe('j');
  });

  test('is measured once by a process, and again when that is needed', () => {
    fill();
    const mark = `${entryPath('bake', keyOf('a'))}.78-abc.tmp`;
    const wasMeasured = () => {
      const was = !existsSync(mark);
      writeFileSync(mark, 'x');
      utimesSync(mark, 1e9, 1e9);
      return was;
    };
    wasMeasured();
    const cache = open(20_000);
    cache.close();
    expect(wasMeasured()).toBe(false);
    cache.put('bake', keyOf('k'), new Uint8Array(bytes));
    cache.close();
    expect(wasMeasured()).toBe(true);
    const second = open(20_000);
    for (let i = 0; i < 9; i++) second.put('bake', keyOf(`more ${i}`), new Uint8Array(bytes));
    second.close();
    expect(wasMeasured()).toBe(false);
    // The limit is exceeded before the cache is closed.
    second.put('bake', keyOf('last'), new Uint8Array(bytes));
    expect(wasMeasured()).toBe(true);
    expect(cacheUse(place)).toMatchObject({ entries: 18, bytes: 18_000 });
  });
});

describe('upkeep', () => {
  test('counts by kind and removes by kind', () => {
    const cache = open();
    cache.put('texture', keyOf('t'), new Uint8Array(100));
    cache.put('bake', keyOf('a'), new Uint8Array(10));
    cache.put('bake', keyOf('b'), new Uint8Array(20));
    utimesSync(entryPath('bake', keyOf('b')), 1e9, 1e9);
    expect(cacheUse(place)).toEqual({
      entries: 3,
      bytes: 130 + 3 * HEADER,
      kinds: [
        { kind: 'bake', entries: 2, bytes: 30 + 2 * HEADER },
        { kind: 'texture', entries: 1, bytes: 100 + HEADER },
      ],
      oldest: 1e12,
    });
    writeFileSync(join(place.folder, 'notes.txt'), 'mine');
    expect(clearCache(place, 'bake')).toEqual({ entries: 2, bytes: 30 + 2 * HEADER });
    expect(cacheUse(place).kinds.map(({ kind }) => kind)).toEqual(['texture']);
    expect(clearCache(place, null)).toEqual({ entries: 1, bytes: 100 + HEADER });
    expect(below(place.folder)).toEqual(['CACHEDIR.TAG', 'notes.txt']);
    expect(cacheUse(place)).toEqual({ entries: 0, bytes: 0, kinds: [], oldest: null });
  });

  test('prunes what was not used for long, then what was not used for longest, and abandoned files', () => {
    const cache = open();
    const ages = { a: 40, b: 20, c: 10, d: 1 };
    const now = Date.now() / 1000;
    for (const [name, days] of Object.entries(ages)) {
      cache.put(name === 'd' ? 'texture' : 'bake', keyOf(name), new Uint8Array(1000 - HEADER));
      utimesSync(entryPath(name === 'd' ? 'texture' : 'bake', keyOf(name)), now, now - days * 86_400);
    }
    const temporary = `${entryPath('bake', keyOf('a'))}.1-a.tmp`;
    writeFileSync(temporary, 'x');
    const pruned = (days: number | null, maxBytes: number | null) => {
      const plan = planPruning(place, { before: days === null ? null : Date.now() - days * 86_400_000, maxBytes });
      return [plan.gone.map(({ path }) => path), plan.left, plan.temporary.length];
    };
    const paths = ['a', 'b', 'c'].map((name) => entryPath('bake', keyOf(name)));
    expect(pruned(50, null)).toEqual([[], { entries: 4, bytes: 4000 }, 0]);
    expect(pruned(30, null)).toEqual([paths.slice(0, 1), { entries: 3, bytes: 3000 }, 0]);
    expect(pruned(30, 2500)).toEqual([paths.slice(0, 2), { entries: 2, bytes: 2000 }, 0]);
    expect(pruned(null, 1000)).toEqual([paths, { entries: 1, bytes: 1000 }, 0]);
    utimesSync(temporary, now, now - 7200);
    expect(pruned(50, null)[2]).toBe(1);
    removePlanned(planPruning(place, { before: Date.now() - 5 * 86_400_000, maxBytes: null }));
    expect(below(join(place.folder, 'content'))).toHaveLength(3);
    expect(existsSync(entryPath('texture', keyOf('d')))).toBe(true);
  });

  test('refuses folders that are no cache, and finds nothing where there is none', () => {
    expect(clearCache(place, null)).toEqual({ entries: 0, bytes: 0 });
    putOne();
    rmSync(join(place.folder, 'CACHEDIR.TAG'));
    writeFileSync(join(place.folder, 'notes.txt'), 'mine');
    for (const work of [() => cacheUse(place), () => clearCache(place, null)]) expect(work).toThrow(/^UC1106 /);
    expect(existsSync(entryPath('bake', KEY))).toBe(true);
  });
});

test('several processes that put, get and evict at once see whole entries or none', async () => {
  const bundle = join(folder, 'cache.mjs');
  await build({
    entryPoints: [resolve(import.meta.dirname, '../../src/output/cache/cache.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  // Every process puts the same keys with the same payloads, in an order of its own, into a cache that holds a third.
  writeFileSync(
    join(folder, 'child.mjs'),
    `import { createHash } from 'node:crypto';
    import { openCache } from './cache.mjs';
    const seed = Number(process.argv[2]);
    let wrong = 0;
    let hits = 0;
    const reported = [];
    for (let round = 0; round < 6; round++) {
      const diagnostics = { report: (...words) => reported.push(words.join(' ')) };
      const cache = openCache({ folder: ${JSON.stringify(place.folder)}, isDefault: false, mostBytes: 60_000, diagnostics });
      for (let i = 0; i < 60; i++) {
        const n = (i * 7 + seed * 13 + round) % 60;
        const key = createHash('sha256').update('key ' + n).digest('hex');
        const found = cache.get('bake', key);
        if (found) hits++;
        if (found && (found.length !== 3000 || found.some((byte) => byte !== n))) wrong++;
        if (!found) cache.put('bake', key, new Uint8Array(3000).fill(n));
      }
      cache.close();
    }
    console.log(JSON.stringify({ wrong, reported, hits: hits > 0 }));`,
  );
  const children = [1, 2, 3, 4].map(
    (seed) =>
      new Promise<string>((done) => {
        let text = '';
        const child = spawn(process.execPath, [join(folder, 'child.mjs'), String(seed)], {
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
        child.on('close', () => done(text));
      }),
  );
  const expected = JSON.stringify({ wrong: 0, reported: [], hits: true });
  expect((await Promise.all(children)).map((text) => text.trim())).toEqual(children.map(() => expected));
  expect(below(place.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
