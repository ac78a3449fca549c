// What an eye misses of a scene in what was made of it, in pixels that are worked out by hand.

import { describe, expect, test } from 'vitest';
import { kernel } from '../../src/kernel/kernel.ts';
import { viewOfAreas } from '../../src/zone/areas.ts';
import { type HoleLook, holesFrom } from '../../src/zone/holes.ts';
import { Boxes, eyeView, lookFrom, type Part, type View } from '../../src/zone/look.ts';
import { type Surface, surfaceOf } from '../../src/zone/surface.ts';
import { FACES } from '../../src/zone/zone.ts';

type Edges = readonly [x0: number, y0: number, x1: number, y1: number];

/** A rectangle at a depth ahead of the eye, which looks along -Z. */
function rectangle([x0, y0, x1, y1]: Edges, depth: number, isClear = false): Surface {
  const positions = [x0, y0, -depth, x1, y0, -depth, x1, y1, -depth, x0, y1, -depth];
  return surfaceOf(Float32Array.from(positions), Uint32Array.of(0, 1, 2, 0, 2, 3), isClear);
}

/** 64 pixels a side and 90 degrees: at 2 m a metre covers 16 of them. */
const ahead: View = { ...eyeView([0, 0, 0], 32, []), sides: [FACES[5]] };

const partOf = (surface: Surface): Part => ({ boxes: surface.boxes, surface });

function missed(source: readonly Part[], made: readonly Surface[], radius = 1, view = ahead): HoleLook {
  return holesFrom(kernel, view, source, new Boxes(source), { parts: made.map(partOf), radius });
}

const pixelsOf = ({ holes }: HoleLook): number[] => holes.map(({ pixels }) => pixels);

const WALL = rectangle([-1, -1, 1, 1], 2);
/** Half a metre square in its middle is open: 8 x 8 pixels. */
const FRAME = [
  rectangle([-1, -1, 1, -0.25], 2),
  rectangle([-1, 0.25, 1, 1], 2),
  rectangle([-1, -0.25, -0.25, 0.25], 2),
  rectangle([0.25, -0.25, 1, 0.25], 2),
];

describe('a wall that was made with a hole', () => {
  test('the hole has the pixels around which nothing was made', () => {
    expect(pixelsOf(missed([partOf(WALL)], FRAME, 0))).toEqual([64]);
    expect(pixelsOf(missed([partOf(WALL)], FRAME, 1))).toEqual([36]);
    expect(pixelsOf(missed([partOf(WALL)], FRAME, 2))).toEqual([16]);
    expect(pixelsOf(missed([partOf(WALL)], FRAME, 4))).toEqual([]);
  });

  test('it has the triangles of the source, and the direction to its first pixel', () => {
    const behind = rectangle([-4, -4, 4, 4], 4);
    const { holes, lost } = missed([partOf(behind), partOf(WALL)], [behind, ...FRAME]);
    expect(holes).toHaveLength(1);
    expect(holes[0].part).toBe(1);
    // From 29 to 34 of 64 pixels: 2.5 pixels left of the middle, and below it.
    const length = Math.hypot(2.5, 2.5, 32);
    expect(holes[0].direction.map((value) => value * length)).toEqual([
      expect.closeTo(-2.5, 9),
      expect.closeTo(-2.5, 9),
      expect.closeTo(-32, 9),
    ]);
    // The diagonal, whose pixels belong to the first triangle, has six.
    expect(lost.map(({ part, triangles, pixels }) => [part, [...triangles], [...pixels]])).toEqual([
      [1, [0, 1], [21, 15]],
    ]);
  });

  test('something over a hundredth further away is no wall, something nearer to it is', () => {
    const [source, behind] = [[partOf(WALL)], [-9, -9, 9, 9] as const];
    expect(pixelsOf(missed(source, [...FRAME, rectangle(behind, 2.03)]))).toEqual([36]);
    expect(pixelsOf(missed(source, [...FRAME, rectangle(behind, 2.01)]))).toEqual([]);
    expect(pixelsOf(missed(source, [...FRAME, rectangle(behind, 1)]))).toEqual([]);
  });

  test('what is missing beside a wall is a hole of what lies behind it', () => {
    const source = [WALL, rectangle([-4, -4, 4, 4], 3)].map(partOf);
    // The wall hides it from row 16 to row 47; what is behind lies around that, and a pixel beside the wall nothing is missing.
    expect(pixelsOf(missed(source, [WALL]))).toEqual([64 * 64 - 34 * 34]);
    expect(pixelsOf(missed(source, [WALL, rectangle([-4, -4, 4, 4], 3)]))).toEqual([]);
  });
});

