// A cook that is killed before any call that changes the disk, one call after the other: the old or the new set stands
// whole, and the next cook leaves nothing behind. The kill is a file system that refuses everything from then on, so
// that no code of the killed cook can tidy up; test/cli/killed.long.test.ts kills real processes.

import { createHash } from 'node:crypto';
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { OutputSet } from '../../src/output/outputSet.ts';

const disk = { calls: 0, killAt: Infinity, dead: false, refuseFrom: Infinity, refuseTo: Infinity };

const CHANGING = [
  'copyFileSync',
  'linkSync',
  'mkdirSync',
  'openSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'unlinkSync',
  'writeFileSync',
  'writeSync',
];

/** The functions of `node:fs` that end before they return, under their names. */
const real = Object.fromEntries(
  Object.entries(fs).filter(([name, value]) => typeof value === 'function' && name.endsWith('Sync')),
) as Record<string, (...args: unknown[]) => unknown>;

// All modules of the process see the functions that are set here, for as long as this file runs. What one of them calls
// to do its work is not counted.
beforeAll(() => {
  let isInside = false;
  for (const [name, call] of Object.entries(real)) {
    const counted = (...args: unknown[]) => {
      if (isInside) return call(...args);
      if (!disk.dead && CHANGING.includes(name)) disk.dead = ++disk.calls >= disk.killAt;
      if (CHANGING.includes(name) && disk.calls >= disk.refuseFrom && disk.calls < disk.refuseTo) {
        throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: name });
      }
      if (disk.dead) throw new Error('killed');
      isInside = true;
      try {
        return call(...args);
      } finally {
        isInside = false;
      }
    };
    Object.assign(fs, { [name]: counted });
  }
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Files of a set by path, without its main file. */
type Content = Readonly<Record<string, string>>;

const OLD: Content = { 'city/both.png': 'both', 'city/deep/a_0001.untold': 'old a', 'city/b_0001.untold': 'old b' };
const NEW: Content = { 'city/both.png': 'both', 'city/deep/a_0002.untold': 'new a', 'city/c/c_0001.untold': 'new c' };
const MAP = 'city.plan.svg';

const mainText = (content: Content): string =>
  JSON.stringify(Object.entries(content).map(([path, text]) => [path, sha256(text)]));

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'untold-killed-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function putSet(content: Content): void {
  for (const [path, text] of Object.entries(content)) put(path, text);
  put('city.json', mainText(content));
  put(MAP, `map of ${mainText(content)}`);
}

function listed(): [path: string, sha256: string][] {
  const main = join(base, 'city.json');
  return existsSync(main) ? JSON.parse(readFileSync(main, 'utf8')) : [];
}

function open(force = false) {
  const earlier = () =>
    new Map<string, string | null>(
      existsSync(join(base, 'city.json')) ? [['city.json', null], [MAP, null], ...listed()] : [],
    );
  return OutputSet.open({ base, main: 'city.json', earlier, force });
}

function cook(content: Content, force = false): void {
  const set = open(force);
  try {
    for (const [path, text] of Object.entries(content)) set.write(path, new TextEncoder().encode(text));
    set.writeBeside(MAP, new TextEncoder().encode(`map of ${mainText(content)}`));
    set.write('city.json', new TextEncoder().encode(mainText(content)));
    set.commit();
  } finally {
    set.discard();
  }
}

/** Runs until the call of that number, which never happens. False when it ended before. */
function killed(at: number, run: () => void): boolean {
  Object.assign(disk, { calls: 0, killAt: at, dead: false });
  try {
    run();
  } catch (error) {
    if (!disk.dead) throw error;
  } finally {
    Object.assign(disk, { killAt: Infinity });
  }
  const was = disk.dead;
  disk.dead = false;
  return was;
}

/** The lock says that this process holds the set: make it the lock of one that is gone. */
function buryHolder(): void {
  for (const name of readdirSync(base, { recursive: true, encoding: 'utf8' })) {
    if (!name.includes('city.json.lock')) continue;
    const text = readFileSync(join(base, name), 'utf8');
    writeFileSync(join(base, name), text.replace(/"pid":\d+/, '"pid":999999999'));
  }
}

const files = (): string[] =>
  readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(base.length + 1))
    .sort();

const filesOf = (content: Content): string[] => [...Object.keys(content), 'city.json', MAP].sort();

/** Which set stands, judged as a reader does: by the main file and what it lists. */
function standing(): 'old' | 'new' | 'none' | 'torn' {
  if (!existsSync(join(base, 'city.json'))) return 'none';
  for (const [path, hash] of listed()) {
    const place = join(base, path);
    if (!existsSync(place) || sha256(readFileSync(place, 'utf8')) !== hash) return 'torn';
  }
  return readFileSync(join(base, 'city.json'), 'utf8') === mainText(OLD) ? 'old' : 'new';
}

