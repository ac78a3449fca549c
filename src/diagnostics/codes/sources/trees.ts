// Nodes of sources, what moves them and what is noted on them: codes UC2467-UC2469.

import type { CodeEntry } from '../../entry.ts';

export const TREES = {
  UC2467: {
    severity: 'warning',
    title: 'rotation is no unit quaternion',
    cause:
      'A quaternion of another length than 1 is no rotation: programs scale or shear with it, each in a way of its own. It is divided by its length, and one of zeros does not rotate.',
    remedy: 'normalise the rotations where the file is exported',
  },
} as const satisfies Record<string, CodeEntry>;
