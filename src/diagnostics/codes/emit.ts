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
  UC4004: {
    severity: 'error',
    exit: 3,
    title: 'another cook writes this set',
    cause:
      'A lock file beside the output names a process that is alive, or a process of another host or container that gave a sign of life in the last minute.',
    remedy: 'wait for it, or stop it; cook into another --out to have both',
  },
  UC4005: {
    severity: 'error',
    exit: 3,
    title: 'another cook took this set over',
    cause:
      'The lock of the set is gone or belongs to another cook. It may take over what showed no sign of life for a minute, as when this machine was asleep. Nothing was moved in.',
    remedy: 'cook again when the other cook has ended',
  },
  UC4006: {
    severity: 'warning',
    title: 'left-over file not removed',
    cause:
      'The new set is complete, but the system refused to remove a file of the earlier set or the cook’s own stage.',
    remedy: 'remove it by hand, or cook again: the next cook tries as well',
  },
} as const satisfies Record<string, CodeEntry>;
