// Which element of an attribute a corner has. Numbers instead of names, for the loops that run over every corner.

import type { Attribute } from './types.ts';

/** 0 constant, 1 uniform, 2 vertex, 3 faceVarying. */
export function interpolationCode(attribute: Attribute): number {
  switch (attribute.interpolation) {
    case 'constant':
      return 0;
    case 'uniform':
      return 1;
    case 'vertex':
      return 2;
    case 'faceVarying':
      return 3;
  }
}

/** Element number of a corner, its vertex and face, through `indices` when there are any. */
export function elementOf(
  code: number,
  indices: Uint32Array | null,
  corner: number,
  vertex: number,
  face: number,
): number {
  const i = code === 2 ? vertex : code === 3 ? corner : code === 1 ? face : 0;
  return indices === null ? i : indices[i];
}
