// Reads a Radiance picture as the surroundings of the page: the light that `untold render --environment` makes of it, in the mips
// of a cube map.

import { SourceError } from '../../../diagnostics/diagnostic.ts';
import { addCube, directionsOf } from '../../../raster/picture/cube.ts';
import { type Environment, mirroredAt } from '../../../raster/picture/environment.ts';
import { environmentOfRows } from '../../../raster/picture/skyRows.ts';
import type { Vec3 } from '../../../scene/types.ts';
import { ImageFault } from '../../../textures/decode/fault.ts';
import { radianceFault, readRadiance } from '../../../textures/decode/hdr.ts';
import { LIGHT_MIPS } from '../lightMips.ts';

/** The surroundings that a picture of all directions shows. */
export interface ReadEnvironment {
  /** Of LIGHT_MIPS, six faces each, three numbers a texel; without the sun. */
  readonly mips: readonly Float32Array[];
  /** `direction`: to it; `color`: what a white surface that faces it shows. Null: nothing is bright enough to cast shadows. */
  readonly sun: { readonly direction: Vec3; readonly color: Vec3 } | null;
}

/** A mip of light. The shaders of three.js look into a cube map from outside, so that east and west change places. */
function mipOf(environment: Environment, size: number, roughness: number): Float32Array {
  const directions = directionsOf(size);
  const texels = new Float32Array(6 * size * size * 3);
  const light = new Float64Array(3);
  for (let i = 0; i * 4 < directions.length; i++) {
    const [x, y, z] = [-directions[i * 4], directions[i * 4 + 1], directions[i * 4 + 2]];
    if (roughness > 0) mirroredAt(environment, roughness, x, y, z, light);
    else addCube(environment.cube, x, y, z, 1, light.fill(0));
    texels.set(light, i * 3);
  }
  return texels;
}

/** Throws UC2100 to UC2103. */
export function readEnvironment(bytes: Uint8Array, name: string): ReadEnvironment {
  const made = environmentOfRows((begin) => readRadiance(bytes, begin));
  if (made instanceof ImageFault) throw new SourceError(radianceFault(made, name, ''));
  const { sun } = made;
  const mips = LIGHT_MIPS.map(({ size, roughness }) => mipOf(made, size, roughness));
  return { mips, sun: sun && { direction: sun.direction, color: sun.color } };
}
