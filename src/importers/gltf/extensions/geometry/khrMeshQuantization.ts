// KHR_mesh_quantization: attributes may be 8- and 16-bit integers. Accessors convert every component type, so nothing is
// parsed here.

import type { Extension } from '../extension.ts';

export const KHR_MESH_QUANTIZATION: Extension = {
  name: 'KHR_mesh_quantization',
  support: 'full',
  effect: 'Attributes of 8- and 16-bit integers are read.',
};
