// What an eye sees, in pixels that are worked out by hand, and against rays of the tests' own.

import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../src/scene/types.ts';
import { eyeView, type Part } from '../../src/zone/look.ts';
import { CLUSTER_TRIANGLES, type Surface, surfaceOf } from '../../src/zone/surface.ts';
import { FACES } from '../../src/zone/zone.ts';
import { random } from '../geometry/meshes.ts';
import { Rays } from '../support/rays.ts';
import { look, partOf, pixelsOf, rectangle, surface, view } from './views.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe('pixels', () => {
  // At 2 m a metre covers 16 pixels: 2 x 2 m cover 32 x 32. The middles of 32 pixels lie on the diagonal.
  const front = rectangle([-1, -1, 1, 1], 2);

  test('a rectangle square to the eye covers those between its edges, and of a shared diagonal each once', () => {
    expect(pixelsOf(view(), [front])).toEqual([[528, 496]]);
  });

  test('what lies wholly behind is not seen', () => {
    expect(pixelsOf(view(), [front, rectangle([-1.9, -1.9, 1.9, 1.9], 4)])).toEqual([
      [528, 496],
      [0, 0],
    ]);
  });

  test('of what is half hidden the other half is seen', () => {
    // From the middle to 16 pixels to the right, and behind it 8 pixels to each side, of which the right ones are hidden.
    const [, behind] = pixelsOf(view(), [rectangle([0, -1, 1, 1], 2), rectangle([-1, -1, 1, 1], 4)]);
    // Below the diagonal: 1 + 2 + ... + 8.
    expect(behind).toEqual([36, 92]);
  });

  test('layers before one another, each time a small one before one that covers all, need no more room than the picture has', () => {
    const positions: number[] = [];
    // From afar to nearby. A triangle of the larger ones covers each tile alone.
    for (let layer = 0; layer < 64; layer++) {
      const z = -100 + layer;
      positions.push(-9, -9, z, 9, -9, z, 0, 9, z);
      positions.push(-900, -900, z + 0.5, 900, -900, z + 0.5, 0, 900, z + 0.5);
    }
    const indices = Array.from({ length: positions.length / 3 }, (_, i) => i);
    const [pixels] = pixelsOf(view(), [surface(positions, indices)]);
    expect(pixels).toEqual([...Array(127).fill(0), 64 * 64]);
  });

  test('the order of parts decides nothing', () => {
    const [behind, before] = pixelsOf(view(), [rectangle([-1, -1, 1, 1], 4), rectangle([0, -1, 1, 1], 2)]);
    expect(behind).toEqual([36, 92]);
    expect(sum(before)).toBe(512);
  });

  test('surfaces that cut through each other are seen as far as each is nearer', () => {
    // A wall at 2 m, and one that runs from 1 m on the left to 3 m on the right: they meet 1 m to the right.
    const slanted = surface([-1, -1, -1, 3, -3, -3, 3, 3, -3, -1, 1, -1], [0, 1, 2, 0, 2, 3]);
    expect(pixelsOf(view(), [rectangle([-2, -2, 2, 2], 2), slanted]).map(sum)).toEqual([16 * 64, 48 * 64]);
  });

  test('a triangle that reaches behind the eye is cut', () => {
    // The ground 1 m below: at depth d half of its width is (d + 4) / 8, which is 20 - row / 2 pixels, up to row 24.
    expect(pixelsOf(view(), [surface([-1, -1, -4, 1, -1, -4, 0, -1, 4], [0, 1, 2])])).toEqual([[672]]);
    // Two of its corners lie behind the eye: it fills all rows that it reaches.
    expect(pixelsOf(view(), [surface([0, -1, -4, -90, -1, 9, 90, -1, 9], [0, 1, 2])])[0][0]).toBeGreaterThan(1200);
  });

  test('a triangle behind the eye, or seen from its edge, covers none', () => {
    expect(pixelsOf(view(), [rectangle([-1, -1, 1, 1], -2)])).toEqual([[0, 0]]);
    expect(pixelsOf(view(), [surface([-1, 0, -2, 1, 0, -2, 0, 0, -4], [0, 1, 2])])).toEqual([[0]]);
  });

  test('both faces of a triangle are seen and hide', () => {
    const turned = surface([-1, -1, -2, 1, -1, -2, 1, 1, -2, -1, 1, -2], [0, 2, 1, 0, 3, 2]);
    expect(pixelsOf(view(), [turned, rectangle([-1, -1, 1, 1], 4)]).map(sum)).toEqual([1024, 0]);
  });

  test('what is nearer than a centimetre is not seen', () => {
    expect(pixelsOf(view(), [rectangle([-1, -1, 1, 1], 0.009), front]).map(sum)).toEqual([0, 1024]);
    expect(pixelsOf(view(), [rectangle([-1, -1, 1, 1], 0.011), front]).map(sum)).toEqual([4096, 0]);
  });

  test('a surface much larger than the view, and boxes that begin just before the eye, are drawn', () => {
    const ground = surface(
      [-9e4, -0.011, 9e4, 9e4, -0.011, 9e4, 9e4, -0.011, -9e4, -9e4, -0.011, -9e4],
      [0, 1, 2, 0, 2, 3],
    );
    expect(sum(pixelsOf(view(), [ground])[0])).toBe(32 * 64);
  });
});

