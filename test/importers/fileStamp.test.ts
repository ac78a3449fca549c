import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/bytes/sha256.ts';
import { type FileStamp, fileSha256, fileStamp, isOlderThan, isSameStamp } from '../../src/importers/fileStamp.ts';
import { diskFiles, type SourceFiles } from '../../src/importers/files.ts';
import { FileTracer } from '../../src/importers/fileTrace.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-stamp-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('a stamp', () => {
  it('differs for another size, time or file', () => {
    const path = write('a', 'one');
    const before = fileStamp(path) as FileStamp;
    expect(before.size).toBe(3);
    expect(isSameStamp(before, fileStamp(path) as FileStamp)).toBe(true);
    // Equal content in another file of the same time.
    const other = write('b', 'one');
    utimesSync(
      other,
      Number(BigInt(before.mtime) / 1_000_000n) / 1000,
      Number(BigInt(before.mtime) / 1_000_000n) / 1000,
    );
    renameSync(other, path);
    expect(isSameStamp(before, fileStamp(path) as FileStamp)).toBe(false);
  });

  it('shows a write that sets the time back: the system sets ctime itself', () => {
    const path = write('a', 'one');
    const before = fileStamp(path) as FileStamp;
    const seconds = Number(BigInt(before.mtime)) / 1e9;
    write('a', 'two');
    utimesSync(path, seconds, seconds);
    expect(isSameStamp(before, fileStamp(path) as FileStamp)).toBe(false);
  });

  it('is none for a folder, a link to nothing and what is not there', () => {
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    expect([folder, join(folder, 'link'), join(folder, 'none')].map(fileStamp)).toEqual([null, null, null]);
  });

  it('proves something only once its times are older than a tick of the clock that they are from', () => {
    const fine = (at: number): FileStamp => ({ size: 1, mtime: '5', ctime: `${at}000001`, inode: '1:1' });
    expect(isOlderThan(fine(1000), 1050)).toBe(false);
    expect(isOlderThan(fine(1000), 1051)).toBe(true);
    // In the future.
    expect(isOlderThan(fine(9000), 1051)).toBe(false);
    // Whole milliseconds: the file system may know seconds alone.
    const coarse: FileStamp = { size: 1, mtime: '1000000000', ctime: '1000000000', inode: '1:1' };
    expect(isOlderThan(coarse, 2000)).toBe(false);
    expect(isOlderThan(coarse, 3501)).toBe(true);
  });
});

it('fileSha256 reads a file of several pieces', () => {
  const bytes = Buffer.alloc(2 ** 21 + 5, 'abc');
  writeFileSync(join(folder, 'large'), bytes);
  expect(fileSha256(join(folder, 'large'))).toBe(sha256Hex(bytes));
});

describe('a trace', () => {
  it('holds what was read with its hash, what was seen, and what was looked for', () => {
    const path = write('a', 'one');
    const seen = write('seen', 'of no interest');
    symlinkSync(path, join(folder, 'link'));
    const begin = Date.now();
    const files = diskFiles(null);
    files.read(path, '', '');
    expect([seen, join(folder, 'link')].map((one) => files.exists(one))).toEqual([true, true]);
    expect(files.exists(join(folder, 'b'))).toBe(false);
    expect(files.exists(folder)).toBe(false);
    expect(() => files.read(join(folder, 'c'), path, '')).toThrow();
    const trace = files.trace();
    expect(trace?.read.map(({ path, sha256 }) => [path, sha256])).toEqual([[path, sha256Hex('one')]]);
    expect(trace?.read[0].time).toBeGreaterThanOrEqual(begin);
    expect(trace?.seen.map(({ path, real }) => [basename(path), basename(real)])).toEqual([
      ['a', 'a'],
      ['link', 'a'],
      ['seen', 'seen'],
    ]);
    expect(trace?.missing).toEqual([join(folder, 'c')]);
    expect(trace?.noFile).toEqual([folder, join(folder, 'b')]);
  });

  it('is none when something was found that cannot be read, or must not be', () => {
    const outside = write('outside', 'secret');
    mkdirSync(join(folder, 'root'));
    symlinkSync(outside, join(folder, 'root', 'link'));
    const ways: ((files: SourceFiles) => void)[] = [
      (files) => expect(() => files.read(join(folder, 'root'), outside, '')).toThrow(),
      (files) => expect(() => files.read(join(folder, 'root', 'link'), outside, '')).toThrow(),
      (files) => expect(files.exists(join(folder, 'root', 'link'))).toBe(false),
    ];
    for (const ask of ways) {
      const files = diskFiles(join(folder, 'root'));
      ask(files);
      expect(files.trace()).toBeNull();
    }
  });

  it('is none when a link leads elsewhere than before', () => {
    write('a', 'one');
    write('b', 'one');
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'a'), link);
    const files = diskFiles(null);
    expect(files.exists(link)).toBe(true);
    rmSync(link);
    symlinkSync(join(folder, 'b'), link);
    expect(files.exists(link)).toBe(true);
    expect(files.trace()).toBeNull();
  });

  it('is none when a file was written to after it was read', () => {
    const path = write('a', 'one');
    const files = diskFiles(null);
    files.read(path, '', '');
    write('a', 'two');
    expect(files.trace()).toBeNull();
  });

  it('is none for a large file that was written just now: a second write could have the same time', () => {
    const path = write('a', 'one');
    const tracer = new FileTracer();
    tracer.opening(path, () => ({ size: 3, whole: null, range: () => new Uint8Array(0), around: () => never() }));
    expect(tracer.trace()).toBeNull();
  });
});

function never(): never {
  throw new Error('not asked');
}