describe('a cook that is killed before any change of the disk', () => {
  it.each([
    ['over an old set', OLD],
    ['where nothing stood', null],
  ])('leaves the old or the new set, and the next cook tidies up: %s', (_, before) => {
    const seen = new Set<string>();
    for (let at = 1; ; at++) {
      rmSync(base, { recursive: true, force: true });
      mkdirSync(base);
      if (before) putSet(before);
      if (!killed(at, () => cook(NEW))) break;
      const after = standing();
      seen.add(after);
      expect(after, `killed before call ${at}`).not.toBe('torn');
      if (before) expect(after).not.toBe('none');
      buryHolder();

      // A next cook that gives up shows what recovery alone does.
      open().discard();
      expect(standing(), `recovered after call ${at}`).toBe(after);
      const expected = after === 'none' ? [] : filesOf(after === 'old' ? OLD : NEW);
      expect(files(), `recovered after call ${at}`).toEqual(expected);
      if (after !== 'none') {
        expect(readFileSync(join(base, MAP), 'utf8')).toBe(`map of ${readFileSync(join(base, 'city.json'), 'utf8')}`);
      }
    }
    expect(disk.calls).toBeGreaterThan(30);
    expect([...seen].sort()).toEqual(before ? ['new', 'old'] : ['new', 'none']);
    expect([standing(), files()]).toEqual(['new', filesOf(NEW)]);
  });

  it('lets the next cook write the set in one go, whatever the killed one left', () => {
    for (let at = 1; ; at++) {
      rmSync(base, { recursive: true, force: true });
      mkdirSync(base);
      putSet(OLD);
      if (!killed(at, () => cook(NEW))) break;
      buryHolder();
      cook(NEW);
      expect([standing(), files()], `killed before call ${at}`).toEqual(['new', filesOf(NEW)]);
    }
  });

  it('loses no file that it was forced to replace, unless its set is the new one', () => {
    for (let at = 1; ; at++) {
      rmSync(base, { recursive: true, force: true });
      mkdirSync(base);
      putSet(OLD);
      put('city/deep/a_0002.untold', 'foreign');
      if (!killed(at, () => cook(NEW, true))) break;
      const after = standing();
      expect(after).not.toBe('torn');
      buryHolder();
      open().discard();
      const stands = readFileSync(join(base, 'city/deep/a_0002.untold'), 'utf8');
      expect(stands, `killed before call ${at}`).toBe(after === 'old' ? 'foreign' : 'new a');
    }
  });

  it('is finished by a recovery that is killed as well', () => {
    for (let at = 1; ; at++) {
      rmSync(base, { recursive: true, force: true });
      mkdirSync(base);
      putSet(OLD);
      // In the middle of the moves: the second of three payloads.
      let moves = 0;
      for (let first = 1; moves === 0; first++) {
        if (!killed(first, () => cook(NEW))) throw new Error('no kill between two moves');
        if (existsSync(join(base, 'city/deep/a_0002.untold')) && standing() === 'old') moves++;
        else {
          rmSync(base, { recursive: true, force: true });
          mkdirSync(base);
          putSet(OLD);
        }
      }
      buryHolder();
      const again = killed(at, () => open().discard());
      expect(standing(), `recovery killed before call ${at}`).toBe('old');
      buryHolder();
      open().discard();
      expect(files(), `recovery killed before call ${at}`).toEqual(filesOf(OLD));
      if (!again) break;
    }
  });

  /** Runs while the system refuses changes from one call up to before another; gives what was thrown. */
  function refused(from: number, to: number, run: () => void): unknown {
    Object.assign(disk, { calls: 0, refuseFrom: from, refuseTo: to });
    try {
      run();
    } catch (error) {
      return error;
    } finally {
      Object.assign(disk, { refuseFrom: Infinity, refuseTo: Infinity });
    }
    return null;
  }

  it.each([
    ['one change', 1],
    ['every change from then on', Infinity],
  ])('ends in UC4000 where the system refuses %s, and the old set or the new one stands', (_, count) => {
    let failures = 0;
    for (let at = 1; ; at++) {
      rmSync(base, { recursive: true, force: true });
      mkdirSync(base);
      putSet(OLD);
      const error = refused(at, at + count, () => cook(NEW));
      if (disk.calls < at) break;
      const after = standing();
      expect(after, `refused from call ${at}`).toMatch(/^(old|new)$/);
      if (error === null) {
        expect(after).toBe('new');
      } else {
        failures++;
        expect((error as SourceError).diagnostics?.map(({ code }) => code)).toEqual(['UC4000']);
      }
      // The lock of a process that lives: it goes with the process, or with the minute.
      buryHolder();
      open().discard();
      expect(files(), `refused from call ${at}`).toEqual(filesOf(after === 'old' ? OLD : NEW));
    }
    expect(failures).toBeGreaterThan(10);
  });

  it('trusts no journal that leads out of the folder or belongs to another set', () => {
    for (const path of ['../victim', 'city/../../victim', '/victim', 'city//x']) {
      putSet(OLD);
      const steps = { replaced: [], added: [], fresh: [], main: { path: 'city.json', sha256: 'x' } };
      const stale = [{ path, sha256: sha256('victim') }];
      put('.cooking/city.json.cooking-0/commit.json', JSON.stringify({ ...steps, stale }));
      put('victim', 'victim');
      open().discard();
      expect(readFileSync(join(base, 'victim'), 'utf8')).toBe('victim');
      rmSync(join(base, 'victim'));
      expect(files()).toEqual(filesOf(OLD));
    }
    const main = { path: 'other.json', sha256: sha256('other') };
    put('other.json', 'other');
    put('mine.png', 'mine');
    const stale = [{ path: 'mine.png', sha256: sha256('mine') }];
    put(
      '.cooking/city.json.cooking-0/commit.json',
      JSON.stringify({ replaced: [], added: [], fresh: [], main, stale }),
    );
    open().discard();
    expect(existsSync(join(base, 'mine.png'))).toBe(true);
  });
});
