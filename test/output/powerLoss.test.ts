// The power fails during a cook or right behind it: after the restart the old or the new set stands whole, and the new one
// if the cook had ended. Each sync of a commit has its reason here: without it one of these disks holds neither set.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OutputSet } from '../../src/output/outputSet.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { type Held, type RecordedDisk, recordDisk } from './recordedDisk.ts';

let folder: string;
let disk: RecordedDisk | null = null;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  disk?.stop();
  disk = null;
  rmSync(folder, { recursive: true, force: true });
});

/** Files of a set by path, without its main file. */
type Content = Readonly<Record<string, string>>;

const OLD: Content = { 'city/both.png': 'both', 'city/deep/a_0001.untold': 'old a', 'city/b_0001.untold': 'old b' };
const NEW: Content = { 'city/deep/er/a_0002.untold': 'new a', 'city/c/c_0001.untold': 'new c' };
/** A file of the new set that no set lists: `force` replaces it. */
const FOREIGN = 'city/c/c_0001.untold';
const MAP = 'city.plan.svg';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const bytes = (text: string) => new TextEncoder().encode(text);
const mainText = (content: Content) =>
  JSON.stringify(Object.entries(content).map(([path, text]) => [path, sha256(text)]));

function putSet(base: string, content: Content): void {
  for (const [path, text] of Object.entries(content)) put(base, path, text);
  put(base, 'city.json', mainText(content));
  put(base, MAP, 'old map');
}

function listed(base: string): [path: string, sha256: string][] {
  const main = join(base, 'city.json');
  return existsSync(main) ? JSON.parse(readFileSync(main, 'utf8')) : [];
}

function open(base: string) {
  const earlier = () =>
    new Map<string, string | null>(
      existsSync(join(base, 'city.json')) ? [['city.json', null], [MAP, null], ...listed(base)] : [],
    );
  return OutputSet.open({ base, main: 'city.json', earlier, force: true });
}

/** Which set stands, judged as a reader does: by the main file and what it lists. */
function standing(base: string): 'old' | 'new' | 'none' | 'torn' {
  const main = join(base, 'city.json');
  if (!existsSync(main)) return 'none';
  const text = readFileSync(main, 'utf8');
  if (text !== mainText(OLD) && text !== mainText(NEW)) return 'torn';
  for (const [path, hash] of listed(base)) {
    const place = join(base, path);
    if (!existsSync(place) || sha256(readFileSync(place, 'utf8')) !== hash) return 'torn';
  }
  return text === mainText(OLD) ? 'old' : 'new';
}

/** Writes what a disk held, but for locks: those of another boot count as left over after a minute. */
function restart(base: string, held: Held): void {
  rmSync(base, { recursive: true, force: true });
  mkdirSync(base);
  for (const [path, text] of Object.entries(held)) {
    if (text === null) mkdirSync(join(base, path));
    else if (!path.includes('city.json.lock')) writeFileSync(join(base, path), text);
  }
}

/** Numbers from 0 to 1, the same in each run. */
function* numbers(): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}
const random = numbers();

/** What a failure may lose of the changes that no sync covers. */
function losses(unsynced: readonly number[], order: 'ordered' | 'unordered'): ReadonlySet<number>[] {
  if (order === 'ordered') return [...unsynced, Infinity].map((from) => new Set(unsynced.filter((at) => at >= from)));
  const some = Array.from({ length: 4 }, () => unsynced.filter(() => random.next().value < 0.5));
  const singles = unsynced.flatMap((one) => [[one], unsynced.filter((at) => at !== one)]);
  return [[], unsynced, ...singles, ...some].map((lost) => new Set(lost));
}

/** The next cook gives up: what recovery alone does. What was replaced is there again where the old set stands. */
function recoverAndLook(base: string, stands: string, moment: string): void {
  open(base).discard();
  expect(standing(base), moment).toBe(stands);
  if (stands !== 'old') return;
  expect(readFileSync(join(base, MAP), 'utf8'), moment).toBe('old map');
  expect(readFileSync(join(base, FOREIGN), 'utf8'), moment).toBe('foreign');
}

describe.each(['ordered', 'unordered'] as const)('where changes of folders are %s', (order) => {
  test.each([
    ['over an old set', OLD],
    ['where nothing stood', null],
  ])('a set stands whole after each moment of a cook: %s', (_, before) => {
    const base = join(folder, 'tiles');
    mkdirSync(base);
    if (before) {
      putSet(base, before);
      put(base, FOREIGN, 'foreign');
    }
    disk = recordDisk(base, order);
    const set = open(base);
    for (const [path, text] of Object.entries(NEW)) set.write(path, bytes(text));
    set.writeBeside(MAP, bytes('new map'));
    set.write('city.json', bytes(mainText(NEW)));
    set.commit();
    const ended = disk.length;
    disk.stop();

    const after = join(folder, 'after');
    // Many failures leave the same disk: what stands on each is looked at once.
    const seen = new Map<string, string>();
    for (let length = 0; length <= ended; length++) {
      for (const lost of losses(disk.unsynced(length), order)) {
        const held = disk.after(length, lost);
        const moment = `${length} of ${ended} steps, without ${[...lost]}`;
        const state = JSON.stringify(held);
        let stands = seen.get(state);
        if (stands === undefined) {
          restart(after, held);
          stands = standing(after);
          seen.set(state, stands);
          expect(stands, moment).not.toBe('torn');
          recoverAndLook(after, stands, moment);
        }
        if (length === ended) expect(stands, moment).toBe('new');
      }
    }
    expect([...new Set(seen.values())].sort()).toEqual(before ? ['new', 'old'] : ['new', 'none']);
  });
});
