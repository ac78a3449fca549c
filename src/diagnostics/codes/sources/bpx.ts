// Bones of BPX models, and such models as sources: codes UC2495-UC2499. What is wrong in a file has the codes of its format.

import type { CodeEntry } from '../../entry.ts';

export const BPX_MODELS = {
  UC2495: {
    severity: 'error',
    exit: 5,
    title: 'more bones than a BPX model can have',
    cause: 'The format has 1024 bones a model at most, and all skeletons of a cook are bones of one model.',
    remedy: 'cook each character by itself, or use another target',
  },
  UC2496: {
    severity: 'error',
    title: 'BPX file without a model',
    cause:
      'A source is a BPX model, or a package with models in it, whose vertices have a component of three floats. Textures and shaders alone draw nothing.',
    remedy: 'name the package or the model; untold inspect FILE lists what a package holds',
  },
  UC2497: {
    severity: 'warning',
    title: 'materials of a BPX source without their factors',
    cause:
      'A BPX model names its materials by paths of the engine, and the format has no file for what they are. Textures at the paths where this program puts them are used; colours and other factors are not known, a colour texture with alpha is cut out at 0.5, and a material without textures is white.',
    remedy: 'cook the source that the package was made of; --hide UC2497 leaves the message out',
  },
  UC2498: {
    severity: 'warning',
    title: 'parts of a BPX model left out',
    cause:
      'The format gives the numbers of a vertex no meaning: what is not in our order has none here. Animations are described nowhere, bones move nothing without weights, no file says how deep a height map is, and of a texture with several images the first is read. Normals and tangents of a vertex array are made anew where one has no direction, or a tangent no sign.',
    remedy: 'nothing to do where the model looks as it should; --hide UC2498 leaves the message out',
  },
} as const satisfies Record<string, CodeEntry>;
