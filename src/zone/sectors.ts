// Sectors around the zone: what shares a material is one mesh in each of them, so that what lies behind the head leaves the view.

import type { Float32Mesh } from '../geometry/mesh/mesh.ts';
import type { Vec3 } from '../scene/types.ts';
import type { ZoneMesh } from './thin.ts';

/** How many sectors there may be within a budget of draws, most first: what is left of it halves their meshes (cells.ts). */
const SECTOR_COUNTS = [4, 3, 2, 1] as const;
/** Without a budget of draws. */
const USUAL_SECTORS = 8;

/** The sector of a direction, from +X towards +Z. Quotients decide it, which are the same on every machine. */
export function sectorOf(x: number, z: number, sectors: number): number {
  const turn = x === 0 && z === 0 ? 0 : Math.atan2(z, x) / (2 * Math.PI);
  return Math.floor((turn < 0 ? turn + 1 : turn) * sectors) % sectors;
}

/** The sector of each triangle, by its middle. */
export function sectorsOf({ positions, indices }: Float32Mesh, middle: Vec3, sectors: number): Uint8Array {
  const numbers = new Uint8Array(indices.length / 3);
  for (let t = 0; t < numbers.length; t++) {
    const [a, b, c] = [indices[t * 3] * 3, indices[t * 3 + 1] * 3, indices[t * 3 + 2] * 3];
    const x = (positions[a] + positions[b] + positions[c]) / 3 - middle[0];
    const z = (positions[a + 2] + positions[b + 2] + positions[c + 2]) / 3 - middle[2];
    numbers[t] = sectorOf(x, z, sectors);
  }
  return numbers;
}

/** How many meshes the sectors would have. */
function drawsWith(meshes: readonly ZoneMesh[], middle: Vec3, sectors: number): number {
  const found = new Set<string>();
  for (const { key, mesh } of meshes) {
    for (const sector of new Set(sectorsOf(mesh, middle, sectors))) found.add(`${sector} ${key}`);
  }
  return found.size;
}

/** As many sectors as leave the meshes within `draws`; null: nobody counts them. */
export function sectorCount(meshes: readonly ZoneMesh[], middle: Vec3, draws: number | null): number {
  if (draws === null) return USUAL_SECTORS;
  return SECTOR_COUNTS.find((count) => drawsWith(meshes, middle, count) <= draws) ?? 1;
}
