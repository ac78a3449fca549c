// What an eye misses of a scene in what was made of it, in pixels that are worked out by hand.

import { describe, expect, test } from 'vitest';
import { kernel } from '../../src/kernel/kernel.ts';
import { goneTriangles, viewAgain } from '../../src/zone/areas.ts';
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

describe('a second look', () => {
  /** Tiles of 32 pixels: 8 x 8 of them, of which a metre at 2 m covers 64 pixels. */
  const fine: View = { ...eyeView([0, 0, 0], 128, []), sides: [FACES[5]] };
  const parts = [partOf(WALL)];
  const shown = (view: View) => lookFrom(kernel, view, parts, new Boxes(parts)).pixels;

  test('finds a hole where it was, and looks at the tiles around it alone', () => {
    const [{ area, pixels }] = missed(parts, FRAME).holes;
    // 6 x 6 pixels from column and row 29 on.
    expect([area, pixels]).toEqual([{ left: 29 - 36, bottom: 29, right: 30 + 36, top: 29 + 36 }, 36]);
    // Seven pixels more on each side: 100 to 113 of 256 lie in one column of tiles, 121 to 134 in two.
    expect(shown(viewAgain(fine, [{ left: 107, bottom: 108, right: 108, top: 109 }], [], 3))).toBe(32 * 32);
    expect(shown(viewAgain(fine, [{ left: 127, bottom: 108, right: 128, top: 109 }], [], 3))).toBe(2 * 32 * 32);
    expect(shown(viewAgain(fine, [{ left: -90, bottom: -90, right: 10, top: 10 }], [], 3))).toBe(0);
    const [again] = missed(parts, FRAME, 1, fine).holes;
    expect(pixelsOf(missed(parts, FRAME, 1, viewAgain(fine, [again.area], [], 1)))).toEqual([again.pixels]);
  });

  test('finds a hole where a surface went, and nothing where none did', () => {
    // The wall from one side of the hole to the other is gone.
    const plug = rectangle([-0.25, -0.25, 0.25, 0.25], 2);
    const whole = [...FRAME, plug];
    expect(pixelsOf(missed(parts, whole, 1, fine))).toEqual([]);
    const [hole] = missed(parts, FRAME, 1, fine).holes;
    expect(pixelsOf(missed(parts, FRAME, 1, viewAgain(fine, [], [plug], 1)))).toEqual([hole.pixels]);
    const elsewhere = rectangle([0.8, 0.8, 0.9, 0.9], 2);
    expect(pixelsOf(missed(parts, FRAME, 1, viewAgain(fine, [], [elsewhere], 1)))).toEqual([]);
    // Behind the eye.
    expect(pixelsOf(missed(parts, FRAME, 1, viewAgain(fine, [], [rectangle([-1, -1, 1, 1], -2)], 1)))).toEqual([]);
  });
});

describe('triangles that went', () => {
  const mesh = (indices: readonly number[], positions = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]) => ({
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
  });

  test('are those that have no equal one, whatever corner they begin with and in whatever mesh they lie', () => {
    const before = [mesh([0, 1, 2, 0, 2, 3])];
    expect([...goneTriangles(before, [mesh([2, 3, 0]), mesh([1, 2, 0])])]).toEqual([]);
    expect([...goneTriangles(before, [mesh([1, 2, 0])])]).toEqual([0, 0, 0, 1, 1, 0, 0, 1, 0]);
    // Its back is another one.
    expect(goneTriangles(before, [mesh([0, 2, 1, 0, 2, 3])])).toHaveLength(9);
    expect(goneTriangles(before, [])).toHaveLength(18);
    expect(goneTriangles([], before)).toHaveLength(0);
  });

  test('have moved, by however little', () => {
    const moved = [0, 0, 0, 1, 0, 0, 1, 1.0000001, 0, 0, 1, 0];
    expect(goneTriangles([mesh([0, 1, 2])], [mesh([0, 1, 2], moved)])).toHaveLength(9);
    expect(goneTriangles([mesh([0, 1, 2])], [mesh([0, 1, 2], [-0, 0, -0, 1, 0, 0, 1, 1, 0])])).toHaveLength(0);
  });
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

test('a post narrower than a pixel is there although no pixel has its middle on it', () => {
  // Middles of pixels lie 1/32 m beside 0, at 2 m: the post of the source covers those of column 32, and that of the result none.
  const source = [partOf(rectangle([0.02, -1, 0.04, 1], 2))];
  const moved = (width: number) => [rectangle([0.035, -1, 0.035 + width, 1], 2)];
  expect(pixelsOf(missed(source, moved(0.018)))).toEqual([]);
  // As wide, and further off than the radius.
  expect(pixelsOf(missed(source, [rectangle([0.16, -1, 0.178, 1], 2)]))).toEqual([32]);
  // A line covers nothing.
  expect(pixelsOf(missed(source, moved(0)))).toEqual([32]);
  // Further away by two hundredths.
  expect(pixelsOf(missed(source, [rectangle([0.0357, -1, 0.0537, 1], 2.04)]))).toEqual([32]);
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
