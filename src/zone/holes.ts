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
  type Side,
  Sides,
  type View,
} from './look.ts';

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
      if (!made.begin(view, side)) continue;
      drawOpaque(made, result.parts, madeBoxes, madeOrder, new Set(), new Set());
      sides.beginBefore(made, view, side, SAME_DEPTH);
      const drawn = drawOpaque(sides, parts, boxes, order, missing, used);
      countClear(sides, drawn.clear, parts, boxes, order, clear);
      if (missing.size > 0) continue;
      if (markHoles(memory, sides, made, result, { view, side, boxes: madeBoxes, order: madeOrder }) === 0) continue;
      for (const found of takeHoles(memory, sides, made)) {
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

/** Before nothing is there, so many places along each side of a pixel are looked at: posts may be narrower than a pixel. */
const STEPS = 4;

/** Marks the pixels of a side that are missing in what was made. Gives how many there are. */
function markHoles(
  { calls }: Kernel,
  sides: Sides,
  made: Sides,
  { parts, radius }: Made,
  { view, side, boxes, order }: MadeView,
): number {
  let left = calls.markHoles(sides.view, made.view, SAME_DEPTH, radius);
  if (radius === 0) return left;
  for (let step = 1; left > 0 && step < STEPS * STEPS; step++) {
    // From a quarter of a pixel to the left of its middle to half a pixel to the right.
    const [x, y] = [step % STEPS, Math.floor(step / STEPS)].map((at) => (at > STEPS / 2 ? at - STEPS : at) / STEPS);
    made.beginAround(sides, view, movedBy(side, x / view.scale, y / view.scale), radius + 1);
    drawOpaque(made, parts, boxes, order, new Set(), new Set());
    // A picture that is moved to the right has in each pixel what lies to the left of its middle.
    const sure = [
      radius - (x > 0 ? 1 : 0),
      radius - (y > 0 ? 1 : 0),
      radius - (x < 0 ? 1 : 0),
      radius - (y < 0 ? 1 : 0),
    ];
    const [toLeft, toBottom, toRight, toTop] = sure;
    left = calls.unmarkHoles(sides.view, made.view, SAME_DEPTH, toLeft, toBottom, toRight, toTop);
  }
  return left;
}

/** What was made, as an eye looks at a side of it. */
interface MadeView {
  readonly view: View;
  readonly side: Side;
  readonly boxes: Boxes;
  readonly order: Uint32Array;
}

/** A side whose picture lies moved to the right and up: what lies ahead by so much a metre. */
function movedBy({ right, up, back }: Side, x: number, y: number): Side {
  const moved = (axis: Vec3, by: number): Vec3 => [
    axis[0] - back[0] * by,
    axis[1] - back[1] * by,
    axis[2] - back[2] * by,
  ];
  return { right: moved(right, x), up: moved(up, y), back };
}

/** The areas of marked pixels of a side: the first pixel of each, and the triangles on its pixels. */
function* takeHoles(
  memory: Kernel,
  sides: Sides,
  made: Sides,
): Generator<{ readonly first: number; readonly numbers: Uint32Array }> {
  const pixels = sides.size * sides.size;
  for (let from = 0; ; ) {
    const first = memory.calls.nextHole(sides.view, from);
    if (first === pixels) return;
    // Depths of what was made are not needed any more: the triangles of the hole are written there.
    const count = memory.calls.takeHole(sides.view, first, made.inverses);
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

function directionOf(x: number, y: number, size: number, scale: number, { right, up, back }: Side): Vec3 {
  const across = (x + 0.5 - size / 2) / scale;
  const along = (y + 0.5 - size / 2) / scale;
  const length = Math.sqrt(across * across + along * along + 1);
  const at = (axis: number) => (right[axis] * across + up[axis] * along - back[axis]) / length;
  return [at(0), at(1), at(2)];
}