describe('tiles that one triangle covers', () => {
  /** A triangle around the whole view at a depth, so that it covers each tile, and something behind the eye: its box begins there. */
  const cover = (depth: number, isClear = false): Surface =>
    surface(
      [-99, -99, -depth, 99, -99, -depth, 0, 199, -depth, 0, 0, 1, 1, 0, 1, 0, 1, 1],
      [0, 1, 2, 3, 4, 5],
      isClear,
    );

  test('have all of their pixels', () => {
    expect(pixelsOf(view(), [cover(2)])).toEqual([[4096, 0]]);
    expect(pixelsOf(view(), [cover(2, true)])).toEqual([[4096, 0]]);
  });

  test('are covered anew by what is nearer, and stay where it lies behind', () => {
    expect(pixelsOf(view(), [cover(3), cover(2), cover(4)]).map(sum)).toEqual([0, 4096, 0]);
    expect(pixelsOf(view(), [cover(3), cover(2, true), cover(4, true)]).map(sum)).toEqual([4096, 4096, 0]);
  });

  test('show what is drawn in front of them later, and nothing of what is behind', () => {
    const [wall, small, behind] = pixelsOf(view(), [
      cover(2),
      rectangle([0, 0, 0.25, 0.25], 1),
      rectangle([0, 0, 1, 1], 3),
    ]);
    expect([wall, sum(small), sum(behind)]).toEqual([[4096 - 64, 0], 64, 0]);
  });

  test('are cut where surfaces go through each other', () => {
    // It runs from 1 m on the left to 3 m on the right, and covers all: 48 of 64 columns are nearer than 2 m.
    const slanted = surface([-2.9, -99, -0.05, -2.9, 99, -0.05, 99, 0, -51], [0, 1, 2]);
    const [wall, own] = pixelsOf(view(), [cover(2), slanted]).map(sum);
    expect(wall + own).toBe(4096);
    expect(own).toBe(48 * 64);
  });

  test('are seen through windows as far as these reach', () => {
    // 48 of 64 columns: a tile, and half of the next one.
    const windows = [rectangle([-9, -9, 0.5, 9], 1)];
    expect(pixelsOf(view({ windows }), [cover(2)])).toEqual([[48 * 64, 0]]);
  });
});

