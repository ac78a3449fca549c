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
  UC2468: {
    severity: 'info',
    title: 'notes of applications left out',
    cause:
      'A glTF file may hold data of applications (extras) and a copyright. A GLB keeps those of its nodes and of the file; other outputs have no place for them.',
    remedy:
      'keep what is needed beside the output; a GLB that is cooked without --flatten and --as-one keeps what nodes and the file hold',
  },
  UC2469: {
    severity: 'warning',
    title: 'node tree that the target has no place for',
    cause:
      'Nodes of a .mdl file are bones, of which a model draws 64 in one call. All meshes stand at the origin of the scene.',
    remedy: 'cook parts of the scene with --select, use --target untold or glb, or give --flatten',
  },
} as const satisfies Record<string, CodeEntry>;
