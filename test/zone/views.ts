// Surfaces and views for tests of what eyes see.

import { kernel } from '../../src/kernel/kernel.ts';
import { Boxes, eyeView, type Look, lookFrom, type Part, type View } from '../../src/zone/look.ts';
import { type Surface, surfaceOf } from '../../src/zone/surface.ts';
import { FACES } from '../../src/zone/zone.ts';

/** Looks along -Z, +X to the right. */
export const AHEAD = FACES[5];

export const surface = (points: readonly number[], corners: readonly number[], isClear = false): Surface =>
  surfaceOf(Float32Array.from(points), Uint32Array.from(corners), isClear);

/** The rectangle from (x0, y0) to (x1, y1) at a depth ahead of the origin: triangle 0 lies below the diagonal, 1 above. */
export const rectangle = (
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  depth: number,
  isClear = false,
): Surface => surface([x0, y0, -depth, x1, y0, -depth, x1, y1, -depth, x0, y1, -depth], [0, 1, 2, 0, 2, 3], isClear);

/** 64 pixels a side and 90 degrees, one side alone: at a depth of 1 a metre covers 32 pixels. */
export function view(more: Partial<View> = {}): View {
  return { ...eyeView([0, 0, 0], 32, []), sides: [AHEAD], ...more };
}

export const partOf = (own: Surface): Part => ({ boxes: own.boxes, surface: own });

export const look = (from: View, parts: readonly Part[]): Look => lookFrom(kernel, from, parts, new Boxes(parts));

/** Of each part the pixels of its triangles. */
export function pixelsOf(from: View, surfaces: readonly Surface[]): number[][] {
  const counts = surfaces.map(({ triangles }) => new Array<number>(triangles.length).fill(0));
  for (const { part, triangles, pixels } of look(from, surfaces.map(partOf)).seen) {
    triangles.forEach((triangle, i) => {
      counts[part][triangle] += pixels[i];
    });
  }
  return counts;
}