describe('clear surfaces', () => {
  const glass = rectangle([-1, -1, 1, 1], 2, true);

  test('hide nothing, and are counted where nothing hides them', () => {
    // Nothing of a clear surface hides the rest of it: the diagonal counts for both triangles.
    expect(pixelsOf(view(), [glass, rectangle([-1, -1, 1, 1], 4)])).toEqual([
      [528, 528],
      [136, 120],
    ]);
  });

  test('do not hide each other', () => {
    expect(pixelsOf(view(), [glass, rectangle([-1, -1, 1, 1], 4, true)])).toEqual([
      [528, 528],
      [136, 136],
    ]);
  });

  test('are hidden by what is opaque', () => {
    // The right half is hidden; in the left one 1 + 2 + ... + 16 lie on the diagonal or below it, 32 + 31 + ... + 17 on it or above.
    expect(pixelsOf(view(), [rectangle([0, -1, 1, 1], 1), glass])[1]).toEqual([136, 392]);
    expect(pixelsOf(view(), [rectangle([-1, -1, 1, 1], 1), glass])[1]).toEqual([0, 0]);
  });
});

describe('windows', () => {
  // 16 x 16 pixels in the middle.
  const windows = [rectangle([-0.25, -0.25, 0.25, 0.25], 1)];

  test('show what lies behind them, and nothing beside them', () => {
    const wall = rectangle([-10, -10, 10, 10], 4);
    const beside = rectangle([1, -1, 2, 1], 3);
    const seen = look(view({ windows }), [wall, beside].map(partOf));
    expect(seen.pixels).toBe(256);
    expect(pixelsOf(view({ windows }), [wall, beside]).map(sum)).toEqual([256, 0]);
  });

  test('show clear surfaces within them alone', () => {
    expect(pixelsOf(view({ windows }), [rectangle([-9, -9, 9, 9], 3, true)])).toEqual([[136, 136]]);
  });

  test('several of them show what lies behind each', () => {
    const two = [...windows, rectangle([0.5, -0.25, 0.75, 0.25], 1)];
    expect(sum(pixelsOf(view({ windows: two }), [rectangle([-10, -10, 10, 10], 4)])[0])).toBe(256 + 128);
  });

  test('behind the eye show nothing', () => {
    const behind = [rectangle([-1, -1, 1, 1], -1)];
    expect(sum(pixelsOf(view({ windows: behind }), [rectangle([-10, -10, 10, 10], 4)])[0])).toBe(0);
  });
});

describe('parallel rays', () => {
  const parallel = view({ eye: [0, 0, 50], scale: 8, parallel: 100 });

  test('show a metre as large at any depth', () => {
    expect(pixelsOf(parallel, [rectangle([-1, -1, 1, 1], 0), rectangle([-2, -2, 2, 2], 10)]).map(sum)).toEqual([
      256, 768,
    ]);
  });

  test('reach as far as they are to', () => {
    expect(pixelsOf(parallel, [rectangle([-1, -1, 1, 1], 49)]).map(sum)).toEqual([256]);
    expect(pixelsOf(parallel, [rectangle([-1, -1, 1, 1], 51)]).map(sum)).toEqual([0]);
    expect(pixelsOf(parallel, [rectangle([-1, -1, 1, 1], -51)]).map(sum)).toEqual([0]);
  });
});

describe('parts without triangles', () => {
  const far: Part = { boxes: Float32Array.of(-1, -1, -5, 1, 1, -4), surface: null };
  const near: Part = { boxes: Float32Array.of(0.5, -0.2, -1.5, 1, 0.2, -1), surface: null };

  test('are listed where nothing hides them, the nearest first', () => {
    expect(look(view(), [far, near]).missing).toEqual([1, 0]);
    expect(look(view(), [far, near, partOf(rectangle([-2, -2, 2, 2], 2))]).missing).toEqual([1]);
  });

  test('behind something smaller than a tile are not', () => {
    // The post covers 8 of 64 columns, what is behind it 4 of them; beside it some are seen.
    const post = rectangle([-0.125, -9, 0.125, 9], 1);
    const box = (x: number): Part => ({ boxes: Float32Array.of(x, -0.1, -2.1, x + 0.1, 0.1, -2), surface: null });
    expect(look(view(), [partOf(post), box(-0.05), box(0.2), box(0.24)]).missing).toEqual([2, 3]);
    const wall = surface([-99, -99, -1.5, 99, -99, -1.5, 0, 199, -1.5], [0, 1, 2]);
    expect(look(view(), [partOf(wall), box(-0.05), box(0.2)]).missing).toEqual([]);
  });

  test('beside the view or behind the eye are not', () => {
    const behind: Part = { boxes: Float32Array.of(-1, -1, 4, 1, 1, 5), surface: null };
    const beside: Part = { boxes: Float32Array.of(9, -1, -5, 11, 1, -4), surface: null };
    expect(look(view(), [behind, beside]).missing).toEqual([]);
    expect(
      look(eyeView([0, 0, 0], 32, []), [behind, beside])
        .missing.slice()
        .sort(),
    ).toEqual([0, 1]);
  });
});

