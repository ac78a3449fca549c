// LOD chains of packs: codes UC3270-UC3279.

import type { CodeEntry } from '../../entry.ts';

const CHAIN_PRODUCER = 'cook the source again; untold cook --lod none makes no chains';

export const CHAINS = {
  UC3270: {
    severity: 'error',
    title: 'LOD chains malformed',
    cause:
      'lodChains is an object: the path of a model of the pack, and a list of its levels, each with the path of a .untold file and a number screenSize above 0.',
    remedy: CHAIN_PRODUCER,
  },
  UC3271: {
    severity: 'error',
    title: 'levels of a chain out of order',
    cause:
      'screenSize says from which share of the view a level is shown. The finest level comes first, so that it has to fall from level to level.',
    remedy: CHAIN_PRODUCER,
  },
  UC3272: {
    severity: 'warning',
    title: 'level of a chain missing',
    cause: 'A chain lists a file that is not there. The engine leaves this level out and loads the others.',
    remedy: 'restore the file, or cook the source again',
  },
  UC3273: {
    severity: 'error',
    title: 'level has other tables than its model',
    cause:
      'The engine pairs the meshes of a level with those of its model by their order, and gives them the materials of the model. That needs the same entities, materials, textures and strings, byte for byte, and as many mesh records.',
    remedy: CHAIN_PRODUCER,
  },
  UC3274: {
    severity: 'error',
    title: 'level reaches beyond its model',
    cause:
      'The engine culls a level by the bounds of its model: what lies outside of them vanishes at the edge of the view.',
    remedy: CHAIN_PRODUCER,
  },
  UC3275: {
    severity: 'error',
    title: 'level does not have fewer triangles than the one before',
    cause: 'Levels are listed from fine to coarse. This one costs as much as the one that it replaces, or more.',
    remedy: CHAIN_PRODUCER,
  },
  UC3276: {
    severity: 'warning',
    title: 'level file is not as the engine’s cook writes it',
    cause:
      'A level file has the file type lod and the seven chunks of geometry and tables in their order, and nothing else. What the engine does with others is not known.',
    remedy: CHAIN_PRODUCER,
  },
  UC3277: {
    severity: 'warning',
    title: 'LOD chain of a model that moves',
    cause:
      'The model has a skeleton, morph targets, an animation or splats. Its levels have none of them, so that it would stand still, or be drawn twice, from further away.',
    remedy: CHAIN_PRODUCER,
  },
} as const satisfies Record<string, CodeEntry>;
