// Writes the files of a drop into a folder while they come. Whatever the list says is checked before a file is made.

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { codeOf } from '../../importers/wholeFile.ts';
import { type DroppedFile, MAX_LIST_BYTES, tooLarge } from '../../viewer/drop.ts';

const LENGTH_BYTES = 4;

/** Folders in each other at most. */
const MAX_DEPTH = 64;

/** The longest name of common file systems, in bytes. */
const MAX_NAME_BYTES = 255;

const damaged = (message: string): never =>
  fail('UC1206', '', '', `the drop is damaged: ${message}`, 'drop the files again');

/** Whether a part of a path names something in its folder on every system. */
const isName = (part: string): boolean =>
  part !== '' &&
  part !== '.' &&
  part !== '..' &&
  Buffer.byteLength(part) <= MAX_NAME_BYTES &&
  !/[\\:\x00-\x1f\x7f]/.test(part);

function checkPath(path: string): void {
  const parts = path.split('/');
  if (parts.length <= MAX_DEPTH && parts.every(isName)) return;
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  fail(
    'UC1204',
    '',
    '',
    `a dropped file is called ${shown}`,
    `rename it: names have no backslash, colon or control character, at most ${MAX_NAME_BYTES} bytes, and lead to no folder above`,
  );
}

const isDroppedFile = (value: unknown): value is DroppedFile => {
  const { path, bytes } = (value ?? {}) as Partial<DroppedFile>;
  return typeof path === 'string' && Number.isSafeInteger(bytes) && (bytes as number) >= 0;
};

/** The files of a list; `bytes`: what follows it. Throws UC1204, UC1206 and UC1209. */
function readList(json: Uint8Array, bytes: number): readonly DroppedFile[] {
  let list: unknown;
  try {
    list = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    return damaged('its list is no JSON');
  }
  if (!Array.isArray(list) || !list.every(isDroppedFile)) return damaged('its list is none of files');
  const limit = tooLarge(list.length, bytes);
  if (limit) throw new SourceError(limit);
  const declared = list.reduce((sum, file) => sum + file.bytes, 0);
  if (declared !== bytes) return damaged(`its list has ${declared} bytes, and ${bytes} follow`);
  for (const { path } of list) checkPath(path);
  return list;
}

/** Throws UC4001 where one path is taken by another, else UC4000. */
function refuseWriting(path: string, error: unknown): never {
  const code = codeOf(error);
  if (['EEXIST', 'ENOTDIR', 'EISDIR'].includes(code)) {
    fail('UC4001', path, '', 'another dropped file or folder has this name', 'rename one of them');
  }
  return fail('UC4000', path, '', `it cannot be written into the temporary folder (${code})`);
}

export class DropFiles {
  readonly #folder: string;
  readonly #total: number;
  /** The length of the list, then with the list behind it. */
  #head = new Uint8Array(LENGTH_BYTES);
  #headFilled = 0;
  #list: readonly DroppedFile[] | null = null;
  /** The next file of the list. */
  #next = 0;
  #fd: number | null = null;
  /** Bytes of the open file that have not come yet. */
  #left = 0;

  /** `total`: the bytes of the whole body. */
  constructor(folder: string, total: number) {
    this.#folder = folder;
    this.#total = total;
  }

  /** Takes the next bytes of the body. Throws SourceError. */
  take(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) rest = rest.subarray(this.#list === null ? this.#takeHead(rest) : this.#takeContent(rest));
  }

  /** All has come. Throws UC1206 where that is not so. */
  end(): void {
    if (this.#list === null || this.#left > 0 || this.#next < this.#list.length) damaged('it is cut off');
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #takeHead(bytes: Uint8Array): number {
    const taken = Math.min(bytes.length, this.#head.length - this.#headFilled);
    this.#head.set(bytes.subarray(0, taken), this.#headFilled);
    this.#headFilled += taken;
    if (this.#headFilled < this.#head.length) return taken;
    if (this.#head.length === LENGTH_BYTES) {
      const length = new DataView(this.#head.buffer).getUint32(0, true);
      if (length === 0 || length > Math.min(MAX_LIST_BYTES, this.#total - LENGTH_BYTES)) {
        damaged(`its list would have ${length} bytes`);
      }
      const whole = new Uint8Array(LENGTH_BYTES + length);
      whole.set(this.#head);
      this.#head = whole;
      return taken;
    }
    this.#list = readList(this.#head.subarray(LENGTH_BYTES), this.#total - this.#head.length);
    this.#openNext();
    return taken;
  }

  #takeContent(bytes: Uint8Array): number {
    if (this.#fd === null) return damaged('it is longer than its list');
    const taken = Math.min(bytes.length, this.#left);
    try {
      for (let written = 0; written < taken; ) written += writeSync(this.#fd, bytes, written, taken - written);
    } catch (error) {
      refuseWriting(this.#list?.[this.#next - 1].path ?? '', error);
    }
    this.#left -= taken;
    if (this.#left === 0) this.#openNext();
    return taken;
  }

  /** Opens the next file that has contents, and makes the empty ones before it. */
  #openNext(): void {
    const list = this.#list ?? [];
    this.close();
    while (this.#next < list.length && this.#left === 0) {
      const { path, bytes } = list[this.#next++];
      this.close();
      const file = join(this.#folder, path);
      try {
        mkdirSync(dirname(file), { recursive: true });
        // None that is there already.
        this.#fd = openSync(file, 'wx', 0o600);
      } catch (error) {
        refuseWriting(path, error);
      }
      this.#left = bytes;
    }
    if (this.#left === 0) this.close();
  }
}
