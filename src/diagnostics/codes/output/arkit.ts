// What `untold pack --arkit` leaves out or changes: codes UC2470-UC2474.

import type { CodeEntry } from '../../entry.ts';

export const ARKIT = {
  UC2470: {
    severity: 'warning',
    title: 'material that ARKit does not draw',
    cause:
      'Packages for ARKit hold surfaces of UsdPreviewSurface. The surface of this material is another, such as one of MaterialX or of a renderer, and has no UsdPreviewSurface beside it; its nodes are left out, and what it covers is drawn grey.',
    remedy: 'give the material a UsdPreviewSurface too; --hide UC2470 leaves the message out',
  },
  UC2471: {
    severity: 'info',
    title: 'variants become the selected one',
    cause:
      'A package for ARKit holds one layer in which nothing is composed any more. Of variant sets it has the variants that are selected; the others are not in it.',
    remedy: 'pack each selection by itself',
  },
  UC2472: {
    severity: 'warning',
    title: 'file that a package for ARKit does not hold',
    cause:
      'An attribute leads to a file that is neither a texture that can be read nor a sound, such as the source of a shader or a layer. The attribute is packed without its value.',
    remedy: 'nothing has to be done where only another renderer reads the file',
  },
  UC2473: {
    severity: 'warning',
    title: 'texture loses precision as PNG',
    cause:
      'ARKit takes PNG and JPEG textures. This texture has another format with more than 8 bits a channel: as a PNG it has 8, and light above 1 becomes 1.',
    remedy: 'convert the texture yourself where its range matters',
  },
  UC2474: {
    severity: 'info',
    title: 'material of MaterialX becomes a UsdPreviewSurface',
    cause:
      'The surface of this material is one of MaterialX. What it says is written as a UsdPreviewSurface; messages beside this one name what that does not carry.',
    remedy: 'give the material a UsdPreviewSurface of its own where the look has to be another',
  },
} as const satisfies Record<string, CodeEntry>;
