// What a target has no room for: codes UC2410-UC2419.

import type { CodeEntry } from '../../entry.ts';

export const TARGET_LIMITS = {
  UC2410: {
    severity: 'error',
    exit: 5,
    title: 'mesh with too many bones for Urho3D',
    cause: 'Vertices of Urho3D name their bones in bytes: a geometry can be moved by 256 of them.',
    remedy: 'divide the mesh in the source so that each part is moved by 256 bones or fewer',
  },
  UC2411: {
    severity: 'error',
    exit: 5,
    title: 'geometry too large for Urho3D',
    cause: 'The engine counts the bytes of a vertex buffer in 32 bits, and ends at 4 GiB.',
    remedy: 'cook to a folder of tiles, or to smaller ones',
  },
} as const satisfies Record<string, CodeEntry>;
