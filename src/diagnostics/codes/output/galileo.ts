// Galileo mesh assets: codes UC3500-UC3599, one a class of fault. 3500-3529 what a reader refuses or draws wrongly, 3530-3549
// what loads and is not right. Messages name field, place and value.

import type { CodeEntry } from '../../entry.ts';

const DAMAGED = 'the file is damaged or cut off: copy it again, or write it again from its source';
const PRODUCER = 'write the file again from its source; report the fault to the makers of the tool that wrote it';

export const GALILEO = {
  UC3500: {
    severity: 'error',
    title: 'not a Galileo mesh',
    cause:
      'A Galileo asset begins with the four letters "GALI" and states its type. The specification describes meshes alone.',
    remedy: 'check that the right file was named, and that it holds a mesh; write it again if it was',
  },
  UC3501: {
    severity: 'error',
    title: 'Galileo file is damaged or cut off',
    cause: 'A count, size or offset asks for bytes that the file does not have, or a slice lies outside the buffer.',
    remedy: DAMAGED,
  },
  UC3502: {
    severity: 'error',
    title: 'Galileo version not supported',
    cause:
      'The drafts of Galileo, all versions 0, are known here; this file states a later one, whose layout may differ.',
    remedy: 'use a newer untold-cook, or write the file in a version 0',
  },
  UC3505: {
    severity: 'error',
    title: 'Galileo checksum is not that of the content',
    cause: 'The header holds the XXH3 of everything behind it; bytes have changed since it was computed.',
    remedy: DAMAGED,
  },
  UC3510: {
    severity: 'error',
    title: 'groups of a Galileo mesh do not fit their bytes',
    cause:
      'The mesh has no vertex group, or a group has an incomplete triangle, a slice that it shares or does not fill, or channels of an extension that it does not name.',
    remedy: PRODUCER,
  },
  UC3513: {
    severity: 'error',
    title: 'reference of a Galileo mesh to nothing',
    cause:
      'An index names a vertex that its group does not have, or a chain of extensions leads beyond their table or back into itself.',
    remedy: PRODUCER,
  },
  UC3514: {
    severity: 'error',
    title: 'value of a Galileo mesh not valid',
    cause:
      'A number is not finite, a normal or tangent is not of length 1, a tangent sign is not 1 or -1, the weights of a vertex do not add up to 65535, the box does not fit the positions, the UUID is not of version 4, or an extension has no name of 1 to 16 printable letters.',
    remedy: PRODUCER,
  },
  UC3530: {
    severity: 'warning',
    title: 'Galileo mesh laid out in another way than usual',
    cause:
      'A slice is not aligned to 4 bytes, groups are not one after another, or nothing leads to an extension. Some readers copy, pass over or misread such parts.',
    remedy: PRODUCER,
  },
  UC3532: {
    severity: 'warning',
    title: 'triangles wound against their normals',
    cause: 'The winding of these triangles is opposite to their normals, so that renderers show their backs.',
    remedy: 'turn the triangles or their normals round in the source',
  },
} as const satisfies Record<string, CodeEntry>;
