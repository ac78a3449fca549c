// What an eye misses of a scene that was made of another. The result is drawn first, then of the source what stands out in front of
// it, which is little: there the result must have a surface of about the same depth no further beside it than surfaces may lie off.

import type { Kernel } from '../kernel/kernel.ts';
import type { Vec3 } from '../scene/types.ts';
import { type Area, areaOf } from './areas.ts';
import {
  Boxes,
  Counts,
  countClear,
  type Drawn,
  drawOpaque,
  type Part,
  type SeenPart,
  Sides,
  type View,
} from './look.ts';
import type { FACES } from './zone.ts';

/** What is further away by more than a hundredth is another surface. */
const SAME_DEPTH = 1.01;
/** More pixels than this that touch are a hole. */
export const MAX_MISSING = 2;

/** What was made of a scene. */
export interface Made {
  readonly parts: readonly Part[];
  /** Pixels that its surfaces may lie off. */
  readonly radius: number;
}

/** An area of pixels that touch. */
export interface Hole {
  readonly pixels: number;
  /** Of the source the part that most of them show. */
  readonly part: number;
  /** From the eye to its first pixel, of unit length. */
  readonly direction: Vec3;
  /** Where it lies in the picture of its side. */
  readonly area: Area;
}

export interface HoleLook {
  readonly holes: readonly Hole[];
  /** The triangles of the source in them, and in areas that are too small for a hole. */
  readonly lost: readonly SeenPart[];
  /** Triangles of clear surfaces that are seen, if the result is right. */
  readonly clear: readonly SeenPart[];
  /** Parts that may be seen, and whose triangles are not here: there are no holes as long as there are any. */
  readonly missing: readonly number[];
  /** Parts with triangles that may be seen. */
  readonly drawn: readonly number[];
}

/** What an eye sees of the parts of a source, and has no surface of about the same depth near it in the result. */
export function holesFrom(kernel: Kernel, view: View, parts: readonly Part[], boxes: Boxes, result: Made): HoleLook {
  const { order, boxes: sorted } = boxes.nearestFirst(view.eye);
  const madeBoxes = new Boxes(result.parts);
  const { order: madeOrder, boxes: madeSorted } = madeBoxes.nearestFirst(view.eye);
  return kernel.within((memory) => {
    const made = new Sides(memory, view, madeSorted, false);
    const sides = new Sides(memory, view, sorted);
    const lost = new Counts();
    const clear = new Counts();
    const missing = new Set<number>();
    const used = new Set<number>();
    const holes: Hole[] = [];
    for (const side of view.sides) {
      if (!sides.hasBoxes(view, side)) continue;
      made.begin(view, side, view.windows);
      drawOpaque(made, result.parts, madeBoxes, madeOrder, new Set(), new Set());
      sides.beginBefore(made, view, side, SAME_DEPTH);
      const drawn = drawOpaque(sides, parts, boxes, order, missing, used);
      countClear(sides, drawn.clear, parts, boxes, order, clear);
      if (missing.size > 0) continue;
      for (const found of takeHoles(memory, sides, made, result.radius)) {
        const pixels = found.numbers.length;
        const part = addLost(found.numbers, drawn.opaque, lost);
        if (pixels <= MAX_MISSING) continue;
        const [x, y] = [found.first % sides.size, Math.floor(found.first / sides.size)];
        const direction = directionOf(x, y, sides.size, view.scale, side);
        holes.push({ pixels, part, direction, area: areaOf(x, y, pixels) });
      }
    }
    const isWhole = missing.size === 0;
    return {
      holes: isWhole ? holes : [],
      lost: isWhole ? lost.seen() : [],
      clear: isWhole ? clear.seen() : [],
      missing: [...missing],
      drawn: [...used],
    };
  });
}

/** The areas that are missing between the pictures of a side: the first pixel of each, and the triangles on its pixels. */
function* takeHoles(
  memory: Kernel,
  sides: Sides,
  made: Sides,
  radius: number,
): Generator<{ readonly first: number; readonly numbers: Uint32Array }> {
  let left = memory.calls.markHoles(sides.view, made.view, SAME_DEPTH, radius);
  for (let from = 0; left > 0; ) {
    const first = memory.calls.nextHole(sides.view, from);
    // Depths of what was made are not needed any more: the triangles of the hole are written there.
    const count = memory.calls.takeHole(sides.view, first, made.inverses);
    left -= count;
    from = first + 1;
    yield { first, numbers: memory.uint32(made.inverses, count).slice() };
  }
}

/** Adds the triangles of a hole's pixels; gives the part that has most of them. */
function addLost(numbers: Uint32Array, drawn: readonly Drawn[], lost: Counts): number {
  numbers.sort();
  const ofParts = new Map<number, number>();
  for (let i = 0, at = 0; i < numbers.length; ) {
    while (at + 1 < drawn.length && drawn[at + 1].first <= numbers[i]) at++;
    const { part, surface, cluster, first } = drawn[at];
    const triangles = surface.firstTriangles[cluster + 1] - surface.firstTriangles[cluster];
    const pixels = new Uint32Array(triangles);
    const before = i;
    for (; i < numbers.length && numbers[i] < first + triangles; i++) pixels[numbers[i] - first]++;
    lost.add(part, surface, cluster, pixels);
    ofParts.set(part, (ofParts.get(part) ?? 0) + i - before);
  }
  const most = Math.max(...ofParts.values());
  return Math.min(...[...ofParts].flatMap(([part, pixels]) => (pixels === most ? [part] : [])));
}

function directionOf(
  x: number,
  y: number,
  size: number,
  scale: number,
  { right, up, back }: (typeof FACES)[number],
): Vec3 {
  const across = (x + 0.5 - size / 2) / scale;
  const along = (y + 0.5 - size / 2) / scale;
  const length = Math.sqrt(across * across + along * along + 1);
  const at = (axis: number) => (right[axis] * across + up[axis] * along - back[axis]) / length;
  return [at(0), at(1), at(2)];
}
