// Writing output: codes UC4000-UC4099.

import type { CodeEntry } from '../entry.ts';

export const EMIT = {
  UC4000: {
    severity: 'error',
    exit: 3,
    title: 'output cannot be written',
    cause:
      'The system refused to make a folder or to write, sync or move a file: no permission, no space, or a read-only disk.',
    remedy: 'check the output folder’s permissions and free space',
  },
  UC4001: {
    severity: 'error',
    exit: 2,
    title: 'a file is in the way',
    cause: 'The output would replace something that no earlier cook of this scene wrote.',
    remedy: 'move it aside, choose another --out, or give --force to replace files',
  },
  UC4002: {
    severity: 'error',
    exit: 3,
    title: 'written file reads back differently',
    cause:
      'Each file is read back and compared before it is moved in; this one is not what was written, so the disk or the file system is at fault.',
    remedy: 'check the disk and cook again',
  },
  UC4003: {
    severity: 'error',
    title: 'file of an earlier cook changed',
    cause:
      'Only one tile was to be cooked, and a file that the manifest lists for the others is missing or not what was written.',
    remedy: 'cook without --only',
  },
} as const satisfies Record<string, CodeEntry>;
