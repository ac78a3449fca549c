// KHR_materials_dispersion: transmitted light is split into its colours. The engine has nothing like it.

import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_dispersion';

export const KHR_MATERIALS_DISPERSION: Extension = {
  name: NAME,
  support: 'ignored',
  effect: 'Light of all colours passes alike.',
  codes: ['UC1362'],
  layer: (material) => ((material.extension(NAME)?.number('dispersion', 0) ?? 0) === 0 ? null : 'dispersion left out'),
};
