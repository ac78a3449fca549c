// A sync that fails is heard of once by the system. Whatever a set waits for, it must not be moved in over such a failure.

import fs, { existsSync, mkdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pack, unpack } from '../../src/index.ts';
import { writeWhole } from '../../src/library/call/writeWhole.ts';
import { put, temporaryFolder } from '../support/files.ts';

let folder: string;
const { fsync, fsyncSync } = fs;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  Object.assign(fs, { fsync, fsyncSync });
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

const refused = () => Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' });

/** The next sync fails, in whichever way it comes; later ones succeed, as those of Linux do. */
function failOnce(): void {
  let isDue = true;
  const take = () => {
    const now = isDue;
    isDue = false;
    return now;
  };
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
