// Packs of models: codes UC3180-UC3199, those of LOD chains first.

import type { CodeEntry } from '../../entry.ts';

const PRODUCER = 'cook the source again; if another tool wrote the file, report the fault to its makers';

const CHAIN_PRODUCER = 'cook the source again; untold cook --lod none makes no chains';

export const UNTOLDPACK = {
  UC3180: {
    severity: 'error',
    title: 'LOD chains malformed',
    cause:
      'lodChains is an object: the path of a model of the pack, and a list of its levels, each with the path of a .untold file and a number screenSize above 0.',
    remedy: CHAIN_PRODUCER,
  },
  UC3181: {
    severity: 'error',
    title: 'levels of a chain out of order',
    cause:
      'screenSize says from which share of the view a level is shown. The finest level comes first, so that it has to fall from level to level.',
    remedy: CHAIN_PRODUCER,
  },
  UC3182: {
    severity: 'warning',
    title: 'level of a chain missing',
    cause: 'A chain lists a file that is not there. The engine leaves this level out and loads the others.',
    remedy: 'restore the file, or cook the source again',
  },
  UC3183: {
    severity: 'error',
    title: 'level has other tables than its model',
    cause:
      'The engine pairs the meshes of a level with those of its model by their order, and gives them the materials of the model. That needs the same entities, materials, textures and strings, byte for byte, and as many mesh records.',
    remedy: CHAIN_PRODUCER,
  },
  UC3184: {
    severity: 'error',
    title: 'level reaches beyond its model',
    cause:
      'The engine culls a level by the bounds of its model: what lies outside of them vanishes at the edge of the view.',
    remedy: CHAIN_PRODUCER,
  },
  UC3185: {
    severity: 'error',
    title: 'level does not have fewer triangles than the one before',
    cause: 'Levels are listed from fine to coarse. This one costs as much as the one that it replaces, or more.',
    remedy: CHAIN_PRODUCER,
  },
  UC3186: {
    severity: 'warning',
    title: 'level file is not as the engine’s cook writes it',
    cause:
      'A level file has the file type lod and the seven chunks of geometry and tables in their order, and nothing else. What the engine does with others is not known.',
    remedy: CHAIN_PRODUCER,
  },
  UC3187: {
    severity: 'warning',
    title: 'LOD chain of a model that moves',
    cause:
      'The model has a skeleton, morph targets, an animation or splats. Its levels have none of them, so that it would stand still, or be drawn twice, from further away.',
    remedy: CHAIN_PRODUCER,
  },
  UC3190: {
    severity: 'error',
    title: 'pack is no JSON object',
    cause:
      'An .untoldpack is a manifest in JSON that lists models. This one cannot be parsed, or holds something else.',
    remedy: PRODUCER,
  },
  UC3191: {
    severity: 'error',
    title: 'pack lacks a value or has another type',
    cause:
      'A pack has a whole number formatVersion, a text sourceAsset and a list of models; a model has a text path, a transform, and most often a text displayName.',
    remedy: PRODUCER,
  },
  UC3192: {
    severity: 'error',
    title: 'version of the pack not known',
    cause: 'Version 1 is the only one that is known here; this pack states another.',
    remedy: 'use a newer untold-cook, or cook the source again',
  },
  UC3193: {
    severity: 'error',
    title: 'transform of a model is no matrix of 4 x 4 numbers',
    cause:
      'A transform is four rows of four finite numbers that float32 holds. The translation stands in the last column, so that the last row is 0 0 0 1.',
    remedy: PRODUCER,
  },
  UC3194: {
    severity: 'error',
    title: 'path of a model is no relative path of a .untold file',
    cause:
      'Models are .untold files. Their paths are relative to the folder of the pack, with "/", and may climb with ".." at their beginning alone.',
    remedy: 'write the path in this way, or cook the source again',
  },
  UC3195: {
    severity: 'error',
    title: 'model of a pack missing',
    cause: 'The pack lists a file that is not there.',
    remedy: 'restore the file, or cook the source again',
  },
  UC3196: {
    severity: 'warning',
    title: 'pack without models',
    cause: 'The list of models is empty, so that nothing is drawn.',
    remedy: PRODUCER,
  },
  UC3198: {
    severity: 'info',
    title: 'model outside of the folder of the pack',
    cause:
      'The path of the model begins with "..". The engine loads such a model, but its editor does not import it. A pack that is copied elsewhere loses it.',
    remedy: 'cook the source again: models then lie below the pack',
  },
  UC3197: {
    severity: 'warning',
    title: 'pack does not name its source',
    cause:
      'Every pack that is known names the file it was made of as sourceAsset. Whether the engine loads one without it is not known.',
    remedy: PRODUCER,
  },
} as const satisfies Record<string, CodeEntry>;
