// What is lost of materials of glTF that a target writes as they are: codes UC2476-UC2479.

import type { CodeEntry } from '../../entry.ts';

export const KEPT_MATERIALS = {
  UC2476: {
    severity: 'warning',
    title: 'variants of specular-glossiness materials left out',
    cause:
      'A primitive or one of its variants has a material of KHR_materials_pbrSpecularGlossiness, which is converted. Its textures are made for its own texture coordinates, so that no other material can take its place.',
    remedy: 'export metallic-roughness materials, or choose one variant with --material-variant NAME',
  },
  UC2477: {
    severity: 'warning',
    title: 'value of a material out of its range',
    cause:
      'The specification of glTF or of an extension gives a range, such as 0 to 1 for factors, and programs refuse files with other values. The value becomes the nearest one, or is left out where there is none.',
    remedy: 'correct the material and export it again',
  },
} as const satisfies Record<string, CodeEntry>;
