// Roughness takes up what normals lose: the level of a normal map that fits a level of the roughness map.

import type { Kernel } from '../../kernel/kernel.ts';
import type { NormalLengths, PlacedLevel } from './types.ts';

/** How far two sizes are apart: the sum of the ratios of their sides, 2 for equal ones. */
function apart(a: { width: number; height: number }, b: { width: number; height: number }): number {
  const ratio = (x: number, y: number) => Math.max(x, y) / Math.min(x, y);
  return ratio(a.width, b.width) + ratio(a.height, b.height);
}

/** Widens the roughness in one channel of each level after the first, by the normals of the level of the nearest size. */
export function widenLevels(
  memory: Kernel,
  levels: readonly PlacedLevel[],
  channel: number,
  normals: NormalLengths,
): void {
  for (const { width, height, address } of levels.slice(1)) {
    let nearest = normals[0];
    // Of two that are equally near, the finer one counts.
    for (const level of normals) {
      if (apart(level, { width, height }) < apart(nearest, { width, height })) nearest = level;
    }
    const { lengths } = nearest;
    if (lengths === null) continue;
    memory.within(() => {
      const at = memory.allocate(lengths.length * 2);
      memory.uint8(at, lengths.length * 2).set(new Uint8Array(lengths.buffer, lengths.byteOffset, lengths.byteLength));
      memory.calls.widenRoughness(address, width, height, channel, at, nearest.width, nearest.height);
    });
  }
}
