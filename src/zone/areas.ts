// Areas of a view's picture: to look again only where something was missing.

import type { View } from './look.ts';
import { picturePixels } from './look.ts';
import { surfaceOf } from './surface.ts';

/** Edges of a rectangle in pixels, from the left and from the bottom of a side's picture. */
export interface Area {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** An area in which so many pixels lie that touch, of which the first one is known: no other lies lower. */
export function areaOf(x: number, y: number, pixels: number): Area {
  return { left: x - pixels, bottom: y, right: x + 1 + pixels, top: y + pixels };
}

/** A view of one side that shows some areas alone, with so many pixels around each. */
export function viewOfAreas(view: View, areas: readonly Area[], margin: number): View {
  const { eye, scale } = view;
  const [{ right, up, back }] = view.sides;
  const size = picturePixels(view);
  const positions: number[] = [];
  const indices: number[] = [];
  for (const area of areas) {
    const [left, bottom] = [Math.max(0, area.left - margin), Math.max(0, area.bottom - margin)];
    const [end, top] = [Math.min(size, area.right + margin), Math.min(size, area.top + margin)];
    const first = positions.length / 3;
    for (const [x, y] of [
      [left, bottom],
      [end, bottom],
      [end, top],
      [left, top],
    ]) {
      // A metre ahead of the eye.
      const [across, along] = [(x - size / 2) / scale, (y - size / 2) / scale];
      for (const axis of [0, 1, 2]) positions.push(eye[axis] + right[axis] * across + up[axis] * along - back[axis]);
    }
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  const window = surfaceOf(Float32Array.from(positions), Uint32Array.from(indices), false);
  return { ...view, windows: [window] };
}
