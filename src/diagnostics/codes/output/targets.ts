// What a target leaves out or changes of a scene: codes UC2300-UC2399.

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
} as const satisfies Record<string, CodeEntry>;
