// The space of a source and that of the engine.

import { axisTurn, identity, multiply, scaling } from './matrix.ts';
import type { Mat4, Scene } from './types.ts';

/** From the axes and unit of the source to engine space, and back. */
export function changeOfSpace({ upAxis, metersPerUnit: unit }: Pick<Scene, 'upAxis' | 'metersPerUnit'>): {
  readonly into: Mat4;
  readonly back: Mat4;
} {
  const [up, down] = upAxis === 'Z' ? [axisTurn(0, 0, -1), axisTurn(0, 0, 1)] : [identity(), identity()];
  return {
    into: multiply(scaling(unit, unit, unit), up),
    back: multiply(down, scaling(1 / unit, 1 / unit, 1 / unit)),
  };
}
