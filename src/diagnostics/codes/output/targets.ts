// What a target leaves out or changes of a scene: codes UC2300-UC2399; what it has no room for: UC2410-UC2419.

import type { CodeEntry } from '../../entry.ts';

export const TARGETS = {
  UC2300: {
    severity: 'warning',
    title: 'light that the target has no kind for',
    cause: 'Area lights have no counterpart in the target. They become spots that are as bright in front.',
    remedy: 'nothing to do, or replace area lights by spots in the source',
  },
  UC2310: {
    severity: 'warning',
    title: 'lights and cameras left out of a model',
    cause:
      'A .mdl of Urho3D is a model alone. Lights and cameras stand in scenes, which are written with sets of tiles.',
    remedy: 'nothing to do, or give a folder to --out with --target urho3d',
  },
  UC2311: {
    severity: 'warning',
    title: 'occlusion map left out of materials for Urho3D',
    cause:
      'The shaders of Urho3D have one texture unit for emission and occlusion. Where a material has both, emission is kept.',
    remedy: 'nothing to do, or leave one of the two maps out of the material',
  },
  UC2312: {
    severity: 'warning',
    title: 'light fades as Urho3D has it',
    cause:
      'Lights of Urho3D end at a range and fade towards it in a way of their own; a spot has no inner cone. Colour, power, direction, outer cone and range are kept; an unbounded light gets the range at which it gives a hundredth of a watt a square metre.',
    remedy: 'look at the lights in Urho3D, and adjust their brightness there',
  },
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
