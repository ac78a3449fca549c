// GLB files: codes UC3700-UC3799. 3700-3719 what is wrong with a file, 3790-3799 what a file cannot hold.

import type { CodeEntry } from '../../entry.ts';

const DAMAGED = 'the file is damaged or cut off: copy it again, or cook or export it again';
const PRODUCER =
  'cook or export it again; if that does not help, report the fault to the makers of the program that wrote the file';

export const GLB = {
  UC3700: {
    severity: 'error',
    title: 'not a GLB file',
    cause: 'A GLB begins with the letters "glTF", a version and its length.',
    remedy: 'check that the right file was named; cook or export it again if it was',
  },
  UC3701: {
    severity: 'error',
    title: 'GLB version not supported',
    cause: 'The container states another version than 2, which glTF 2.0 uses.',
    remedy: PRODUCER,
  },
  UC3702: {
    severity: 'error',
    title: 'chunks of a GLB do not fill the file',
    cause: 'The header and the chunks state lengths that do not add up to that of the file.',
    remedy: DAMAGED,
  },
  UC3703: {
    severity: 'error',
    title: 'JSON of a GLB is no glTF 2.0',
    cause:
      'The JSON cannot be parsed, states no version 2.0, has something else where a list belongs, or names a variant twice in one primitive.',
    remedy: DAMAGED,
  },
  UC3704: {
    severity: 'error',
    title: 'GLB refers to an element that is not there',
    cause:
      'Elements refer to each other by their index in a list; this index is not in the list. Textures refer to a set of texture coordinates of the mesh by its number.',
    remedy: PRODUCER,
  },
  UC3705: {
    severity: 'error',
    title: 'view beyond the buffer of a GLB',
    cause: 'A buffer view names bytes that the binary chunk does not have.',
    remedy: DAMAGED,
  },
  UC3706: {
    severity: 'error',
    title: 'accessor beyond its view in a GLB',
    cause: 'The elements of an accessor end beyond its buffer view, are not aligned, or have no known type.',
    remedy: PRODUCER,
  },
  UC3707: {
    severity: 'error',
    title: 'range of a GLB accessor is not that of its numbers',
    cause: 'Viewers take bounds from min and max of positions; these differ from the least and greatest number.',
    remedy: PRODUCER,
  },
  UC3708: {
    severity: 'error',
    title: 'triangle of a GLB names a vertex that is not there',
    cause: 'An index is as large as the number of vertices or larger, or the indices are no whole triangles.',
    remedy: PRODUCER,
  },
  UC3709: {
    severity: 'error',
    title: 'number of a GLB vertex is not finite',
    cause: 'glTF forbids infinities and values that are not a number.',
    remedy: PRODUCER,
  },
  UC3710: {
    severity: 'error',
    title: 'skin of a GLB does not fit its mesh',
    cause: 'Weights of a vertex add up to 1, joints are those of the skin, and each joint has one matrix.',
    remedy: PRODUCER,
  },
  UC3711: {
    severity: 'error',
    title: 'nodes of a GLB are no trees',
    cause: 'A node has two parents or is below itself, or a scene lists one that has a parent.',
    remedy: PRODUCER,
  },
  UC3712: {
    severity: 'error',
    title: 'image of a GLB is not what it states',
    cause: 'The first bytes of the image are not those of the type that it states.',
    remedy: PRODUCER,
  },
  UC3713: {
    severity: 'error',
    title: 'GLB uses an extension that it does not state',
    cause:
      'Each extension that a file needs is listed in extensionsRequired and in extensionsUsed, and has to be known.',
    remedy: PRODUCER,
  },
  UC3714: {
    severity: 'error',
    title: 'compressed data of a GLB does not decompress',
    cause:
      'The bytes of EXT_meshopt_compression or KHR_draco_mesh_compression are damaged, or do not fill the view or the accessors.',
    remedy: DAMAGED,
  },
  UC3715: {
    severity: 'error',
    title: 'normal or tangent of a GLB has no unit length',
    cause: 'Normals and tangents have the length 1, and the fourth number of a tangent is 1 or -1.',
    remedy: PRODUCER,
  },
  UC3716: {
    severity: 'error',
    title: 'attributes of a GLB mesh do not fit each other',
    cause:
      'Every attribute has one value for each vertex. The numbers of TEXCOORD, COLOR, JOINTS and WEIGHTS begin at 0 and have no gap.',
    remedy: PRODUCER,
  },
  UC3717: {
    severity: 'error',
    title: 'keys of a GLB animation do not fit',
    cause: 'Times ascend from 0 or later, and each has one value.',
    remedy: PRODUCER,
  },
  UC3790: {
    severity: 'error',
    exit: 5,
    title: 'scene too large for a GLB',
    cause: 'A GLB states its length in 32 bits and ends at 4 GiB.',
    remedy: 'cook parts of the scene, or smaller textures, or add --meshopt',
  },
  UC3791: {
    severity: 'error',
    title: 'texture of a kind that a GLB does not hold',
    cause: 'Images of glTF are PNG or JPEG, and with extensions WebP, AVIF or KTX 2.',
    remedy: 'use --textures png',
  },
} as const satisfies Record<string, CodeEntry>;