/** A rotation from three numbers between 0 and 1 (Shoemake: even over all rotations). */
function rotation(next: () => number): (point: readonly number[]) => number[] {
  const [u, v, w] = [next(), next() * 2 * Math.PI, next() * 2 * Math.PI];
  const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
  const [x, y, z, s] = [a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w)];
  return ([px, py, pz]) => {
    const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
    return [px + s * tx + y * tz - z * ty, py + s * ty + z * tx - x * tz, pz + s * tz + x * ty - y * tx];
  };
}

/** A box of edge 2 whose sides are cut into squares at uneven places, and those into triangles. */
function closedBox(next: () => number, scale: number): { points: number[]; corners: number[] } {
  const points: number[] = [];
  const corners: number[] = [];
  const turn = rotation(next);
  const cuts = [0, 1, 2].map(() => [-1, -0.7 + next() * 0.4, next() * 0.4 - 0.2, 0.4 + next() * 0.4, 1]);
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      for (let i = 0; i < 4; i++) {
        for (let k = 0; k < 4; k++) {
          const first = points.length / 3;
          for (const [du, dv] of [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ]) {
            const at = [0, 0, 0];
            at[axis] = side;
            at[(axis + 1) % 3] = cuts[(axis + 1) % 3][i + du];
            at[(axis + 2) % 3] = cuts[(axis + 2) % 3][k + dv];
            points.push(...turn(at).map((value) => value * scale));
          }
          corners.push(first, first + 1, first + 2, first, first + 2, first + 3);
        }
      }
    }
  }
  return { points, corners };
}

test('triangles that share edges leave no gap, whichever way they are turned', () => {
  const next = random(7);
  for (let i = 0; i < 24; i++) {
    const inner = closedBox(next, 1);
    // A tetrahedron of the size of a house around it, which shows through any gap.
    const outer = surface([-90, -90, -90, 90, 90, -90, 90, -90, 90, -90, 90, 90], [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2]);
    const eye: Vec3 = [next() * 0.8 - 0.4, next() * 0.8 - 0.4, next() * 0.8 - 0.4];
    const counts = pixelsOf(eyeView(eye, 32, []), [surface(inner.points, inner.corners), outer]);
    expect(counts.map(sum)).toEqual([6 * 64 * 64, 0]);
  }
});

/** A scene of triangles: walls that hide much, a crowd of several clusters, and clear ones. */
function crowd(next: () => number): Surface[] {
  const scatter = (count: number, size: (t: number) => number, reach: number, isClear: boolean): Surface => {
    const points = new Float32Array(count * 9);
    for (let t = 0; t < count; t++) {
      const middle = [0, 1, 2].map(() => (next() - 0.5) * 2 * reach);
      for (let k = 0; k < 9; k++) points[t * 9 + k] = middle[k % 3] + (next() - 0.5) * size(t);
    }
    return surfaceOf(
      points,
      Uint32Array.from({ length: count * 3 }, (_, i) => i),
      isClear,
    );
  };
  return [
    scatter(12, () => 6, 4, false),
    scatter(CLUSTER_TRIANGLES * 2 + 40, (t) => (t % 7 === 0 ? 2 : 0.5), 6, false),
    scatter(CLUSTER_TRIANGLES + 30, () => 0.8, 6, true),
    scatter(60, () => 1, 9, false),
  ];
}

