// The files in the folder of a file that is checked, described or drawn.

import { join, posix } from 'node:path';
import { fail } from '../diagnostics/diagnostic.ts';
import type { FolderProbe } from '../formats/checks.ts';
import { codeOf, isFile, readHead, readWhole, refusal, statusOf } from '../importers/wholeFile.ts';

/** Textures that are not in their place yet: by file name, how to read them. */
export type WaitingTextures = ReadonlyMap<string, () => Uint8Array>;

export function diskProbe(folder: string, waiting: WaitingTextures = new Map()): FolderProbe {
  const waits = (path: string) => waiting.get(posix.basename(path));
  return {
    size(path) {
      const bytes = waits(path)?.();
      if (bytes) return bytes.length;
      const { stat } = statusOf(join(folder, path));
      return stat?.isFile() ? stat.size : null;
    },
    read(path) {
      const bytes = waits(path)?.();
      if (bytes) return bytes;
      const file = join(folder, path);
      try {
        return readWhole(file);
      } catch (error) {
        return fail('UC1200', file, '', `${file} ${refusal(codeOf(error))}`);
      }
    },
    exists: (path) => waits(path) !== undefined || isFile(join(folder, path)),
    head(path, bytes) {
      const whole = waits(path)?.();
      if (whole) return whole.subarray(0, bytes);
      try {
        return readHead(join(folder, path), bytes);
      } catch {
        return null;
      }
    },
  };
}
