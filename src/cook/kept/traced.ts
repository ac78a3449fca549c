// Files as records hold them: with their content and the stamp by which it need not be read again.

import { isNumber, isText, objectOf, type ShapesOf } from '../../bytes/shape.ts';
import { fileSha256, fileStamp, isOlderThan, isSameStamp } from '../../importers/fileStamp.ts';
import type { TracedFile } from '../../importers/fileTrace.ts';

const isDigits = (value: unknown): boolean => typeof value === 'string' && /^-?\d+$/.test(value);

/** What a value has to be for each field. */
export const TRACED: ShapesOf<TracedFile> = {
  path: isText,
  stamp: objectOf<TracedFile['stamp']>({ size: isNumber, mtime: isDigits, ctime: isDigits, inode: isText }),
  sha256: isText,
  time: isNumber,
};

const tracedShape = objectOf<TracedFile>(TRACED);

export const isTraced = (value: unknown): value is TracedFile => tracedShape(value);

/**
 * The file as it is recorded from now on, if it still has its content; null: it has not. The stamp spares reading it, if a
 * write after the content was read would show in it.
 */
export function unchanged<F extends TracedFile>(file: F): F | null {
  const { path, stamp, sha256, time } = file;
  const begin = Date.now();
  const now = fileStamp(path);
  if (now === null || now.size !== stamp.size) return null;
  if (isSameStamp(now, stamp) && isOlderThan(now, time)) return file;
  try {
    return fileSha256(path) === sha256 ? { ...file, stamp: now, time: begin } : null;
  } catch {
    return null;
  }
}
