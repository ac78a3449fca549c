// KHR_materials_dispersion: transmitted light is split into its colours. The engine has nothing like it, and only a surface
// that transmits light shows it, whose layer reports it.

import type { Extension } from '../extension.ts';

export const KHR_MATERIALS_DISPERSION: Extension = {
  name: 'KHR_materials_dispersion',
  support: 'ignored',
  effect: 'Light of all colours passes alike.',
  codes: ['UC1221'],
};
