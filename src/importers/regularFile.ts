// What all reading of files shares: how they are opened, which are refused, and reading that is cut off nowhere but at the
// end of the file.

import { constants, readSync } from 'node:fs';

/** If a pipe replaces the file between the check and the opening, opening it does not wait for a writer. */
export const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The system reads no more than 2 GiB at a time. */
const MAX_READ_BYTES = 2 ** 30;

/** Throws an error with a `code` of the system: EISDIR for a folder, ENXIO for a pipe or a device. */
export function refuseIrregular(stat: { isDirectory(): boolean; isFile(): boolean }): void {
  if (stat.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  if (!stat.isFile()) throw Object.assign(new Error('a pipe or a device'), { code: 'ENXIO' });
}

/** Fills `bytes` from offset `from` of the file on, and returns how many bytes there were. */
export function readInto(fd: number, bytes: Uint8Array, from: number): number {
  let at = 0;
  while (at < bytes.length) {
    const n = readSync(fd, bytes, at, Math.min(bytes.length - at, MAX_READ_BYTES), from + at);
    if (n === 0) break;
    at += n;
  }
  return at;
}