test('a wall that lies off by less than the radius has no holes', () => {
  const moved = rectangle([-0.95, -1.04, 1.03, 0.97], 2.01);
  expect(pixelsOf(missed([partOf(WALL)], [moved]))).toEqual([]);
});

test('a hole is found again where it was, and nothing is looked at beside it', () => {
  // 6 x 6 pixels from column and row 29 on.
  const [{ area, pixels }] = missed([partOf(WALL)], FRAME).holes;
  expect([area, pixels]).toEqual([{ left: 29 - 36, bottom: 29, right: 30 + 36, top: 29 + 36 }, 36]);
  const exact = { left: 29, bottom: 29, right: 35, top: 35 };
  const around = viewOfAreas(ahead, [exact], 4);
  expect(pixelsOf(missed([partOf(WALL)], FRAME, 1, around))).toEqual([36]);
  const parts = [partOf(WALL)];
  expect(lookFrom(kernel, around, parts, new Boxes(parts)).pixels).toBe(14 * 14);
  // Beyond the edges of the picture there is nothing to look at.
  const corner = viewOfAreas(ahead, [{ left: -9, bottom: -9, right: 20, top: 20 }, exact], 0);
  expect(lookFrom(kernel, corner, parts, new Boxes(parts)).pixels).toBe(4 * 4 + 6 * 6);
});

test('where nothing was made of a surface that fills the view, all of it is one hole', () => {
  // One triangle covers every tile.
  const all = surfaceOf(Float32Array.of(-99, -99, -2, 99, -99, -2, 0, 199, -2), Uint32Array.of(0, 1, 2), false);
  const { holes, lost } = missed([partOf(all)], []);
  expect(holes.map(({ pixels, part }) => [pixels, part])).toEqual([[4096, 0]]);
  expect(lost.map(({ pixels }) => [...pixels])).toEqual([[4096]]);
  expect(missed([partOf(all)], [all]).holes).toEqual([]);
  // Made further away: by two hundredths, and by less than one.
  const moved = (depth: number) =>
    surfaceOf(
      all.positions.map((value) => value * depth),
      Uint32Array.of(0, 1, 2),
      false,
    );
  expect(pixelsOf(missed([partOf(all)], [moved(1.02)]))).toEqual([4096]);
  expect(pixelsOf(missed([partOf(all)], [moved(1.009)]))).toEqual([]);
});

test('one or two pixels are no hole', () => {
  // Slits 1 and 1.5 pixels high of 2 and 3 pixels that nothing is beside; the frame ends with the picture.
  const source = [partOf(rectangle([-2, -2, 2, 2], 2))];
  const slit = (width: number): Surface[] => [
    rectangle([-2, -2, 2, 0], 2),
    rectangle([-2, 1 / 16, 2, 2], 2),
    rectangle([-2, 0, 0, 1 / 16], 2),
    rectangle([width / 16, 0, 2, 1 / 16], 2),
  ];
  expect(pixelsOf(missed(source, slit(2), 0))).toEqual([]);
  expect(pixelsOf(missed(source, slit(3), 0))).toEqual([3]);
});

test('nothing is looked for beside a window', () => {
  const window = { ...ahead, windows: [rectangle([-1, -1, 0, 1], 1)] };
  // Of the left half of the hole 2 columns of 6 pixels: the third is beside what the window's frame hides.
  expect(pixelsOf(missed([partOf(WALL)], FRAME, 1, window))).toEqual([12]);
});

test('of clear surfaces, triangles that are not hidden are given', () => {
  const glass = partOf(rectangle([-0.5, -0.5, 0.5, 0.5], 1.5, true));
  const { clear, holes } = missed([partOf(WALL), glass], [WALL]);
  expect(holes).toEqual([]);
  expect(clear.map(({ part, triangles }) => [part, [...triangles].sort()])).toEqual([[1, [0, 1]]]);
  expect(missed([partOf(WALL), partOf(rectangle([-0.5, -0.5, 0.5, 0.5], 2.5, true))], [WALL]).clear).toEqual([]);
});

test('as long as triangles of the source are missing there are no holes, only their parts', () => {
  const absent: Part = { boxes: Float32Array.of(-0.1, -0.1, -1.2, 0.1, 0.1, -1.1), surface: null };
  const hidden: Part = { boxes: Float32Array.of(-0.1, -0.1, -9, 0.1, 0.1, -8), surface: null };
  const look = missed([partOf(WALL), absent], FRAME);
  expect([look.holes, look.lost, look.missing]).toEqual([[], [], [1]]);
  const whole = rectangle([-2, -2, 2, 2], 2);
  expect(missed([partOf(whole), hidden], [whole]).missing).toEqual([]);
});
