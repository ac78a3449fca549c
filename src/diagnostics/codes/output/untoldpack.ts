// Packs of models: codes UC3190-UC3199.

import type { CodeEntry } from '../../entry.ts';

const PRODUCER = 'cook the source again; if another tool wrote the file, report the fault to its makers';

export const UNTOLDPACK = {
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
    remedy: 'use a newer untold-cook, or cook the source of the pack again',
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
  UC3197: {
    severity: 'warning',
    title: 'pack does not name its source',
    cause:
      'Every pack that is known names the file it was made of as sourceAsset. Whether the engine loads one without it is not known.',
    remedy: PRODUCER,
  },
  UC3198: {
    severity: 'info',
    title: 'model outside of the folder of the pack',
    cause:
      'The path of the model begins with "..". The engine loads such a model, but its editor does not import it. A pack that is copied elsewhere loses it.',
    remedy: 'cook the source again: models then lie below the pack',
  },
} as const satisfies Record<string, CodeEntry>;
