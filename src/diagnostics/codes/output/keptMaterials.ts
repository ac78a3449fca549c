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
  UC2478: {
    severity: 'info',
    title: 'tangents left to viewers',
    cause:
      'The materials that a mesh is drawn with in its variants have normal maps on different texture coordinates. A mesh has one set of tangents, which would be wrong for some of them. Without tangents each viewer makes them for the material that it shows.',
    remedy: 'none is needed; normal maps on one set of texture coordinates, with one transform, get tangents',
  },
  UC2479: {
    severity: 'warning',
    title: 'mappings of material variants left out',
    cause:
      'KHR_materials_variants demands that every mapping names a variant, and that a primitive names each variant once. Mappings without a variant are left out. Where several name one variant, the last one counts.',
    remedy: 'correct the variants of the primitive and export it again',
  },
} as const satisfies Record<string, CodeEntry>;
