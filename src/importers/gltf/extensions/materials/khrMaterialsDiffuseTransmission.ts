// KHR_materials_diffuse_transmission: light passes through the surface and is scattered, as by paper or leaves. The engine has nothing like it.

import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_diffuse_transmission';

export const KHR_MATERIALS_DIFFUSE_TRANSMISSION: Extension = {
  name: NAME,
  support: 'ignored',
  effect: 'The surface is opaque.',
  codes: ['UC1362'],
  layer: (material) =>
    (material.extension(NAME)?.number('diffuseTransmissionFactor', 0) ?? 0) === 0
      ? null
      : 'diffuse transmission left out',
};
