// The files in the folder of a file that is checked, described or drawn.

import { join } from 'node:path';
import { fail } from '../diagnostics/diagnostic.ts';
import type { FolderProbe } from '../formats/checks.ts';
import { codeOf, isFile, readHead, readWhole, refusal, statusOf } from '../importers/wholeFile.ts';

export function diskProbe(folder: string): FolderProbe {
  return {
    size(path) {
      const { stat } = statusOf(join(folder, path));
      return stat?.isFile() ? stat.size : null;
    },
    read(path) {
      const file = join(folder, path);
      try {
        return readWhole(file);
      } catch (error) {
        return fail('UC1200', file, '', `${file} ${refusal(codeOf(error))}`);
      }
    },
    exists: (path) => isFile(join(folder, path)),
    head(path, bytes) {
      try {
        return readHead(join(folder, path), bytes);
      } catch {
        return null;
      }
    },
  };
}
