// What pictures are lit by, and from where they are taken: codes UC2440-UC2449.

import type { CodeEntry } from '../../entry.ts';

export const PICTURE = {
  UC2440: {
    severity: 'error',
    title: 'not a Radiance picture',
    cause:
      'The file of --environment does not begin as Radiance pictures do (`#?RADIANCE` or `#?RGBE`), its header states another format than 32-bit_rle_rgbe, or the line of its size is missing or has other axes than `-Y` and `+X`.',
    remedy: 'name an .hdr file, or save the environment anew as Radiance HDR',
  },
  UC2441: {
    severity: 'error',
    exit: 5,
    title: 'environment too large',
    cause: 'The header of the environment states more than 16384 pixels a side, or more than 33,554,432 in all.',
    remedy: 'scale the environment down: 2048 x 1024 pixels are more than a picture shows',
  },
  UC2442: {
    severity: 'error',
    title: 'pixels of the environment are damaged',
    cause:
      'The rows of the environment end before the header says that they do, or a run of equal values is longer than its row.',
    remedy: 'get the file again, or save it anew',
  },
  UC2443: {
    severity: 'error',
    exit: 2,
    title: 'no room to stand in',
    cause:
      'With --camera inside the picture is taken from the room around the middle of the scene. There is none: surfaces do not face that place in nearly all directions, or it is lower than 2 m.',
    remedy: 'leave --camera out, or give the position and the point that it looks at',
  },
} as const satisfies Record<string, CodeEntry>;
