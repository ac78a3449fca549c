// The material of a surface of which a source says nothing.

import { DEFAULT_FACTORS } from '../scene/materialSlots.ts';
import type { SceneMaterial } from '../scene/types.ts';

/** Texels with less alpha are left out of what is masked. */
const MASK_CUTOFF = 0.5;

export function whiteMaterial(name: string, path: string): SceneMaterial {
  return {
    name,
    path,
    alphaMode: 'opaque',
    alphaCutoff: MASK_CUTOFF,
    doubleSided: false,
    ...DEFAULT_FACTORS,
    metallic: 0,
    textures: {},
    usesVertexColors: false,
  };
}
