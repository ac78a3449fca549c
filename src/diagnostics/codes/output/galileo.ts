// Galileo mesh assets: codes UC3500-UC3599. 3500-3529 what a reader refuses or draws wrongly, 3530-3549 what loads and is not
// right.

import type { CodeEntry } from '../../entry.ts';

const DAMAGED = 'the file is damaged or cut off: copy it again, or write it again from its source';
const PRODUCER = 'write the file again from its source; report the fault to the makers of the tool that wrote it';

export const GALILEO = {
  UC3500: {
    severity: 'error',
    title: 'not a Galileo file',
    cause: 'The file does not begin with the four letters "GALI" that every Galileo asset begins with.',
    remedy: 'check that the right file was named; write it again if it was',
  },
  UC3501: {
    severity: 'error',
    title: 'Galileo file shorter than its header or manifest',
    cause: 'The header of a Galileo file takes 36 bytes and the manifest of a mesh 44 more; this file ends before.',
    remedy: DAMAGED,
  },
  UC3502: {
    severity: 'error',
    title: 'Galileo version not supported',
    cause:
      'The drafts of Galileo, all versions 0, are known here; this file states a later one, whose layout may differ.',
    remedy: 'use a newer untold-cook, or write the file in a version 0',
  },
  UC3503: {
    severity: 'error',
    title: 'Galileo asset without a UUID of version 4',
    cause: 'Other assets refer to an asset by its UUID. This one lacks the bits that mark version 4 of RFC 4122.',
    remedy: PRODUCER,
  },
  UC3504: {
    severity: 'error',
    title: 'Galileo asset is not a mesh',
    cause: 'The specification describes meshes alone. What the other types hold is not defined.',
    remedy: 'name a file that holds a mesh',
  },
  UC3505: {
    severity: 'error',
    title: 'Galileo checksum is not that of the content',
    cause: 'The header holds the XXH3 of everything behind it; bytes have changed since it was computed.',
    remedy: DAMAGED,
  },
  UC3506: {
    severity: 'error',
    title: 'counts of a Galileo mesh do not fill its file',
    cause:
      'Header, manifest, entries of groups and extensions, and buffer follow each other; with the counts of the manifest they end before or beyond the end of the file.',
    remedy: DAMAGED,
  },
  UC3507: {
    severity: 'error',
    title: 'Galileo mesh without a vertex group',
    cause: 'A mesh has one vertex group or more; without one there is nothing to draw.',
    remedy: PRODUCER,
  },
  UC3508: {
    severity: 'error',
    title: 'slice beyond the buffer of a Galileo mesh',
    cause: 'The entry of a vertex group names bytes that the buffer does not have.',
    remedy: DAMAGED,
  },
  UC3509: {
    severity: 'error',
    title: 'slice shorter than its arrays',
    cause: 'The numbers of indices, vertices and channels of a vertex group ask for more bytes than its slice has.',
    remedy: DAMAGED,
  },
  UC3510: {
    severity: 'error',
    title: 'slice longer than its arrays',
    cause: 'The slice of a vertex group goes on behind its last array, though it has no channels of extensions.',
    remedy: PRODUCER,
  },
  UC3511: {
    severity: 'error',
    title: 'slices of a Galileo mesh overlap',
    cause: 'Two vertex groups name the same bytes. Each group has bytes of its own.',
    remedy: PRODUCER,
  },
  UC3512: {
    severity: 'error',
    title: 'indices of a Galileo mesh make no triangles',
    cause: 'A vertex group has at least three indices, and a multiple of three.',
    remedy: PRODUCER,
  },
  UC3513: {
    severity: 'error',
    title: 'index beyond the vertices of its group',
    cause:
      'Indices count from the first vertex of their own group; this one names a vertex that the group does not have.',
    remedy: PRODUCER,
  },
  UC3514: {
    severity: 'error',
    title: 'number of a Galileo mesh is not finite',
    cause: 'A position, a direction or a box holds an infinity or something that is not a number.',
    remedy: PRODUCER,
  },
  UC3515: {
    severity: 'error',
    title: 'normal or tangent of a Galileo mesh is not of length 1',
    cause: 'Shaders use normals and tangents as they are; with other lengths the light is wrong.',
    remedy: PRODUCER,
  },
  UC3516: {
    severity: 'error',
    title: 'fourth number of a tangent is not 1 or -1',
    cause: 'It is the sign of the bitangent; other values bend normal maps.',
    remedy: PRODUCER,
  },
  UC3517: {
    severity: 'error',
    title: 'box of a Galileo mesh does not hold its positions',
    cause: 'What is outside of the box disappears when the box leaves the view.',
    remedy: PRODUCER,
  },
  UC3518: {
    severity: 'error',
    title: 'weights of a vertex do not add up to 1',
    cause:
      'The weights of all channels of a vertex add up to 65535, which is 1; otherwise the vertex moves away or shrinks.',
    remedy: PRODUCER,
  },
  UC3519: {
    severity: 'error',
    title: 'box of a Galileo mesh is wider than its positions',
    cause: 'A box touches what it holds on every side; this one is of something else, or in other axes.',
    remedy: PRODUCER,
  },
  UC3520: {
    severity: 'error',
    title: 'chain of extensions leads beyond their table',
    cause: 'A mesh, a group or an extension names an extension that the file does not have. 0 ends a chain.',
    remedy: PRODUCER,
  },
  UC3521: {
    severity: 'error',
    title: 'chain of extensions runs in a circle',
    cause: 'An extension leads back to one before it, so that a reader that follows the chain never ends.',
    remedy: PRODUCER,
  },
  UC3522: {
    severity: 'error',
    title: 'extension of a Galileo file without a name',
    cause: 'The name of an extension is 1 to 16 printable letters of ASCII, with zeros behind them.',
    remedy: PRODUCER,
  },
  UC3523: {
    severity: 'error',
    title: 'data of an extension begins beyond the buffer',
    cause: 'The entry of an extension names a byte that the buffer does not have.',
    remedy: DAMAGED,
  },
  UC3524: {
    severity: 'error',
    title: 'attributes of an extension that is not named',
    cause: 'A vertex group has channels of extensions, but no extension that says what they are.',
    remedy: PRODUCER,
  },
  UC3530: {
    severity: 'warning',
    title: 'slice of a Galileo mesh not aligned to 4 bytes',
    cause: 'Its arrays cannot be used where they are and have to be copied.',
    remedy: PRODUCER,
  },
  UC3531: {
    severity: 'warning',
    title: 'extension of a Galileo file that nothing leads to',
    cause: 'Neither the chain of the mesh nor that of a group has this extension; readers pass over it.',
    remedy: PRODUCER,
  },
  UC3532: {
    severity: 'warning',
    title: 'triangles against their normals',
    cause:
      'The corners of these triangles turn the other way round than their normals say, so that renderers show their backs.',
    remedy: 'turn the triangles or their normals round in the source',
  },
  UC3533: {
    severity: 'warning',
    title: 'groups of a Galileo mesh are not one after another',
    cause:
      'The reference implementation adds up the sizes of groups and passes over where they begin: it reads other bytes for this group.',
    remedy: PRODUCER,
  },
} as const satisfies Record<string, CodeEntry>;
