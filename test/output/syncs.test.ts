// A sync that fails is heard of once by the system. Whatever a set waits for, it must not be moved in over such a failure.

import fs, { existsSync, mkdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { pack, unpack } from '../../src/index.ts';
import { writeWhole } from '../../src/library/call/writeWhole.ts';
import { OutputSet } from '../../src/output/outputSet.ts';
import { put, temporaryFolder } from '../support/files.ts';

let folder: string;
const { fsync, fsyncSync, statfsSync } = fs;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  Object.assign(fs, { fsync, fsyncSync, statfsSync });
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

const refused = () => Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' });

/**
 * The next sync fails, or one that many later, in whichever way it comes; later ones succeed, as those of Linux do. The result
 * says whether it has failed.
 */
function failOnce(later = 0): () => boolean {
  let left = later + 1;
  const take = () => --left === 0;
  Object.assign(fs, {
    fsync: (fd: number, done: (error: Error | null) => void) => {
      if (take()) setImmediate(() => done(refused()));
      else fsync(fd, done);
    },
    fsyncSync: (fd: number) => {
      if (take()) throw refused();
      fsyncSync(fd);
    },
  });
  syncBuiltinESMExports();
  return () => left <= 0;
}

test('of a file that is written in one turn', () => {
  failOnce();
  expect(() => writeWhole(join(folder, 'picture.png'), Buffer.from('picture'), '--out')).toThrow(/UC4000/);
  expect(existsSync(join(folder, 'picture.png'))).toBe(false);
});

test('of a package and of its files', async () => {
  for (let i = 0; i < 3; i++) put(folder, `Data/${i}.txt`, `entry ${i}`);
  failOnce();
  const failed = await pack(join(folder, 'Data'), { out: join(folder, 'Data.pak') });
  expect([failed.exitCode, failed.diagnostics.map(({ code }) => code)]).toEqual([3, ['UC4000']]);
  expect(existsSync(join(folder, 'Data.pak'))).toBe(false);

  expect((await pack(join(folder, 'Data'), { out: join(folder, 'Data.pak') })).exitCode).toBe(0);
  mkdirSync(join(folder, 'out'));
  failOnce();
  const torn = await unpack(join(folder, 'Data.pak'), { out: join(folder, 'out') });
  expect([torn.exitCode, torn.diagnostics.map(({ code }) => code)]).toEqual([3, ['UC4000']]);
  expect(fs.readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.txt'))).toEqual([]);
});

test('of each file and folder of a set on a file system that may change their order', () => {
  const tmpfs = { type: 0x01021994 };
  let failures = 0;
  for (let later = 0; ; later++) {
    const base = join(folder, `tiles ${later}`);
    put(base, 'city.json', 'old');
    Object.assign(fs, { statfsSync: () => tmpfs });
    const hasFailed = failOnce(later);
    const earlier = () => new Map([['city.json', null]]);
    const set = OutputSet.open({ base, main: 'city.json', earlier, force: false });
    set.write('city/a.untold', Buffer.from('a'));
    set.write('city.json', Buffer.from('new'));
    try {
      set.commit();
    } catch (error) {
      failures++;
      expect((error as SourceError).diagnostics.map(({ code }) => code)).toEqual(['UC4000']);
    }
    set.discard();
    if (!hasFailed()) break;
    expect([later, fs.readdirSync(base)]).toEqual([later, ['city.json']]);
    expect(fs.readFileSync(join(base, 'city.json'), 'utf8')).toBe('old');
  }
  // Two files, the journal, four folders of it and of the kept file, twice the folders of the set.
  expect(failures).toBeGreaterThan(8);
});
