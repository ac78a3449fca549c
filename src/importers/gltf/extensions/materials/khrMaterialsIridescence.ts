// KHR_materials_iridescence: colours of a thin film, which change with the angle. The engine has nothing like it.

import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_iridescence';

export const KHR_MATERIALS_IRIDESCENCE: Extension = {
  name: NAME,
  support: 'ignored',
  effect: 'The surface has its base colour from every angle.',
  codes: ['UC1362'],
  layer: (material) =>
    (material.extension(NAME)?.number('iridescenceFactor', 0) ?? 0) === 0 ? null : 'iridescence left out',
};