describe('rays through the middles of pixels', () => {
  /** Of each triangle the fewest and the most pixels that it may be seen in: on edges, and where depths are equal, both are right. */
  function castFrom(eye: Vec3, scale: number, surfaces: readonly Surface[]): { least: number[][]; most: number[][] } {
    const positions: number[] = [];
    const owners: { part: number; triangle: number; isClear: boolean }[] = [];
    for (const [part, own] of surfaces.entries()) {
      for (let cluster = 0; cluster + 1 < own.firstTriangles.length; cluster++) {
        for (let t = own.firstTriangles[cluster]; t < own.firstTriangles[cluster + 1]; t++) {
          owners.push({ part, triangle: own.triangles[t], isClear: own.isClear });
          for (let k = 0; k < 3; k++) {
            const at = (own.firstVertices[cluster] + own.indices[t * 3 + k]) * 3;
            positions.push(...own.positions.subarray(at, at + 3));
          }
        }
      }
    }
    const rays = new Rays(
      positions,
      Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
    );
    const empty = () => surfaces.map(({ triangles }) => new Array<number>(triangles.length).fill(0));
    const [least, most] = [empty(), empty()];
    const EDGE = 1e-6;
    const DEPTH = 1e-5;
    for (const { right, up, back } of FACES) {
      for (let y = 0; y < scale * 2; y++) {
        for (let x = 0; x < scale * 2; x++) {
          const [u, v] = [(x + 0.5 - scale) / scale, (y + 0.5 - scale) / scale];
          const direction = [0, 1, 2].map((k) => right[k] * u + up[k] * v - back[k]);
          // The direction reaches a metre ahead: t is the depth.
          const hits = rays.all(eye, direction, EDGE).filter(({ t }) => t >= 0.01 * (1 - DEPTH));
          for (const { t, triangle, inside } of hits) {
            const { part, triangle: own } = owners[triangle];
            const others = hits.filter((other) => other.triangle !== triangle && !owners[other.triangle].isClear);
            const isHidden = others.some((other) => other.inside > EDGE && other.t < t * (1 - DEPTH));
            const isDoubtful = inside < EDGE || others.some((other) => other.t < t * (1 + DEPTH));
            if (!isHidden) most[part][own]++;
            if (!isHidden && !isDoubtful) least[part][own]++;
          }
        }
      }
    }
    return { least, most };
  }

  test.each([
    [1, 32],
    [2, 48],
    [3, 32],
  ])('hit what the pictures show: scene %i', (seed, scale) => {
    const next = random(seed);
    const surfaces = crowd(next);
    const eye: Vec3 = [next() - 0.5, next() - 0.5, next() - 0.5];
    const shown = pixelsOf(eyeView(eye, scale, []), surfaces);
    const { least, most } = castFrom(eye, scale, surfaces);
    const wrong = shown.flatMap((counts, part) =>
      counts.flatMap((count, t) => (count < least[part][t] || count > most[part][t] ? [{ part, t, count }] : [])),
    );
    expect(wrong).toEqual([]);
    // Few pixels are in doubt, several hundred triangles are seen, and many are hidden.
    expect(sum(least.map(sum))).toBeGreaterThan(0.99 * sum(most.map(sum)));
    const seen = sum(shown.map((counts) => counts.filter((count) => count > 0).length));
    expect(seen).toBeGreaterThan(150);
    expect(shown[1].filter((count) => count === 0).length).toBeGreaterThan(100);
  });
});

test('through a window that is all of the picture the same is seen as without: small triangles in each of its tiles, too', () => {
  // One cluster whose box lies over all four tiles of 32 x 32 pixels, with a small triangle in two of them.
  const small = (x: number, y: number) => [x, y, -2, x + 0.4, y, -2, x, y + 0.4, -2];
  const two = surface([...small(-1, -1), ...small(0.6, 0.6)], [0, 1, 2, 3, 4, 5]);
  const all = pixelsOf(view(), [two]);
  expect(all[0].every((pixels) => pixels > 10)).toBe(true);
  expect(pixelsOf(view({ windows: [rectangle([-2, -2, 2, 2], 1)] }), [two])).toEqual(all);
});
