// Writing output: codes UC4000-UC4099.

import type { CodeEntry } from '../../entry.ts';

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
    cause: 'The output would replace a file or folder that no earlier cook of this scene wrote.',
    remedy: 'move it aside, or choose another --out; --force replaces files, but no folders',
  },
  UC4002: {
    severity: 'error',
    exit: 3,
    title: 'written file reads back differently',
    cause:
      'Each file is read back and compared before it is moved in; the content of this file differs, so the disk or the file system is at fault.',
    remedy: 'check the disk and cook again',
  },
  UC4003: {
    severity: 'error',
    title: 'file of an earlier cook changed',
    cause:
      'Only one tile was to be cooked, and a file that the manifest lists for the others is missing or not what was written.',
    remedy: 'cook without --only',
  },
  UC4004: {
    severity: 'error',
    exit: 3,
    title: 'another cook writes this set',
    cause:
      'A lock file beside the output names a process that is alive, or a process of another host or container that renewed its lock in the last minute. Of the page of `untold view`: it opens one drop at a time.',
    remedy: 'wait for it (--lock-timeout waits longer), or stop it; cook into another --out to have both',
  },
  UC4005: {
    severity: 'error',
    exit: 3,
    title: 'another cook took over this set',
    cause:
      'The lock of the set is gone or belongs to another cook. A cook may take over a lock that was not renewed for a minute, for example because the machine was asleep. No file was moved in.',
    remedy: 'cook again when the other cook has ended',
  },
  UC4006: {
    severity: 'warning',
    title: 'left-over file not removed',
    cause:
      'The new set is complete, but the system refused to remove a file of the earlier set or the staging folder of the cook.',
    remedy: 'remove it by hand, or cook again: the next cook tries again',
  },
  UC4007: {
    severity: 'warning',
    title: 'changed file kept',
    cause:
      '`untold clean` removes a set whose source is gone. This file belongs to it, but it was changed after the cook, so that it may hold work of somebody.',
    remedy: 'remove it by hand if nobody needs it',
  },
} as const satisfies Record<string, CodeEntry>;
