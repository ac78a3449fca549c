// What files of Galileo and BPX cannot hold of a scene: codes UC2420-UC2429.

import type { CodeEntry } from '../../entry.ts';

export const MESH_LIMITS = {
  UC2420: {
    severity: 'error',
    exit: 5,
    title: 'texture that repeats too often for the target',
    cause:
      'The target holds texture coordinates from 0 to 1. Triangles that reach over borders of repeats are cut there, into at most 65,536 triangles or twice as many as the group has.',
    remedy: 'cut the surface in the source, scale its texture coordinates, or use another target',
  },
  UC2421: {
    severity: 'error',
    exit: 5,
    title: 'scene too large for a BPX package',
    cause: 'A section of a BPX file states its length in 32 bits and ends at 4 GiB.',
    remedy: 'cook parts of the scene, or smaller textures',
  },
} as const satisfies Record<string, CodeEntry>;
