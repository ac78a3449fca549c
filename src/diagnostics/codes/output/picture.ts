// From where pictures are taken: codes UC2440-UC2449.

import type { CodeEntry } from '../../entry.ts';

export const PICTURE = {
  UC2440: {
    severity: 'error',
    exit: 2,
    title: 'no room to stand in',
    cause:
      'With --camera inside the picture is taken from the room around the middle of the scene. There is none: surfaces do not close that place off in nearly all directions, it is lower than 2 m, or it lies within something solid.',
    remedy: 'leave --camera out, or give the position and the point that it looks at',
  },
} as const satisfies Record<string, CodeEntry>;
